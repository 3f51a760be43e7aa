//! What a line is that somebody typed: something to be said, or a command of this program.

/// The commands, and what they do.
pub(super) const COMMANDS: &str = "  /retry        answer what was said last once more
  /regenerate   make the last answer anew
  /edit TEXT    say TEXT instead of what was said last
  /state        where the conversation stands, with its actions, commands and events
  /help         these commands
  /exit         end, as the end of input does
  //retry       say /retry itself, where the conversation has it; the other five in the same way";

/// A line that is not blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line<'l> {
    /// Something to be said.
    Said(&'l str),
    /// A command of this program.
    Command(Command<'l>),
}

/// A command of this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command<'l> {
    /// Answers what was said last once more.
    Retry,
    /// Makes the last answer anew.
    Regenerate,
    /// Says something else instead of what was said last.
    Edit(&'l str),
    /// Shows where the conversation stands.
    State,
    /// Shows the commands.
    Help,
    /// Ends.
    Exit,
}

impl<'l> Line<'l> {
    /// Only a whole line is a command, perhaps with white space behind it. With a slash more than a command has, it is said with a slash less.
    pub(super) fn of(line: &'l str) -> Self {
        if let Some(command) = Command::of(line) {
            return Self::Command(command);
        }
        let bare = line.trim_start_matches('/');
        let slashes = line.len() - bare.len();
        match slashes.checked_sub(2).and_then(|_| Command::of(&line[slashes - 1..])) {
            Some(_) => Self::Said(&line[1..]),
            None => Self::Said(line),
        }
    }
}

/// What is typed so that a text is said.
pub(super) fn typed(text: &str) -> String {
    if Line::of(text) == Line::Said(text) { text.to_owned() } else { format!("/{text}") }
}

impl<'l> Command<'l> {
    fn of(line: &'l str) -> Option<Self> {
        let line = line.trim_end();
        let (word, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
        match word {
            "/edit" => Some(Self::Edit(rest.trim_start())),
            _ if !rest.is_empty() => None,
            "/retry" => Some(Self::Retry),
            "/regenerate" => Some(Self::Regenerate),
            "/state" => Some(Self::State),
            "/help" => Some(Self::Help),
            "/exit" => Some(Self::Exit),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{COMMANDS, Command, Line, typed};

    #[test]
    fn a_whole_line_is_a_command() {
        let command = |line| match Line::of(line) {
            Line::Command(command) => Some(command),
            Line::Said(said) => {
                assert_eq!(said, line);
                None
            }
        };
        assert_eq!(command("/retry"), Some(Command::Retry));
        assert_eq!(command("/exit \t"), Some(Command::Exit));
        assert_eq!(command("/edit  Opening hours "), Some(Command::Edit("Opening hours")));
        assert_eq!(command("/edit"), Some(Command::Edit("")));
        for line in
            ["/exit now", " /exit", "/Exit", "/exits", "/reserve", "/", "exit", "/editor x", "what is /help"]
        {
            assert_eq!(command(line), None, "{line}");
        }
    }

    #[test]
    fn one_more_slash_says_it() {
        for (line, said) in [
            ("//retry", "/retry"),
            ("///retry", "//retry"),
            ("//edit x", "/edit x"),
            ("//", "//"),
            ("// a comment", "// a comment"),
            ("//reserve", "//reserve"),
        ] {
            assert_eq!(Line::of(line), Line::Said(said));
            assert_eq!(typed(said), line);
        }
    }

    #[test]
    fn every_command_is_in_the_help() {
        for line in COMMANDS.lines().filter(|line| !line.contains("//")) {
            let word = line.split_whitespace().next().unwrap();
            assert!(Command::of(word).is_some(), "{word}");
        }
        assert_eq!(COMMANDS.lines().count(), 7);
    }
}
