//! Declarations of hardware.

use super::{LocatedError, filter};
use rtoscope_trace::filter::Filter;
use serde::Deserialize;
use toml::Spanned;

/// Hardware that an event kicks and that signals its end.
#[derive(Debug, Clone)]
pub struct HardwareDeclaration {
    /// Its name.
    pub name: String,
    /// The events that kick it.
    pub kick: Filter,
    /// What signals its end.
    pub done: DoneSource,
    /// Its line in the file.
    pub line: usize,
}

/// What signals the end of hardware's work.
#[derive(Debug, Clone)]
pub enum DoneSource {
    /// These events.
    Events(Filter),
    /// The entry of the interrupt service routine with this name.
    Isr(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HardwareEntry {
    name: Spanned<String>,
    kick: Spanned<String>,
    done: Option<Spanned<String>>,
    done_isr: Option<String>,
}

impl HardwareEntry {
    pub(super) fn declaration(
        self,
        line_of: impl Fn(usize) -> usize,
    ) -> Result<HardwareDeclaration, LocatedError> {
        let span = self.name.span();
        let done = match (self.done, self.done_isr) {
            (Some(events), None) => DoneSource::Events(filter(&events)?),
            (None, Some(isr)) => DoneSource::Isr(isr),
            _ => {
                let message = "hardware needs either `done` or `done_isr`".to_owned();
                return Err((span, message));
            }
        };
        Ok(HardwareDeclaration {
            line: line_of(span.start),
            name: self.name.into_inner(),
            kick: filter(&self.kick)?,
            done,
        })
    }
}
