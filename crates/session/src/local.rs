//! The content of a local answer: text, and the components that stand beside it.

use answerplane_normalize::truncate_utf16;
use answerplane_protocol::{
    AnswerBody, CatalogComponent, Choice, ChoiceList, Choices, ComponentFallback, ContentEncoder,
    ContentPart, Identifier, List, Source, SourceList,
};
use serde_json::json;

use crate::chunk::Offer;

/// How the instance of an offered choice list is called, before the id of its message.
pub(crate) const CHOICES_INSTANCE: &str = "deterministic-choices-";
const SOURCES_INSTANCE: &str = "sources-";

/// The greatest length of an identifier.
const MAX_IDENTIFIER: usize = 128;
/// The greatest length of a component's text fallback in UTF-16 units.
const MAX_SUMMARY: usize = 4_096;

/// A component beside a text.
pub(crate) struct Shown {
    instance: Identifier,
    component: CatalogComponent,
    fallback: ComponentFallback,
}

impl Shown {
    fn new(instance: Identifier, component: CatalogComponent, summary: &str) -> Option<Self> {
        let summary = truncate_utf16(summary, MAX_SUMMARY).parse().ok()?;
        let fallback = ComponentFallback::new(component.key().parse().ok()?, summary);
        Some(Self { instance, component, fallback })
    }

    /// What is offered by it, where it shows these choices.
    pub(crate) fn offer(&self, choices: &Choices) -> Offer {
        let values = choices.suggestions().iter();
        Offer {
            instance: self.instance.as_str().to_string(),
            props: json!(self.component),
            values: values.map(|it| (it.id().as_str().to_string(), it.value().to_string())).collect(),
        }
    }
}

/// A text, and a component behind it, as ordered content.
pub(crate) fn encode(text: &str, shown: Option<&Shown>) -> String {
    let mut encoder = ContentEncoder::new();
    let text = ContentPart::text(text).ok().map(|text| encoder.encode(&text));
    let component =
        shown.map(|shown| encoder.encode_component(&shown.instance, &shown.component, &shown.fallback));
    text.unwrap_or_default() + &component.unwrap_or_default()
}

/// Where choices are offered.
pub(crate) fn offer(choices: &Choices, message_id: &str) -> Option<Shown> {
    let suggestions = choices.suggestions();
    let list = suggestions.iter().map(|suggestion| {
        let choice = Choice::new(suggestion.id().clone(), suggestion.label().parse().ok()?);
        Some(choice.with_description(suggestion.value().parse().ok()?))
    });
    let list = List::new(list.collect::<Option<Vec<Choice>>>()?)?;
    let component = CatalogComponent::ChoiceList(ChoiceList::new(choices.message().parse().ok()?, list)?);
    let labels: Vec<&str> = suggestions.iter().map(|suggestion| suggestion.label()).collect();
    let summary = format!("{} {}.", choices.message(), labels.join(", "));
    Shown::new(instance(CHOICES_INSTANCE, message_id)?, component, &summary)
}

/// Where the sources of an answer stand; nothing where it has none.
pub(crate) fn sources(answer: &AnswerBody, message_id: &str) -> Option<Shown> {
    let citations = answer.citations();
    let mut ids: Vec<Identifier> = Vec::new();
    for citation in citations {
        ids.push(distinct(citation.id(), &ids)?);
    }
    let sources = ids.into_iter().zip(citations).map(|(id, citation)| {
        let title = citation.title().as_str().parse().ok()?;
        Some(Source::new(id, title, Some(citation.href().clone()), None))
    });
    let sources = List::new(sources.collect::<Option<Vec<Source>>>()?)?;
    let component = CatalogComponent::SourceList(SourceList::new("Sources".parse().ok()?, sources)?);
    let titles: Vec<&str> = citations.iter().map(|citation| citation.title().as_str()).collect();
    let summary = format!("Sources: {}.", titles.join(", "));
    Shown::new(instance(SOURCES_INSTANCE, message_id)?, component, &summary)
}

/// The id, or where it is taken the id with the first number from 2 that makes it another.
fn distinct(id: &Identifier, taken: &[Identifier]) -> Option<Identifier> {
    if !taken.contains(id) {
        return Some(id.clone());
    }
    (2..).find_map(|number| {
        let suffix = format!("-{number}");
        let kept = &id.as_str()[..id.as_str().len().min(MAX_IDENTIFIER - suffix.len())];
        let other = format!("{kept}{suffix}").parse().ok()?;
        (!taken.contains(&other)).then_some(other)
    })
}

/// The instance of a component beside a message: what an identifier cannot hold becomes `-`, unit by unit.
fn instance(prefix: &str, message_id: &str) -> Option<Identifier> {
    let mut id = String::from(prefix);
    for character in message_id.chars() {
        let fits = character.is_ascii_alphanumeric() || matches!(character, '.' | '_' | ':' | '-');
        if fits {
            id.push(character);
        } else {
            (0..character.len_utf16()).for_each(|_| id.push('-'));
        }
        if id.len() >= MAX_IDENTIFIER {
            break;
        }
    }
    id.truncate(MAX_IDENTIFIER);
    id.parse().ok()
}
