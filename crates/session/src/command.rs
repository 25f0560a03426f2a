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
                check_bookmarks(&bookmarks)?;
                bookmarks.sort_by_key(|bookmark| (bookmark.event, bookmark.ticks_after));
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

/// Rejects notes that are too long, ranges that end before they start, and too many
/// bookmarks.
fn check_bookmarks(bookmarks: &[Bookmark]) -> Result<(), QueryError> {
    let too_long = bookmarks.iter().map(|one| one.note.len()).max();
    if let Some(bytes) = too_long.filter(|bytes| *bytes > MAX_NOTE_BYTES) {
        return Err(QueryError::OutOfRange {
            parameter: "a note",
            value: format!("{bytes} bytes long"),
            expected: format!("at most {MAX_NOTE_BYTES}"),
        });
    }
    let reversed = bookmarks.iter().find_map(|one| {
        let end = one.end?;
        ((end.event, end.ticks_after) < (one.event, one.ticks_after)).then_some((one.event, end))
    });
    if let Some((start, end)) = reversed {
        return Err(QueryError::OutOfRange {
            parameter: "the end of a bookmarked range",
            value: format!("event {}", end.event),
            expected: format!("not before its start at event {start}"),
        });
    }
    let count = bookmarks.len();
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
    /// In ascending order of their starts.
    bookmarks: Vec<Bookmark>,
}

impl RecordingPart {
    /// Whether a bookmark starts and ends in the part.
    fn contains(&self, bookmark: &Bookmark) -> bool {
        let is_within = |event: u64| {
            let own = event.checked_sub(self.base.event);
            own.is_some_and(|own| own < self.events.into())
        };
        is_within(bookmark.event) && bookmark.end.is_none_or(|end| is_within(end.event))
    }
}

impl Overrides {
    /// Applies a command issued against `part`; unchanged on error. Bookmarks of the
    /// part are replaced, those elsewhere stay as they are.
    ///
    /// # Errors
    ///
    /// [`QueryError::OutOfRange`] if a parameter is invalid, or if there would be too
    /// many bookmarks in all parts.
    pub fn apply(&mut self, command: Command, part: RecordingPart) -> Result<(), QueryError> {
        match command {
            Command::Clock { frequency_hz: hz } => self.frequency = Some(checked_frequency(hz)?),
            Command::Bookmarks { mut bookmarks } => {
                bookmarks.retain(|one| part.contains(one));
                let elsewhere = self.bookmarks.iter();
                let elsewhere = elsewhere.filter(|one| !part.contains(one)).cloned();
                let mut all: Vec<_> = elsewhere.chain(bookmarks).collect();
                check_bookmarks(&all)?;
                all.sort_by_key(|one| (one.event, one.ticks_after));
                self.bookmarks = all;
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
        let bookmarks = self.bookmarks.iter().filter(|one| part.contains(one));
        session.bookmarks = bookmarks.cloned().collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::BookmarkEnd;
    use crate::response::RecordingOffset;
    use std::num::NonZeroU64;

    fn part(event: u64, events: u32) -> RecordingPart {
        let base = RecordingOffset { event, time: 0 };
        RecordingPart { base, events }
    }

    fn bookmarks(notes: &[(u64, &str)]) -> Command {
        let bookmarks = notes.iter().map(|(event, note)| Bookmark {
            event: *event,
            ticks_after: None,
            end: None,
            note: (*note).to_owned(),
        });
        Command::Bookmarks {
            bookmarks: bookmarks.collect(),
        }
    }

    fn notes(overrides: &Overrides) -> Vec<(u64, &str)> {
        let notes = overrides.bookmarks.iter();
        notes.map(|one| (one.event, one.note.as_str())).collect()
    }

    #[test]
    fn bookmarks_of_a_part_are_replaced() {
        let mut overrides = Overrides::default();
        // The one at the end is in another part.
        let a_and_b = bookmarks(&[(109, "b"), (100, "a"), (110, "")]);
        overrides.apply(a_and_b, part(100, 10)).unwrap();
        assert_eq!(notes(&overrides), [(100, "a"), (109, "b")]);
        overrides
            .apply(bookmarks(&[(101, "c")]), part(101, 8))
            .unwrap();
        assert_eq!(notes(&overrides), [(100, "a"), (101, "c"), (109, "b")]);
        overrides.apply(bookmarks(&[]), part(101, 9)).unwrap();
        assert_eq!(notes(&overrides), [(100, "a")]);
        overrides
            .apply(bookmarks(&[(u64::MAX, "z")]), part(u64::MAX - 1, 2))
            .unwrap();
        assert_eq!(notes(&overrides), [(100, "a"), (u64::MAX, "z")]);
    }

    /// A range from `ticks` after event `start` to event `end`.
    fn range(start: u64, ticks: u64, end: u64) -> Bookmark {
        Bookmark {
            event: start,
            ticks_after: NonZeroU64::new(ticks),
            end: Some(BookmarkEnd {
                event: end,
                ticks_after: None,
            }),
            note: "range".to_owned(),
        }
    }

    #[test]
    fn ranges_belong_to_the_parts_that_hold_all_of_them() {
        let mut overrides = Overrides::default();
        let bookmarks = vec![range(102, 7, 108)];
        overrides
            .apply(Command::Bookmarks { bookmarks }, part(100, 10))
            .unwrap();
        let [kept] = overrides.bookmarks.as_slice() else {
            panic!("one range");
        };
        assert!(part(101, 8).contains(kept));
        for other in [part(103, 20), part(100, 8)] {
            assert!(!other.contains(kept));
        }
        // A part that ends within the range does not show it, so it does not replace it.
        let none = Command::Bookmarks { bookmarks: vec![] };
        overrides.apply(none.clone(), part(100, 8)).unwrap();
        assert_eq!(notes(&overrides), [(102, "range")]);
        overrides.apply(none, part(100, 9)).unwrap();
        assert_eq!(notes(&overrides), []);
    }

    #[test]
    fn ranges_do_not_end_before_they_start() {
        let mut overrides = Overrides::default();
        for (wrong, ok) in [
            (range(3, 0, 2), range(3, 0, 3)),
            (range(3, 5, 3), range(3, 5, 4)),
        ] {
            let command = |one| Command::Bookmarks {
                bookmarks: vec![one],
            };
            overrides.apply(command(wrong), part(0, 10)).unwrap_err();
            overrides.apply(command(ok), part(0, 10)).unwrap();
        }
    }

    #[test]
    fn rejected_commands_change_nothing() {
        let mut overrides = Overrides::default();
        overrides.apply(bookmarks(&[(5, "a")]), part(5, 1)).unwrap();
        for wrong in [
            bookmarks(&[(5, &"x".repeat(4097))]),
            bookmarks(&vec![(5, ""); 10_001]),
            Command::Clock {
                frequency_hz: Some(0),
            },
        ] {
            overrides.apply(wrong, part(5, 1)).unwrap_err();
        }
        // The limit applies to all parts together.
        let many = |event| bookmarks(&vec![(event, ""); 10_000]);
        overrides.apply(many(6), part(6, 1)).unwrap_err();
        assert_eq!(notes(&overrides), [(5, "a")]);
        overrides.apply(many(5), part(5, 1)).unwrap();
    }
}
