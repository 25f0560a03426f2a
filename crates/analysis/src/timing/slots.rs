//! Declarations of slots.

use super::{DeclaredDuration, LocatedError, filter};
use rtoscope_trace::filter::Filter;
use serde::Deserialize;
use toml::Spanned;

/// A given schedule: slots that repeat in each cycle.
#[derive(Debug, Clone)]
pub struct SlotSchedule {
    /// Its name.
    pub name: String,
    /// The events at which a cycle begins; cycles repeat until the next of them.
    pub anchor: Filter,
    /// The length of a cycle.
    pub cycle: DeclaredDuration,
    /// The slots of a cycle.
    pub slots: Vec<SlotDeclaration>,
    /// Its line in the file.
    pub line: usize,
}

/// A slot: the part of each cycle in which a subject may be busy.
#[derive(Debug, Clone)]
pub struct SlotDeclaration {
    /// The hardware or marker.
    pub subject: String,
    /// From the start of the cycle.
    pub offset: DeclaredDuration,
    /// Its length.
    pub length: DeclaredDuration,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScheduleEntry {
    name: Spanned<String>,
    anchor: Spanned<String>,
    cycle: Spanned<String>,
    slots: Vec<SlotEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SlotEntry {
    subject: String,
    offset: Spanned<String>,
    length: Spanned<String>,
}

impl ScheduleEntry {
    pub(super) fn schedule(
        self,
        line_of: impl Fn(usize) -> usize,
    ) -> Result<SlotSchedule, LocatedError> {
        let slots = self.slots.into_iter().map(|slot| {
            Ok(SlotDeclaration {
                offset: DeclaredDuration::parse(&slot.offset)?,
                length: DeclaredDuration::parse(&slot.length)?,
                subject: slot.subject,
            })
        });
        Ok(SlotSchedule {
            anchor: filter(&self.anchor)?,
            cycle: DeclaredDuration::parse(&self.cycle)?,
            slots: slots.collect::<Result<_, LocatedError>>()?,
            line: line_of(self.name.span().start),
            name: self.name.into_inner(),
        })
    }
}
