//! The traces of an input, and their events in the order of time.

use super::field_class::{ClockClass, Metadata};
use super::info::{StreamSummary, TraceInfo, TraceSummary};
use super::layout::{self, EventField, TraceLayout};
use super::stream::{Loss, StreamReader};
use super::{json, no_event, packetised, tsdl};
use crate::container::archive::METADATA;
use crate::mapping::{
    ClassId, ClockInfo, EventMapper, EventTime, FieldValue, MappingOptions, build,
};
use crate::packet_stream::GapCause;
use crate::{DecodeError, DecodedRecording, FormatInfo};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::printable::Printable;
use rtoscope_trace::{Diagnostic, DiagnosticKind, Diagnostics, Frequency};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// A trace in a folder.
#[derive(Debug)]
pub(super) struct TraceFiles<'b> {
    /// The folder; empty for that of the input.
    pub(super) folder: String,
    pub(super) metadata: &'b [u8],
    /// The streams with the names of their files.
    pub(super) streams: Vec<(String, &'b [u8])>,
}

/// A trace whose metadata are read.
#[derive(Debug)]
pub(super) struct OpenTrace<'b> {
    folder: String,
    metadata: Metadata,
    layout: TraceLayout,
    streams: Vec<(String, &'b [u8])>,
}

impl<'b> OpenTrace<'b> {
    /// Reads the metadata of a trace; the error is the problem in words.
    pub(super) fn new(files: TraceFiles<'b>) -> Result<Self, String> {
        let text = packetised::text(files.metadata)?;
        let metadata = match text
            .trim_start_matches(['\u{1E}', '\n', ' '])
            .starts_with('{')
        {
            true => json::parse(&text),
            false => tsdl::parse(&text),
        };
        Self::with_metadata(metadata.map_err(|error| error.to_string())?, files)
    }

    pub(super) fn with_metadata(metadata: Metadata, files: TraceFiles<'b>) -> Result<Self, String> {
        Ok(Self {
            folder: files.folder,
            layout: layout::resolve(&metadata)?,
            metadata,
            streams: files.streams,
        })
    }
}

impl OpenTrace<'_> {
    /// What the metadata cannot describe, and streams that are missing.
    fn diagnostics(&self) -> impl Iterator<Item = Diagnostic> {
        let folder = Printable::text(&self.folder);
        let mut clocks = self.layout.streams.iter();
        let clock = clocks.find_map(|stream| stream.clock.as_ref().filter(|it| it.hertz == 0));
        let clock = clock.map(|clock| {
            let name = Printable::text(&clock.name);
            let message = format!(
                "`{folder}{METADATA}`: the frequency of the clock `{name}` is not a number above 0: \
                 times are in ticks"
            );
            Diagnostic::new(DiagnosticKind::BadRecord, message)
        });
        let missing = self.streams.is_empty().then(|| {
            let message = format!("`{folder}{METADATA}`: its folder has no stream with data");
            Diagnostic::new(DiagnosticKind::NoEvents, message)
        });
        clock.into_iter().chain(missing)
    }

    /// Number of bits of events before the first that are none.
    pub(super) fn bits_before_damage(&self) -> u64 {
        let streams = self.streams.iter().map(|(name, bytes)| {
            let mut reader = StreamReader::new(name, bytes, &self.layout);
            while reader.next_time(&self.layout).is_some()
                && reader.read_event(&self.layout).is_some()
                && !reader.is_damaged()
            {}
            reader.event_bits
        });
        streams.sum()
    }
}

/// The frequency of times, and where they begin, in which all streams are merged.
#[derive(Debug, Clone, Copy)]
struct CommonClock {
    hertz: u64,
    /// Ticks since the origin of the clocks at which the times begin.
    origin: i128,
}

impl CommonClock {
    /// That of the streams: their own, if it is the same for all. `None` if any of them has no
    /// valid frequency: times are values of the clocks.
    fn new<'c>(clocks: impl Iterator<Item = &'c ClockClass> + Clone) -> Option<Self> {
        let hertz = clocks.clone().next()?.hertz;
        if clocks.clone().any(|clock| clock.hertz == 0) {
            return None;
        }
        let starts = clocks.map(|clock| ticks_at_zero(clock, hertz));
        Some(Self {
            hertz,
            origin: starts.min()?,
        })
    }

    /// A time of the common clock.
    fn time(&self, clock: Option<&ClockClass>, value: u64) -> u64 {
        let Some(clock) = clock else {
            return value;
        };
        let start = ticks_at_zero(clock, self.hertz) - self.origin;
        let value = match clock.hertz == self.hertz {
            true => i128::from(value),
            false => i128::from(value) * i128::from(self.hertz) / i128::from(clock.hertz),
        };
        u64::try_from(start + value).unwrap_or(u64::MAX)
    }
}

/// The time at which a clock is 0, in ticks of a frequency since the origin of clocks.
fn ticks_at_zero(clock: &ClockClass, hertz: u64) -> i128 {
    let hertz = i128::from(hertz);
    let cycles = i128::from(clock.offset) * hertz / i128::from(clock.hertz);
    i128::from(clock.offset_seconds) * hertz + cycles
}

/// A stream that is read, and its trace.
struct OpenStream<'b> {
    trace: usize,
    reader: StreamReader<'b>,
}

/// Decodes the traces of an input.
pub(super) fn decode(
    traces: &[OpenTrace<'_>],
    options: &MappingOptions,
    mut diagnostics: Diagnostics,
) -> Result<DecodedRecording, DecodeError> {
    let mut mapper = EventMapper::new(options.tables.clone(), options.text_encoding);
    let mut classes = ClassNumbers::new(traces);
    let clocks = traces.iter().flat_map(|trace| &trace.layout.streams);
    let clocks = clocks.filter_map(|stream| stream.clock.as_ref());
    let common = CommonClock::new(clocks);
    diagnostics.extend(traces.iter().flat_map(OpenTrace::diagnostics));
    let mut streams = Vec::new();
    for (number, trace) in traces.iter().enumerate() {
        for (name, bytes) in &trace.streams {
            let reader = StreamReader::new(name, bytes, &trace.layout);
            streams.push(OpenStream {
                trace: number,
                reader,
            });
        }
    }
    let next_time = |stream: &mut OpenStream<'_>| {
        let layout = &traces.get(stream.trace)?.layout;
        let value = stream.reader.next_time(layout)?;
        let clock = layout.streams.get(stream.reader.layout)?.clock.as_ref();
        Some(common.map_or(value, |common| common.time(clock, value)))
    };
    let mut heads = BinaryHeap::new();
    for (number, stream) in streams.iter_mut().enumerate() {
        heads.extend(next_time(stream).map(|time| Reverse((time, number))));
    }
    let has_several = streams.len() > 1;
    while let Some(Reverse((time, number))) = heads.pop() {
        let Some(stream) = streams.get_mut(number) else {
            continue;
        };
        let core = stream.reader.core;
        for loss in std::mem::take(&mut stream.reader.losses) {
            let of_core = core
                .filter(|_| has_several)
                .and_then(|core| u8::try_from(core).ok());
            let (cause, missing) = match loss {
                Loss::Discarded(count) => (GapCause::Overflow, Some(count)),
                Loss::Packets => (GapCause::Overflow, None),
                Loss::Damage(offset, bytes) => (GapCause::Damage { offset, bytes }, None),
            };
            mapper.lose(cause, missing, of_core);
        }
        let trace = traces.get(stream.trace);
        let event = trace.and_then(|it| Some((it, stream.reader.read_event(&it.layout)?)));
        if let Some((trace, (event, fields))) = event
            && let Some(class) = classes.get(
                &mut mapper,
                trace,
                stream.trace,
                stream.reader.layout,
                event,
            )
        {
            let time = EventTime {
                time,
                core: core.map(|core| u32::try_from(core).unwrap_or(u32::MAX)),
            };
            push(&mut mapper, class, time, &stream.reader, fields);
        }
        heads.extend(next_time(stream).map(|time| Reverse((time, number))));
    }
    let bytes = streams_bytes(traces);
    let info = summary(traces, &streams, &mut diagnostics);
    let page = mapper.take_page();
    if page.events.len() == 0 {
        let problem = diagnostics.iter().next().map(|it| it.message.clone());
        return Err(no_event(bytes, problem.as_deref()));
    }
    let clock = ClockInfo {
        options: options.clock,
        frequency: common.and_then(|common| Frequency::from_hertz(common.hertz)),
    };
    let (trace, meanings) = build(page, &mapper, clock, diagnostics);
    Ok(DecodedRecording {
        trace,
        format_info: FormatInfo::new(TraceInfo::new(info, meanings)),
    })
}

/// Number of values that need no memory of their own.
const INLINE_VALUES: usize = 24;

fn push(
    mapper: &mut EventMapper,
    class: ClassId,
    time: EventTime,
    reader: &StreamReader<'_>,
    fields: &[EventField],
) {
    let mut inline = [FieldValue::Unsigned(0); INLINE_VALUES];
    match inline.get_mut(..fields.len()) {
        Some(values) => {
            for (slot, field) in values.iter_mut().zip(fields) {
                *slot = reader.record.value(field.place);
            }
            mapper.push(class, time, values);
        }
        None => {
            let values = fields.iter().map(|field| reader.record.value(field.place));
            let values: Vec<_> = values.collect();
            mapper.push(class, time, &values);
        }
    }
}

/// The classes of the mapper, by trace, stream and event.
struct ClassNumbers {
    numbers: Vec<Vec<Vec<Option<ClassId>>>>,
    environments: Vec<BTreeMap<String, String>>,
}

impl ClassNumbers {
    fn new(traces: &[OpenTrace<'_>]) -> Self {
        let numbers = traces.iter().map(|trace| {
            let streams = trace.layout.streams.iter();
            streams
                .map(|stream| vec![None; stream.events.len()])
                .collect()
        });
        let environments = traces.iter();
        let environments =
            environments.map(|trace| trace.metadata.environment.iter().cloned().collect());
        Self {
            numbers: numbers.collect(),
            environments: environments.collect(),
        }
    }

    /// The class of an event, which is added when its first event occurs.
    fn get(
        &mut self,
        mapper: &mut EventMapper,
        trace: &OpenTrace<'_>,
        number: usize,
        stream: usize,
        event: usize,
    ) -> Option<ClassId> {
        let slot = self
            .numbers
            .get_mut(number)?
            .get_mut(stream)?
            .get_mut(event)?;
        if slot.is_none() {
            let layout = trace.layout.streams.get(stream)?.events.get(event)?;
            let (provider, _) = layout.name.split_once(':').unwrap_or(("ctf", ""));
            let environment = self.environments.get(number)?;
            let fields = layout.fields.iter().map(|field| field.def.clone());
            let fields: Vec<_> = fields.collect();
            *slot = mapper.add_class(&layout.name, &fields, provider, environment);
        }
        *slot
    }
}

fn streams_bytes(traces: &[OpenTrace<'_>]) -> u64 {
    let streams = traces.iter().flat_map(|trace| &trace.streams);
    streams.map(|(_, bytes)| bytes.len() as u64).sum()
}

/// What `info` has of the traces. Adds the problems of their streams to the diagnostics.
fn summary(
    traces: &[OpenTrace<'_>],
    streams: &[OpenStream<'_>],
    diagnostics: &mut Diagnostics,
) -> Vec<TraceSummary> {
    let mut summaries: Vec<_> = traces
        .iter()
        .map(|trace| TraceSummary {
            folder: trace.folder.clone(),
            version: trace.metadata.version,
            uuid: trace.metadata.uuid,
            environment: trace.metadata.environment.clone(),
            clocks: trace.metadata.clocks.clone(),
            event_classes: trace.metadata.events.len() as u64,
            streams: Vec::new(),
        })
        .collect();
    let names = traces.iter().flat_map(|trace| &trace.streams);
    for (stream, (name, bytes)) in streams.iter().zip(names) {
        let problems = &stream.reader.problems;
        diagnostics.extend(problems.diagnostics.iter().cloned());
        if problems.more > 0 {
            let shown = Printable::text(name);
            let more = pluralise(problems.more, "more problem", "more problems");
            let message = format!("stream `{shown}`: {more}");
            let diagnostic = Diagnostic::new(DiagnosticKind::BadFrame, message);
            diagnostics.push(diagnostic.with_count(problems.more));
        }
        if let Some(summary) = summaries.get_mut(stream.trace) {
            summary.streams.push(StreamSummary {
                name: name.clone(),
                bytes: bytes.len() as u64,
                packets: problems.packets,
                core: stream.reader.core,
                discarded_events: problems.discarded,
                missing_packets: problems.missing_packets,
            });
        }
    }
    summaries
}
