//! What a session that goes on and on takes of memory: `ANSWERPLANE_CASES` turns (10,000 unless set, at most 100,000), of which the
//! last 100 are kept, against a tenth of them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)]
#![cfg(target_os = "linux")]

mod scene;

use scene::{Scene, said};

/// The resident memory of this process, in bytes.
fn resident() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    pages.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4_096
}

#[tokio::test]
async fn it_takes_no_more_after_ten_times_as_many_turns() {
    let turns = std::env::var("ANSWERPLANE_CASES").map_or(10_000, |turns| turns.parse().unwrap());
    let turns: usize = turns.clamp(10_000, 100_000);
    let scene = Scene::new();
    let session = scene.open(1).await;
    let mut after_a_tenth = 0;
    for turn in 1..=turns {
        let text = ["plot", "/reserve", "/cancel", "something else"][turn % 4];
        said(&session, text).await;
        if turn % 10 == 0 {
            let messages = session.view().await.messages;
            if messages.len() > 200 {
                session.trim_front(&messages[messages.len() - 200].id).await.unwrap();
            }
        }
        if turn == turns / 10 {
            after_a_tenth = resident();
        }
    }
    let ratio = resident() as f64 / after_a_tenth as f64;
    eprintln!("{turns} turns: {ratio:.3} of {after_a_tenth} bytes");
    assert!(ratio <= 1.1, "{ratio}");
}
