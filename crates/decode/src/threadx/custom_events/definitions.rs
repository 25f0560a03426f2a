//! Collects the definitions of a file and its errors.

use super::error::{CustomEventMistake, CustomEventsError, MistakeReason};
use crate::threadx::catalogue::built_in;
use rtoscope_trace::{EventKind, EventKindId, printable};
use std::collections::HashMap;

/// The definitions read so far.
#[derive(Default)]
pub(super) struct DefinitionCollector {
    kinds: Vec<EventKind>,
    /// The line of the first definition of each number.
    lines: HashMap<EventKindId, usize>,
    mistakes: Vec<CustomEventMistake>,
    further_mistakes: usize,
}

impl DefinitionCollector {
    /// Adds a definition, unless its number is taken.
    pub(super) fn add(&mut self, line: usize, kind: EventKind) {
        let id = kind.id;
        if let Some(other) = built_in(id) {
            let name = other.name.clone().into_owned();
            self.mistake(line, MistakeReason::BuiltIn { id: id.0, name });
        } else if let Some(first) = self.lines.get(&id) {
            let first = *first;
            self.mistake(line, MistakeReason::Duplicate { id: id.0, first });
        } else {
            self.lines.insert(id, line);
            self.kinds.push(kind);
        }
    }

    /// Adds a mistake.
    pub(super) fn mistake(&mut self, line: usize, reason: MistakeReason) {
        if self.mistakes.len() < CustomEventsError::MAX_MISTAKES {
            self.mistakes.push(CustomEventMistake { line, reason });
        } else {
            self.further_mistakes += 1;
        }
    }

    /// The kinds, if there are no mistakes.
    pub(super) fn finish(self) -> Result<Vec<EventKind>, CustomEventsError> {
        if self.mistakes.is_empty() {
            return Ok(self.kinds);
        }
        Err(CustomEventsError {
            mistakes: self.mistakes,
            further_mistakes: self.further_mistakes,
        })
    }
}

/// Whether a text is valid as an icon's letters: one to three, not all blank.
pub(super) fn is_letters(text: &str) -> bool {
    (1..=3).contains(&text.chars().count()) && is_name(text)
}

/// Whether a text is a valid name.
pub(super) fn is_name(text: &str) -> bool {
    !text.trim().is_empty() && is_printable(text)
}

fn is_printable(text: &str) -> bool {
    text.chars().all(printable::is_printable)
}
