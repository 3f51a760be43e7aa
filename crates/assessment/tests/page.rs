//! `docs/assessment.md` and the code say the same.

use answerplane_assessment::{Check, Reason, Standing};

const PAGE: &str = include_str!("../../../docs/assessment.md");

/// The cells of the page's table rows whose first cell is one of `words` in backticks.
fn rows<'p>(words: &'p [&'p str]) -> Vec<Vec<&'p str>> {
    let rows = PAGE.lines().filter_map(|line| line.strip_prefix("| `"));
    let rows =
        rows.map(|line| line.split(" | ").map(|cell| cell.trim_matches(['`', '|', ' '])).collect::<Vec<_>>());
    rows.filter(|cells| words.contains(&cells[0])).collect()
}

#[test]
fn every_reason_is_on_the_page_in_order() {
    let words: Vec<_> = Reason::ALL.iter().map(|reason| reason.as_str()).collect();
    let rows = rows(&words);
    assert_eq!(rows.iter().map(|cells| cells[0]).collect::<Vec<_>>(), words);
    for (reason, cells) in Reason::ALL.iter().zip(rows) {
        let layer = reason.layer().map_or_else(|| "–".into(), |layer| layer.number().to_string());
        assert_eq!((cells[1], cells[2]), (layer.as_str(), reason.class().as_str()), "{reason}");
    }
}

#[test]
fn every_check_and_every_standing_is_on_the_page_in_order() {
    let words: Vec<_> = Check::ALL.iter().map(|check| check.as_str()).collect();
    let table = rows(&words);
    assert_eq!(table.iter().map(|cells| cells[0]).collect::<Vec<_>>(), words);
    for (check, cells) in Check::ALL.iter().zip(table) {
        assert_eq!(cells[1], check.layer().number().to_string());
    }
    let words: Vec<_> = Standing::ALL.iter().map(|standing| standing.as_str()).collect();
    let table = rows(&words);
    assert_eq!(table.iter().map(|cells| cells[0]).collect::<Vec<_>>(), words);
}
