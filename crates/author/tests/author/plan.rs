//! Ids, shared aliases, aliases of one's own, labels, variants, slots.

use answerplane_author::config::{Overflow, Policy, Shared};
use answerplane_author::draft::{Draft, DraftId, Origin};
use answerplane_author::plan::variants::VariantRule;
use answerplane_author::plan::{Made, Plan, SLOTS};
use answerplane_author::{Place, Rule, has_errors};
use proptest::prelude::*;

use crate::drafts::{aliases, found, of_file, page, plain, plan, sharing, texts};

#[test]
fn a_page_keeps_its_title() {
    let drafts = of_file(vec![page("cli/install", "Install it", &["setup"])]);
    let plan = plan(&drafts, &plain());
    assert_eq!(aliases(&plan, "cli-install"), [("Install it", Made::Declared), ("setup", Made::Declared)]);
    assert_eq!(plan.diagnostics, []);
}

#[test]
fn a_shared_title_stays_and_each_page_gets_one_of_its_own() {
    let drafts = of_file(vec![page("cli/overview", "Overview", &[]), page("web/overview", "Overview", &[])]);
    let plan = plan(&drafts, &plain());
    assert_eq!(
        aliases(&plan, "cli-overview"),
        [("Overview", Made::Declared), ("Overview (cli)", Made::Invented)]
    );
    assert_eq!(texts(&plan, "web-overview"), ["Overview", "Overview (web)"]);
    assert_eq!(found(&plan, Rule::AliasInvented).len(), 2);
    let labels: Vec<&str> = plan.entries.iter().map(|entry| &*entry.label).collect();
    assert_eq!(labels, ["Overview (cli)", "Overview (web)"], "a choice between two equal labels is none");
    assert_eq!(found(&plan, Rule::LabelQualified).len(), 2);
}

#[test]
fn repair_goes_from_the_section_over_the_path_to_the_id() {
    let mut taken = page("cli/overview", "Overview", &[]);
    let twin = |path| {
        let mut page = page(path, "Overview", &[]);
        page.qualifiers = vec!["cli".into()];
        page
    };
    taken.qualifiers = vec!["cli".into()];
    let drafts = of_file(vec![taken, twin("cli/summary"), page("other", "Overview (cli)", &["cli summary"])]);
    let plan = plan(&drafts, &plain());
    assert_eq!(texts(&plan, "cli-overview"), ["Overview", "cli overview"]);
    assert_eq!(texts(&plan, "cli-summary"), ["Overview", "Overview (cli summary)"]);
    assert_eq!(texts(&plan, "other"), ["Overview (cli)", "cli summary"]);
}

#[test]
fn up_to_eight_entries_share_an_alias_and_more_are_qualified() {
    let pages = |count: usize| {
        of_file((0..count).map(|at| page(&format!("part-{at}/pricing"), "Pricing", &[])).collect())
    };
    let eight = pages(8);
    let plan_of_eight = plan(&eight, &plain());
    assert!(plan_of_eight.entries.iter().all(|entry| entry.text(&entry.aliases[0]) == "Pricing"));
    let nine = pages(9);
    let plan_of_nine = plan(&nine, &plain());
    assert_eq!(texts(&plan_of_nine, "part-3-pricing"), ["Pricing (part-3)"]);
    assert_eq!(found(&plan_of_nine, Rule::AliasQualified).len(), 9);

    let keeping = sharing(&nine, Shared::Keep);
    let kept = plan(&keeping, &plain());
    assert_eq!(texts(&kept, "part-3-pricing"), ["Pricing", "Pricing (part-3)"]);
    assert_eq!(found(&kept, Rule::FanOut), ["9 entries share the alias \"Pricing\""]);
}

#[test]
fn policies_qualify_drop_or_forbid_shared_aliases() {
    let drafts = of_file(vec![page("a/refund", "Refund", &["money back"]), page("b/refund", "Refund", &[])]);
    let with = |shared| sharing(&drafts, shared);

    let qualify = with(Shared::Qualify);
    let qualified = plan(&qualify, &plain());
    assert_eq!(texts(&qualified, "a-refund"), ["Refund (a)", "money back"]);

    let drop = with(Shared::Drop);
    let dropped = plan(&drop, &plain());
    assert_eq!(texts(&dropped, "a-refund"), ["money back", "Refund (a)"], "its label");
    assert_eq!(texts(&dropped, "b-refund"), ["Refund (b)"], "nobody gets it, not even alone");
    assert_eq!(found(&dropped, Rule::AliasDropped).len(), 2);

    let forbid = with(Shared::Error);
    let forbidden = plan(&forbid, &plain());
    assert_eq!(found(&forbidden, Rule::AliasShared), ["2 entries share the alias \"Refund\""]);
    assert!(has_errors(&forbidden.diagnostics) && forbidden.entries.is_empty());
    let shared = forbidden.diagnostics.iter().find(|found| found.rule == Rule::AliasShared).unwrap();
    assert_eq!(shared.related.len(), 1, "both places are named");
}

#[test]
fn two_pages_with_one_id_are_an_error_that_names_both() {
    let drafts = of_file(vec![page("a b", "One", &[]), page("a-b", "Two", &[]), page("a.b", "Three", &[])]);
    let plan = plan(&drafts, &plain());
    assert_eq!(found(&plan, Rule::IdCollision), ["2 sources have the id a-b"]);
    let collision = &plan.diagnostics[0];
    assert_eq!(collision.place.file, "a b.md");
    assert_eq!(collision.related[0].file, "a-b.md");
}

#[test]
fn a_collision_of_ids_stands_where_they_are_given() {
    let mut given = page("other", "Two", &[]);
    (given.id, given.id_line) = (DraftId::Declared("a-b".into()), Some(4));
    let plan = plan(&of_file(vec![page("a b", "One", &[]), given]), &plain());
    assert_eq!(plan.diagnostics[0].place.to_string(), "a b.md:1");
    assert_eq!(plan.diagnostics[0].related[0].to_string(), "other.md:4 (id)");
}

#[test]
fn rows_of_one_address_get_ids_that_depend_on_no_other_row() {
    let row = |title: &str| {
        let mut row = page("faq/design.html", title, &[]);
        row.id = DraftId::Address("faq/design.html".into());
        row
    };
    let drafts = of_file(vec![row("Why?"), row("What for?"), row("なぜ"), row("何")]);
    let ids =
        |plan: &Plan| -> Vec<String> { plan.entries.iter().map(|entry| entry.id.to_string()).collect() };
    let all = ids(&plan(&drafts, &plain()));
    assert_eq!(all[..2], ["faq-design.html-why", "faq-design.html-what-for"]);
    let without_first = of_file(vec![row("What for?"), row("なぜ"), row("何")]);
    assert_eq!(ids(&plan(&without_first, &plain())), all[1..]);
    assert!(all.iter().all(|id| id.starts_with("faq-design.html-")), "{all:?}");
}

#[test]
fn ids_that_differ_only_in_case_are_told_apart() {
    let row = |title: &str| {
        let mut row = page("", title, &[]);
        row.id = DraftId::Declared(title.replace([' ', '?'], "-"));
        row.qualifiers.clear();
        row
    };
    let drafts = of_file(vec![row("Who is it?"), row("who is it?"), row("WHO IS IT?")]);
    let plan = plan(&drafts, &plain());
    assert!(!has_errors(&plan.diagnostics), "{:?}", plan.diagnostics);
    assert_eq!(plan.entries.len(), 3);
}

#[test]
fn what_replaces_an_alias_says_it_too() {
    let twins: Vec<_> = (0..9)
        .map(|at| {
            let mut plan = page(&format!("plan {at}"), &format!("Plan {at}"), &["pricing"]);
            plan.qualifiers.clear();
            plan
        })
        .collect();
    let drafts = of_file(twins);
    let plan = plan(&drafts, &plain());
    assert_eq!(texts(&plan, "plan-3"), ["Plan 3", "pricing (plan 3)"]);
}

#[test]
fn a_variant_never_makes_a_new_conflict() {
    let drafts = of_file(vec![
        page("a", "set-up", &[]),
        page("b", "set up", &[]),
        page("c", "what's new", &[]),
        page("d", "whats-new", &[]),
    ]);
    let plan = plan(&drafts, &Policy::default());
    let of = |id: &str| texts(&plan, id);
    assert!(!of("a").contains(&"set up") && of("a").contains(&"set-up?"));
    assert!(of("c").contains(&"what’s new"));
    assert!(!of("c").contains(&"whats new") && !of("d").contains(&"whats new"), "both would want it");
    let mut keys: Vec<u32> =
        plan.entries.iter().flat_map(|entry| &entry.aliases).map(|alias| alias.key).collect();
    let all = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), all, "nothing was shared before, and nothing is now");
}

#[test]
fn variants_of_a_shared_alias_go_to_exactly_those_that_share_it() {
    let drafts =
        of_file(vec![page("a/refund", "Refund", &[]), page("b/refund", "Refund", &[]), page("c", "C", &[])]);
    let plan = plan(&drafts, &Policy::default());
    for id in ["a-refund", "b-refund"] {
        let question = ("Refund?", Made::Variant(VariantRule::FinalPunctuation));
        assert!(aliases(&plan, id).contains(&question));
    }
    assert!(!texts(&plan, "c").contains(&"Refund?"));
}

#[test]
fn what_finds_no_slot_continues_is_trimmed_or_is_an_error() {
    let many: Vec<String> = (0..20).map(|at| format!("alias {at}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let drafts = of_file(vec![page("x", "Title", &many), page("x.2", "Other", &[])]);
    let with = |overflow, variants| Policy { overflow, variants, ..Policy::default() };

    let continued = plan(&drafts, &with(Overflow::Continue, false));
    let ids: Vec<&str> = continued.entries.iter().map(|entry| &*entry.id).collect();
    assert_eq!(ids, ["x", "x.3", "x.2"], "an id that is taken is not taken twice");
    assert_eq!(texts(&continued, "x").len(), SLOTS);
    assert_eq!(texts(&continued, "x.3"), ["alias 15", "alias 16", "alias 17", "alias 18", "alias 19"]);
    assert_eq!(&*continued.entries[1].label, "Title");
    assert_eq!(found(&continued, Rule::Continued), ["5 keys of x stand in continuation entries"]);

    let trimmed = plan(&drafts, &with(Overflow::Trim, false));
    assert_eq!(found(&trimmed, Rule::AliasDropped).len(), 5);
    let trimmed = plan(&drafts, &with(Overflow::Trim, true));
    assert_eq!(texts(&trimmed, "x").len(), SLOTS);
    assert_eq!(found(&trimmed, Rule::VariantsTrimmed).len(), 1);

    let refused = plan(&drafts, &with(Overflow::Error, true));
    assert_eq!(found(&refused, Rule::TooManyAliases).len(), 1);
    let few = of_file(vec![page("x", "Title", &many[..15])]);
    assert!(!has_errors(&plan(&few, &with(Overflow::Error, true)).diagnostics), "variants may be left out");
}

#[test]
fn shared_keys_stand_in_the_first_entry_and_leave_room_for_its_own() {
    let shared: Vec<String> = (0..20).map(|at| format!("shared {at}")).collect();
    let shared: Vec<&str> = shared.iter().map(String::as_str).collect();
    let drafts = of_file(vec![page("a", "A", &shared), page("b", "B", &shared)]);
    let plan = plan(&drafts, &Policy { overflow: Overflow::Continue, ..Policy::default() });
    for entry in &plan.entries {
        let own = entry.aliases.iter().filter(|alias| {
            plan.entries.iter().filter(|other| other.aliases.iter().any(|a| a.key == alias.key)).count() == 1
        });
        let own = own.count();
        match entry.continues {
            None => assert_eq!(own, 1),
            Some(_) => assert_eq!(own, entry.aliases.len(), "a continuation shares nothing"),
        }
    }
    assert_eq!(found(&plan, Rule::AliasDropped).len(), 10, "five of each found no slot, and that is said");
}

#[test]
fn what_continues_an_entry_keeps_its_label() {
    let mut further = page("brakes.2", "Brakes", &[]);
    further.aliases = vec!["squeaking".into()];
    further.continues = Some(0);
    let files = of_file(vec![page("brakes", "Brakes", &[]), further.clone()]);
    let merged = plan(&files, &plain());
    let labels =
        |plan: &Plan| -> Vec<String> { plan.entries.iter().map(|entry| entry.label.to_string()).collect() };
    assert_eq!(labels(&merged), ["Brakes", "Brakes"]);
    assert_eq!(merged.entries[1].continues, Some(0));
    assert_eq!(merged.diagnostics, []);
    let files = of_file(vec![page("brakes", "Brakes", &[]), further, page("car/brakes", "Brakes", &[])]);
    let labels = labels(&plan(&files, &plain()));
    let many: Vec<String> = (0..20).map(|at| format!("alias {at}")).collect();
    let mut more = page("brakes.2", "Brakes", &[]);
    (more.aliases, more.continues) = (many, Some(0));
    let files = of_file(vec![page("brakes", "Brakes", &[]), more]);
    let merged = plan(&files, &Policy { overflow: Overflow::Continue, ..plain() });
    let ids: Vec<&str> = merged.entries.iter().map(|entry| &*entry.id).collect();
    assert_eq!(ids, ["brakes", "brakes.2", "brakes.3"]);
    assert_eq!(labels[0], labels[1]);
    assert_ne!(labels[0], labels[2]);
}

#[test]
fn entries_of_one_artifact_may_go_on_sharing_a_label() {
    let of_artifact = |id: &str, file: &str| {
        let mut draft = page(id, "Memory", &[]);
        (draft.origin, draft.place) = (Origin::Artifact, Place::file(file));
        draft.aliases = vec![id.into()];
        draft
    };
    let labels = |drafts: Vec<Draft>| -> Vec<String> {
        plan(&of_file(drafts), &plain()).entries.iter().map(|entry| entry.label.to_string()).collect()
    };
    let both = || vec![of_artifact("one", "a.json"), of_artifact("two", "a.json")];
    assert_eq!(labels(both()), ["Memory", "Memory"]);
    for other in [page("three", "Memory", &[]), of_artifact("three", "b.json")] {
        let found = labels([both(), vec![other]].concat());
        assert!(found.iter().collect::<std::collections::HashSet<_>>().len() == 3, "{found:?}");
    }
}

#[test]
fn labels_stay_within_their_limit() {
    let long = "n".repeat(256);
    let drafts = of_file(vec![page("a/one", &long, &[]), page("b/two", &long, &[])]);
    let plan = plan(&drafts, &plain());
    assert!(plan.entries.iter().all(|entry| entry.label.len() <= 256), "{:?}", plan.diagnostics);
    assert_ne!(plan.entries[0].label, plan.entries[1].label);
}

#[test]
fn an_empty_plan_is_empty() {
    assert!(plan(&[], &Policy::default()).entries.is_empty());
}

#[test]
fn one_question_with_different_answers_is_a_warning_that_names_every_row() {
    let row = |line: usize, origin: Origin, answer: &str, section: &str, href: &str| {
        let mut row = page("rows", "When do you open?", &[]);
        row.place = Place::file("rows.csv").line(line);
        row.id = DraftId::Address(format!("{line}"));
        row.origin = origin;
        row.markdown = answer.into();
        row.qualifiers = Some(section.to_owned()).filter(|section| !section.is_empty()).into_iter().collect();
        row.citations.retain_mut(|citation| {
            citation.href = href.into();
            !href.is_empty()
        });
        row
    };
    let found = |rows: Vec<Draft>| -> Vec<String> {
        let plan = plan(&of_file(rows), &Policy::default());
        let found = plan.diagnostics.iter().filter(|found| found.rule == Rule::ConflictingAnswers);
        found.map(|found| found.to_string().split(". ").next().unwrap().to_owned()).collect()
    };
    let warning = |line: usize, others: &str| {
        format!(
            "rows.csv:{line}: warning AUTHOR_CONFLICTING_ANSWERS: \"When do you open?\" is answered differently elsewhere; see {others}"
        )
    };
    let (at, by_hand, of_page) = (Origin::Row, Origin::Hand, Origin::Page);
    assert_eq!(
        found(vec![
            row(2, at, "At 9", "", ""),
            row(3, at, "At 10", "", ""),
            row(4, by_hand, "At 11", "", "")
        ]),
        [warning(2, "rows.csv:3, rows.csv:4")]
    );
    assert_eq!(
        found(vec![row(2, at, "9", "A", ""), row(3, at, "10", "B", ""), row(4, at, "11", "B", "/x")]),
        [warning(3, "rows.csv:4")]
    );
    assert_eq!(found(vec![row(2, at, "At 9", "", "/a"), row(3, at, "At 10", "", "/b")]), [""; 0]);
    assert_eq!(found(vec![row(2, at, "At 9", "", ""), row(3, at, "At 9", "", "/b")]), [""; 0]);
    assert_eq!(found(vec![row(2, of_page, "At 9", "", ""), row(3, at, "At 10", "", "")]), [""; 0]);
}

fn words() -> impl Strategy<Value = String> {
    "(set|up|what's|new|how|do)( |-|\\. ?|['’])?(set|up|new|do)?[?!.]?"
        .prop_filter("something is typed", |text| !text.trim().is_empty())
        .prop_map(|text| text.trim().to_owned())
}

proptest! {
    #[test]
    fn every_entry_of_every_plan_can_be_asked_for_alone(
        pages in prop::collection::vec((words(), prop::collection::vec(words(), 0..22)), 1..14),
        overflow in prop::sample::select(vec![Overflow::Continue, Overflow::Trim]),
        shared in prop::sample::select(vec![Shared::Auto, Shared::Keep, Shared::Qualify, Shared::Drop]),
        variants: bool,
    ) {
        let drafts = of_file(
            pages
                .iter()
                .enumerate()
                .map(|(at, (title, more))| {
                    let more: Vec<&str> = more.iter().map(String::as_str).collect();
                    page(&format!("part/p{at}"), title, &more)
                })
                .collect(),
        );
        let drafts = sharing(&drafts, shared);
        let policy = Policy { overflow, variants, ..Policy::default() };
        let plan = plan(&drafts, &policy);
        prop_assert!(!has_errors(&plan.diagnostics), "{:?}", plan.diagnostics);
        for (at, entry) in plan.entries.iter().enumerate() {
            prop_assert!((1..=SLOTS).contains(&entry.aliases.len()));
            let elsewhere = |key: u32| {
                plan.entries.iter().enumerate().any(|(other, entry)| {
                    other != at && entry.aliases.iter().any(|alias| alias.key == key)
                })
            };
            let own = entry.aliases.iter().filter(|alias| !elsewhere(alias.key)).count();
            prop_assert!(own > 0);
            prop_assert!(entry.continues.is_none() || own == entry.aliases.len());
        }
        // What is declared is there, or it is said that it is not.
        for draft in drafts.iter().flat_map(|drafts| drafts.iter()) {
            for alias in &draft.aliases {
                let key = answerplane_normalize::normalize_key(alias);
                let is_there = plan.entries.iter().any(|entry| {
                    std::ptr::eq(entry.draft(), draft)
                        && entry.aliases.iter().any(|alias| {
                            answerplane_normalize::normalize_key(entry.text(alias)) == key
                        })
                });
                let is_said = plan.diagnostics.iter().any(|found| {
                    matches!(found.rule, Rule::AliasDropped | Rule::AliasQualified) && found.place == draft.place
                });
                prop_assert!(is_there || is_said, "{alias}");
            }
        }
    }
}
