//! Declarations of deadlines.

use super::{DeclaredDuration, LocatedError};
use serde::Deserialize;
use toml::Spanned;

/// Limits for the activations of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadlineDeclaration {
    /// Its name.
    pub name: String,
    /// What the limits are for.
    pub subject: DeadlineSubject,
    /// The period from the start of one activation to the start of the next: a maximum,
    /// or with `jitter` the nominal one.
    pub period: Option<DeclaredDuration>,
    /// The maximum deviation from the period, in both directions.
    pub jitter: Option<DeclaredDuration>,
    /// The maximum response time.
    pub deadline: Option<DeclaredDuration>,
    /// Its line in the file.
    pub line: usize,
}

/// The source of activations, by its name in the trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeadlineSubject {
    /// A thread.
    Thread(String),
    /// An interrupt service routine: its number or its function.
    Isr(String),
    /// The steps of an active object.
    Object(String),
    /// A state of an active object.
    State {
        /// The active object.
        object: String,
        /// The state.
        state: String,
    },
    /// The events of a kind.
    Event(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DeadlineEntry {
    name: Spanned<String>,
    thread: Option<String>,
    isr: Option<String>,
    object: Option<String>,
    state: Option<String>,
    event: Option<String>,
    period: Option<Spanned<String>>,
    jitter: Option<Spanned<String>>,
    deadline: Option<Spanned<String>>,
}

impl DeadlineEntry {
    pub(super) fn declaration(
        self,
        line_of: impl Fn(usize) -> usize,
    ) -> Result<DeadlineDeclaration, LocatedError> {
        let span = self.name.span();
        let error = |message: &str| (span.clone(), message.to_owned());
        use DeadlineSubject::{Event, Isr, Object, State, Thread};
        let subject = match (self.thread, self.isr, self.object, self.state, self.event) {
            (Some(thread), None, None, None, None) => Thread(thread),
            (None, Some(isr), None, None, None) => Isr(isr),
            (None, None, Some(object), None, None) => Object(object),
            (None, None, Some(object), Some(state), None) => State { object, state },
            (None, None, None, None, Some(event)) => Event(event),
            _ => {
                return Err(error(
                    "a deadline needs one of `thread`, `isr`, `object`, `object` with `state`, \
                     and `event`",
                ));
            }
        };
        let parse = |text: Option<Spanned<String>>| {
            let text = text.as_ref();
            text.map(DeclaredDuration::parse).transpose()
        };
        let declaration = DeadlineDeclaration {
            line: line_of(span.start),
            name: self.name.into_inner(),
            subject,
            period: parse(self.period)?,
            jitter: parse(self.jitter)?,
            deadline: parse(self.deadline)?,
        };
        if declaration.jitter.is_some() && declaration.period.is_none() {
            return Err(error("`jitter` needs a `period`"));
        }
        if declaration.period.is_none() && declaration.deadline.is_none() {
            return Err(error("a deadline needs a `period` or a `deadline`"));
        }
        if matches!(declaration.subject, Event(_)) && declaration.deadline.is_some() {
            return Err(error("events have a `period`, but no `deadline`"));
        }
        Ok(declaration)
    }
}
