//! The standard catalog: what every renderer can show.

mod approval_request;
mod button_group;
mod choice_list;
mod confirmation;
mod error_notice;
mod file_attachment;
mod form;
mod link_card;
mod progress;
mod source_list;
mod table;
mod tool_call;

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use approval_request::ApprovalRequest;
pub use button_group::{Button, ButtonGroup, ButtonVariant};
pub use choice_list::{ActionInput, Choice, ChoiceAction, ChoiceList};
pub use confirmation::ConfirmationCard;
pub use error_notice::ErrorNotice;
pub use file_attachment::FileAttachment;
pub use form::{FieldKind, FieldOption, Form, FormField};
pub use link_card::LinkCard;
pub use progress::Progress;
pub use source_list::{Source, SourceList};
pub use table::{Column, Row, Table};
pub use tool_call::{ToolCallCard, ToolCallState};

use crate::component::semantics::Semantics;
use crate::component::{ComponentFallback, InteractionRefused, Props, RenderFrame};
use crate::one_line::one_line;
use crate::scalar::{ComponentKey, Identifier};

/// A component of the standard catalog.
pub(crate) trait StandardComponent: DeserializeOwned + Serialize {
    /// What it is to people and programs.
    const SEMANTICS: Semantics;

    /// Whether these props allow an event of this name, which the semantics declare.
    fn declares(&self, _event: &str) -> bool {
        true
    }

    /// Whether an event, which is declared, takes this value.
    fn takes(&self, event: &str, value: Option<&Value>) -> bool;

    /// What it says where it cannot be shown, a line for each thing.
    fn write_text(&self, out: &mut String);
}

/// Whether no identifier stands there twice.
fn unique<'i>(ids: impl Iterator<Item = &'i Identifier>) -> bool {
    let mut ids: Vec<&Identifier> = ids.collect();
    ids.sort_unstable();
    ids.windows(2).all(|pair| pair[0] != pair[1])
}

/// Whether a value is one of these identifiers.
fn is_id_of<'i>(value: Option<&Value>, mut ids: impl Iterator<Item = &'i Identifier>) -> bool {
    value.and_then(Value::as_str).is_some_and(|value| ids.any(|id| id.as_str() == value))
}

/// Writes one thing. No text in it can begin another line, and so be taken for another thing.
fn write_line(out: &mut String, pieces: &[&str]) {
    pieces.iter().for_each(|piece| out.extend(one_line(piece)));
    out.push('\n');
}

/// Declares the catalog: a key and a type for each component.
macro_rules! catalog {
    ($( $(#[doc = $doc:literal])* $key:literal => $name:ident($props:ident), )*) => {
        /// A component of the standard catalog with its props.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum CatalogComponent {
            $( $(#[doc = $doc])* $name($props), )*
        }

        impl CatalogComponent {
            /// The keys of the catalog, in the order of its page.
            pub const KEYS: &'static [&'static str] = &[$($key),*];

            /// What the component with this key is to people and programs; `None` outside the catalog.
            #[must_use]
            pub fn semantics_of(key: &str) -> Option<Semantics> {
                match key {
                    $( $key => Some($props::SEMANTICS), )*
                    _ => None,
                }
            }

            /// The component with this key; `None` outside the catalog, and an error where the props do not fit.
            pub(crate) fn read(key: &str, props: &Value) -> Option<Result<Self, ()>> {
                Some(match key {
                    $( $key => read::<$props>(props).map(Self::$name).ok_or(()), )*
                    _ => return None,
                })
            }

            /// The key of the component.
            #[must_use]
            pub fn key(&self) -> &'static str {
                match self {
                    $( Self::$name(_) => $key, )*
                }
            }

            /// What the component is to people and programs.
            #[must_use]
            pub fn semantics(&self) -> Semantics {
                match self {
                    $( Self::$name(_) => $props::SEMANTICS, )*
                }
            }

            /// Whether somebody may do this with the component.
            ///
            /// # Errors
            ///
            /// When the component does not declare the event, with these props, or the event does not take the
            /// value.
            pub fn check_event(&self, event: &str, value: Option<&Value>) -> Result<(), InteractionRefused> {
                match self {
                    $( Self::$name(props) => check_event(props, event, value), )*
                }
            }

            /// What the component says where it cannot be shown, each thing on a line.
            #[must_use]
            pub fn text(&self) -> String {
                let mut text = String::new();
                match self {
                    $( Self::$name(props) => props.write_text(&mut text), )*
                }
                text
            }
        }

        impl Serialize for CatalogComponent {
            /// Writes the props.
            fn serialize<Z: serde::Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
                match self {
                    $( Self::$name(props) => props.serialize(serializer), )*
                }
            }
        }

        /// The schema of the props of each component.
        #[cfg(feature = "schema")]
        pub(crate) fn schemas() -> Vec<(&'static str, schemars::Schema)> {
            alloc::vec![$( ($key, crate::schema::root::<$props>()) ),*]
        }
    };
}

catalog! {
    /// Buttons of which one is pressed.
    "button-group" => ButtonGroup(ButtonGroup),
    /// Choices of which one is taken.
    "choice-list" => ChoiceList(ChoiceList),
    /// Fields to fill in and to submit together.
    "form" => Form(Form),
    /// A question that is confirmed or cancelled.
    "confirmation" => Confirmation(ConfirmationCard),
    /// How far something has come.
    "progress" => Progress(Progress),
    /// Where an answer comes from.
    "source-list" => SourceList(SourceList),
    /// A link with what it leads to.
    "link-card" => LinkCard(LinkCard),
    /// What went wrong, and perhaps another try.
    "error-notice" => ErrorNotice(ErrorNotice),
    /// A tool that the assistant uses.
    "tool-call" => ToolCall(ToolCallCard),
    /// Something that is done only when a person approves.
    "approval-request" => ApprovalRequest(ApprovalRequest),
    /// Rows of cells under columns.
    "table" => Table(Table),
    /// A file that goes with a message.
    "file-attachment" => FileAttachment(FileAttachment),
}

impl CatalogComponent {
    /// The frame that shows the component; `None` where its props exceed the limits of a frame.
    #[must_use]
    pub fn to_frame(&self, instance_id: Identifier, fallback: ComponentFallback) -> Option<RenderFrame> {
        let props = Props::new(&self.serialize(serde_json::value::Serializer).ok()?)?;
        Some(RenderFrame::new(ComponentKey::proven(self.key()), instance_id, props, fallback))
    }
}

fn read<T: StandardComponent>(props: &Value) -> Option<T> {
    T::deserialize(props).ok()
}

fn check_event<T: StandardComponent>(
    props: &T,
    event: &str,
    value: Option<&Value>,
) -> Result<(), InteractionRefused> {
    if !T::SEMANTICS.events.contains(&event) || !props.declares(event) {
        return Err(InteractionRefused::UndeclaredEvent);
    }
    if props.takes(event, value) { Ok(()) } else { Err(InteractionRefused::UnfitValue) }
}
