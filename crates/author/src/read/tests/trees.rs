//! Folders, what is in them, and what is read again.

use std::fs;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use super::{Tree, found, titles, write};
use crate::config::Config;
use crate::read::Reader;

#[test]
fn files_are_read_in_the_order_of_their_paths() {
    let tree = Tree::new(
        "[[source]]\npath = \"./docs/\"\n[[source]]\npath = \"rows.csv\"\nformat = \"csv\"\n",
        &[
            ("docs/b.md", b"# B"),
            ("docs/a/z.md", b"# AZ"),
            ("docs/a-b.md", b"# A-B"),
            ("docs/.git/x.md", b"# no"),
            ("docs/node_modules/x/README.md", b"# no"),
            ("docs/.hidden.md", b"# no"),
            ("docs/page.txt", b"# no"),
            ("docs/llms.txt", b"- [L](/l)"),
            ("docs/pkg/package.json", b"{\"name\": \"P\"}"),
            ("rows.csv", b"q,answer\nR,a\n"),
        ],
    );
    let reading = tree.read();
    assert_eq!(titles(&reading), ["AZ", "A-B", "B", "L", "P", "R"]);
    assert_eq!(reading.drafts.len(), reading.files.len());
    let name = tree.folder.path().join("docs/a/z.md");
    assert_eq!(PathBuf::from(&reading.drafts[0][0].place.file), name);
    assert_eq!(reading.files[5], tree.folder.path().join("rows.csv"));
}

#[test]
fn globs_choose() {
    let tree = Tree::new(
        "[[source]]\npath = \"docs\"\ninclude = [\"**/*.md\"]\nexclude = [\"drafts\", \"*/x.md\"]\n",
        &[
            ("docs/a.md", b"# A"),
            ("docs/b.mdx", b"# B"),
            ("docs/c/x.md", b"# X"),
            ("docs/c/d/x.md", b"# D"),
            ("docs/drafts/e/f.md", b"# F"),
        ],
    );
    assert_eq!(titles(&tree.read()), ["A", "D"]);
}

#[test]
fn what_cannot_be_read_is_reported_at_once() {
    let mut large = b"# L\n".to_vec();
    large.resize((16 << 20) + 1, b'x');
    let tree = Tree::new(
        "[[source]]\npath = \"docs\"\n[[source]]\npath = \"missing\"\n[[source]]\npath = \"x.bin\"\n",
        &[
            ("docs/a.md", b"# A\n\n\xff\n"),
            ("docs/b.md", b""),
            ("docs/c.md", &large),
            ("docs/d.md", b"# D"),
            ("x.bin", b""),
        ],
    );
    assert_eq!(
        found(&tree.read()),
        [
            "docs/a.md:3: error AUTHOR_NOT_UTF8: these bytes are not UTF-8",
            "docs/b.md:1 (title): warning AUTHOR_NO_TITLE: nothing gives a title; the page was left out",
            "docs/c.md: error AUTHOR_FILE_TOO_LARGE: the file has too many bytes (16777217, at most 16777216)",
            "missing: error AUTHOR_UNREADABLE: it does not exist",
            "x.bin: error AUTHOR_NOTHING_FOUND: no format is known by this name; name one with `format`",
        ]
    );
}

#[cfg(unix)]
#[test]
fn links_in_a_tree_are_followed_once_and_never_out_of_it() {
    let tree = Tree::new(
        "[[source]]\npath = \"docs\"\n",
        &[("docs/a/a.md", b"# A"), ("docs/c/c.md", b"# C"), ("other/o.md", b"# O")],
    );
    let docs = tree.folder.path().join("docs");
    std::os::unix::fs::symlink(&docs, docs.join("a/loop")).unwrap();
    std::os::unix::fs::symlink(tree.folder.path().join("other"), docs.join("b")).unwrap();
    std::os::unix::fs::symlink("../c/c.md", docs.join("a/linked.md")).unwrap();
    std::os::unix::fs::symlink("nowhere", docs.join("nothing")).unwrap();
    std::os::unix::fs::symlink("nowhere", docs.join("dangling.md")).unwrap();
    let reading = tree.read();
    assert_eq!(titles(&reading), ["A", "C", "C"]);
    assert_eq!(
        found(&reading),
        [
            "docs/b: error AUTHOR_LINKED_OUTSIDE: the link leads out of the source",
            "docs/dangling.md: error AUTHOR_UNREADABLE: it does not exist",
        ]
    );
}

#[cfg(unix)]
#[test]
fn an_unreadable_folder_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let tree = Tree::new("[[source]]\npath = \"docs\"\n", &[("docs/a.md", b"# A"), ("docs/b/b.md", b"# B")]);
    let folder = tree.folder.path().join("docs/b");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o000)).unwrap();
    let is_root = fs::read_dir(&folder).is_ok();
    let reading = tree.read();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    if !is_root {
        assert_eq!(found(&reading), ["docs/b: error AUTHOR_UNREADABLE: permission was denied"]);
    }
}

#[test]
fn folders_without_a_configuration_are_sources() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("docs/a.md"), b"# A\n\n[b](b.md)\n");
    let config = Config::of_paths(&[folder.path().join("docs")]).unwrap();
    let reading = Reader::new().read(&config);
    assert_eq!(reading.drafts[0][0].markdown, "[b](/b)\n\n[A](/a)");
    let name = folder.path().join("docs/a.md");
    assert_eq!(PathBuf::from(&reading.drafts[0][0].place.file), name);
}

#[test]
fn what_has_changed_is_read_again() {
    let tree = Tree::new("[[source]]\npath = \"docs\"\n", &[("docs/a.md", b"# A"), ("docs/b.md", b"# B")]);
    sleep(Duration::from_millis(120));
    let mut reader = Reader::new();
    let first = reader.read(&tree.config);
    let docs = tree.folder.path().join("docs");
    write(&docs.join("b.md"), b"# C");
    write(&docs.join("d.md"), b"# D");
    let second = reader.read(&tree.config);
    assert_eq!(titles(&second), ["A", "C", "D"]);
    assert!(std::sync::Arc::ptr_eq(&first.drafts[0], &second.drafts[0]));
    // At once, and with the same length: the times of the file need not tell.
    write(&docs.join("b.md"), b"# E");
    fs::remove_file(docs.join("a.md")).unwrap();
    assert_eq!(titles(&reader.read(&tree.config)), ["E", "D"]);
    // Other settings.
    let mut config = tree.config.clone();
    config.sources[0].answer = Some("{title}!".into());
    let third = reader.read(&config);
    assert_eq!(third.drafts[0][0].markdown, "E!");
    config.policy.shared = crate::config::Shared::Drop;
    assert_eq!(reader.read(&config).drafts[0][0].shared, crate::config::Shared::Drop);
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_utf8_is_an_error() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let tree = Tree::new("[[source]]\npath = \"docs\"\n", &[("docs/a.md", b"# A")]);
    let docs = tree.folder.path().join("docs");
    write(&docs.join(OsStr::from_bytes(b"caf\xe9.md")), b"# Caf\n");
    write(&docs.join(OsStr::from_bytes(b"\xff/b.md")), b"# B\n");
    write(&docs.join(OsStr::from_bytes(b"\xff.png")), b"");
    let reading = tree.read();
    assert_eq!(titles(&reading), ["A"]);
    let told = "error AUTHOR_NAME_NOT_UTF8: the name of the file, or of a folder that it is in, is not UTF-8";
    assert_eq!(
        found(&reading),
        [format!("docs/caf\u{fffd}.md: {told}"), format!("docs/\u{fffd}/b.md: {told}")]
    );
}
