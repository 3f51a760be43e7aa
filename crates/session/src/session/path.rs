//! Path writes: what moves the active path without a turn.

use answerplane_protocol::turn::Role;

use crate::conversation::Track;
use crate::session::Inner;
use crate::session::Update;
use crate::session::error::SessionError;
use crate::session::finish::states_of;
use crate::session::head::{Head, PATH_WRITES, States};
use crate::session::journal::{Node, Selection};
use crate::session::start::check_said;
use crate::session::stored::{Additions, Stored, Written};
use crate::session::turn::TurnEnd;

/// What is done to the path.
pub(super) enum PathWrite {
    Edit { message: String, text: String },
    Select { node: u64 },
    Clear,
    TrimFront { before: String },
    Save,
}

impl Inner {
    /// Does it as one replace: rule 7 of `docs/turns.md`.
    pub(super) async fn write_path(&self, write: PathWrite) -> Result<(), SessionError> {
        if let PathWrite::Edit { text, .. } = &write {
            check_said(text)?;
        }
        let context = &self.context;
        self.supersede(None)?;
        let stored = &mut *self.stored.lock().await;
        self.end_own(stored, None).await?;
        loop {
            let now = context.now();
            let id = context.write_id()?;
            let count = stored.head.path_count;
            let mut head = stored.next_head(id.clone());
            head.end_claim(TurnEnd::Indeterminate);
            head.path_count = head.path_count.saturating_add(1);
            head.path_writes.push_back(id.clone());
            if head.path_writes.len() > PATH_WRITES {
                head.path_writes.pop_front();
            }
            let planned = match stored.running(now) {
                Some(_) => Err(SessionError::Busy),
                None => write.plan(stored, &mut head, now),
            };
            let additions = match planned {
                Err(_) if !stored.is_fresh => {
                    stored.load(context).await?;
                    continue;
                }
                planned => planned?,
            };
            match stored.replace(context, head, additions).await? {
                Written::Done => break,
                Written::Conflict { after_unknown } => {
                    stored.load_after(context, after_unknown).await?;
                    if stored.head.path_writes.contains(&id) {
                        break;
                    }
                    if after_unknown && stored.head.path_count > count.saturating_add(PATH_WRITES as u64) {
                        return Err(SessionError::OutcomeUnknown);
                    }
                }
            }
        }
        stored.is_stale = false;
        stored.move_to(stored.head.tip);
        self.tell(Update::Changed(stored.head.cursor));
        Ok(())
    }
}

impl PathWrite {
    /// What is written, on this document. What it does to the track is undone by building it anew, until it is written.
    fn plan(&self, stored: &mut Stored, head: &mut Head, now: i64) -> Result<Additions, SessionError> {
        let mut additions = Additions { decisions: true, ..Additions::default() };
        match self {
            Self::Save => {}
            Self::Edit { message, text } => {
                let edited = stored.said(message)?;
                head.tip = Some(stored.tree.length());
                additions.nodes.push(Node {
                    parent: stored.tree.parent(edited),
                    message: message.clone(),
                    role: Role::User,
                    content: text.clone(),
                    at: now,
                    turn: None,
                    end: None,
                    answer: None,
                    failure: None,
                });
            }
            Self::Select { node } => {
                stored.tree.node(*node).ok_or(SessionError::UnknownNode)?;
                let tip = stored.tree.leaf_behind(*node).ok_or(SessionError::UnknownNode)?;
                head.tip = Some(tip);
                additions.selection = Some(Selection { tip, nodes: stored.tree.length() });
            }
            Self::Clear => {
                head.tip = None;
                head.choices.clear();
                additions.first_node = Some(stored.tree.length());
                if let Some(track) = &mut stored.track {
                    stored.is_stale = true;
                    track.clear();
                    head.states =
                        Some(States { current: track.base().to_string(), base: track.base().to_string() });
                }
            }
            Self::TrimFront { before } => {
                let first = stored.tree.on_path(before).ok_or(SessionError::UnknownMessage)?;
                let gone = stored.tree.said().partition_point(|number| *number < first);
                additions.first_node = Some(first);
                if stored.track.is_some() {
                    stored.is_stale = true;
                    stored.walk(0);
                }
                if let Some(track) = &mut stored.track {
                    Track::trim_front(track, gone);
                    head.states = Some(states_of(track));
                }
            }
        }
        Ok(additions)
    }
}
