//! Commands, applied to a session or to all sessions of a recording.

use crate::bookmarks::Bookmarks;
use crate::error::QueryError;
use crate::lane_looks::LaneLooks;
use crate::query::{Bookmark, Command};
use crate::session::{RecordingPart, Session};
use rtoscope_trace::Frequency;
use rtoscope_trace::clock::ClockSource;

impl Session {
    /// Applies a command; unchanged on error.
    pub fn apply(&mut self, command: Command) -> Result<(), QueryError> {
        match command {
            Command::Clock { frequency_hz: hz } => {
                let frequency = checked_frequency(hz)?;
                self.recording.trace.clock.set_frequency(frequency);
                self.clock_source = ClockSource::Page;
            }
            Command::PutBookmark { bookmark, replaces } => {
                self.bookmarks.put(bookmark, replaces.as_deref())?;
            }
            Command::RemoveBookmark { bookmark } => self.bookmarks.remove(&bookmark)?,
            Command::PutLaneLook { look } => self.lane_looks.put(look)?,
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

/// Clock frequency, bookmarks and looks of lanes of a recording, for every session that shows a
/// part of it. A bookmark stays at its event wherever a part starts.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    /// The clock's frequency; `None` if not set.
    frequency: Option<Option<Frequency>>,
    bookmarks: Bookmarks,
    lane_looks: LaneLooks,
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
    /// Applies a command; unchanged on error.
    ///
    /// # Errors
    ///
    /// If a parameter is invalid, or if another client has changed the bookmark.
    pub fn apply(&mut self, command: Command) -> Result<(), QueryError> {
        match command {
            Command::Clock { frequency_hz: hz } => self.frequency = Some(checked_frequency(hz)?),
            Command::PutLaneLook { look } => self.lane_looks.put(look)?,
            Command::PutBookmark { bookmark, replaces } => {
                self.bookmarks.put(bookmark, replaces.as_deref())?;
            }
            Command::RemoveBookmark { bookmark } => self.bookmarks.remove(&bookmark)?,
        }
        Ok(())
    }

    /// Applies the clock frequency, the bookmarks of its part and the looks of lanes to a session.
    pub fn apply_to(&self, session: &mut Session) {
        if let Some(frequency) = self.frequency {
            session.recording.trace.clock.set_frequency(frequency);
            session.clock_source = ClockSource::Page;
        }
        let part = session.part();
        session.bookmarks = self.bookmarks.retained(|one| part.contains(one));
        session.lane_looks = self.lane_looks.clone();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::BookmarkEnd;
    use crate::response::RecordingOffset;

    #[test]
    fn ranges_belong_to_the_parts_that_hold_all_of_them() {
        let part = |event, events| RecordingPart {
            base: RecordingOffset { event, time: 0 },
            events,
        };
        let range = Bookmark {
            event: 102,
            ticks_after: None,
            end: Some(BookmarkEnd {
                event: 108,
                ticks_after: None,
            }),
            note: "range".to_owned(),
        };
        assert!(part(102, 7).contains(&range));
        for other in [part(103, 20), part(100, 8)] {
            assert!(!other.contains(&range));
        }
    }
}
