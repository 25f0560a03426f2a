//! What changes a session.

use crate::Command;
use crate::query::Bookmark;
use crate::session::{AskError, Session};
use rtoscope_trace::Frequency;
use std::num::NonZeroU64;

/// Bookmarks that a trace can have.
const MOST_BOOKMARKS: usize = 10_000;
/// Bytes that a note can have.
const LONGEST_NOTE: usize = 4096;

impl Session {
    /// Does what is told, or changes nothing.
    pub fn tell(&mut self, command: Command) -> Result<(), AskError> {
        match command {
            Command::Clock { hz } => self.trace.clock.frequency = frequency(hz)?,
            Command::Bookmarks { mut bookmarks } => {
                check(&bookmarks, bookmarks.len())?;
                bookmarks.sort_by_key(|bookmark| bookmark.event);
                self.bookmarks = bookmarks;
            }
        }
        Ok(())
    }
}

/// How often a clock ticks, as it is told.
pub(crate) fn frequency(hz: Option<u64>) -> Result<Option<Frequency>, AskError> {
    let frequency = hz.map(|hz| {
        NonZeroU64::new(hz)
            .map(Frequency)
            .ok_or(AskError::OutOfRange {
                what: "hz",
                value: hz.to_string(),
                expected: "at least 1".to_owned(),
            })
    });
    frequency.transpose()
}

/// Refuses notes that are too long, and more bookmarks than a trace can have.
pub(crate) fn check(bookmarks: &[Bookmark], count: usize) -> Result<(), AskError> {
    let too_long = bookmarks.iter().map(|one| one.note.len()).max();
    if let Some(bytes) = too_long.filter(|bytes| *bytes > LONGEST_NOTE) {
        return Err(AskError::OutOfRange {
            what: "a note",
            value: format!("{bytes} bytes long"),
            expected: format!("at most {LONGEST_NOTE}"),
        });
    }
    if count > MOST_BOOKMARKS {
        return Err(AskError::OutOfRange {
            what: "the number of bookmarks",
            value: count.to_string(),
            expected: format!("at most {MOST_BOOKMARKS}"),
        });
    }
    Ok(())
}
