//! Which components there are: the standard catalog, and what a host adds to it.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use serde_json::Value;

use crate::component::catalog::CatalogComponent;
use crate::component::semantics::Semantics;
use crate::component::{ComponentDiagnostic, InteractFrame, InteractionRefused, RenderFrame, SelectFrame};
use crate::scalar::ComponentKey;

/// A component that a host adds to the catalog.
pub trait CustomComponent: Send + Sync {
    /// Its key, which is none of the catalog's.
    fn key(&self) -> &ComponentKey;

    /// What it is to people and programs.
    fn semantics(&self) -> Semantics;

    /// Whether these props are its own.
    fn accepts_props(&self, props: &Value) -> bool;

    /// Whether an event, which the semantics declare, takes this value with these props.
    fn accepts_event(&self, props: &Value, event: &str, value: Option<&Value>) -> bool;

    /// What it says where it cannot be shown.
    fn text(&self, props: &Value) -> String;
}

/// The components that are known; everything else is inert.
///
/// ```
/// use answerplane_protocol::{ComponentDiagnostic, Manifest, RenderFrame};
///
/// let frame = RenderFrame::decode(r#"{
///     "protocol": "agentskit.chat.component", "version": 1, "type": "render",
///     "componentKey": "progress", "instanceId": "p-1", "props": {"label": "Watering", "value": 40},
///     "fallback": {"kind": "progress", "summary": "Watering: 40 %"}
/// }"#)?;
/// let manifest = Manifest::standard();
/// assert_eq!(manifest.component(&frame)?.text(), "Watering: 40 %\n");
/// # Ok::<(), ComponentDiagnostic>(())
/// ```
#[derive(Clone, Default)]
pub struct Manifest {
    custom: Vec<Arc<dyn CustomComponent>>,
}

/// A component that a host wanted to add has a key that is taken: by the catalog, or by another of the host's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("the key of the component is taken")]
pub struct KeyTaken;

impl KeyTaken {
    /// The stable code of the reason.
    pub const CODE: &'static str = "MANIFEST_KEY_TAKEN";
}

/// A component with props that fit.
#[derive(Clone)]
pub enum Component<'m> {
    /// One of the standard catalog.
    Standard(CatalogComponent),
    /// One that the host has added.
    Custom {
        /// The component.
        component: &'m dyn CustomComponent,
        /// Its props.
        props: Value,
    },
}

impl Manifest {
    /// The standard catalog and nothing else.
    #[must_use]
    pub fn standard() -> Self {
        Self::default()
    }

    /// The same with one more component.
    ///
    /// # Errors
    ///
    /// When the key is taken.
    pub fn with(mut self, component: Arc<dyn CustomComponent>) -> Result<Self, KeyTaken> {
        let key = component.key().as_str();
        if CatalogComponent::KEYS.contains(&key) || self.find(key).is_some() {
            return Err(KeyTaken);
        }
        self.custom.push(component);
        Ok(self)
    }

    /// Every key, those of the catalog first.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        let custom = self.custom.iter().map(|component| component.key().as_str());
        CatalogComponent::KEYS.iter().copied().chain(custom)
    }

    /// The component of a frame.
    ///
    /// # Errors
    ///
    /// When the key is not in the manifest, or the props do not fit. The frame is then inert, and its
    /// [fallback](RenderFrame::fallback) is shown.
    pub fn component(&self, frame: &RenderFrame) -> Result<Component<'_>, ComponentDiagnostic> {
        let key = frame.component_key().as_str();
        if let Some(component) = CatalogComponent::read(key, frame.props()) {
            return component.map(Component::Standard).map_err(|()| ComponentDiagnostic::InvalidProps);
        }
        let component = self.find(key).ok_or(ComponentDiagnostic::Unregistered)?;
        if component.accepts_props(frame.props()) {
            Ok(Component::Custom { component, props: frame.props().clone() })
        } else {
            Err(ComponentDiagnostic::InvalidProps)
        }
    }

    /// Whether somebody may do this with the component of a frame.
    ///
    /// # Errors
    ///
    /// When the interaction is with another component or instance, the component is inert or does not declare the
    /// event, or the event does not take the value.
    pub fn check_interaction(
        &self,
        frame: &RenderFrame,
        interaction: &InteractFrame,
    ) -> Result<(), InteractionRefused> {
        let (key, id) = (interaction.component_key(), interaction.instance_id());
        if (key, id) != (frame.component_key(), frame.instance_id()) {
            return Err(InteractionRefused::OtherInstance);
        }
        self.check_event(frame, interaction.event().as_str(), interaction.value())
    }

    /// Whether somebody may take this choice of the component of a frame: its event `select` takes the choice's id.
    ///
    /// # Errors
    ///
    /// As [`check_interaction`](Self::check_interaction).
    pub fn check_selection(
        &self,
        frame: &RenderFrame,
        selection: &SelectFrame,
    ) -> Result<(), InteractionRefused> {
        let (key, id) = (selection.component_key(), selection.instance_id());
        if (key, id) != (frame.component_key(), frame.instance_id()) {
            return Err(InteractionRefused::OtherInstance);
        }
        self.check_event(frame, "select", Some(&selection.choice_id().as_str().into()))
    }

    fn check_event(
        &self,
        frame: &RenderFrame,
        event: &str,
        value: Option<&Value>,
    ) -> Result<(), InteractionRefused> {
        self.component(frame)
            .map_err(|_| InteractionRefused::UndeclaredEvent)
            .and_then(|component| component.check_event(event, value))
    }

    fn find(&self, key: &str) -> Option<&dyn CustomComponent> {
        self.custom.iter().map(AsRef::as_ref).find(|component| component.key().as_str() == key)
    }
}

impl fmt::Debug for Manifest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.keys()).finish()
    }
}

impl Component<'_> {
    /// What the component is to people and programs.
    #[must_use]
    pub fn semantics(&self) -> Semantics {
        match self {
            Self::Standard(component) => component.semantics(),
            Self::Custom { component, .. } => component.semantics(),
        }
    }

    /// Whether somebody may do this with the component.
    ///
    /// # Errors
    ///
    /// When the component does not declare the event, or the event does not take the value.
    pub fn check_event(&self, event: &str, value: Option<&Value>) -> Result<(), InteractionRefused> {
        match self {
            Self::Standard(component) => component.check_event(event, value),
            Self::Custom { component, .. } if !component.semantics().events.contains(&event) => {
                Err(InteractionRefused::UndeclaredEvent)
            }
            Self::Custom { component, props } if component.accepts_event(props, event, value) => Ok(()),
            Self::Custom { .. } => Err(InteractionRefused::UnfitValue),
        }
    }

    /// What the component says where it cannot be shown.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Standard(component) => component.text(),
            Self::Custom { component, props } => component.text(props),
        }
    }
}

impl fmt::Debug for Component<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Standard(component) => component.fmt(f),
            Self::Custom { component, props } => {
                f.debug_tuple("Custom").field(component.key()).field(props).finish()
            }
        }
    }
}
