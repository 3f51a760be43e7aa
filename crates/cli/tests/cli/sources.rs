//! What `build` may be given.

use crate::run::{Scene, answerplane};

#[test]
fn entries_by_hand_are_no_configuration() {
    let scene = Scene::empty();
    let hand = scene.write("hand.toml", "[[entry]]\nlabel = \"Refund\"\nanswer = \"Within 14 days.\"\n");
    let output = scene.path("site");
    let build = || answerplane(["build".as_ref(), hand.as_os_str(), "-o".as_ref(), output.as_os_str()]);
    assert_eq!(build().status, 0, "{}", build().stdout);
    let ask =
        &answerplane(["ask".as_ref(), output.as_os_str(), "refund?".as_ref(), "--json".as_ref()]).json()[0];
    assert_eq!(ask["answer"]["markdown"], "Within 14 days.");
    scene.change("hand.toml", "answer", "answr");
    assert!(build().stdout.contains("(entry[0].answr): error AUTHOR_ROW_FIELD"), "{}", build().stdout);
}
