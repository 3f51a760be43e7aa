//! Figures on a page of the documentation: compared, or written where somebody asks for that.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// One test at a time writes the page.
static PAGE: Mutex<()> = Mutex::new(());

/// Compares the block `name` of `docs/reach.md` with what was just measured.
pub(crate) fn compare(name: &str, measured: &str) {
    let _page = PAGE.lock().unwrap_or_else(PoisonError::into_inner);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reach.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
    let from = page.find(&start).unwrap_or_else(|| panic!("no {start}")) + start.len();
    let to = page.find(&end).unwrap_or_else(|| panic!("no {end}"));
    if std::env::var_os("ANSWERPLANE_WRITE").is_some() {
        std::fs::write(&path, format!("{}{measured}{}", &page[..from], &page[to..])).unwrap();
    } else {
        assert_eq!(&page[from..to], measured, "docs/reach.md is stale: run with ANSWERPLANE_WRITE=1");
    }
}
