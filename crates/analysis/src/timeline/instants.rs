//! Instants.

use super::spans::{context_of, label, text};
use super::{AddArgument, Track, Value};
use crate::analyzed_recording::AnalyzedRecording;
use crate::markers::MarkerInstant;
use crate::report::View;
use crate::report::findings::{FindingSeverity, findings};
use rtoscope_trace::{Diagnostic, EventIndex, NoTime, Ticks, Trace};
use std::borrow::Cow;

/// A point in time on a track.
#[derive(Debug, Clone)]
pub struct Instant<'a> {
    /// Its track.
    pub track: Track,
    /// What it is: its categories, the most general first, with commas between them.
    pub class: &'static str,
    /// What it says.
    pub text: Cow<'a, str>,
    /// Its time.
    pub time: Ticks,
    /// Its event, if known.
    pub event: Option<EventIndex>,
    content: Content<'a>,
}

/// What the arguments of an instant come from.
#[derive(Debug, Clone, Copy)]
enum Content<'a> {
    Diagnostic(&'a Diagnostic),
    Finding(FindingSeverity),
    Marker(&'a MarkerInstant),
    Recording(&'a AnalyzedRecording),
}

impl Instant<'_> {
    /// Passes the arguments to `add`.
    pub fn arguments(&self, view: &View<'_>, add: &mut AddArgument<'_>) {
        match self.content {
            Content::Diagnostic(diagnostic) => {
                add("message", text(&diagnostic.message));
                add("severity", text(&diagnostic.severity().to_string()));
                add("count", Value::Number(diagnostic.count));
            }
            Content::Finding(severity) => add("severity", text(severity.name())),
            Content::Marker(instant) => {
                add("value", Value::Number(instant.value));
                add("context", label(context_of(view, instant.event)));
            }
            Content::Recording(recording) => recording_arguments(recording, add),
        }
        if let Some(event) = self.event {
            add("event", Value::Event(event));
        }
    }
}

fn recording_arguments(recording: &AnalyzedRecording, add: &mut AddArgument<'_>) {
    let trace = &recording.trace;
    let name = recording.info.name.replace(char::is_control, "\u{FFFD}");
    add("file", text(&name));
    add("format", text(recording.info.format));
    add("times", text(&unit_of_times(trace)));
    add("clock", text(&trace.clock.quality.to_string()));
    if let Some(frequency) = trace.clock.frequency() {
        add("clock in Hz", Value::Number(frequency.hertz()));
    }
    let diagnostics = recording.diagnostics.iter().count();
    add("events", Value::Number(trace.events.len() as u64));
    add("span in ticks", Value::Number(trace.events.span().0));
    add("diagnostics", Value::Number(diagnostics as u64));
}

/// What the times of an export are that writes nanoseconds.
pub fn unit_of_times(trace: &Trace) -> String {
    match trace.timescale().no_time() {
        None => "nanoseconds".to_owned(),
        Some(NoTime::UnknownFrequency) => "1 ns is a tick of the target's clock".to_owned(),
        Some(why) => why.to_string(),
    }
}

/// Facts about a recording: its format, its clock and the meaning of its times.
pub fn recording(recording: &AnalyzedRecording) -> Instant<'_> {
    Instant {
        track: Track::Recording,
        class: "recording",
        text: "recording".into(),
        time: Ticks(0),
        event: None,
        content: Content::Recording(recording),
    }
}

/// Findings and diagnostics, each at its event.
pub fn notes<'a>(view: &View<'a>) -> impl Iterator<Item = Instant<'a>> + use<'a> {
    let (events, diagnostics) = (&view.trace.events, view.diagnostics);
    let time = |event| events.time(event).unwrap_or_default();
    let findings = findings(view).into_iter().map(move |finding| {
        let event = finding.event.map(EventIndex);
        Instant {
            track: Track::Findings,
            class: match finding.severity {
                FindingSeverity::Critical => "finding,critical",
                FindingSeverity::Warning => "finding,warning",
                FindingSeverity::Note => "finding,note",
            },
            text: finding.message.into(),
            time: event.map_or(Ticks(0), time),
            event,
            content: Content::Finding(finding.severity),
        }
    });
    findings.chain(diagnostics.iter().map(move |diagnostic| Instant {
        track: Track::Recording,
        class: "diagnostic",
        text: diagnostic.kind.name().into(),
        time: time(diagnostic.event.unwrap_or_default()),
        event: diagnostic.event,
        content: Content::Diagnostic(diagnostic),
    }))
}

/// The instants of markers.
pub fn marker_instants<'a>(view: &View<'a>) -> impl Iterator<Item = Instant<'a>> + use<'a> {
    let markers = view.markers;
    markers.instants.iter().map(|instant| Instant {
        track: Track::Instants(instant.marker),
        class: "marker",
        text: markers.name(instant.marker).into(),
        time: instant.time,
        event: Some(instant.event),
        content: Content::Marker(instant),
    })
}
