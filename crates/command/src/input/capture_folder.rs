//! Recordings of captures, which are folders.

use anyhow::{bail, ensure};
use rtoscope_decode::live::{HostTime, LiveDecoder, LiveOptions, LiveUpdate};
use rtoscope_decode::{self as decode, DecodeOptions, Format};
use rtoscope_recording::{
    DamagedBlock, Recording, RecordingError, RecordingItem, RecordingProblem, Unread,
};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Diagnostic, DiagnosticKind, Diagnostics, EventIndex};
use std::ops::ControlFlow;
use std::path::Path;

/// The folder of a capture.
pub(super) struct CaptureFolder {
    recording: Recording,
    problems: Vec<RecordingProblem>,
}

/// Details of a capture in addition to its trace.
pub struct CaptureHistory {
    /// The received bytes.
    pub recording: Recording,
    /// The interruptions of the connection.
    pub interruptions: Vec<Interruption>,
    /// Messages about refused connections.
    pub refused_connections: Vec<String>,
    /// Datagrams that were dropped, if any.
    pub dropped_datagrams: Option<DroppedDatagrams>,
    /// Number of bytes that waited to be read when the capture ended.
    pub unread_bytes: u64,
    /// Bytes that are not those that were received.
    pub damaged: Vec<DamagedBlock>,
    /// When the last bytes arrived.
    pub last_received: Option<HostTime>,
    /// When events arrived: the time and the number of events so far.
    pub arrivals: Vec<(HostTime, u64)>,
}

/// Datagrams that the system dropped.
#[derive(Clone, Copy)]
pub struct DroppedDatagrams {
    pub count: u64,
    /// Number of events before the first of them.
    pub events_before: u64,
}

/// An interruption of the connection.
pub struct Interruption {
    pub at: HostTime,
    pub reason: String,
    /// Bytes that were received but are not in the folder.
    pub missing_bytes: u64,
    /// Number of events before the interruption.
    pub events_before: u64,
}

impl CaptureFolder {
    pub(super) fn open(folder: &Path) -> Result<Self, RecordingError> {
        let recording = Recording::open(folder)?;
        let problems = recording.problems()?;
        Ok(Self {
            recording,
            problems,
        })
    }

    /// Detects the format.
    pub(super) fn format(&self) -> Result<Option<Format>, RecordingError> {
        let mut live = LiveDecoder::new(live_settings(DecodeOptions::default(), None));
        self.recording.read(0, |part| {
            match part {
                RecordingItem::Bytes { bytes, at, .. } => live.push(bytes, at),
                RecordingItem::Metadata { format, bytes } => live.load_metadata(format, bytes),
                RecordingItem::Interrupted { .. } | RecordingItem::Unread(_) => {
                    live.connection_lost();
                }
                RecordingItem::Refused { .. } | RecordingItem::Damaged(_) => {}
            }
            match live.format() {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        })?;
        Ok(live.format())
    }

    /// Decodes the whole recording.
    pub(super) fn decode(
        self,
        options: DecodeOptions,
        format: Option<Format>,
    ) -> anyhow::Result<(decode::DecodedRecording, CaptureHistory)> {
        let mut live = LiveDecoder::new(live_settings(options, format));
        let mut interruptions = Vec::new();
        let mut refusals = Vec::new();
        let mut dropped_datagrams: Option<DroppedDatagrams> = None;
        let mut unread_bytes = 0;
        let mut damaged: Vec<DamagedBlock> = Vec::new();
        let mut newest = None;
        let mut arrivals = Vec::new();
        self.recording.read(0, |part| {
            match part {
                RecordingItem::Bytes { bytes, at, .. } => {
                    live.push(bytes, at);
                    newest = Some(at);
                    let events = live.stats().events;
                    let period = |at: HostTime| at.0 / ARRIVAL_PERIOD_NS;
                    let known = arrivals.last_mut();
                    match known.filter(|(last, _)| period(*last) == period(at)) {
                        Some((_, known)) if *known == events => {}
                        Some(known) => *known = (at, events),
                        None => arrivals.push((at, events)),
                    }
                }
                RecordingItem::Metadata { format, bytes } => live.load_metadata(format, bytes),
                RecordingItem::Interrupted {
                    at,
                    reason,
                    missing_bytes: missing,
                } => {
                    live.connection_lost();
                    interruptions.push(Interruption {
                        at,
                        reason: reason.to_owned(),
                        missing_bytes: missing,
                        events_before: live.stats().events,
                    });
                }
                RecordingItem::Refused { message, .. } => refusals.push(message.to_owned()),
                RecordingItem::Unread(Unread::Datagrams(count)) => {
                    live.connection_lost();
                    let events_before = live.stats().events;
                    let dropped = dropped_datagrams.get_or_insert(DroppedDatagrams {
                        count: 0,
                        events_before,
                    });
                    dropped.count = dropped.count.saturating_add(count);
                }
                RecordingItem::Unread(Unread::Bytes(count)) => unread_bytes = count,
                RecordingItem::Damaged(block) => block.add_to(&mut damaged),
            }
            match live.stats().events > MAX_EVENTS {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })?;
        live.connection_lost();
        ensure!(
            live.stats().events <= MAX_EVENTS,
            "it has more than {MAX_EVENTS} events, the maximum of a trace"
        );
        let bytes = pluralise(self.recording.bytes(), "byte", "bytes");
        let Some(LiveUpdate { mut recording, .. }) = live.next_update()? else {
            if let Some(block) = damaged.first() {
                bail!("{block}");
            }
            let missing = self.recording.missing_at_end();
            match live.format() {
                _ if newest.is_none() && missing > 0 => bail!(
                    "none of the received bytes were saved: {} are missing",
                    pluralise(missing, "byte", "bytes")
                ),
                _ if newest.is_none() => bail!("the recording is empty: no bytes were received"),
                Some(format) => bail!("no {} event in {bytes}", format.name()),
                None => bail!("cannot detect the format of {bytes}; set it with --input-format"),
            }
        };
        let history = CaptureHistory {
            recording: self.recording,
            interruptions,
            refused_connections: refusals,
            dropped_datagrams,
            unread_bytes,
            damaged,
            last_received: newest,
            arrivals,
        };
        let trace = &mut recording.trace;
        let mut diagnostics = Diagnostics::default();
        diagnostics.extend(history.diagnostics(&self.problems, trace.events.len()));
        diagnostics.extend(std::mem::take(&mut trace.diagnostics));
        trace.diagnostics = diagnostics;
        Ok((recording, history))
    }
}

/// Of the arrivals in each period, the last one with events is kept: the most had arrived. In
/// nanoseconds.
const ARRIVAL_PERIOD_NS: u64 = 10_000_000;

/// Event numbers have 32 bits.
const MAX_EVENTS: u64 = u32::MAX as u64;

fn live_settings(options: DecodeOptions, format: Option<Format>) -> LiveOptions {
    LiveOptions {
        options,
        format,
        max_events: u64::MAX,
    }
}

impl CaptureHistory {
    /// The number of removed bytes before the first stored one.
    pub fn removed_bytes(&self) -> u64 {
        let first = self.recording.segments().first();
        first.map_or(0, |segment| segment.offset)
    }

    fn diagnostics(&self, problems: &[RecordingProblem], events: usize) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        if self.removed_bytes() > 0 {
            let removed = pluralise(self.removed_bytes(), "byte", "bytes");
            let message = format!("rotation kept only the end: the first {removed} were removed");
            let diagnostic = Diagnostic::new(DiagnosticKind::Overwritten, message);
            found.push(diagnostic.with_count(self.removed_bytes()));
        }
        for problem in problems {
            let message = problem.to_string();
            found.push(match problem {
                RecordingProblem::Missing { offset, bytes } => {
                    let diagnostic = Diagnostic::new(DiagnosticKind::MissingBytes, message);
                    diagnostic.at_offset(*offset).with_count(*bytes)
                }
                RecordingProblem::Unfinished => {
                    Diagnostic::new(DiagnosticKind::UnfinishedRecording, message)
                }
                _ => Diagnostic::new(DiagnosticKind::DamagedRecording, message),
            });
        }
        for block in &self.damaged {
            let diagnostic = Diagnostic::new(DiagnosticKind::BadChecksum, block.to_string());
            found.push(diagnostic.at_offset(block.offset).with_count(block.bytes));
        }
        let refusals = self.refused_connections.iter();
        found.extend(
            refusals.map(|refusal| {
                Diagnostic::new(DiagnosticKind::RefusedConnections, refusal.clone())
            }),
        );
        if let Some(dropped) = self.dropped_datagrams {
            let message = Unread::Datagrams(dropped.count).to_string();
            let diagnostic = Diagnostic::new(DiagnosticKind::DroppedDatagrams, message);
            let event = u32::try_from(dropped.events_before).map(EventIndex);
            let event = event.ok().filter(|event| event.index() < events);
            let diagnostic = diagnostic.with_count(dropped.count);
            found.push(match event {
                Some(event) => diagnostic.at_event(event),
                None => diagnostic,
            });
        }
        if self.unread_bytes > 0 {
            let message = Unread::Bytes(self.unread_bytes).to_string();
            let diagnostic = Diagnostic::new(DiagnosticKind::UnreadBytes, message);
            found.push(diagnostic.with_count(self.unread_bytes));
        }
        // An interruption with missing bytes is already among the problems; one
        // after the last event loses nothing.
        for interruption in self.interruptions.iter().filter(|it| it.missing_bytes == 0) {
            let event = u32::try_from(interruption.events_before).map(EventIndex);
            if let Ok(event) = event
                && event.index() < events
            {
                let message = format!("connection lost: {}", interruption.reason);
                let diagnostic = Diagnostic::new(DiagnosticKind::Interrupted, message);
                found.push(diagnostic.at_event(event));
            }
        }
        found
    }
}
