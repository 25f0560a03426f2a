//! What the folder of a capture tells.

use crate::date::Utc;
use rtoscope_command::input::History;
use serde::Serialize;

/// Moments are texts as of RFC 3339.
#[derive(Serialize)]
pub(crate) struct HistoryDocument {
    /// `None` if the folder's `rtoscope.json` is damaged, as those below.
    pub(crate) source: Option<String>,
    pub(crate) begun: Option<String>,
    pub(crate) version: Option<String>,
    /// When the newest bytes came.
    pub(crate) newest: Option<String>,
    pub(crate) segments: usize,
    pub(crate) bytes: u64,
    /// Bytes at the start that were removed, since only the end was kept.
    pub(crate) removed_bytes: u64,
    pub(crate) interruptions: Vec<InterruptionDocument>,
    #[serde(skip)]
    pub(crate) times: Option<[Utc; 2]>,
}

#[derive(Serialize)]
pub(crate) struct InterruptionDocument {
    pub(crate) at: String,
    pub(crate) reason: String,
    /// Bytes that came and are not in the folder.
    pub(crate) missing_bytes: u64,
    /// Events that came before it.
    pub(crate) before_event: u64,
    #[serde(skip)]
    pub(crate) time: Utc,
}

impl HistoryDocument {
    pub(super) fn new(history: &History) -> Self {
        let facts = history.recording.facts();
        let interruptions = history.interruptions.iter();
        Self {
            source: facts.map(|facts| facts.source.clone()),
            begun: facts.map(|facts| Utc(facts.begun).exact()),
            version: facts.map(|facts| facts.version.clone()),
            newest: history.newest.map(|newest| Utc(newest).exact()),
            segments: history.recording.segments().len(),
            bytes: history.recording.bytes(),
            removed_bytes: history.removed(),
            interruptions: interruptions
                .map(|it| InterruptionDocument {
                    at: Utc(it.at).exact(),
                    reason: it.reason.clone(),
                    missing_bytes: it.missing,
                    before_event: it.events,
                    time: Utc(it.at),
                })
                .collect(),
            times: facts
                .zip(history.newest)
                .map(|(facts, newest)| [Utc(facts.begun), Utc(newest)]),
        }
    }
}
