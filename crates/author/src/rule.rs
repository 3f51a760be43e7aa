//! The closed list of what can be found, with the code, the level and the remedy of each.

use std::fmt;

use serde::Serialize;

use crate::diagnostic::Level;

macro_rules! rules {
    ($($(#[$meta:meta])* $name:ident = $code:literal, $level:ident, $remedy:literal;)+) => {
        /// Everything that can be found, each with a stable code, a level and a remedy.
        ///
        /// Codes that begin with `AUTHOR_` are about sources, those that begin with `LINT_` about artifacts.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $($(#[$meta])* $name,)+
        }

        impl Rule {
            /// Every rule.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// The stable code.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)+ }
            }

            /// The level by default.
            #[must_use]
            pub const fn level(self) -> Level {
                match self { $(Self::$name => Level::$level,)+ }
            }

            /// What to do about it.
            #[must_use]
            pub const fn remedy(self) -> &'static str {
                match self { $(Self::$name => $remedy,)+ }
            }
        }
    };
}

rules! {
    /// The configuration is no TOML, or a name in it is not known.
    ConfigSyntax = "AUTHOR_CONFIG_SYNTAX", Error,
        "See docs/authoring.md for what a configuration holds.";
    /// A value in the configuration is not possible.
    ConfigValue = "AUTHOR_CONFIG_VALUE", Error,
        "See docs/authoring.md for what a configuration holds.";
    /// A file or folder cannot be read.
    Unreadable = "AUTHOR_UNREADABLE", Error,
        "Check that it exists and that its permissions let you read it.";
    /// A symbolic link leads out of the source.
    LinkedOutside = "AUTHOR_LINKED_OUTSIDE", Error,
        "Copy what it leads to into the folder, make that a source of its own, or leave the link out with `exclude`.";
    /// A file is not UTF-8.
    NotUtf8 = "AUTHOR_NOT_UTF8", Error,
        "Convert it to UTF-8.";
    /// The name of a file is not UTF-8, so no address can be made of it.
    NameNotUtf8 = "AUTHOR_NAME_NOT_UTF8", Error,
        "Rename it, or leave it out with `exclude`.";
    /// A file has more bytes than are read.
    FileTooLarge = "AUTHOR_FILE_TOO_LARGE", Error,
        "Split it, or leave it out with `exclude`.";
    /// A source holds nothing that becomes an entry.
    NothingFound = "AUTHOR_NOTHING_FOUND", Error,
        "Check `path`, `format`, `include`, `exclude` and `where` of the source.";
    /// Front matter is no YAML or TOML, or a field in it is not what it should be.
    FrontMatter = "AUTHOR_FRONT_MATTER", Error,
        "Mend what stands between the two lines of --- or +++; in YAML quote texts that hold a colon.";
    /// A file of rows cannot be parsed.
    RowSyntax = "AUTHOR_ROW_SYNTAX", Error,
        "Mend the row, or name the right `format`.";
    /// A quoted field of a row is not closed, or holds a quote that is not doubled.
    RowQuotes = "AUTHOR_ROW_QUOTES", Error,
        "Put a quote at both ends of the field, and write each quote within it twice.";
    /// A row lacks a field, or a field in it is not what it should be.
    RowField = "AUTHOR_ROW_FIELD", Error,
        "Mend the row, or say in `columns` where the field stands.";
    /// A package manifest cannot be parsed.
    Manifest = "AUTHOR_MANIFEST", Error,
        "Mend the manifest.";
    /// An artifact to merge cannot be read.
    ArtifactUnreadable = "AUTHOR_ARTIFACT", Error,
        "Run `answerplane verify` on it, or build it anew.";
    /// Nothing gives a page or row a title, so it was left out.
    NoTitle = "AUTHOR_NO_TITLE", Warning,
        "Add a title to the front matter, a heading to the page, or a column for it.";
    /// Nothing gives a row an answer or a link, so it was left out.
    NoAnswer = "AUTHOR_NO_ANSWER", Warning,
        "Write an answer or a link into the row, or say in `columns` where it stands.";
    /// A title is too long for a label.
    TitleTooLong = "AUTHOR_TITLE_TOO_LONG", Error,
        "Shorten the title, or give a shorter one in the front matter.";
    /// An alias is too long.
    AliasTooLong = "AUTHOR_ALIAS_TOO_LONG", Error,
        "Shorten the alias.";
    /// An alias holds nothing to type.
    AliasEmpty = "AUTHOR_ALIAS_EMPTY", Error,
        "Write a question or a name there, or remove it.";
    /// An alias holds a character that nobody sees or types.
    AliasInvisible = "AUTHOR_ALIAS_INVISIBLE", Error,
        "Remove the character.";
    /// An answer is too long.
    AnswerTooLong = "AUTHOR_ANSWER_TOO_LONG", Error,
        "Shorten it and link to the page.";
    /// An answer says nothing but its title.
    AnswerIsTitle = "AUTHOR_ANSWER_IS_TITLE", Note,
        "Add a description or a first paragraph.";
    /// A link is not safe.
    LinkUnsafe = "AUTHOR_LINK_UNSAFE", Error,
        "Use an http or https address without credentials, or a path.";
    /// An address is too long.
    LinkTooLong = "AUTHOR_LINK_TOO_LONG", Error,
        "Shorten it; often what stands behind its ? can go.";
    /// A relative link leads out of the tree.
    LinkOutside = "AUTHOR_LINK_OUTSIDE", Error,
        "Link to a page of the tree, or use the whole address.";
    /// A kind is not one of the seven.
    KindUnknown = "AUTHOR_KIND_UNKNOWN", Error,
        "Use command, package, navigation, contribution, ecosystem, restricted-faq or document.";
    /// A declared id is no identifier.
    IdInvalid = "AUTHOR_ID_INVALID", Error,
        "Use 1 to 128 of A-Z a-z 0-9 . _ : -, beginning with a letter or digit.";
    /// Two sources have one id.
    IdCollision = "AUTHOR_ID_COLLISION", Error,
        "Give one of them an `id` of its own, or a source an `id-prefix`.";
    /// An id was made distinct, since the addresses of two rows make the same.
    IdMadeDistinct = "AUTHOR_ID_MADE_DISTINCT", Note,
        "Add a column of ids if you want to choose them.";
    /// The same row stands in the sources twice.
    RepeatedRow = "AUTHOR_REPEATED_ROW", Warning,
        "Remove one; it was taken once.";
    /// Rows or entries by hand have the same question and different answers.
    ConflictingAnswers = "AUTHOR_CONFLICTING_ANSWERS", Warning,
        "Keep one of the answers, or give each row a question, or a section, that tells it apart.";
    /// An alias was added, so that its entry can be asked for alone.
    AliasInvented = "AUTHOR_ALIAS_INVENTED", Note,
        "Declare an alias that no other entry has if you know a better one.";
    /// A shared alias was replaced by one that says which entry is meant.
    AliasQualified = "AUTHOR_ALIAS_QUALIFIED", Note,
        "Declare an alias that no other entry has if you know a better one.";
    /// A label was made distinct from that of another entry.
    LabelQualified = "AUTHOR_LABEL_QUALIFIED", Note,
        "Give the pages titles that tell them apart.";
    /// A declared alias was left out.
    AliasDropped = "AUTHOR_ALIAS_DROPPED", Warning,
        "Remove it from the source, or choose another policy for `shared` or `overflow`.";
    /// An alias is shared where the policy forbids it.
    AliasShared = "AUTHOR_ALIAS_SHARED", Error,
        "Give each entry an alias of its own, or choose another policy for `shared`.";
    /// More entries share an alias than are ever offered.
    FanOut = "AUTHOR_FAN_OUT", Warning,
        "Give the entries aliases that tell them apart, or use `shared = \"qualify\"`.";
    /// An entry has more aliases than slots where the policy forbids it.
    TooManyAliases = "AUTHOR_TOO_MANY_ALIASES", Error,
        "Remove aliases, or use `overflow = \"continue\"` or `\"trim\"`.";
    /// Typing variants found no slot.
    VariantsTrimmed = "AUTHOR_VARIANTS_TRIMMED", Note,
        "Use `overflow = \"continue\"` to keep them in continuation entries.";
    /// Keys went into continuation entries.
    Continued = "AUTHOR_CONTINUED", Note,
        "Use `overflow = \"trim\"` if the bytes matter more than the variants.";
    /// An entry is too large for a shard.
    EntryTooLarge = "AUTHOR_ENTRY_TOO_LARGE", Error,
        "Shorten its answer, or raise `max-bytes`.";
    /// Entries that share keys are too many, or too large, for one shard.
    GroupTooLarge = "AUTHOR_GROUP_TOO_LARGE", Error,
        "Use `shared = \"qualify\"` or `\"drop\"` for them, or remove shared aliases.";
    /// More shards would be made than are ever read.
    TooManyShards = "AUTHOR_TOO_MANY_SHARDS", Error,
        "Raise `max-bytes` or `max-entries`, or make several sites.";
    /// An entry was left out for its low priority.
    Shed = "AUTHOR_SHED", Warning,
        "Raise its `priority` or `max-bytes`, or use `over = \"shard\"`.";
    /// There is nothing to publish.
    NoEntries = "AUTHOR_NO_ENTRIES", Error,
        "Add a source that holds at least one title.";
    /// The artifact would never answer.
    ExpiryPast = "AUTHOR_EXPIRY_PAST", Error,
        "Give a later --expires-at or --expires-in, or renew it with `--generated-at now`.";
    /// The artifact answers for a short time only.
    ExpirySoon = "AUTHOR_EXPIRY_SOON", Warning,
        "Renew it with `--generated-at now`, or give a longer --expires-in.";
    /// A line of a golden file is not what it should be.
    GoldenSyntax = "AUTHOR_GOLDEN_SYNTAX", Error,
        "Write {\"query\": \"…\"} with one of answer, choices and miss, one object a line.";
    /// A question does not come out as the golden file says.
    GoldenBroken = "AUTHOR_GOLDEN_BROKEN", Error,
        "Mend the source, or change the golden file if the change was meant.";
    /// What is published is not what the sources give.
    Outdated = "AUTHOR_OUTDATED", Error,
        "Build it again and publish both files together.";
    /// The artifact does not answer for as long as it has to.
    LifeTooShort = "AUTHOR_LIFE_TOO_SHORT", Error,
        "Renew it with `answerplane build … --generated-at now`.";
    /// Something in an artifact breaks a rule of the protocol, so that every reader refuses the whole.
    LintInvalid = "LINT_INVALID", Error,
        "Mend it; docs/protocol/artifact.md has every rule.";
    /// Entries share an alias, so that asking it gives choices.
    LintSharedAlias = "LINT_SHARED_ALIAS", Warning,
        "Keep it if choices are wanted; otherwise qualify or drop the alias.";
    /// Entries with the same label share an alias and answer differently.
    LintConflictingAnswers = "LINT_CONFLICTING_ANSWERS", Error,
        "Merge the entries, or give them labels that tell a reader which is which.";
    /// More entries share an alias than are ever offered.
    LintFanOut = "LINT_FAN_OUT", Error,
        "Leave at most 8 of them with this alias; nobody could choose the others.";
    /// No alias reaches the entry alone.
    LintUnreachable = "LINT_UNREACHABLE", Error,
        "Give it an alias that no other entry has.";
    /// Entries that share an alias lie in different shards, of which only the first answers.
    LintSplitKey = "LINT_SPLIT_KEY", Error,
        "Build the shards together: entries that share an alias belong into one.";
    /// An alias holds a character that nobody sees or types.
    LintInvisibleCharacter = "LINT_INVISIBLE_CHARACTER", Error,
        "Remove the character.";
    /// A word of an alias mixes scripts.
    LintMixedScript = "LINT_MIXED_SCRIPT", Warning,
        "Write the word in one script; look-alike letters are never typed.";
    /// A link is not safe.
    LintUnsafeLink = "LINT_UNSAFE_LINK", Error,
        "Use an http or https address without credentials, or a path.";
    /// A link leads to no page of the site tree.
    LintDeadLink = "LINT_DEAD_LINK", Error,
        "Link to a page that exists.";
    /// A link leads to a page, but to no anchor in it.
    LintMissingAnchor = "LINT_MISSING_ANCHOR", Warning,
        "Link to an anchor that the page has.";
    /// An alias is longer than people type.
    LintLongAlias = "LINT_LONG_ALIAS", Warning,
        "Add a shorter alias.";
    /// The artifact expires soon, or has expired.
    LintExpiresSoon = "LINT_EXPIRES_SOON", Warning,
        "Build and publish it anew.";
    /// An alias is the text of another entry's answer.
    LintAliasIsAnswer = "LINT_ALIAS_IS_ANSWER", Warning,
        "Declare questions as aliases; answers are never matched.";
    /// Two entries say nearly the same.
    LintNearDuplicate = "LINT_NEAR_DUPLICATE", Warning,
        "Merge them: put the aliases of both under one entry.";
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl Serialize for Rule {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}
