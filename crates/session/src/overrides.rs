//! What was told about a recording that sessions show in parts.

use crate::Command;
use crate::query::Bookmark;
use crate::response::RecordingOffset;
use crate::session::{QueryError, Session};
use crate::tell::{check_bookmarks, checked_frequency};
use rtoscope_trace::Frequency;

/// What was told about a recording, for every session that shows a part of it.
/// A bookmark stays at its event, wherever a part begins.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    /// The clock's frequency; `None` if nothing was told.
    frequency: Option<Option<Frequency>>,
    /// Notes by the number of the event in the recording, rising.
    bookmarks: Vec<(u64, String)>,
}

/// The part of a recording that a session shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RecordingPart {
    /// Where it begins.
    pub base: RecordingOffset,
    /// How many events it has.
    pub events: u32,
}

impl RecordingPart {
    /// The number in the recording of the event behind its last one.
    pub fn end(&self) -> u64 {
        self.base.event.saturating_add(self.events.into())
    }
}

impl Overrides {
    /// Does what is told somebody who looks at a part, or changes nothing: the
    /// bookmarks of the part are replaced, those elsewhere stay.
    ///
    /// # Errors
    ///
    /// [`QueryError::OutOfRange`] where the command is not as documented, where
    /// the bookmarks of all parts are more than a session may have, or where one
    /// is at an event that the part does not have.
    pub fn apply(&mut self, command: Command, part: RecordingPart) -> Result<(), QueryError> {
        match command {
            Command::Clock { frequency_hz: hz } => self.frequency = Some(checked_frequency(hz)?),
            Command::Bookmarks { bookmarks } => {
                if let Some(beyond) = bookmarks.iter().find(|one| one.event >= part.events) {
                    return Err(QueryError::OutOfRange {
                        parameter: "the event of a bookmark",
                        value: beyond.event.to_string(),
                        expected: format!("below {}", part.events),
                    });
                }
                let within = part.base.event..part.end();
                let elsewhere = self
                    .bookmarks
                    .iter()
                    .filter(|(event, _)| !within.contains(event));
                let count = elsewhere.clone().count() + bookmarks.len();
                check_bookmarks(&bookmarks, count)?;
                let told = bookmarks
                    .into_iter()
                    .map(|one| (within.start.saturating_add(one.event.into()), one.note));
                let mut notes: Vec<_> = elsewhere.cloned().chain(told).collect();
                notes.sort_by_key(|(event, _)| *event);
                self.bookmarks = notes;
            }
        }
        Ok(())
    }

    /// Tells it a session: the clock, and the bookmarks of its part.
    pub fn apply_to(&self, session: &mut Session) {
        if let Some(frequency) = self.frequency {
            session.trace.clock.frequency = frequency;
        }
        let part = session.part();
        let place = |event: u64| {
            let event = u32::try_from(event.checked_sub(part.base.event)?).ok()?;
            (event < part.events).then_some(event)
        };
        let notes = self.bookmarks.iter();
        let bookmarks = notes.filter_map(|(event, note)| {
            Some(Bookmark {
                event: place(*event)?,
                note: note.clone(),
            })
        });
        session.bookmarks = bookmarks.collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(event: u64, events: u32) -> RecordingPart {
        let base = RecordingOffset { event, time: 0 };
        RecordingPart { base, events }
    }

    fn bookmarks(told: &[(u32, &str)]) -> Command {
        let bookmarks = told.iter().map(|(event, note)| Bookmark {
            event: *event,
            note: (*note).to_owned(),
        });
        Command::Bookmarks {
            bookmarks: bookmarks.collect(),
        }
    }

    fn notes(told: &Overrides) -> Vec<(u64, &str)> {
        let notes = told.bookmarks.iter();
        notes.map(|(event, note)| (*event, note.as_str())).collect()
    }

    #[test]
    fn bookmarks_of_a_part_are_replaced() {
        let mut told = Overrides::default();
        let a_and_b = bookmarks(&[(9, "b"), (0, "a")]);
        told.apply(a_and_b, part(100, 10)).unwrap();
        assert_eq!(notes(&told), [(100, "a"), (109, "b")]);
        told.apply(bookmarks(&[(0, "c")]), part(101, 8)).unwrap();
        assert_eq!(notes(&told), [(100, "a"), (101, "c"), (109, "b")]);
        told.apply(bookmarks(&[]), part(101, 9)).unwrap();
        assert_eq!(notes(&told), [(100, "a")]);
        told.apply(bookmarks(&[(1, "z")]), part(u64::MAX - 1, 2))
            .unwrap();
        assert_eq!(notes(&told), [(100, "a"), (u64::MAX, "z")]);
    }

    #[test]
    fn rejected_commands_change_nothing() {
        let mut told = Overrides::default();
        told.apply(bookmarks(&[(0, "a")]), part(5, 1)).unwrap();
        for wrong in [
            bookmarks(&[(1, "beyond")]),
            bookmarks(&[(0, &"x".repeat(4097))]),
            bookmarks(&vec![(0, ""); 10_001]),
            Command::Clock {
                frequency_hz: Some(0),
            },
        ] {
            told.apply(wrong, part(5, 1)).unwrap_err();
        }
        told.apply(bookmarks(&[(0, "b")]), RecordingPart::default())
            .unwrap_err();
        // All parts have so many together.
        let many = bookmarks(&vec![(0, ""); 10_000]);
        told.apply(many.clone(), part(6, 1)).unwrap_err();
        assert_eq!(notes(&told), [(5, "a")]);
        told.apply(many, part(5, 1)).unwrap();
    }
}
