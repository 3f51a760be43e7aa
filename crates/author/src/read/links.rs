//! Addresses of pages, and where relative links lead.

use std::borrow::Cow;
use std::fmt::Write;

use answerplane_normalize::{truncate_utf16, utf16_len};
use answerplane_protocol::SafeLink;
use percent_encoding::percent_decode_str;

/// What links are relative to: an origin, which may be empty, and the names of folders.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Base {
    origin: String,
    folders: Vec<String>,
}

impl Base {
    /// The base of a web address, or of a path.
    pub(super) fn new(url: &str) -> Self {
        let url = url.split(['?', '#']).next().unwrap_or_default();
        let path = match url.find("://") {
            Some(scheme) => url[scheme + 3..].find('/').map_or(url.len(), |at| scheme + 3 + at),
            None => 0,
        };
        let folders = url[path..].split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        Self { origin: url[..path].to_owned(), folders }
    }

    /// The address of a path below the base, or `climb` folders above.
    fn address(&self, climb: usize, names: &[Cow<'_, str>], is_folder: bool) -> Option<String> {
        let kept = self.folders.len().checked_sub(climb)?;
        let mut address = self.origin.clone();
        for folder in &self.folders[..kept] {
            let _ = write!(address, "/{folder}");
        }
        for name in names {
            address.push('/');
            push_encoded(name, &mut address);
        }
        if is_folder || (kept == 0 && names.is_empty()) {
            address.push('/');
        }
        Some(address)
    }

    /// The address of a path with dots that begins at the root of the host.
    fn rooted(&self, path: &str, is_folder: bool, reach: Reach) -> Option<String> {
        let mut names = Vec::new();
        let climb = walk(path, &mut names);
        let is_below = names.len() >= self.folders.len()
            && names.iter().zip(&self.folders).all(|(name, folder)| name == folder);
        if climb > 0 || (reach == Reach::Base && !is_below) {
            return None;
        }
        Self { origin: self.origin.clone(), folders: Vec::new() }.address(0, &names, is_folder)
    }

    /// The address of a text that an author gave for one: absolute, or relative to the base.
    pub(super) fn resolve(&self, link: &str) -> Target {
        Place { base: self, folder: &[], address: "", extension: None }.resolve_own(link)
    }
}

/// How far dots may lead.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Reach {
    /// Anywhere on the host.
    Host,
    /// To what lies below the base.
    Base,
}

/// Where a link leads.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Target {
    /// To a safe address.
    To(String),
    /// To something that is no page, such as a mailbox: its text and its address are kept as text.
    Nowhere,
    /// To a page outside of the tree, whose address cannot be known.
    Outside,
    /// Above what the base is in.
    Above,
    /// To something that is not safe.
    Unsafe,
    /// To an address with so many UTF-16 units, which are too many.
    TooLong(usize),
}

/// From where links are followed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    /// What addresses begin with.
    pub(super) base: &'a Base,
    /// The folders, below the root of the tree, of the file.
    pub(super) folder: &'a [&'a str],
    /// The address of the page itself.
    pub(super) address: &'a str,
    /// What pages have in place of `.md`; nothing where links to `.md` files stay as they are.
    pub(super) extension: Option<&'a str>,
}

impl Place<'_> {
    /// Where a link leads.
    pub(super) fn resolve(&self, link: &str) -> Target {
        self.follow(link, Reach::Host)
    }

    /// Where the own address of an entry leads, which dots may not lead out of the base.
    pub(super) fn resolve_own(&self, link: &str) -> Target {
        self.follow(link, Reach::Base)
    }

    fn follow(&self, link: &str, reach: Reach) -> Target {
        let link = answerplane_normalize::trim(link);
        if link.starts_with("//") || link.contains('\\') {
            return Target::Unsafe;
        }
        if let Some(scheme) = scheme_of(link) {
            let is = |name: &str| scheme.eq_ignore_ascii_case(name);
            return if is("mailto") || is("tel") { Target::Nowhere } else { safe(tidy(link)) };
        }
        let (path, suffix) = link.split_at(link.find(['?', '#']).unwrap_or(link.len()));
        let suffix = tidy(suffix);
        if path.is_empty() {
            let own = self.address.split('#').next().unwrap_or_default();
            let own =
                if own.is_empty() { self.base.address(0, &[], true).unwrap_or_default() } else { own.into() };
            return safe(own + &suffix);
        }
        let is_page = self.extension.is_some() && page_stem(path).is_some();
        // Browsers take encoded dots for dots.
        let decoded = percent_decode_str(path).decode_utf8_lossy();
        let is_folder = decoded.ends_with('/') || has_dots(decoded.rsplit('/').next());
        if path.starts_with('/') && !is_page {
            if has_dots(decoded.split('/')) {
                return self
                    .base
                    .rooted(&decoded, is_folder, reach)
                    .map_or(Target::Above, |a| safe(a + &suffix));
            }
            return safe(format!("{}{}{suffix}", self.base.origin, tidy(path)));
        }
        let from: &[&str] = if path.starts_with('/') { &[] } else { self.folder };
        let mut names: Vec<Cow<'_, str>> = from.iter().map(|name| Cow::Borrowed(*name)).collect();
        let climb = walk(&decoded, &mut names);
        if let (true, Some(extension)) = (is_page, self.extension) {
            if climb > 0 {
                return Target::Outside;
            }
            return safe(page_address(self.base, names, extension) + &suffix);
        }
        if climb > 0 && reach == Reach::Base {
            return Target::Above;
        }
        match self.base.address(climb, &names, is_folder) {
            Some(address) => safe(address + &suffix),
            None => Target::Above,
        }
    }
}

/// Follows a decoded path from the folder of these names, and gives how far it climbs above the first of them.
fn walk<'p>(path: &'p str, names: &mut Vec<Cow<'p, str>>) -> usize {
    let mut climb = 0;
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => climb += usize::from(names.pop().is_none()),
            _ => names.push(Cow::Borrowed(name)),
        }
    }
    climb
}

/// Whether any of these names stands for a folder or the one above.
fn has_dots<'n>(names: impl IntoIterator<Item = &'n str>) -> bool {
    names.into_iter().any(|name| matches!(name, "." | ".."))
}

/// The address of a page by its path in the tree: without `.md`, and that of the folder for `index` and `README`.
pub(super) fn page_address(base: &Base, mut names: Vec<Cow<'_, str>>, extension: &str) -> String {
    let last = names.pop().unwrap_or_default();
    let stem = page_stem(&last).unwrap_or(&last);
    let is_folder = is_index(stem);
    if !is_folder {
        names.push(Cow::Owned(format!("{stem}{extension}")));
    }
    base.address(0, &names, is_folder).unwrap_or_default()
}

/// A file's name or path without the end that pages have.
pub(super) fn page_stem(path: &str) -> Option<&str> {
    let (stem, end) = path.rsplit_once('.')?;
    let is_page = ["md", "mdx", "markdown"].iter().any(|known| end.eq_ignore_ascii_case(known));
    is_page.then_some(stem)
}

/// Whether a page of this name is that of its folder.
pub(super) fn is_index(stem: &str) -> bool {
    stem.eq_ignore_ascii_case("index") || stem.eq_ignore_ascii_case("readme")
}

/// A link without characters that end a link in Markdown. It leads to the same place.
pub(super) fn tidy(link: &str) -> Cow<'_, str> {
    let ends = |character: char| character == ' ' || character.is_control() || "()<>\"".contains(character);
    if !link.contains(ends) {
        return Cow::Borrowed(link);
    }
    let mut tidy = String::with_capacity(link.len() + 8);
    for character in link.chars() {
        if ends(character) && character.is_ascii() {
            let _ = write!(tidy, "%{:02X}", u32::from(character));
        } else {
            tidy.push(character);
        }
    }
    Cow::Owned(tidy)
}

fn push_encoded(name: &str, address: &mut String) {
    for character in name.chars() {
        let is_special = character.is_ascii_control() || " \"<>\\^`{|}()[]%?#".contains(character);
        if is_special {
            let _ = write!(address, "%{:02X}", u32::from(character));
        } else {
            address.push(character);
        }
    }
}

/// The greatest length of a link in UTF-16 units.
pub(super) const MAX_LINK: usize = 2_048;

pub(super) fn safe(link: impl Into<String>) -> Target {
    let link = link.into();
    if link.parse::<SafeLink>().is_ok() {
        return Target::To(link);
    }
    // Whether it is safe but for its length, its beginning tells.
    let is_safe = truncate_utf16(&link, MAX_LINK).parse::<SafeLink>().is_ok();
    match utf16_len(&link) {
        units if units > MAX_LINK && is_safe => Target::TooLong(units),
        _ => Target::Unsafe,
    }
}

/// What stands before the colon of an absolute address.
pub(super) fn scheme_of(link: &str) -> Option<&str> {
    let (scheme, _) = link.split_once(':')?;
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-'));
    is_scheme.then_some(scheme)
}

#[cfg(test)]
mod tests {
    use super::{Base, Place, Target, page_address};

    #[test]
    fn pages_have_addresses() {
        let page = |base: &str, path: &str, extension: &str| {
            page_address(&Base::new(base), path.split('/').map(Into::into).collect(), extension)
        };
        assert_eq!(page("/", "index.md", ""), "/");
        assert_eq!(page("/", "a b/ü(1).mdx", ".html"), "/a%20b/ü%281%29.html");
        assert_eq!(page("https://docs.example/v1", "cli/README.md", ""), "https://docs.example/v1/cli/");
        assert_eq!(page("https://docs.example", "index.md", ""), "https://docs.example/");
        assert_eq!(page("/docs/", "cli/install.md", ""), "/docs/cli/install");
    }

    #[test]
    fn links_are_followed() {
        let base = Base::new("https://docs.example/book/");
        let place = Place {
            base: &base,
            folder: &["cli"],
            address: "https://docs.example/book/cli/install",
            extension: Some(""),
        };
        for (link, to) in [
            ("use.md", "https://docs.example/book/cli/use"),
            ("./use.md#A-b", "https://docs.example/book/cli/use#A-b"),
            ("../index.md?x=1", "https://docs.example/book/?x=1"),
            ("/top.mdx", "https://docs.example/book/top"),
            ("/top", "https://docs.example/top"),
            ("#here", "https://docs.example/book/cli/install#here"),
            ("", "https://docs.example/book/cli/install"),
            ("../../std/index.html", "https://docs.example/std/index.html"),
            ("..", "https://docs.example/book/"),
            ("my%20page.md", "https://docs.example/book/cli/my%20page"),
            ("http://x.example/a (b)", "http://x.example/a%20%28b%29"),
        ] {
            assert_eq!(place.resolve(link), Target::To(to.into()), "{link}");
        }
        for (link, target) in [
            ("../../outside.md", Target::Outside),
            ("../../../x", Target::Above),
            ("mailto:a@b.example", Target::Nowhere),
            ("javascript:alert(1)", Target::Unsafe),
            ("https://me:word@x.example", Target::Unsafe),
            ("//x.example", Target::Unsafe),
            ("a\\b", Target::Unsafe),
            ("file:///etc/passwd", Target::Unsafe),
        ] {
            assert_eq!(place.resolve(link), target, "{link}");
        }
        assert_eq!(base.resolve("docs/a.md"), Target::To("https://docs.example/book/docs/a.md".into()));
        for link in [
            "../x",
            "..",
            "x/../..",
            "/../x",
            "/book/../x",
            "%2e%2e/x",
            ".%2E/x",
            "..%2fx",
            "a/%2e%2e/%2e%2e/x",
            "/book/%2e%2e/x",
        ] {
            assert_eq!(base.resolve(link), Target::Above, "{link}");
        }
        for (link, to) in
            [("a/%2e%2e/x", "/book/x"), ("a%2fb", "/book/a/b"), ("/book/a/../b", "/book/b"), ("/top", "/top")]
        {
            assert_eq!(base.resolve(link), Target::To(format!("https://docs.example{to}")), "{link}");
        }
        for (link, to) in [("%2e%2e/%2e%2e/x", "/x"), ("/a/%2e./x", "/x"), ("%2e%2e", "/book/")] {
            assert_eq!(place.resolve(link), Target::To(format!("https://docs.example{to}")), "{link}");
        }
        assert_eq!(place.resolve("/../x"), Target::Above);
        assert_eq!(base.resolve("#x"), Target::To("https://docs.example/book/#x".into()));
    }
}
