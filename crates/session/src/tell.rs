//! What changes a session.

use crate::Command;
use crate::query::Bookmark;
use crate::session::{QueryError, Session};
use rtoscope_trace::Frequency;
use std::num::NonZeroU64;

/// Bookmarks that a trace can have.
const MAX_BOOKMARKS: usize = 10_000;
/// Bytes that a note can have.
const MAX_NOTE_BYTES: usize = 4096;

impl Session {
    /// Does what is told, or changes nothing.
    pub fn apply(&mut self, command: Command) -> Result<(), QueryError> {
        match command {
            Command::Clock { frequency_hz: hz } => {
                self.trace.clock.frequency = checked_frequency(hz)?
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

/// How often a clock ticks, as it is told.
pub(crate) fn checked_frequency(hz: Option<u64>) -> Result<Option<Frequency>, QueryError> {
    let frequency = hz.map(|hz| {
        NonZeroU64::new(hz)
            .map(Frequency)
            .ok_or(QueryError::OutOfRange {
                parameter: "hz",
                value: hz.to_string(),
                expected: "at least 1".to_owned(),
            })
    });
    frequency.transpose()
}

/// Refuses notes that are too long, and more bookmarks than a trace can have.
pub(crate) fn check_bookmarks(bookmarks: &[Bookmark], count: usize) -> Result<(), QueryError> {
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
