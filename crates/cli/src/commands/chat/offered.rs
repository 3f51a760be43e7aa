//! What was offered last, and what takes it.

use answerplane_normalize::normalize_key;
use answerplane_protocol::{Choices, RenderFrame};
use answerplane_resolver::complete::Completion;
use serde::Serialize;

/// What was offered last: choices, or what may have been meant. Without any it is empty.
#[derive(Debug, Default)]
pub(super) struct Offered {
    options: Vec<Offer>,
    /// The frame in which the session offered them, for choices.
    frame: Option<RenderFrame>,
}

/// One of several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Offer {
    /// What takes it, from 1.
    pub(super) number: usize,
    /// What it is called.
    pub(super) label: String,
    /// What is said for it.
    pub(super) value: String,
    /// Its id among the choices.
    #[serde(skip)]
    id: String,
}

impl Offered {
    /// Choices in the frame that a session offers them in.
    pub(super) fn choices(choices: &Choices, frame: Option<RenderFrame>) -> Self {
        let options = choices.suggestions().iter().zip(1..);
        let options = options.map(|(suggestion, number)| Offer {
            number,
            label: suggestion.label().to_owned(),
            value: suggestion.value().to_owned(),
            id: suggestion.id().as_str().to_owned(),
        });
        Self { options: options.collect(), frame }
    }

    /// What may have been meant.
    pub(super) fn meant(meant: &[Completion<'_>]) -> Self {
        let options = meant.iter().zip(1..).map(|(completion, number)| Offer {
            number,
            label: completion.label().to_owned(),
            value: completion.alias().to_owned(),
            id: completion.entry_id().to_owned(),
        });
        Self { options: options.collect(), frame: None }
    }

    /// Everything that was offered.
    pub(super) fn options(&self) -> &[Offer] {
        &self.options
    }

    /// The one that is taken by what was typed: its number, alone or behind `#`, or the whole of its label.
    ///
    /// What stands there to be typed for one of them is no number and no label of another: it is said as it is. A label that
    /// two of them have takes neither.
    pub(super) fn taken(&self, typed: &str) -> Option<&Offer> {
        let key = normalize_key(typed);
        if self.options.iter().any(|offer| normalize_key(&offer.value) == key) {
            return None;
        }
        if let Some(number) = ordinal(typed.trim()) {
            return self.options.iter().find(|offer| offer.number == number);
        }
        let mut called = self.options.iter().filter(|offer| normalize_key(&offer.label) == key);
        called.next().filter(|_| called.next().is_none())
    }

    /// How many were offered, where a number was typed that none of them has.
    pub(super) fn lacks(&self, typed: &str) -> Option<usize> {
        ordinal(typed.trim())?;
        let key = normalize_key(typed);
        let has = |offer: &Offer| [&offer.value, &offer.label].iter().any(|text| normalize_key(text) == key);
        let is_there = self.taken(typed).is_some() || self.options.iter().any(has);
        Some(self.options.len()).filter(|count| *count > 0 && !is_there)
    }

    /// Frame and id with which a session takes it, where it was a session that offered it.
    pub(super) fn authorized(&self, offer: &Offer) -> Option<(&RenderFrame, String)> {
        self.frame.as_ref().map(|frame| (frame, offer.id.clone()))
    }
}

/// A number that stands alone, perhaps behind `#`.
fn ordinal(typed: &str) -> Option<usize> {
    let digits = typed.strip_prefix('#').unwrap_or(typed);
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    if is_plain { digits.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::{Offer, Offered, ordinal};

    fn offered(options: &[(&str, &str)]) -> Offered {
        let options = options.iter().zip(1..).map(|((label, value), number)| Offer {
            number,
            label: (*label).into(),
            value: (*value).into(),
            id: format!("id-{number}"),
        });
        Offered { options: options.collect(), frame: None }
    }

    fn taken(offered: &Offered, typed: &str) -> Option<usize> {
        offered.taken(typed).map(|offer| offer.number)
    }

    /// Field reports B2-08, B2-10 and B2-11: a number inside a text is no ordinal.
    #[test]
    fn only_a_bare_number_is_one() {
        for (typed, number) in [("4", 4), ("#4", 4), ("12", 12)] {
            assert_eq!(ordinal(typed), Some(number));
        }
        for typed in [
            "cockpit 4",
            "first day",
            "first",
            "01.01.2022",
            "4.",
            "4)",
            "-4",
            "+4",
            "# 4",
            "##4",
            "04",
            "0",
            "",
            "#",
            "４",
            "4 4",
            "99999999999999999999999",
        ] {
            assert_eq!(ordinal(typed), None, "{typed}");
        }
    }

    /// Field reports B2-04, B2-05 and B2-07: never a beginning or a part of a label.
    #[test]
    fn only_a_whole_label_is_one() {
        let events = offered(&[("Event", "the event"), ("Event 2", "the second event")]);
        assert_eq!([taken(&events, "event 2"), taken(&events, "Event")], [Some(2), Some(1)]);
        assert_eq!([taken(&events, "Event 3"), taken(&events, "Eve"), taken(&events, "3")], [None; 3]);
        let likes = offered(&[("Like", "a"), ("Dislike", "b")]);
        assert_eq!(
            [taken(&likes, "Dislike"), taken(&likes, "like"), taken(&likes, "I like")],
            [Some(2), Some(1), None]
        );
        let same = offered(&[("Hours", "a"), ("Hours", "b")]);
        assert_eq!([taken(&same, "Hours"), taken(&same, "2")], [None, Some(2)]);
    }

    #[test]
    fn what_stands_there_to_be_typed_comes_first() {
        let crossed = offered(&[("A", "B"), ("B", "2")]);
        assert_eq!([taken(&crossed, "b"), taken(&crossed, "2")], [None; 2]);
        assert_eq!([taken(&crossed, "#2"), taken(&crossed, "a")], [Some(2), Some(1)]);
        assert_eq!(taken(&Offered::default(), "1"), None);
    }

    #[test]
    fn a_number_that_is_not_there_is_told() {
        let two = offered(&[("A", "a"), ("B", "7"), ("8", "b"), ("8", "c")]);
        for (typed, lacks) in
            [("5", true), (" #9 ", true), ("4", false), ("7", false), ("8", false), ("x", false)]
        {
            assert_eq!(two.lacks(typed), lacks.then_some(4), "{typed}");
        }
        assert_eq!(Offered::default().lacks("1"), None);
    }
}
