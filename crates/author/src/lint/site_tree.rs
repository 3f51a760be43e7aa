//! The folder of a site: which addresses it has pages for, and which anchors these have.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use answerplane_normalize::normalize_key;
use answerplane_protocol::SafeLink;
use percent_encoding::percent_decode_str;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use url::Url;

/// Larger pages are not read for their anchors.
const MAX_PAGE_BYTES: u64 = 16 << 20;
/// What a folder may show when it is asked for.
const INDEXES: [&str; 5] = ["index.html", "index.md", "index.mdx", "README.md", "_index.md"];
/// What a page may end in, where its address does not say so.
const EXTENSIONS: [&str; 3] = ["html", "md", "mdx"];

/// What a link leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Another site.
    Elsewhere,
    /// A page, and an anchor of it if the link names one.
    There,
    /// No page.
    NoPage,
    /// A page without this anchor.
    NoAnchor(String),
    /// Something in the tree that cannot be read, so that nobody knows.
    Unreadable(PathBuf),
}

/// The folder of a site and its address.
pub(super) struct SiteTree {
    folder: PathBuf,
    base: Option<Url>,
    /// The anchors of the pages that have been read, folded; `None` for files that have no anchors to be checked.
    anchors: HashMap<PathBuf, Option<HashSet<String>>>,
}

impl SiteTree {
    /// The tree of a folder that can be read.
    pub(super) fn open(folder: &Path, base: Option<&SafeLink>) -> Option<Self> {
        let folder = fs::canonicalize(folder).ok()?;
        fs::read_dir(&folder).ok()?;
        // What may be listed may still not be entered.
        fs::metadata(folder.join(".")).ok()?;
        let base = base.and_then(|base| absolute(base.as_str()));
        Some(Self { folder, base, anchors: HashMap::new() })
    }

    /// Where a link leads.
    pub(super) fn look_up(&mut self, link: &str) -> Found {
        let Some((path, anchor)) = self.below_base(link) else { return Found::Elsewhere };
        let page = match path.map(|path| self.page(&path)) {
            None | Some(Ok(None)) => return Found::NoPage,
            Some(Ok(Some(page))) => page,
            Some(Err(unreadable)) => return Found::Unreadable(unreadable),
        };
        let Some(anchor) = anchor.filter(|anchor| !is_built_in(anchor)) else { return Found::There };
        let anchors = match self.anchors.entry(page) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => match read_anchors(unknown.key()) {
                Ok(anchors) => unknown.insert(anchors),
                Err(_) => return Found::Unreadable(unknown.into_key()),
            },
        };
        match anchors {
            Some(anchors) if !has(anchors, &anchor) => Found::NoAnchor(anchor),
            _ => Found::There,
        }
    }

    /// The path and anchor of a link into the tree; a path that no file can have is `None`.
    fn below_base(&self, link: &str) -> Option<(Option<String>, Option<String>)> {
        let url = absolute(link)?;
        let rooted = link.starts_with('/') && !link.starts_with("//");
        let base_path = match &self.base {
            Some(base) if rooted || base.origin() == url.origin() => base.path(),
            None if rooted => "/",
            _ => return None,
        };
        let folder = base_path.strip_suffix('/').unwrap_or(base_path);
        let rest = url.path().strip_prefix(folder).filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
        let decode =
            |text: &str| percent_decode_str(text).decode_utf8().ok().map(std::borrow::Cow::into_owned);
        let is_plain = |path: &String| {
            !path.contains(['\\', '\0']) && !path.split('/').any(|part| part == ".." || part == ".")
        };
        let anchor = url.fragment().and_then(decode);
        Some((decode(rest).filter(is_plain), anchor))
    }

    /// The file behind a path, or what of the tree cannot be read.
    fn page(&self, path: &str) -> Result<Option<PathBuf>, PathBuf> {
        let path = path.trim_start_matches('/');
        let bare = path.trim_end_matches('/');
        let mut candidates: Vec<PathBuf> = Vec::new();
        if !bare.is_empty() {
            if !path.ends_with('/') {
                candidates.push(bare.into());
            }
            candidates.extend(EXTENSIONS.iter().map(|extension| format!("{bare}.{extension}").into()));
            if let Some(stem) = bare.strip_suffix(".html") {
                candidates.extend(["md", "mdx"].iter().map(|extension| format!("{stem}.{extension}").into()));
                if let Some(folder) = stem.strip_suffix("index") {
                    candidates.push(Path::new(folder).join("README.md"));
                }
            }
        }
        candidates.extend(INDEXES.iter().map(|index| Path::new(bare).join(index)));
        for candidate in candidates {
            let path = self.folder.join(candidate);
            match fs::canonicalize(&path) {
                Ok(file) if file.starts_with(&self.folder) && file.is_file() => return Ok(Some(file)),
                Err(error) if !is_absence(&error) => return Err(path),
                _ => {}
            }
        }
        Ok(None)
    }
}

/// Whether an error says that there is no such file.
fn is_absence(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidFilename, InvalidInput, NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory | InvalidFilename | InvalidInput)
}

/// A link as an address; of one that begins with `/` only the path counts.
fn absolute(link: &str) -> Option<Url> {
    if link.starts_with('/') && !link.starts_with("//") {
        return Url::parse("https://base.invalid").ok()?.join(link).ok();
    }
    Url::parse(link).ok().filter(|url| matches!(url.scheme(), "http" | "https"))
}

/// Anchors that every page has.
fn is_built_in(anchor: &str) -> bool {
    anchor.is_empty() || anchor.eq_ignore_ascii_case("top") || anchor.starts_with(":~:")
}

/// Generators make anchors from headings in different ways, but out of the same letters and digits.
fn fold(anchor: &str) -> String {
    normalize_key(anchor).as_str().chars().filter(|character| character.is_alphanumeric()).collect()
}

/// Whether a page has an anchor; a number at its end may tell headings of the same text apart.
fn has(anchors: &HashSet<String>, anchor: &str) -> bool {
    let without_number = anchor
        .trim_end_matches(|character: char| character.is_ascii_digit())
        .strip_suffix(['-', '_'])
        .filter(|rest| !rest.is_empty());
    anchors.contains(&fold(anchor)) || without_number.is_some_and(|anchor| anchors.contains(&fold(anchor)))
}

fn read_anchors(page: &Path) -> io::Result<Option<HashSet<String>>> {
    let extension = page.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let is_markdown = matches!(extension, "md" | "mdx" | "markdown");
    let is_page = is_markdown || matches!(extension, "html" | "htm" | "xhtml");
    if !is_page || fs::metadata(page)?.len() > MAX_PAGE_BYTES {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&fs::read(page)?).into_owned();
    let mut anchors: HashSet<String> = attributes(&text).map(fold).collect();
    if is_markdown {
        let mut heading: Option<String> = None;
        for event in Parser::new_ext(&text, Options::ENABLE_HEADING_ATTRIBUTES) {
            match event {
                Event::Start(Tag::Heading { id, .. }) => {
                    heading = Some(String::new());
                    anchors.extend(id.map(|id| fold(&id)));
                }
                Event::Text(part) | Event::Code(part) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&part);
                    }
                }
                Event::End(TagEnd::Heading(_)) => {
                    anchors.extend(heading.take().map(|heading| fold(&heading)))
                }
                _ => {}
            }
        }
    }
    Ok(Some(anchors))
}

/// The values of `id` and `name` attributes in a text.
fn attributes(text: &str) -> impl Iterator<Item = &str> {
    ["id=", "name="].into_iter().flat_map(move |name| {
        text.match_indices(name).filter_map(move |(at, _)| {
            let begins = text[..at].ends_with(|character: char| character.is_ascii_whitespace());
            let value = &text[at + name.len()..];
            let (quote, value) = match value.as_bytes().first() {
                Some(b'"') => ('"', &value[1..]),
                Some(b'\'') => ('\'', &value[1..]),
                _ => ('>', value),
            };
            let end = value.find(|c: char| c == quote || (quote == '>' && c.is_ascii_whitespace()));
            begins.then(|| &value[..end.unwrap_or(0)]).filter(|value| !value.is_empty())
        })
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Found, SiteTree};

    #[test]
    fn links_are_followed_into_the_tree_only() {
        let scene = tempfile::tempdir().unwrap();
        let tree = scene.path().join("site");
        fs::create_dir_all(tree.join("guide")).unwrap();
        fs::write(tree.join("index.html"), "<h2 id=\"start\">S</h2><a name='old'></a><p id=x>").unwrap();
        fs::write(
            tree.join("guide/install.md"),
            "# Install *the* `cli`\n\n## C++ & Rust\n## Twice\n## Twice\n## Named {#own}\n",
        )
        .unwrap();
        fs::write(tree.join("guide/README.md"), "# Guide").unwrap();
        fs::write(tree.join("a b.pdf"), "").unwrap();
        fs::write(scene.path().join("secret.md"), "").unwrap();
        let base = "https://docs.example/v1".parse().unwrap();
        let mut site = SiteTree::open(&tree, Some(&base)).unwrap();
        for link in [
            "https://docs.example/v1",
            "https://docs.example/v1/#start",
            "/v1/index.html#old",
            "/v1/#x",
            "/v1/guide/install#install-the-cli",
            "/v1/guide/install/#top",
            "/v1/guide/install.html?q=1#c--rust",
            "/v1/guide/install.md#twice-1",
            "/v1/guide/install#own",
            "/v1/guide/",
            "/v1/guide/index.html",
            "/v1/a%20b.pdf#page=3",
        ] {
            assert_eq!(site.look_up(link), Found::There, "{link}");
        }
        for link in
            ["/v2/x", "https://docs.example/v12/", "https://other.example/v1/nowhere", "mailto:a@b.test"]
        {
            assert_eq!(site.look_up(link), Found::Elsewhere, "{link}");
        }
        for link in ["/v1/nowhere", "/v1/%2e%2e%2fsecret.md", "/v1/..%2Fsecret.md", "/v1/%00", "/v1/%ff"] {
            assert_eq!(site.look_up(link), Found::NoPage, "{link}");
        }
        assert_eq!(site.look_up("/v1/guide/install#nope"), Found::NoAnchor("nope".into()));
        let mut bare = SiteTree::open(&tree, None).unwrap();
        assert_eq!(bare.look_up("/guide/install"), Found::There);
        assert_eq!(bare.look_up("https://docs.example/guide/install"), Found::Elsewhere);
        assert!(SiteTree::open(&tree.join("nowhere"), None).is_none());
    }

    #[cfg(unix)]
    #[test]
    fn what_cannot_be_read_is_not_absent() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let scene = tempfile::tempdir().unwrap();
        let tree = scene.path().join("site");
        fs::create_dir_all(tree.join("guide")).unwrap();
        fs::write(tree.join("guide/page.md"), "# Page").unwrap();
        fs::write(tree.join("other.md"), "# Other").unwrap();
        // Nobody can read a link to itself, not even a privileged user.
        symlink("loop.html", tree.join("loop.html")).unwrap();
        let mut site = SiteTree::open(&tree, None).unwrap();
        assert!(matches!(site.look_up("/loop"), Found::Unreadable(path) if path.ends_with("loop.html")));
        assert_eq!(site.look_up(&format!("/{}", "x".repeat(300))), Found::NoPage);

        let allow = |name: &str, mode| {
            fs::set_permissions(tree.join(name), fs::Permissions::from_mode(mode)).unwrap();
        };
        allow("other.md", 0o000);
        if fs::read(tree.join("other.md")).is_ok() {
            return;
        }
        assert!(matches!(site.look_up("/other#x"), Found::Unreadable(_)));
        for mode in [0o000, 0o444] {
            allow("guide", mode);
            assert!(matches!(site.look_up("/guide/page"), Found::Unreadable(_)));
            allow("guide", 0o755);
            allow(".", mode);
            let is_open = SiteTree::open(&tree, None).is_some();
            fs::set_permissions(&tree, fs::Permissions::from_mode(0o755)).unwrap();
            assert!(!is_open);
        }
    }
}
