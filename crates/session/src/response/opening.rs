//! Progress of opening a trace.

use rtoscope_trace::progress::{EventDensity, ProgressPhase, ProgressSnapshot};
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// Progress of opening a trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct OpeningProgress {
    /// The current phase.
    pub phase: OpeningPhase,
    /// What the phase has processed so far: bytes when decoding, events when analysing.
    pub done: u64,
    /// What it processes in all; `null` if unknown.
    pub total: Option<u64>,
    /// Number of events of the recording; `null` before it is known.
    pub events: Option<u64>,
    /// The events over time, preliminary until the recording is decoded; `null` before
    /// their times are known.
    pub density: Option<OpeningDensity>,
}

/// A phase of opening a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub enum OpeningPhase {
    /// The file is read, unpacked, and its format detected; or it waits for others.
    Reading,
    /// Its bytes are decoded.
    Decoding,
    /// Its events are analysed.
    Analysis,
    /// Its events are indexed.
    Indexing,
}

/// Number of events over time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct OpeningDensity {
    /// Ticks from the first event to the last.
    pub span: u64,
    /// Number of events in each of several equal parts of the span.
    pub counts: Vec<u32>,
}

impl From<ProgressSnapshot> for OpeningProgress {
    fn from(progress: ProgressSnapshot) -> Self {
        let density = progress.density.as_deref();
        Self {
            phase: match progress.phase {
                ProgressPhase::Reading => OpeningPhase::Reading,
                ProgressPhase::Decoding => OpeningPhase::Decoding,
                ProgressPhase::Analysis => OpeningPhase::Analysis,
                ProgressPhase::Indexing => OpeningPhase::Indexing,
            },
            done: progress.done,
            total: progress.total,
            events: progress.events,
            density: density.map(|EventDensity { span, counts }| OpeningDensity {
                span: span.0,
                counts: counts.clone(),
            }),
        }
    }
}
