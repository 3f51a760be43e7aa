//! Questions of a stated length, made from word lists, the same at every run.

/// A language to ask in.
#[derive(Clone, Copy)]
pub(crate) enum Language {
    /// Lower-case ASCII of about 40 bytes.
    English,
    /// Composed characters with capitals, 60 to 80 bytes.
    French,
    /// Composed characters with capitals, 60 to 80 bytes.
    Greek,
}

const ENGLISH: &[&str] = &[
    "how",
    "install",
    "configure",
    "plot",
    "garden",
    "water",
    "tool",
    "renew",
    "cancel",
    "delete",
    "update",
    "server",
    "client",
    "token",
    "profile",
    "export",
    "import",
    "backup",
    "restore",
    "invite",
];
const FRENCH: &[&str] = &[
    "Comment",
    "Réserver",
    "l'été",
    "Modifier",
    "référence",
    "Où",
    "Déjà",
    "créé",
    "Évaluer",
    "préférée",
    "Être",
    "À",
    "côté",
    "Générer",
    "clé",
    "Naïve",
    "Tâche",
    "Fenêtre",
    "Intégrée",
    "Élève",
];
const GREEK: &[&str] = &[
    "Πώς",
    "Μπορώ",
    "Εγκαταστήσω",
    "Πρόγραμμα",
    "Κωδικός",
    "Λογαριασμός",
    "Αλλάξω",
    "Σύνδεση",
    "Χρήστης",
    "Ρύθμιση",
    "Διαγραφή",
    "Ερώτηση",
    "Απάντηση",
    "Έγγραφο",
    "Ώρες",
    "Κήπος",
    "Νερό",
    "Σελίδα",
    "Άδεια",
];

impl Language {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::English => "lower-case ASCII",
            Self::French => "French",
            Self::Greek => "Greek",
        }
    }

    /// So many different questions.
    pub(crate) fn questions(self, count: usize) -> Vec<String> {
        let (words, bytes) = match self {
            Self::English => (ENGLISH, 36..44),
            Self::French => (FRENCH, 60..80),
            Self::Greek => (GREEK, 60..80),
        };
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        (0..count)
            .map(|number| {
                let mut question = format!("{number}");
                while question.len() < bytes.start {
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    let word = words[(state % words.len() as u64) as usize];
                    if question.len() + 1 + word.len() <= bytes.end {
                        question.push(' ');
                        question.push_str(word);
                    }
                }
                question
            })
            .collect()
    }
}
