//! Details of a capture folder.

use crate::utc::Utc;
use rtoscope_command::input::CaptureHistory;
use schemars::JsonSchema;
use serde::Serialize;

/// Times are text in RFC 3339 format.
#[derive(Serialize, JsonSchema)]
pub(crate) struct CaptureDocument {
    /// `None`, like the following two, if the folder's `rtoscope.json` is damaged.
    pub(crate) source: Option<String>,
    pub(crate) started: Option<String>,
    pub(crate) version: Option<String>,
    /// When the last bytes arrived.
    pub(crate) last_received: Option<String>,
    pub(crate) segments: usize,
    pub(crate) bytes: u64,
    /// Bytes that rotation removed from the start.
    pub(crate) removed_bytes: u64,
    pub(crate) interruptions: Vec<InterruptionDocument>,
    #[serde(skip)]
    pub(crate) times: Option<[Utc; 2]>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct InterruptionDocument {
    pub(crate) at: String,
    pub(crate) reason: String,
    /// Bytes that were received but are not in the folder.
    pub(crate) missing_bytes: u64,
    /// Number of events before the interruption.
    pub(crate) before_event: u64,
    #[serde(skip)]
    pub(crate) time: Utc,
}

impl CaptureDocument {
    pub(super) fn new(history: &CaptureHistory) -> Self {
        let facts = history.recording.facts();
        let interruptions = history.interruptions.iter();
        Self {
            source: facts.map(|facts| facts.source.clone()),
            started: facts.map(|facts| Utc(facts.started).to_exact_string()),
            version: facts.map(|facts| facts.version.clone()),
            last_received: history
                .last_received
                .map(|newest| Utc(newest).to_exact_string()),
            segments: history.recording.segments().len(),
            bytes: history.recording.bytes(),
            removed_bytes: history.removed_bytes(),
            interruptions: interruptions
                .map(|it| InterruptionDocument {
                    at: Utc(it.at).to_exact_string(),
                    reason: it.reason.clone(),
                    missing_bytes: it.missing_bytes,
                    before_event: it.events_before,
                    time: Utc(it.at),
                })
                .collect(),
            times: facts
                .zip(history.last_received)
                .map(|(facts, newest)| [Utc(facts.started), Utc(newest)]),
        }
    }
}
