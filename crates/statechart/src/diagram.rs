//! A definition as a picture: Mermaid and DOT.
//!
//! States are numbered, and their names are only ever labels, so that no name can be taken for a part of the
//! language. What cannot be seen in a label, or turns the text around it, is shown as an escape.

use alloc::string::String;
use core::fmt::Write;

use answerplane_normalize::is_space;

use crate::definition::{Arrow, Definition};

impl Definition {
    /// The definition as a Mermaid diagram (`stateDiagram-v2`).
    ///
    /// An arrow is labelled with its event, with `[guard]` where a guard may refuse it and with `/ reduce` where
    /// it changes the context.
    ///
    /// ```
    /// use answerplane_statechart::{Definition, State};
    ///
    /// let door = Definition::builder("door", "1", "closed")
    ///     .state(State::new("closed").on("OPEN", "open"))
    ///     .state(State::new("open").on("CLOSE", "closed"))
    ///     .build()?;
    /// assert_eq!(door.to_mermaid(), "\
    /// stateDiagram-v2
    ///     state \"closed\" as s0
    ///     state \"open\" as s1
    ///     [*] --> s0
    ///     s0 --> s1 : OPEN
    ///     s1 --> s0 : CLOSE
    /// ");
    /// # Ok::<(), answerplane_statechart::InvalidDefinition>(())
    /// ```
    #[must_use]
    pub fn to_mermaid(&self) -> String {
        let mut out = String::from("stateDiagram-v2\n");
        // Writing to a string cannot fail.
        for (at, state) in self.states().enumerate() {
            let _ = writeln!(out, "    state \"{}\" as s{at}", label(state, mermaid_character));
        }
        let _ = writeln!(out, "    [*] --> s{}", self.number(self.initial()));
        for (from, event, arrow) in self.arrows() {
            let event = label(event, mermaid_character);
            let _ =
                writeln!(out, "    s{from} --> s{} : {event}{}", self.number(&arrow.target), marks(arrow));
        }
        out
    }

    /// The definition as a DOT graph, for Graphviz.
    ///
    /// The labels are those of [`to_mermaid`](Self::to_mermaid).
    #[must_use]
    pub fn to_dot(&self) -> String {
        let mut out = String::from(
            "digraph statechart {\n    node [shape=box, style=rounded];\n    initial [shape=point, label=\"\"];\n",
        );
        for (at, state) in self.states().enumerate() {
            let _ = writeln!(out, "    s{at} [label=\"{}\"];", label(state, dot_character));
        }
        let _ = writeln!(out, "    initial -> s{};", self.number(self.initial()));
        for (from, event, arrow) in self.arrows() {
            let (event, to) = (label(event, dot_character), self.number(&arrow.target));
            let _ = writeln!(out, "    s{from} -> s{to} [label=\"{event}{}\"];", marks(arrow));
        }
        out.push_str("}\n");
        out
    }

    /// The place of a state that is known to exist.
    fn number(&self, state: &str) -> usize {
        self.nodes().position(state).unwrap_or_default()
    }

    fn arrows(&self) -> impl Iterator<Item = (usize, &str, &Arrow)> {
        let nodes = self.nodes().iter().enumerate();
        nodes.flat_map(|(at, (_, node))| {
            node.edges.iter().map(move |(event, arrow)| (at, event.as_str(), arrow))
        })
    }
}

const fn marks(arrow: &Arrow) -> &'static str {
    match (arrow.guard.is_some(), arrow.reducer.is_some()) {
        (false, false) => "",
        (true, false) => " [guard]",
        (false, true) => " / reduce",
        (true, true) => " [guard] / reduce",
    }
}

/// A name that can be seen, each character of it written by `character`.
fn label(name: &str, character: fn(&mut String, char)) -> String {
    let mut visible = String::with_capacity(name.len());
    for letter in name.chars() {
        match letter {
            '\\' => visible.push_str("\\\\"),
            ' ' => visible.push(' '),
            _ if letter.is_control() || is_space(letter) || is_format(letter) => {
                visible.extend(letter.escape_unicode());
            }
            _ => visible.push(letter),
        }
    }
    // A renderer would trim them.
    let inner = visible.trim_matches(' ').len();
    let before = visible.len() - visible.trim_start_matches(' ').len();
    let mut out = String::with_capacity(visible.len());
    for (at, letter) in visible.char_indices() {
        if letter == ' ' && !(before..before + inner).contains(&at) {
            for shown in letter.escape_unicode() {
                character(&mut out, shown);
            }
        } else {
            character(&mut out, letter);
        }
    }
    out
}

/// Characters that show nothing and change how others are shown.
const fn is_format(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// Letters, digits and a few signs as they are, everything else as an entity, which Mermaid keeps away from its
/// grammar. So is the space behind the word `direction`: wherever in a line it stands before `TB`, `BT`, `RL` or
/// `LR`, Mermaid takes the whole line for the direction of the diagram.
fn mermaid_character(out: &mut String, letter: char) {
    const WORD: &[u8] = b"direction";
    let is_behind_word =
        out.len() >= WORD.len() && out.as_bytes()[out.len() - WORD.len()..].eq_ignore_ascii_case(WORD);
    if letter == ' ' && is_behind_word {
        out.push_str("#32;");
    } else if letter.is_alphanumeric() || matches!(letter, ' ' | '_' | '-' | '.' | ',' | '/') {
        out.push(letter);
    } else {
        let _ = write!(out, "#{};", u32::from(letter));
    }
}

/// Within quotes only the quote and the backslash end anything, and an ampersand could begin an entity.
fn dot_character(out: &mut String, letter: char) {
    match letter {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '&' => out.push_str("&amp;"),
        _ => out.push(letter),
    }
}
