//! The JSON document of `info`: the contract `rtoscope/info/1`.

mod history;
mod text_log;

pub(crate) use history::CaptureDocument;
pub(crate) use text_log::TextLogDocument;

use rtoscope_command::input::Packing;
use rtoscope_decode::DecodedRecording;
use rtoscope_decode::format::{FormatFacts, FormatMembers};
use rtoscope_trace::{Address, ContextKind, Diagnostic, Frequency, TextLog, Trace};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// Addresses and masks are text such as `"0x20001a40"`; times are ticks, and also
/// nanoseconds if the clock's frequency is known.
#[derive(Serialize, JsonSchema)]
pub(crate) struct InfoDocument {
    schema: &'static str,
    pub(crate) source: String,
    pub(crate) format: &'static str,
    pub(crate) container: &'static str,
    /// The outermost layer first.
    pub(crate) compression: Vec<&'static str>,
    /// Details of a capture folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) recording: Option<CaptureDocument>,
    /// The document has their members.
    #[serde(flatten, serialize_with = "serialize_members")]
    #[schemars(with = "FormatMembers")]
    pub(crate) facts: FormatFacts,
    pub(crate) clock: ClockDocument,
    pub(crate) events: usize,
    pub(crate) span: u64,
    pub(crate) span_ns: Option<u64>,
    pub(crate) cores: usize,
    pub(crate) core_numbers: Vec<u8>,
    pub(crate) objects: usize,
    pub(crate) object_classes: BTreeMap<&'static str, usize>,
    pub(crate) contexts: Vec<ContextDocument>,
    pub(crate) components: Vec<ComponentDocument>,
    pub(crate) gaps: Vec<GapDocument>,
    /// The text logs beside the trace.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) text_logs: Vec<TextLogDocument>,
    pub(crate) diagnostics: Vec<DiagnosticDocument>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct ClockDocument {
    pub(crate) mask: String,
    pub(crate) bits: u32,
    pub(crate) direction: String,
    pub(crate) quality: String,
    pub(crate) period: Option<u64>,
    pub(crate) period_ns: Option<u64>,
    pub(crate) wraps: u64,
    pub(crate) backward_steps: u64,
    pub(crate) frequency_hz: Option<u64>,
    /// The duration of a tick.
    pub(crate) resolution_ps: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct ContextDocument {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) address: String,
    pub(crate) events: u64,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct ComponentDocument {
    pub(crate) component: String,
    pub(crate) events: u64,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct GapDocument {
    pub(crate) before_event: u32,
    pub(crate) missing: Option<u64>,
    /// Whether the target restarted there.
    pub(crate) restart: bool,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct DiagnosticDocument {
    pub(crate) kind: &'static str,
    pub(crate) severity: String,
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) offset: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) event: Option<u32>,
    pub(crate) count: u64,
}

fn hex(value: u64) -> String {
    Address(value).to_string()
}

fn serialize_members<S: Serializer>(facts: &FormatFacts, serializer: S) -> Result<S::Ok, S::Error> {
    facts.members.serialize(serializer)
}

impl InfoDocument {
    pub(crate) fn new(
        source: &str,
        packing: &Packing<'_>,
        recording: &DecodedRecording,
        text_logs: &[TextLog],
    ) -> Self {
        let trace = &recording.trace;
        let (container, compression) = match packing {
            Packing::File(content) => (content.container().name(), content.compression()),
            Packing::Folder(_) => ("recording", [].as_slice()),
        };
        Self {
            schema: "rtoscope/info/1",
            source: source.to_owned(),
            format: recording.format_info.format().name(),
            container,
            compression: compression.iter().map(|it| it.name()).collect(),
            recording: match packing {
                Packing::File(_) => None,
                Packing::Folder(history) => Some(CaptureDocument::new(history)),
            },
            facts: recording.format_info.facts(trace),
            clock: clock(trace),
            events: trace.events.len(),
            span: trace.events.span().0,
            span_ns: span_ns(trace),
            cores: trace.cores.len(),
            core_numbers: trace.cores.clone(),
            objects: trace.objects.len(),
            object_classes: object_classes(trace),
            contexts: contexts(trace),
            components: components(trace),
            gaps: gaps(trace),
            text_logs: text_logs
                .iter()
                .map(|log| TextLogDocument::new(log, trace))
                .collect(),
            diagnostics: trace.diagnostics.iter().map(diagnostic).collect(),
        }
    }
}

fn span_ns(trace: &Trace) -> Option<u64> {
    let span = trace.timescale().duration(trace.events.span())?;
    Some(span.0)
}

fn clock(trace: &Trace) -> ClockDocument {
    let clock = &trace.clock;
    ClockDocument {
        mask: hex(clock.mask),
        bits: clock.bits(),
        direction: clock.direction.to_string(),
        quality: clock.quality.to_string(),
        period: clock.period,
        period_ns: clock.period_time().map(|time| time.0),
        wraps: clock.wraps,
        backward_steps: clock.backward_steps,
        frequency_hz: clock.frequency().map(Frequency::hertz),
        resolution_ps: clock.frequency().map(Frequency::tick_picoseconds),
    }
}

fn object_classes(trace: &Trace) -> BTreeMap<&'static str, usize> {
    let mut classes = BTreeMap::new();
    for object in &trace.objects {
        *classes.entry(object.class.name()).or_default() += 1;
    }
    classes
}

/// The contexts that logged events, in trace order.
fn contexts(trace: &Trace) -> Vec<ContextDocument> {
    let events = trace.events.context_counts(trace.contexts.len());
    let counted = trace.contexts.iter().zip(events);
    let active = counted.filter(|(_, events)| *events > 0);
    let document = |(context, events): (&rtoscope_trace::Context, u64)| ContextDocument {
        name: trace.context_name(context.id),
        kind: match context.kind {
            ContextKind::Interrupt => "interrupt",
            ContextKind::Initialize => "initialize",
            ContextKind::Idle => "idle",
            ContextKind::Thread => "thread",
        },
        address: context.address.to_string(),
        events,
    };
    active.map(document).collect()
}

fn components(trace: &Trace) -> Vec<ComponentDocument> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    trace.events.visit_kinds(|kind, events, _| {
        *counts.entry(trace.catalogue.component(kind)).or_default() += events;
    });
    let mut components: Vec<_> = counts
        .into_iter()
        .map(|(component, events)| ComponentDocument {
            component: component.to_owned(),
            events,
        })
        .collect();
    components.sort_by_key(|it| std::cmp::Reverse(it.events));
    components
}

fn gaps(trace: &Trace) -> Vec<GapDocument> {
    let document = |gap: &rtoscope_trace::Gap| GapDocument {
        before_event: gap.next_event.0,
        missing: gap.missing,
        restart: gap.is_restart,
    };
    trace.gaps.iter().map(document).collect()
}

fn diagnostic(diagnostic: &Diagnostic) -> DiagnosticDocument {
    DiagnosticDocument {
        kind: diagnostic.kind.name(),
        severity: diagnostic.severity().to_string(),
        message: diagnostic.message.clone(),
        offset: diagnostic.offset,
        event: diagnostic.event.map(|event| event.0),
        count: diagnostic.count,
    }
}
