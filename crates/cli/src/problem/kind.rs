//! What the program itself can find wrong: the rows of the table in `docs/errors.md`.

/// Whose fault something mostly is.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Whoever runs the program.
    Caller,
    /// Whoever publishes the site.
    Author,
    /// Whoever looks after the machine, the network or the server.
    Operator,
    /// Whoever wrote the program that is checked.
    Implementer,
}

/// Declares the kinds: name, stable code, whose fault, what is wrong, what to do about it.
macro_rules! kinds {
    ($($name:ident: $code:literal, $fault:ident, $what:literal, $remedy:literal;)+) => {
        /// A kind of problem. Several share a code where a program would treat them alike.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Kind {
            $(#[doc = $what] $name,)+
        }

        impl Kind {
            /// All kinds, in the order of the page.
            #[cfg(test)]
            pub(crate) const ALL: &[Self] = &[$(Self::$name),+];

            /// The stable code.
            pub(crate) const fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)+ }
            }

            /// What to do about it.
            pub(crate) const fn remedy(self) -> &'static str {
                match self { $(Self::$name => $remedy,)+ }
            }

            /// What is wrong, as the page says it.
            #[cfg(test)]
            pub(crate) const fn what(self) -> &'static str {
                match self { $(Self::$name => $what,)+ }
            }

            /// Whose fault it mostly is.
            #[cfg(test)]
            pub(crate) const fn fault(self) -> Fault {
                match self { $(Self::$name => Fault::$fault,)+ }
            }
        }
    };
}

kinds! {
    NotOneQuery: "CLI_USAGE", Caller, "`--choose` without exactly one QUERY",
        "Name the entry by its id, and the question that offered it.";
    NotHtml: "CLI_USAGE", Caller, "`--page` with a form that is not HTML",
        "Leave --page out, or say --to html.";
    NotSeconds: "CLI_USAGE", Caller, "`SOURCE_DATE_EPOCH` that is no whole number of seconds",
        "Set it to seconds since 1970, or unset it.";
    NoSchema: "CLI_USAGE", Caller, "a name of no schema",
        "`answerplane schema` lists them.";
    Missing: "CLI_MISSING", Caller, "there is no such file or folder",
        "Check the path.";
    NotAFile: "CLI_NOT_A_FILE", Caller, "a folder, pipe or device where a file is needed",
        "Name a file.";
    NotAFolder: "CLI_NOT_A_FOLDER", Caller, "a file where a folder is needed",
        "Name a folder; it is made where there is none.";
    Unreadable: "CLI_UNREADABLE", Operator, "the system does not let it be read",
        "Check its permissions.";
    Unwritable: "CLI_UNWRITABLE", Operator, "the system does not let an output or a folder be written",
        "Check permissions and free space.";
    Unreplaced: "CLI_UNWRITABLE", Operator, "the system does not let a file be written",
        "Check permissions and free space; what was there before is unchanged.";
    HalfWritten: "CLI_HALF_WRITTEN", Operator, "the artifact was written and the site configuration could not be",
        "Check permissions and free space and run the same command again; until then artifact and configuration do not belong together.";
    TooLarge: "CLI_TOO_LARGE", Caller, "a file has more bytes than are read",
        "Check that it is the file you mean; vectors can be split into several files.";
    NotText: "CLI_NOT_TEXT", Caller, "a question is not UTF-8",
        "Convert it to UTF-8.";
    NotTextFile: "CLI_NOT_TEXT", Caller, "a file to show that is not UTF-8",
        "Convert it to UTF-8.";
    NotJson: "CLI_NOT_JSON", Caller, "a surface that is not JSON, or not to be read as such",
        "Check it with any JSON tool; it has to be UTF-8, nest less than 128 levels deep, and hold neither half a surrogate pair nor a number beyond a double.";
    NoArtifact: "CLI_NO_ARTIFACT", Author, "the folder of a site holds no artifact",
        "Put the artifact at one of them.";
    OutsideFolder: "CLI_OUTSIDE_FOLDER", Author, "`artifact.href`, or a link, leads out of the folder",
        "Put the artifact into the folder of the site, without `..` or a link out of it.";
    NoFileName: "CLI_NO_FILE_NAME", Author, "`artifact.href` has an escape that no file name can hold",
        "Write plain UTF-8 names between slashes, without %2F, %5C and %00.";
    Expired: "CLI_EXPIRED", Author, "the artifact has expired",
        "Publish a newer artifact.";
    ForeignShard: "CLI_FOREIGN_SHARD", Author, "the configuration of a further shard has another `siteId`",
        "The shards of garden-help are garden-help.2, garden-help.3, and so on: give it that siteId, or remove it.";
    TooManyShards: "CLI_TOO_MANY_SHARDS", Author, "a site has more shards than are read",
        "Split the site.";
    RepeatedHash: "CLI_REPEATED_HASH", Author, "`contentHash` stands in a document twice",
        "Keep one of them.";
    Address: "CLI_ADDRESS", Caller, "an address that cannot be one",
        "Begin it with http:// or https:// and a host.";
    Unreachable: "CLI_UNREACHABLE", Operator, "no connection, a broken one, or a certificate that is not trusted",
        "Check address, network and server.";
    Timeout: "CLI_TIMEOUT", Operator, "the server took longer than `--timeout`",
        "Try again, or allow more time with --timeout.";
    HttpStatus: "CLI_HTTP_STATUS", Operator, "the server answered with an error",
        "Check the address.";
    RedirectElsewhere: "CLI_REDIRECT", Operator, "a redirect to another scheme, host or port",
        "Use the address that it redirects to, if you trust it.";
    TooManyRedirects: "CLI_REDIRECT", Operator, "too many redirects",
        "Use the address that it should end at.";
    NotDeliberate: "CLI_NOT_DELIBERATE", Caller, "a list of deliberate differences that is none",
        "Write {\"<id>\": \"<reason>\"}.";
    AnotherSite: "CLI_ANOTHER_SITE", Caller, "an output folder with a configuration of another site, or with another file of such a name",
        "Choose another folder, or remove the file first.";
    NotWatched: "CLI_NOT_WATCHED", Operator, "sources of `build --watch` that the system does not watch",
        "Build again by hand, or raise the number of files that the system watches.";
    NotStarted: "CLI_PROGRAM", Caller, "the program of `--cmd` cannot be started",
        "Check the first word of --cmd.";
    Program: "CLI_PROGRAM", Implementer, "the program of `--cmd` does not keep the contract",
        "Run it by hand: one JSON request a line in, one JSON result a line out.";
    Exists: "CLI_EXISTS", Caller, "a transcript where a file is already",
        "Name another file, or replace this one with --force.";
    NoFolder: "CLI_NO_FOLDER", Caller, "a file is to be written into a folder that does not exist",
        "Make the folder first, or correct the path.";
    NoSuchNumber: "CLI_NO_SUCH_NUMBER", Caller, "a number that the list offered last does not have",
        "Take one of its numbers, or ask something else.";
}

#[cfg(test)]
mod tests {
    use super::{Fault, Kind};

    /// The rows of the page, each by its cells.
    fn rows() -> Vec<Vec<String>> {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/errors.md");
        let page = std::fs::read_to_string(path).unwrap();
        let section = page.split("\n## The command line\n").nth(1).unwrap().split("\n## ").next().unwrap();
        let rows = section.lines().filter(|line| line.starts_with("| `"));
        rows.map(|row| row.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect())
            .collect()
    }

    #[test]
    fn the_page_of_errors_has_every_kind_with_its_remedy() {
        let row = |kind: &Kind| {
            let fault = match kind.fault() {
                Fault::Caller => "caller",
                Fault::Author => "author",
                Fault::Operator => "operator",
                Fault::Implementer => "implementer",
            };
            vec![format!("`{}`", kind.code()), kind.what().into(), fault.into(), kind.remedy().into()]
        };
        let expected: Vec<Vec<String>> = Kind::ALL.iter().map(row).collect();
        let rows = rows();
        for (found, expected) in rows.iter().zip(&expected) {
            assert_eq!(found, expected);
        }
        assert_eq!(rows.len(), expected.len());
    }
}
