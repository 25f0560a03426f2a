//! Commands, applied to a session or to all sessions of a recording.

use crate::error::QueryError;
use crate::query::{Bookmark, Command};
use crate::session::{RecordingPart, Session};
use rtoscope_trace::Frequency;

/// Maximum number of bookmarks of a trace.
const MAX_BOOKMARKS: usize = 10_000;
/// Maximum length of a note in bytes.
const MAX_NOTE_BYTES: usize = 4096;

impl Session {
    /// Applies a command; unchanged on error.
    pub fn apply(&mut self, command: Command) -> Result<(), QueryError> {
        match command {
            Command::Clock { frequency_hz: hz } => {
                let frequency = checked_frequency(hz)?;
                self.recording.trace.clock.set_frequency(frequency);
            }
            Command::Bookmarks { mut bookmarks } => {
                check_bookmarks(&bookmarks, bookmarks.len())?;
                bookmarks.sort_by_key(|bookmark| bookmark.event);
                self.bookmarks = bookmarks;
            }
        }
        Ok(())
    }
}

/// Validates a clock frequency.
fn checked_frequency(hz: Option<u64>) -> Result<Option<Frequency>, QueryError> {
    let frequency = hz.map(|hz| {
        Frequency::from_hertz(hz).ok_or(QueryError::OutOfRange {
            parameter: "frequency_hz",
            value: hz.to_string(),
            expected: "at least 1".to_owned(),
        })
    });
    frequency.transpose()
}

/// Rejects notes that are too long, and too many bookmarks.
fn check_bookmarks(bookmarks: &[Bookmark], count: usize) -> Result<(), QueryError> {
    let too_long = bookmarks.iter().map(|one| one.note.len()).max();
    if let Some(bytes) = too_long.filter(|bytes| *bytes > MAX_NOTE_BYTES) {
        return Err(QueryError::OutOfRange {
            parameter: "a note",
            value: format!("{bytes} bytes long"),
            expected: format!("at most {MAX_NOTE_BYTES}"),
        });
    }
    if count > MAX_BOOKMARKS {
        return Err(QueryError::OutOfRange {
            parameter: "the number of bookmarks",
            value: count.to_string(),
            expected: format!("at most {MAX_BOOKMARKS}"),
        });
    }
    Ok(())
}

/// Clock frequency and bookmarks of a recording, for every session that shows a part of
/// it. A bookmark stays at its event wherever a part starts.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    /// The clock's frequency; `None` if not set.
    frequency: Option<Option<Frequency>>,
    /// Notes by event number in the recording, in ascending order.
    bookmarks: Vec<(u64, String)>,
}

impl Overrides {
    /// Applies a command issued against `part`; unchanged on error. Bookmarks of the
    /// part are replaced, those elsewhere stay.
    ///
    /// # Errors
    ///
    /// [`QueryError::OutOfRange`] if a parameter is invalid, if there would be too
    /// many bookmarks in all parts, or if a bookmark's event is not in the part.
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
                let new_bookmarks = bookmarks
                    .into_iter()
                    .map(|one| (within.start.saturating_add(one.event.into()), one.note));
                let mut notes: Vec<_> = elsewhere.cloned().chain(new_bookmarks).collect();
                notes.sort_by_key(|(event, _)| *event);
                self.bookmarks = notes;
            }
        }
        Ok(())
    }

    /// Applies the clock frequency and the bookmarks of its part to a session.
    pub fn apply_to(&self, session: &mut Session) {
        if let Some(frequency) = self.frequency {
            session.recording.trace.clock.set_frequency(frequency);
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
    use crate::response::RecordingOffset;

    fn part(event: u64, events: u32) -> RecordingPart {
        let base = RecordingOffset { event, time: 0 };
        RecordingPart { base, events }
    }

    fn bookmarks(notes: &[(u32, &str)]) -> Command {
        let bookmarks = notes.iter().map(|(event, note)| Bookmark {
            event: *event,
            note: (*note).to_owned(),
        });
        Command::Bookmarks {
            bookmarks: bookmarks.collect(),
        }
    }

    fn notes(overrides: &Overrides) -> Vec<(u64, &str)> {
        let notes = overrides.bookmarks.iter();
        notes.map(|(event, note)| (*event, note.as_str())).collect()
    }

    #[test]
    fn bookmarks_of_a_part_are_replaced() {
        let mut overrides = Overrides::default();
        let a_and_b = bookmarks(&[(9, "b"), (0, "a")]);
        overrides.apply(a_and_b, part(100, 10)).unwrap();
        assert_eq!(notes(&overrides), [(100, "a"), (109, "b")]);
        overrides
            .apply(bookmarks(&[(0, "c")]), part(101, 8))
            .unwrap();
        assert_eq!(notes(&overrides), [(100, "a"), (101, "c"), (109, "b")]);
        overrides.apply(bookmarks(&[]), part(101, 9)).unwrap();
        assert_eq!(notes(&overrides), [(100, "a")]);
        overrides
            .apply(bookmarks(&[(1, "z")]), part(u64::MAX - 1, 2))
            .unwrap();
        assert_eq!(notes(&overrides), [(100, "a"), (u64::MAX, "z")]);
    }

    #[test]
    fn rejected_commands_change_nothing() {
        let mut overrides = Overrides::default();
        overrides.apply(bookmarks(&[(0, "a")]), part(5, 1)).unwrap();
        for wrong in [
            bookmarks(&[(1, "beyond")]),
            bookmarks(&[(0, &"x".repeat(4097))]),
            bookmarks(&vec![(0, ""); 10_001]),
            Command::Clock {
                frequency_hz: Some(0),
            },
        ] {
            overrides.apply(wrong, part(5, 1)).unwrap_err();
        }
        overrides
            .apply(bookmarks(&[(0, "b")]), RecordingPart::default())
            .unwrap_err();
        // The limit applies to all parts together.
        let many = bookmarks(&vec![(0, ""); 10_000]);
        overrides.apply(many.clone(), part(6, 1)).unwrap_err();
        assert_eq!(notes(&overrides), [(5, "a")]);
        overrides.apply(many, part(5, 1)).unwrap();
    }
}
