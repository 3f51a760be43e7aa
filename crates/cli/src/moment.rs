//! The clock, read here and nowhere else, and how long things last.

use std::time::{SystemTime, UNIX_EPOCH};

use answerplane_protocol::Timestamp;

/// What time it is.
pub(crate) fn now() -> Timestamp {
    let millis = |span: std::time::Duration| i64::try_from(span.as_millis()).unwrap_or(i64::MAX);
    Timestamp::from_millis(match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => millis(since),
        Err(before) => -millis(before.duration()),
    })
}

/// An instant as seen from another: `in 3 days`, `2 hours ago`, `now`.
pub(crate) fn seen_from(now: Timestamp, instant: Timestamp) -> String {
    let distance = instant.as_millis().saturating_sub(now.as_millis());
    let words = in_words(distance.unsigned_abs());
    match distance {
        0 => "now".into(),
        1.. => format!("in {words}"),
        _ => format!("{words} ago"),
    }
}

fn in_words(millis: u64) -> String {
    let units = [(86_400_000, "day"), (3_600_000, "hour"), (60_000, "minute"), (1_000, "second")];
    units.iter().find(|(length, _)| millis >= *length).map_or_else(
        || "less than a second".into(),
        |(length, name)| {
            let count = millis / length;
            format!("{count} {name}{}", if count == 1 { "" } else { "s" })
        },
    )
}

#[cfg(test)]
mod tests {
    use answerplane_protocol::Timestamp;

    use super::seen_from;

    #[test]
    fn distances_are_told_in_their_greatest_unit() {
        let at = Timestamp::from_millis;
        let seen = |millis| seen_from(at(0), at(millis));
        assert_eq!(
            [seen(0), seen(1), seen(1_000), seen(-119_999), seen(7_200_000), seen(-86_400_000 * 400)],
            ["now", "in less than a second", "in 1 second", "1 minute ago", "in 2 hours", "400 days ago"]
        );
        assert_eq!(seen_from(at(i64::MIN), at(i64::MAX)), "in 106751991167 days");
    }
}
