//! What changes a session.

use crate::Command;
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
            Command::Clock { hz } => {
                let frequency = hz.map(|hz| {
                    NonZeroU64::new(hz)
                        .map(Frequency)
                        .ok_or(AskError::OutOfRange {
                            what: "hz",
                            value: hz.to_string(),
                            expected: "at least 1".to_owned(),
                        })
                });
                self.trace.clock.frequency = frequency.transpose()?;
            }
            Command::Bookmarks { mut bookmarks } => {
                let too_long = bookmarks.iter().map(|one| one.note.len()).max();
                if let Some(bytes) = too_long.filter(|bytes| *bytes > LONGEST_NOTE) {
                    return Err(AskError::OutOfRange {
                        what: "a note",
                        value: format!("{bytes} bytes long"),
                        expected: format!("at most {LONGEST_NOTE}"),
                    });
                }
                if bookmarks.len() > MOST_BOOKMARKS {
                    return Err(AskError::OutOfRange {
                        what: "the number of bookmarks",
                        value: bookmarks.len().to_string(),
                        expected: format!("at most {MOST_BOOKMARKS}"),
                    });
                }
                bookmarks.sort_by_key(|bookmark| bookmark.event);
                self.bookmarks = bookmarks;
            }
        }
        Ok(())
    }
}
