//! Resolving a query, against looking up its ready key in a hash map.
//!
//! A round goes once through all queries: short enough that most rounds are not interrupted on a busy machine.

use answerplane_normalize::normalize_key;
use answerplane_protocol::Timestamp;
use answerplane_resolver::{Resolution, Resolver};

use crate::artifact::verified;
use crate::measure::{Measurement, nanos};
use crate::phrases::Language;

const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

pub(crate) fn run(rounds: usize) -> Vec<Measurement> {
    let mut measurements = Vec::new();
    for (language, limit) in [(Language::English, 6.0), (Language::French, 20.0), (Language::Greek, 20.0)] {
        measurements.extend(against_map(language, limit, rounds));
    }
    measurements.extend(growth(rounds));
    measurements
}

fn against_map(language: Language, limit: f64, rounds: usize) -> Option<Measurement> {
    let questions = language.questions(1_024);
    let resolver = resolver(&questions)?;
    let keys: Vec<String> =
        questions.iter().map(|question| normalize_key(question).into_cow().into_owned()).collect();
    let map: hashbrown::HashMap<&str, usize, foldhash::fast::FixedState> =
        keys.iter().enumerate().map(|(at, key)| (key.as_str(), at)).collect();
    let mut ratios = Vec::new();
    let mut times = Vec::new();
    for _ in 0..rounds {
        let subject = nanos(|| resolve_all(&resolver, &questions));
        let reference = nanos(|| {
            let mut found = 0;
            for key in &keys {
                found += usize::from(std::hint::black_box(map.get(key.as_str())).is_some());
            }
            found
        });
        ratios.push(subject / reference);
        times.push(subject / questions.len() as f64);
    }
    Some(Measurement::new(format!("lookup {}, 1,024 entries", language.name()), limit, ratios, times))
}

/// The time of one lookup among 1,024 entries against that among 10.
fn growth(rounds: usize) -> Option<Measurement> {
    let (many, few) = (Language::English.questions(1_024), Language::English.questions(10));
    let (over_many, over_few) = (resolver(&many)?, resolver(&few)?);
    let few: Vec<String> = few.iter().cycle().take(many.len()).cloned().collect();
    let mut ratios = Vec::new();
    let mut times = Vec::new();
    for _ in 0..rounds {
        let subject = nanos(|| resolve_all(&over_many, &many));
        let reference = nanos(|| resolve_all(&over_few, &few));
        ratios.push(subject / reference);
        times.push(subject / many.len() as f64);
    }
    Some(Measurement::new("lookup growth, 1,024 entries against 10".into(), 1.5, ratios, times))
}

fn resolve_all(resolver: &Resolver, questions: &[String]) -> usize {
    let mut found = 0;
    for question in questions {
        let resolution = std::hint::black_box(resolver.resolve(question, NOW));
        found += usize::from(matches!(resolution, Resolution::Answer(_)));
    }
    found
}

/// A resolver over one entry for each question.
fn resolver(questions: &[String]) -> Option<Resolver> {
    verified(questions, 1).map(Resolver::from)
}
