//! What users of neighbouring systems reported about exact matching and about artifacts, each tried here.
//!
//! Each test is named after its subject; beside it stands the report. Where a report wishes for more than the contract
//! gives, the contract wins and the test says so.
#![allow(clippy::unwrap_used)]

use answerplane_artifact::content_hash;
use answerplane_author::characters::{is_unseen, unseen};
use answerplane_author::explain::{Explanation, Reason, WouldMatch, explain};
use answerplane_author::lint::{Document, LintOptions, lint};
use answerplane_author::outcome::{Outcome, OutcomeName};
use answerplane_author::plan::variants::VariantRule;
use answerplane_author::{Level, Rule};
use answerplane_protocol::{Artifact, ArtifactContent, Timestamp};
use serde_json::{Value, json};

const NOW: Timestamp = Timestamp::from_millis(1_780_000_000_000);

fn entry(id: &str, values: &[&str], markdown: &str) -> Value {
    json!({
        "id": id, "kind": "document", "label": id, "match": { "type": "exact", "values": values },
        "answer": { "markdown": markdown, "citations": [] },
    })
}

fn text_of(entries: &[Value]) -> Value {
    json!({
        "protocol": "agentskit.chat.knowledge", "version": 1, "artifactId": "a", "siteId": "a",
        "generatedAt": "2026-01-01T00:00:00Z", "entries": entries,
    })
}

fn artifact_of(mut value: Value) -> Artifact {
    let hash = content_hash(&ArtifactContent::decode(value.to_string()).unwrap());
    value["contentHash"] = hash.to_string().into();
    Artifact::decode(value.to_string()).unwrap()
}

/// An artifact with an entry for each of these aliases.
fn declaring(aliases: &[&str]) -> Artifact {
    let entries: Vec<Value> = aliases
        .iter()
        .zip(1..)
        .map(|(alias, n)| entry(&format!("e{n}"), &[alias], &format!("Answer {n}")))
        .collect();
    artifact_of(text_of(&entries))
}

fn explained(declared: &[&str], query: &str) -> Explanation {
    explain(&[&declaring(declared)], query, NOW)
}

/// The query gives the first declared alias.
#[track_caller]
fn hits(declared: &[&str], query: &str) {
    let explanation = explained(declared, query);
    assert_eq!(explanation.outcome, OutcomeName::Answer, "{explanation:?}");
    assert_eq!(explanation.entries[0].alias, declared[0]);
    assert!(explanation.reasons.is_empty());
}

/// The query is a miss, and this is why.
#[track_caller]
fn misses(declared: &[&str], query: &str) -> Reason {
    let explanation = explained(declared, query);
    assert_eq!(explanation.outcome, OutcomeName::Miss, "{explanation:?}");
    explanation.reasons[0].clone()
}

#[track_caller]
fn misses_by_variant(declared: &str, query: &str, wanted: VariantRule) {
    let reason = misses(&[declared], query);
    assert!(
        matches!(&reason, Reason::Variant { rule, alias, .. } if *rule == wanted && alias == declared),
        "{reason:?}"
    );
}

/// microsoft/BotBuilder-CognitiveServices#179
#[test]
fn a_question_that_is_not_declared_is_a_miss_without_a_score() {
    let reason = misses(&["reset password"], "reset the moon");
    let Reason::Near { alias, difference, .. } = &reason else { panic!("{reason:?}") };
    assert_eq!((alias.as_str(), difference.position), ("reset password", 6));
    assert_eq!(misses(&["reset password"], "weather"), Reason::NothingNear);
}

/// MicrosoftDocs/azure-docs#56581
#[test]
fn one_turkish_letter_is_named() {
    let reason = misses(&["kayıt nasıl silinir"], "kayit nasil silinir");
    assert_eq!(
        reason.to_string(),
        "\"kayıt nasıl silinir\" of e1 is near, but at position 3 U+0069 LATIN SMALL LETTER I was asked and U+0131 \
         LATIN SMALL LETTER DOTLESS I was declared"
    );
}

/// microsoft/botbuilder-tools#1402
#[test]
fn a_sentence_of_an_answer_is_no_question() {
    let entries = [entry("hours", &["When is it open?"], "It is open **daily**. Bring your own gloves.")];
    let artifact = artifact_of(text_of(&entries));
    for query in ["Bring your own gloves.", "bring your own gloves", "It is open daily."] {
        let explanation = explain(&[&artifact], query, NOW);
        assert_eq!(explanation.reasons, [Reason::AnswerText { entry: "hours".into() }], "{query}");
    }
}

/// theopenconversationkit/tock#1299
#[test]
fn a_trailing_question_mark_is_a_matter_of_variants() {
    misses_by_variant("what is tock", "what is tock?", VariantRule::FinalPunctuation);
    misses_by_variant("what is tock?", "what is tock", VariantRule::FinalPunctuation);
}

/// vellum-ai/vellum-assistant PR#21855
#[test]
fn an_exclamation_mark_or_a_full_stop_is_a_matter_of_variants() {
    misses_by_variant("hi", "hi!", VariantRule::FinalPunctuation);
    misses_by_variant("hi", "hi.", VariantRule::FinalPunctuation);
    // An ellipsis is three full stops to NFKC, and no variant; the steps show it.
    let explanation = explained(&["hi"], "hi…");
    assert_eq!((explanation.key.as_str(), explanation.outcome), ("hi...", OutcomeName::Miss));
    assert!(explanation.steps[1].changed && explanation.steps[1].text == "hi...");
    assert_eq!(explanation.special[0].becomes.len(), 3);
}

/// aichaos/rivescript-js#36
#[test]
fn a_trailing_full_stop_is_a_matter_of_variants() {
    misses_by_variant("hello bot", "Hello bot.", VariantRule::FinalPunctuation);
}

/// aichaos/rivescript-js#336
#[test]
fn a_single_short_word_beyond_ascii_is_an_ordinary_key() {
    hits(&["sí"], "Sí");
    hits(&["sí"], "si\u{301}");
}

/// aichaos/rivescript-js#118, #71
#[test]
fn no_sign_of_a_key_has_a_meaning() {
    for alias in ["snake_case", "*", "[a|b]", "<star>", "@topic", "a\\b", "{{x}}", "$HOME"] {
        hits(&[alias], alias);
    }
}

/// aichaos/rivescript-python#139
#[test]
fn inner_punctuation_stays() {
    let explanation = explained(&["email me@example.com"], "Email me@example.com");
    assert_eq!(
        (explanation.key.as_str(), explanation.outcome),
        ("email me@example.com", OutcomeName::Answer)
    );
    assert_eq!(misses(&["meexamplecom"], "weather"), Reason::NothingNear);
    assert_eq!(explained(&["email meexamplecom"], "email me@example.com").outcome, OutcomeName::Miss);
}

/// superscriptjs/superscript#118: the contract strips no punctuation, so `???` is an ordinary key.
#[test]
fn punctuation_alone_is_a_key_and_white_space_alone_is_none() {
    hits(&["???"], "???");
    assert_eq!(explained(&["???"], "?!").outcome, OutcomeName::Miss);
    assert_eq!(misses(&["???"], " \u{3000}\u{feff} "), Reason::Empty);
    let found = lint(
        &[Document::read("a.json", text_of(&[entry("e", &["\u{3000}"], "x")]).to_string().as_bytes())],
        &LintOptions::default(),
    );
    assert_eq!(found[0].rule, Rule::LintInvalid);
}

/// PrairieLearn/PrairieLearn#1225
#[test]
fn a_curly_apostrophe_is_a_matter_of_variants() {
    misses_by_variant("what's new", "what\u{2019}s new", VariantRule::Apostrophe);
    misses_by_variant("say \"hi\" now", "say “hi” now", VariantRule::Quotes);
}

/// krisk/Fuse#701, jeancroy/fuzz-aldrin-plus#33, javve/list.js#472, LeanBitLab/LeanType#275
#[test]
fn lower_case_is_that_of_no_country() {
    hits(&["İstanbul"], "i\u{307}stanbul");
    hits(&["İstanbul"], "İSTANBUL");
    for query in ["istanbul", "ISTANBUL"] {
        let reason = misses(&["İstanbul"], query);
        let Reason::Near { difference, .. } = &reason else { panic!("{reason:?}") };
        assert_eq!(difference.position, 1);
        assert_eq!(difference.declared.unwrap().name(), "COMBINING DOT ABOVE");
    }
}

/// ritsth/job-autofill-extension#176, PR#199
#[test]
fn what_a_zero_width_space_stands_for_is_named() {
    let would = |declared: &str, query: &str| match misses(&[declared], query) {
        Reason::Unseen { character, would_match, .. } => {
            assert_eq!(character.name(), "ZERO WIDTH SPACE");
            would_match
        }
        reason => panic!("{reason:?}"),
    };
    assert_eq!(would("install cli", "install\u{200b}cli"), Some(WouldMatch::AsSpace));
    assert_eq!(would("install cli", "install \u{200b}cli"), Some(WouldMatch::LeftOut));
    assert_eq!(would("installcli", "install\u{200b}cli"), Some(WouldMatch::LeftOut));
    assert_eq!(would("something else", "install\u{200b}cli"), None);
}

/// vshulcz/deja-vu#1098
#[test]
fn composed_and_decomposed_letters_are_the_same() {
    hits(&["café"], "cafe\u{301}");
    hits(&["cafe\u{301}"], "café");
}

/// lidge-jun/aside-codemode#30
#[test]
fn composed_and_decomposed_syllables_are_the_same() {
    hits(&["가"], "\u{1100}\u{1161}");
}

/// DiscipleTools/disciple-tools-theme#627
#[test]
fn a_direction_mark_in_a_pasted_number_is_named() {
    let reason = misses(&["+1 555 0100"], "\u{200e}+1 555 0100");
    assert_eq!(
        reason.to_string(),
        "it holds U+200E LEFT-TO-RIGHT MARK at position 0, which nobody sees; without it the query is declared"
    );
}

/// spencermountain/out-of-character PR#90
#[test]
fn every_ignorable_and_every_direction_character_is_found() {
    let all: Vec<char> = ('\0'..=char::MAX).filter(|character| is_unseen(*character)).collect();
    assert!(all.len() > 4_000);
    for character in ['\u{61c}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202e}', '\u{2066}', '\u{2069}'] {
        assert!(all.contains(&character));
    }
    for character in all {
        let alias = format!("a{character}b");
        assert_eq!(unseen(&alias), [(1, character)]);
    }
    for character in ['\u{202e}', '\u{ad}', '\u{fe0f}', '\u{e0041}', '\u{200b}', '\u{2066}'] {
        let value = text_of(&[entry("e", &[&format!("a{character}b")], "x")]);
        let found = lint(&[Document::read("a.json", value.to_string().as_bytes())], &LintOptions::default());
        assert_eq!(found[0].rule, Rule::LintInvisibleCharacter, "{character:?}");
    }
}

/// RasaHQ/rasa#553, #1569, #5750, PR#12144
#[test]
fn capitals_are_handled_in_one_place() {
    hits(&["API Key"], "api KEY");
}

/// RasaHQ/rasa#5906
#[test]
fn a_longer_question_never_falls_back_to_its_beginning() {
    let artifact = declaring(&["gitlab", "gitlab ci"]);
    for (query, id) in [("GitLab", "e1"), ("GitLab CI", "e2")] {
        assert_eq!(explain(&[&artifact], query, NOW).entries[0].id, id);
    }
    let reason = misses(&["gitlab"], "gitlab ci");
    assert!(matches!(reason, Reason::Near { .. }), "{reason:?}");
}

/// RasaHQ/rasa#11469
#[test]
fn every_alias_of_an_artifact_gives_its_entry() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/sites/atlas/kb/atlas.json");
    let text = std::fs::read_to_string(path).unwrap();
    let artifact = Artifact::decode(text).unwrap();
    let now = Timestamp::from_millis(0);
    for entry in artifact.entries() {
        for alias in entry.aliases() {
            let outcome = Outcome::of(&[&artifact], alias, now);
            assert!(outcome.entries().iter().any(|found| found.id() == entry.id()), "{alias}");
        }
    }
}

/// The reference implementation of the protocol, measured
#[test]
fn white_space_is_that_of_the_contract() {
    hits(&["install cli"], "\u{feff}install cli");
    let reason = misses(&["install cli"], "install\u{85}cli");
    assert_eq!(
        reason.to_string(),
        "it holds U+0085 <control-0085> at position 7, which nobody sees; with a space in its place the query is \
         declared"
    );
}

/// botpress/v12#1501, botpress/botpress#5527
#[test]
fn the_same_question_in_two_entries_is_a_warning() {
    let value = text_of(&[
        entry("shop", &["refund", "refund in the shop"], "Ask at the till."),
        entry("web", &["Refund", "refund on the web"], "Fill in the form."),
    ]);
    let found = lint(&[Document::read("a.json", value.to_string().as_bytes())], &LintOptions::default());
    assert_eq!((found.len(), found[0].rule, found[0].level), (1, Rule::LintSharedAlias, Level::Warning));
}

/// 18F/cv_faq#534
#[test]
fn one_question_with_two_answers_is_an_error() {
    let mut entries = [
        entry("a", &["who is at higher risk", "risk a"], "People over 65."),
        entry("b", &["Who is at higher risk", "risk b"], "People over 60."),
    ];
    for entry in &mut entries {
        entry["label"] = "Who is at higher risk?".into();
    }
    let found =
        lint(&[Document::read("a.json", text_of(&entries).to_string().as_bytes())], &LintOptions::default());
    assert_eq!((found.len(), found[0].rule, found[0].level), (1, Rule::LintConflictingAnswers, Level::Error));
}

/// RasaHQ/rasa#7251
#[test]
fn an_entry_without_a_label_is_refused() {
    let mut unnamed = entry("nlu_fallback", &["x"], "y");
    for label in [Value::Null, "".into(), " ".into()] {
        unnamed["label"] = label;
        let text = text_of(std::slice::from_ref(&unnamed)).to_string();
        let found = lint(&[Document::read("a.json", text.as_bytes())], &LintOptions::default());
        assert_eq!(found[0].place.field.as_deref(), Some("entries[0].label"));
    }
}

/// The reference implementation of the protocol, by reading
#[test]
fn a_ninth_entry_that_could_never_be_chosen_is_an_error() {
    let entries: Vec<Value> = (1..=9)
        .map(|n| entry(&format!("e{n}"), &["pricing", &format!("pricing {n}")], &format!("It costs {n}.")))
        .collect();
    let found =
        lint(&[Document::read("a.json", text_of(&entries).to_string().as_bytes())], &LintOptions::default());
    assert_eq!((found[0].rule, found[0].limit, found[0].actual), (Rule::LintFanOut, Some(8), Some(9)));
}

/// zilliztech/GPTCache#379
#[test]
fn an_empty_artifact_answers_nothing() {
    for query in ["", "anything", "hi"] {
        let explanation = explain(&[&artifact_of(text_of(&[]))], query, NOW);
        assert_eq!(explanation.outcome, OutcomeName::Miss);
        assert!(explanation.nearest.is_empty());
    }
    assert_eq!(explain(&[], "anything", NOW).outcome, OutcomeName::Miss);
}

/// Marker-Inc-Korea/AutoRAG#1560, stuinfla/ruvnet-brain#29
#[test]
fn an_expired_artifact_is_told_from_a_miss_to_the_second() {
    let mut value = text_of(&[entry("e", &["x"], "y")]);
    value["expiresAt"] = "2026-03-01T00:00:00Z".into();
    let end = 1_772_323_200_000;
    let artifact = artifact_of(value);
    let ask = |query: &str, millis| explain(&[&artifact], query, Timestamp::from_millis(millis));
    assert_eq!(ask("x", end - 1_000).outcome, OutcomeName::Answer);
    assert_eq!(ask("z", end - 1_000).outcome, OutcomeName::Miss);
    for query in ["x", "z"] {
        let explanation = ask(query, end);
        assert_eq!((explanation.outcome, explanation.reasons), (OutcomeName::Stale, vec![Reason::Expired]));
    }
}

#[test]
fn an_explanation_of_hostile_text_is_quick() {
    let long: Vec<String> = (0..900).map(|n| format!("{}{n:04}", "ab".repeat(200))).collect();
    let aliases: Vec<&str> = long.iter().map(String::as_str).collect();
    let artifact = declaring(&aliases);
    let start = std::time::Instant::now();
    for query in ["ba".repeat(256), "\u{202e}".repeat(512), "a".repeat(100_000), "\0".repeat(400)] {
        assert_eq!(explain(&[&artifact], &query, NOW).outcome, OutcomeName::Miss);
    }
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    assert_eq!(explain(&[&artifact], &"a".repeat(513), NOW).reasons, [Reason::TooLong { units: 513 }]);
}
