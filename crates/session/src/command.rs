//! Commands, applied to a session or to all sessions of a recording.

use crate::error::QueryError;
use crate::query::{Bookmark, BookmarkEnd, Command};
use crate::session::{RecordingPart, Session};
use rtoscope_trace::Frequency;
use std::num::NonZeroU64;

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
fn check_bookmarks(bookmarks: &[Bookmark], count: usize) -> Result<(), QueryError> {
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
    bookmarks: Vec<RecordingBookmark>,
}

/// A bookmark with event numbers of the recording.
#[derive(Debug, Clone)]
struct RecordingBookmark {
    event: u64,
    ticks_after: Option<NonZeroU64>,
    /// The end of a range: its event and the ticks after it.
    end: Option<(u64, Option<NonZeroU64>)>,
    note: String,
}

impl RecordingBookmark {
    /// A bookmark of a part of the recording that starts at `base`.
    fn new(bookmark: Bookmark, base: u64) -> Self {
        let number = |event: u32| base.saturating_add(event.into());
        Self {
            event: number(bookmark.event),
            ticks_after: bookmark.ticks_after,
            end: bookmark.end.map(|end| (number(end.event), end.ticks_after)),
            note: bookmark.note,
        }
    }

    /// The bookmark within a part; `None` if it starts or ends elsewhere.
    fn within(&self, part: RecordingPart) -> Option<Bookmark> {
        let number = |event: u64| {
            let event = u32::try_from(event.checked_sub(part.base.event)?).ok()?;
            (event < part.events).then_some(event)
        };
        let end = match self.end {
            Some((event, ticks_after)) => Some(BookmarkEnd {
                event: number(event)?,
                ticks_after,
            }),
            None => None,
        };
        Some(Bookmark {
            event: number(self.event)?,
            ticks_after: self.ticks_after,
            end,
            note: self.note.clone(),
        })
    }
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
                let last =
                    |one: &Bookmark| one.end.map_or(one.event, |end| end.event.max(one.event));
                if let Some(beyond) = bookmarks.iter().map(last).find(|it| *it >= part.events) {
                    return Err(QueryError::OutOfRange {
                        parameter: "the event of a bookmark",
                        value: beyond.to_string(),
                        expected: format!("below {}", part.events),
                    });
                }
                let elsewhere = self.bookmarks.iter();
                let elsewhere = elsewhere.filter(|one| one.within(part).is_none());
                let count = elsewhere.clone().count() + bookmarks.len();
                check_bookmarks(&bookmarks, count)?;
                let new_bookmarks = bookmarks
                    .into_iter()
                    .map(|one| RecordingBookmark::new(one, part.base.event));
                let mut all: Vec<_> = elsewhere.cloned().chain(new_bookmarks).collect();
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
        let bookmarks = self.bookmarks.iter().filter_map(|one| one.within(part));
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

    /// A range from `ticks` after event `start` to event `end`.
    fn range(start: u32, ticks: u64, end: u32) -> Bookmark {
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
        let bookmarks = vec![range(2, 7, 8)];
        overrides
            .apply(Command::Bookmarks { bookmarks }, part(100, 10))
            .unwrap();
        let [kept] = overrides.bookmarks.as_slice() else {
            panic!("one range");
        };
        assert_eq!(kept.within(part(101, 8)), Some(range(1, 7, 7)));
        for other in [part(103, 20), part(100, 8)] {
            assert_eq!(kept.within(other), None);
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
        let bookmarks = vec![range(3, 0, 10)];
        overrides
            .apply(Command::Bookmarks { bookmarks }, part(0, 10))
            .unwrap_err();
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
