//! Alignments as a document.

use super::{Alignment, AlignmentError, AlignmentMethod, AlignmentProblem, MatchCounts};
use rtoscope_trace::{EventIndex, Frequency, Ticks, Trace};
use schemars::JsonSchema;
use serde::Serialize;

/// The machine-readable contract `rtoscope/merge/1`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MergeDocument {
    /// `rtoscope/merge/1`.
    pub schema: &'static str,
    /// How the recordings were aligned: `common-counter`, `absolute` or `match`.
    pub method: &'static str,
    /// The recordings; the first is the reference.
    pub recordings: Vec<AlignedRecording>,
}

/// A recording on the axis of the first one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct AlignedRecording {
    /// Its name.
    pub recording: String,
    /// The name of its format.
    pub format: &'static str,
    /// Number of its events.
    pub events: u64,
    /// The frequency that its clock claims.
    pub clock_hz: Option<u64>,
    /// The time from its first to its last event, in nanoseconds by its own clock.
    pub span_ns: Option<u64>,
    /// The time of its first event since that of the first recording, in ticks of the first
    /// recording's clock; negative if it is earlier.
    pub offset_ticks: Option<i64>,
    /// The same in nanoseconds, rounded towards 0.
    pub offset_ns: Option<i64>,
    /// How much faster its clock runs than it claims, measured by the first recording's clock,
    /// in parts per million.
    pub drift_ppm: Option<f64>,
    /// By how much the drift may differ, in parts per million; null if unknown.
    pub drift_uncertainty_ppm: Option<f64>,
    /// By how much times may differ at its first event, in nanoseconds; null if unknown.
    pub start_uncertainty_ns: Option<u64>,
    /// By how much times may differ at its last event, in nanoseconds; null if unknown.
    pub end_uncertainty_ns: Option<u64>,
    /// What each rule matched.
    pub matches: Vec<MatchCounts>,
    /// What limits the evidence.
    pub problems: Vec<AlignmentProblem>,
    /// Why it has no place on the axis, if it has none.
    pub refused: Option<RefusedAlignment>,
}

/// Why a recording has no place on the axis.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RefusedAlignment {
    /// The kind of reason.
    pub kind: &'static str,
    /// The reason.
    pub message: String,
    /// Events of the first recording that exclude every map.
    pub first_events: Vec<u32>,
    /// The events of this recording that belong to them.
    pub other_events: Vec<u32>,
}

impl MergeDocument {
    /// The document without recordings.
    pub fn new(method: &AlignmentMethod) -> Self {
        Self {
            schema: "rtoscope/merge/1",
            method: method.name(),
            recordings: Vec::new(),
        }
    }

    /// Whether all recordings have a place on the axis.
    pub fn is_complete(&self) -> bool {
        self.recordings.iter().all(|it| it.refused.is_none())
    }

    /// Whether the evidence of a place is limited.
    pub fn has_problems(&self) -> bool {
        self.recordings.iter().any(|it| !it.problems.is_empty())
    }
}

impl AlignedRecording {
    /// The first recording, which is the reference.
    pub fn reference(recording: &str, format: &'static str, trace: &Trace) -> Self {
        Self {
            offset_ticks: Some(0),
            offset_ns: Some(0),
            drift_ppm: Some(0.0),
            drift_uncertainty_ppm: Some(0.0),
            start_uncertainty_ns: Some(0),
            end_uncertainty_ns: Some(0),
            ..Self::unplaced(recording, format, trace)
        }
    }

    /// A recording on the axis of the first one, whose clock has the frequency `first`.
    pub fn new(
        recording: &str,
        format: &'static str,
        trace: &Trace,
        first: Option<Frequency>,
        alignment: &Result<Alignment, AlignmentError>,
    ) -> Self {
        let unplaced = Self::unplaced(recording, format, trace);
        match alignment {
            Ok(it) => {
                let ns = |ticks| first.map(|first| first.nanoseconds(ticks).0);
                let offset = ns(Ticks(it.offset.0.unsigned_abs()));
                let offset = offset.and_then(|ns| i64::try_from(ns).ok());
                let [start, end] = it.uncertainty.map(|most| {
                    // Rounded up.
                    most.and_then(ns).map(|ns| ns.saturating_add(1))
                });
                let is_exact = |most: Option<Ticks>| most == Some(Ticks(0));
                let [start_exact, end_exact] = it.uncertainty.map(is_exact);
                Self {
                    offset_ticks: Some(it.offset.0),
                    offset_ns: offset.map(|ns| ns * it.offset.0.signum()),
                    drift_ppm: Some(it.drift.ppm()),
                    drift_uncertainty_ppm: it.drift_uncertainty_ppm,
                    start_uncertainty_ns: if start_exact { Some(0) } else { start },
                    end_uncertainty_ns: if end_exact { Some(0) } else { end },
                    matches: it.matches.clone(),
                    problems: it.problems.clone(),
                    ..unplaced
                }
            }
            Err(error) => {
                let events = match error {
                    AlignmentError::Contradiction { events, .. } => events.as_slice(),
                    _ => &[],
                };
                let matches = match error {
                    AlignmentError::NoPairs(matches) => matches.clone(),
                    _ => Vec::new(),
                };
                let number = |EventIndex(number): EventIndex| number;
                Self {
                    matches,
                    refused: Some(RefusedAlignment {
                        kind: error.kind(),
                        message: error.to_string(),
                        first_events: events.iter().map(|(first, _)| number(*first)).collect(),
                        other_events: events.iter().map(|(_, other)| number(*other)).collect(),
                    }),
                    ..unplaced
                }
            }
        }
    }

    fn unplaced(recording: &str, format: &'static str, trace: &Trace) -> Self {
        let scale = trace.timescale();
        Self {
            recording: recording.to_owned(),
            format,
            events: trace.events.len() as u64,
            clock_hz: scale.frequency().map(Frequency::hertz),
            span_ns: scale.duration(trace.events.span()).map(|time| time.0),
            ..Self::default()
        }
    }
}
