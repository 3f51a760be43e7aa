//! What users of neighbouring systems reported about exact matching and about artifacts, each tried here.
//!
//! Each test is named after its subject; beside it stands the report. Where a report wishes for more than the contract
//! gives, the contract wins and the test says so.
#![allow(clippy::unwrap_used, clippy::panic)]

use answerplane_artifact::content_hash;
use answerplane_author::characters::{is_unseen, unseen};
use answerplane_author::config::{Config, Life};
use answerplane_author::emit::{Dates, Emission, Emitter, Expiry, Layout, Made, Publication};
use answerplane_author::explain::{Explanation, Reason, WouldMatch, explain};
use answerplane_author::lint::{Document, LintOptions, lint};
use answerplane_author::outcome::{Outcome, OutcomeName};
use answerplane_author::plan::Planner;
use answerplane_author::plan::variants::VariantRule;
use answerplane_author::read::Reader;
use answerplane_author::{Diagnostic, Level, Place, Rule};
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

/// A folder with one file, and what a build of it comes to.
struct Build {
    emission: Emission,
}

/// Builds one file by a source with these further settings.
fn build(file: &str, text: &str, settings: &str) -> Build {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(file), text).unwrap();
    let config = format!("site.id = \"a\"\n[[source]]\npath = \"{file}\"\n{settings}");
    let config = Config::parse(&config, &folder.path().join("answerplane.toml")).unwrap();
    let reading = Reader::new().read(&config);
    let dates = Dates { made: Made::Said(NOW), expiry: Expiry::After(Life::Unlimited), now: NOW };
    let mut plan = Planner::new().plan(&reading.drafts, &config.policy);
    plan.diagnostics.splice(0..0, reading.diagnostics.iter().cloned());
    let publication = Publication { config: &config, dates: &dates, layout: Layout::Compact, previous: &[] };
    Build { emission: Emitter::new().emit(plan, &publication) }
}

/// Builds a row for each of these questions, with a number as answer.
fn build_rows(questions: &[&str], settings: &str) -> Build {
    let rows = questions
        .iter()
        .zip(1..)
        .map(|(question, n)| json!({ "title": question, "text": format!("Answer {n}") }));
    let rows: Vec<Value> = rows.collect();
    build("rows.json", &Value::from(rows).to_string(), settings)
}

/// Builds entries that somebody wrote.
fn build_entries(entries: &str, settings: &str) -> Build {
    build("entries.toml", entries, &format!("format = \"entries\"\n{settings}"))
}

impl Build {
    /// What was found by a rule.
    fn found(&self, rule: Rule) -> Vec<&Diagnostic> {
        self.emission.diagnostics.iter().filter(|found| found.rule == rule).collect()
    }

    /// The one thing that is wrong, because of which nothing is published.
    #[track_caller]
    fn error(&self) -> (Rule, &Place) {
        let found = &self.emission.diagnostics;
        let errors: Vec<&Diagnostic> = found.iter().filter(|found| found.level == Level::Error).collect();
        assert_eq!(errors.len(), 1, "{found:?}");
        assert!(self.emission.shards.is_empty());
        (errors[0].rule, &errors[0].place)
    }

    #[track_caller]
    fn artifact(&self) -> Artifact {
        let shards = &self.emission.shards;
        assert_eq!(shards.len(), 1, "{:?}", self.emission.diagnostics);
        Artifact::decode(&*shards[0].artifact).unwrap()
    }

    /// The outcome of a query and the answers that it leads to.
    #[track_caller]
    fn ask(&self, query: &str) -> (OutcomeName, Vec<String>) {
        let artifact = self.artifact();
        let outcome = Outcome::of(&[&artifact], query, NOW);
        (outcome.name(), outcome.entries().iter().map(|entry| entry.markdown().to_owned()).collect())
    }

    #[track_caller]
    fn answers(&self, query: &str, markdown: &str) {
        assert_eq!(self.ask(query), (OutcomeName::Answer, vec![markdown.to_owned()]), "{query}");
    }
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
    let built = build_rows(&["what is tock", "Who made it?"], "");
    built.answers("what is tock?", "Answer 1");
    built.answers("who made it", "Answer 2");
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
    let built = build_rows(&["hi"], "");
    for query in ["hi", "hi!", "hi.", "Hi！"] {
        built.answers(query, "Answer 1");
    }
    assert_eq!(built.ask("hi…").0, OutcomeName::Miss);
    let built = build("rows.json", "[{\"title\":\"hi\",\"aliases\":[\"hi…\"],\"text\":\"Hello.\"}]", "");
    built.answers("hi...", "Hello.");
}

/// aichaos/rivescript-js#36
#[test]
fn a_trailing_full_stop_is_a_matter_of_variants() {
    misses_by_variant("hello bot", "Hello bot.", VariantRule::FinalPunctuation);
    build_rows(&["hello bot"], "").answers("Hello bot.", "Answer 1");
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

/// superscriptjs/superscript#118: the contract strips no punctuation, so `???` is an ordinary key and builds.
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

    let built = build_rows(&["???"], "");
    built.answers("???", "Answer 1");
    assert_eq!(built.ask("?!").0, OutcomeName::Miss);
    for (alias, rule) in [
        ("", Rule::AliasEmpty),
        (" \u{3000}\u{a0}", Rule::AliasEmpty),
        ("\u{200b}", Rule::AliasInvisible),
        ("\u{2060}\u{ad}", Rule::AliasInvisible),
    ] {
        let row = json!([{ "title": "Really?", "aliases": [alias], "text": "Yes." }]).to_string();
        assert_eq!(build("rows.json", &row, "").error().0, rule, "{alias:?}");
    }
}

/// PrairieLearn/PrairieLearn#1225
#[test]
fn a_curly_apostrophe_is_a_matter_of_variants() {
    misses_by_variant("what's new", "what\u{2019}s new", VariantRule::Apostrophe);
    misses_by_variant("say \"hi\" now", "say “hi” now", VariantRule::Quotes);
    let built = build_rows(&["what's new", "say \"hi\" now"], "");
    for query in ["what’s new", "What’s new?", "whats new"] {
        built.answers(query, "Answer 1");
    }
    built.answers("say “hi” now", "Answer 2");
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

/// botpress/v12#1501, botpress/botpress#5527
#[test]
fn the_same_question_in_two_sources_goes_by_policy() {
    const TWO: &str = "[[entry]]\nlabel = \"Shop\"\naliases = [\"refund\"]\nanswer = \"Ask at the till.\"\n\
                       [[entry]]\nlabel = \"Web\"\naliases = [\"Refund\"]\nanswer = \"Fill in the form.\"\n";
    let both = vec!["Ask at the till.".to_owned(), "Fill in the form.".to_owned()];
    for policy in ["", "shared = \"keep\""] {
        assert_eq!(
            build_entries(TWO, policy).ask("refund"),
            (OutcomeName::Choices, both.clone()),
            "{policy}"
        );
    }
    let qualified = build_entries(TWO, "shared = \"qualify\"");
    assert_eq!(qualified.ask("refund").0, OutcomeName::Miss);
    assert_eq!(qualified.found(Rule::AliasQualified).len(), 2);
    let dropped = build_entries(TWO, "shared = \"drop\"");
    assert_eq!(dropped.ask("refund").0, OutcomeName::Miss);
    assert_eq!(dropped.found(Rule::AliasDropped).len(), 2);
    for built in [qualified, dropped] {
        built.answers("shop", "Ask at the till.");
        built.answers("web", "Fill in the form.");
    }
    let refused = build_entries(TWO, "shared = \"error\"");
    assert_eq!(refused.error().0, Rule::AliasShared);
    assert_eq!(refused.found(Rule::AliasShared)[0].related.len(), 1, "both places are named");
}

/// 18F/cv_faq#534: a build tells the two apart by their labels and offers both, or refuses them by policy; nobody gets
/// one of two answers by chance.
#[test]
fn one_question_with_two_answers_is_offered_or_refused() {
    const TWO: [&str; 2] = ["Who is at higher risk?"; 2];
    let built = build_rows(&TWO, "");
    let both = vec!["Answer 1".to_owned(), "Answer 2".to_owned()];
    assert_eq!(built.ask("Who is at higher risk"), (OutcomeName::Choices, both));
    let artifact = built.artifact();
    let labels: Vec<&str> = artifact.entries().map(|entry| entry.label()).collect();
    assert_ne!(labels[0], labels[1]);
    assert_eq!(build_rows(&TWO, "shared = \"error\"").error().0, Rule::AliasShared);
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
    for label in ["", "label = \"\"", "label = \" \u{3000}\"", "label = \"\u{200b}\""] {
        let entry = format!("[[entry]]\nid = \"nlu_fallback\"\naliases = [\"x\"]\nanswer = \"y\"\n{label}");
        let built = build_entries(&entry, "");
        let (rule, place) = built.error();
        assert_eq!((rule, place.field.as_deref()), (Rule::RowField, Some("entry[0].label")), "{label}");
    }
}

/// RasaHQ/rasa#7251: nobody wrote a page for this, so it is left out instead of shown by its file name.
#[test]
fn a_page_without_a_title_is_left_out_with_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("nlu_fallback.md"), "Only text.").unwrap();
    std::fs::write(folder.path().join("hours.md"), "# Hours\n\nDaily.").unwrap();
    let path = folder.path().join("answerplane.toml");
    let config = Config::parse("site.id = \"a\"\n[[source]]\npath = \".\"", &path).unwrap();
    let reading = Reader::new().read(&config);
    let titles: Vec<&str> =
        reading.drafts.iter().flat_map(|of_file| of_file.iter()).map(|draft| draft.title.as_str()).collect();
    assert_eq!(titles, ["Hours"]);
    let found = &reading.diagnostics[0];
    assert_eq!((found.rule, found.level), (Rule::NoTitle, Level::Warning));
    assert!(found.place.file.ends_with("nlu_fallback.md"), "{found:?}");
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

/// The reference implementation of the protocol, by reading
#[test]
fn a_ninth_entry_that_shares_a_question_is_never_cut_in_silence() {
    let entries = |count: usize| -> String {
        let entry = |n| {
            format!(
                "[[entry]]\nlabel = \"Plan {n}\"\nsection = \"Shop {n}\"\naliases = [\"pricing\"]\nanswer = \"It costs {n}.\"\n"
            )
        };
        (1..=count).map(entry).collect()
    };
    let eight = build_entries(&entries(8), "");
    let (outcome, offered) = eight.ask("pricing");
    assert_eq!((outcome, offered.len()), (OutcomeName::Choices, 8));

    let nine = build_entries(&entries(9), "");
    assert_eq!(nine.found(Rule::AliasQualified).len(), 9, "each is told");
    assert_eq!(nine.ask("pricing").0, OutcomeName::Miss);
    for n in 1..=9 {
        nine.answers(&format!("plan {n}"), &format!("It costs {n}."));
        nine.answers(&format!("pricing (shop {n})"), &format!("It costs {n}."));
    }

    let kept = build_entries(&entries(9), "shared = \"keep\"");
    let found = kept.found(Rule::FanOut);
    assert_eq!((found.len(), found[0].level), (1, Level::Warning));
    assert_eq!(build_entries(&entries(9), "shared = \"error\"").error().0, Rule::AliasShared);
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

/// Whoever types an ellipsis is told of it by name, also where the question is short.
#[test]
fn an_ellipsis_is_named() {
    for (declared, query) in [("hi", "hi…"), ("Opening hours", "opening hours…")] {
        let reason = misses(&[declared, "Where is the entrance?"], query);
        let Reason::Near { alias, difference, .. } = &reason else { panic!("{reason:?}") };
        assert_eq!(alias, declared);
        assert_eq!(difference.written.unwrap().name(), "HORIZONTAL ELLIPSIS");
        let told = reason.to_string();
        assert!(told.contains("U+002E FULL STOP was asked, written as U+2026 HORIZONTAL ELLIPSIS"), "{told}");
    }
    let Reason::Near { difference, .. } = misses(&["Opening hours"], "OPENING HOUR") else { panic!() };
    assert_eq!(difference.written, None);
}
