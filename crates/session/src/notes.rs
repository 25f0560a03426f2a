//! The notes of a recording, as text: its bookmarks, and the clock that was set on the page.

use crate::query::{Bookmark, LaneLook};
use crate::session::Session;
use rtoscope_trace::Frequency;
use rtoscope_trace::clock::ClockSource;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU64;

const SCHEMA: &str = "rtoscope/notes/1";

/// The notes of a recording: the contract `rtoscope/notes/1`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Notes {
    schema: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock_hz: Option<NonZeroU64>,
    bookmarks: Vec<Bookmark>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lanes: Vec<LaneLook>,
}

impl Notes {
    /// Parses notes; the error is a message for the user.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let notes: Self = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if notes.schema != SCHEMA {
            let found = &notes.schema;
            return Err(format!("schema is {found:?}, expected {SCHEMA:?}"));
        }
        Ok(notes)
    }

    /// The notes of a session. They have the clock that was set on the page, not one of an
    /// option or of the recording; if none was, that of the notes `before`.
    pub fn of(session: &Session, before: Option<NonZeroU64>) -> Self {
        let clock_hz = match session.clock_source() {
            ClockSource::Page => session.frequency_hz().and_then(NonZeroU64::new),
            _ => before,
        };
        Self {
            schema: SCHEMA.to_owned(),
            clock_hz,
            bookmarks: session.bookmarks().to_vec(),
            lanes: session.lane_looks(),
        }
    }

    /// The clock in the notes, in hertz.
    pub fn clock_hz(&self) -> Option<NonZeroU64> {
        self.clock_hz
    }

    /// The text of a notes file.
    ///
    /// # Errors
    ///
    /// Never for notes of a session.
    pub fn to_text(&self) -> Result<Vec<u8>, String> {
        let mut text = serde_json::to_vec_pretty(self).map_err(|error| error.to_string())?;
        text.push(b'\n');
        Ok(text)
    }

    /// Applies the notes to a session; the clock only if the session's is unknown.
    ///
    /// # Errors
    ///
    /// If the session refuses the bookmarks; it is then unchanged.
    pub fn apply_to(self, session: &mut Session) -> Result<(), String> {
        let set = session.set_notes(self.bookmarks, self.lanes);
        set.map_err(|error| error.to_string())?;
        let noted = self.clock_hz.map(NonZeroU64::get);
        if session.frequency_hz().is_none()
            && let Some(frequency) = noted.and_then(Frequency::from_hertz)
        {
            session.set_noted_clock(frequency);
        }
        Ok(())
    }
}
