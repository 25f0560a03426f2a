//! Tracks, and the state shared by all parts of a recording's export.

use super::packets::{InternedKind, PacketSequence, PacketWriter};
use super::track_event::{ArgumentValue, TrackEvent, TrackEventType};
use crate::lanes::Lanes;
use rtoscope_analysis::View;
use rtoscope_analysis::timeline::{AddArgument, Instant, Names, Span, Track, Value};
use rtoscope_trace::{Ticks, Timescale, Trace};
use std::io::{self, Write};

/// `TracePacket.track_descriptor`.
const TRACK_DESCRIPTOR: u32 = 60;
/// `TracePacket.generic_kernel_process_tree`.
const PROCESS_TREE: u32 = 122;

/// Fields of `TrackDescriptor`.
mod track {
    pub(super) const UUID: u32 = 1;
    pub(super) const NAME: u32 = 2;
    pub(super) const PROCESS: u32 = 3;
    pub(super) const THREAD: u32 = 4;
    pub(super) const PARENT: u32 = 5;
    pub(super) const COUNTER: u32 = 8;
    pub(super) const MERGING: u32 = 15;
}

/// `SIBLING_MERGE_BEHAVIOR_NONE`: tracks of the same name stay apart.
const MERGE_NONE: u64 = 2;

/// Ids that are unique in the whole trace.
#[derive(Debug, Default)]
pub(super) struct TraceIds {
    /// The last id of a process, a thread or another track.
    last_uuid: u64,
    /// The id of the next core.
    pub(super) next_cpu: u64,
    /// The number of the recording.
    pub(super) recording_id: u64,
}

/// A track id: a thread's track has the thread's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct TrackId(pub(super) u64);

/// The unit of a counter: `CounterDescriptor.Unit`.
#[derive(Debug, Clone, Copy)]
pub(super) enum CounterUnit {
    Count = 2,
    Bytes = 3,
}

/// Writes a recording as a process.
pub(super) struct TrackWriter<'a, W: Write> {
    pub(super) view: &'a View<'a>,
    pub(super) scale: Timescale,
    pub(super) packets: &'a mut PacketWriter<W>,
    pub(super) ids: &'a mut TraceIds,
    /// The sequence for declarations and annotations, separate from the events.
    sequence: PacketSequence,
    process: u64,
    /// The number of core 0.
    pub(super) first_cpu: u64,
    pub(super) names: Names<'a>,
    lanes: Lanes<TrackId>,
    /// The arguments of the current annotation.
    arguments: Vec<(u64, ArgumentValue<'static>)>,
}

impl<'a, W: Write> TrackWriter<'a, W> {
    /// Declares a process with this name.
    pub(super) fn new(
        view: &'a View<'a>,
        packets: &'a mut PacketWriter<W>,
        numbers: &'a mut TraceIds,
        name: &str,
    ) -> Self {
        numbers.recording_id += 1;
        let first_cpu = numbers.next_cpu;
        let sequence = packets.sequence();
        let process = next_id(&mut numbers.last_uuid);
        let (message, packet) = packets.begin_untimed(&sequence);
        let descriptor = message.open(TRACK_DESCRIPTOR);
        message.number(track::UUID, process);
        let content = message.open(track::PROCESS);
        // `ProcessDescriptor.pid` and `.process_name`.
        message.number(1, process);
        message.text(6, name);
        message.close(content);
        message.close(descriptor);
        packets.end(packet);
        Self {
            view,
            scale: view.trace.timescale(),
            packets,
            ids: numbers,
            sequence,
            process,
            first_cpu,
            names: Names::new(view),
            lanes: Lanes::default(),
            arguments: Vec::new(),
        }
    }

    /// Converts a time into nanoseconds.
    pub(super) fn time(&self, time: Ticks) -> u64 {
        self.scale.written_time(time)
    }

    /// Declares a thread, and its track.
    pub(super) fn thread(&mut self, name: &str) -> TrackId {
        let number = next_id(&mut self.ids.last_uuid);
        let (message, packet) = self.packets.begin_untimed(&self.sequence);
        // The process is not named here: the engine would cut its name at a blank.
        let tree = message.open(PROCESS_TREE);
        // `GenericKernelProcessTree.threads`: tid, pid, name.
        let thread = message.open(2);
        message.number(1, number);
        message.number(2, self.process);
        message.text(3, name);
        message.close(thread);
        message.close(tree);
        self.packets.end(packet);
        let (message, packet) = self.packets.begin_untimed(&self.sequence);
        let descriptor = message.open(TRACK_DESCRIPTOR);
        message.number(track::UUID, number);
        let thread = message.open(track::THREAD);
        // `ThreadDescriptor.pid`, `.tid` and `.thread_name`.
        message.number(1, self.process);
        message.number(2, number);
        message.text(5, name);
        message.close(thread);
        message.close(descriptor);
        self.packets.end(packet);
        TrackId(number)
    }

    /// Declares a track for slices.
    fn track(&mut self, name: &str) -> TrackId {
        self.child_track(name, None)
    }

    /// Declares a counter track.
    pub(super) fn counter(&mut self, name: &str, unit: CounterUnit) -> TrackId {
        self.child_track(name, Some(unit))
    }

    fn child_track(&mut self, name: &str, counts: Option<CounterUnit>) -> TrackId {
        let number = next_id(&mut self.ids.last_uuid);
        let (message, packet) = self.packets.begin_untimed(&self.sequence);
        let descriptor = message.open(TRACK_DESCRIPTOR);
        message.number(track::UUID, number);
        message.number(track::PARENT, self.process);
        message.text(track::NAME, name);
        if let Some(unit) = counts {
            let counter = message.open(track::COUNTER);
            message.number(3, unit as u64);
            message.close(counter);
        }
        message.number(track::MERGING, MERGE_NONE);
        message.close(descriptor);
        self.packets.end(packet);
        TrackId(number)
    }

    /// Writes a span on a track for it.
    pub(super) fn span(&mut self, span: &Span<'_>) -> io::Result<()> {
        let mut lanes = std::mem::take(&mut self.lanes);
        let track = lanes.track_of(self.view, span, |name| self.track(name));
        self.lanes = lanes;
        self.span_on(track, span)
    }

    /// Writes a span on a track.
    pub(super) fn span_on(&mut self, track: TrackId, span: &Span<'_>) -> io::Result<()> {
        let view = self.view;
        let name = self.names.name(span.text);
        let names = (span.class, &*name);
        let begin = TrackEventType::Begin;
        let [start, end] = span.times;
        self.note(start, begin, track, names, |add| {
            span.arguments(view, add);
        });
        let (time, kind) = (self.time(end), TrackEventType::End);
        TrackEvent::new(self.packets, &mut self.sequence, time, kind, track).end();
        self.packets.flush_full()
    }

    /// Writes an instant.
    pub(super) fn instant(&mut self, instant: &Instant<'_>) -> io::Result<()> {
        let view = self.view;
        let track = self.first_track(instant.track);
        let names = (instant.class, &*instant.text);
        let kind = TrackEventType::Instant;
        self.note(instant.time, kind, track, names, |add| {
            instant.arguments(view, add);
        });
        self.packets.flush_full()
    }

    /// The first track for one of the timeline.
    pub(super) fn first_track(&mut self, track: Track) -> TrackId {
        let mut lanes = std::mem::take(&mut self.lanes);
        let track = lanes.first_or_add(self.view, track, |name| self.track(name));
        self.lanes = lanes;
        track
    }

    fn note(
        &mut self,
        time: Ticks,
        kind: TrackEventType,
        track: TrackId,
        (category, name): (&'static str, &str),
        arguments: impl FnOnce(&mut AddArgument<'_>),
    ) {
        let time = self.time(time);
        let trace = self.view.trace;
        let Self {
            packets,
            sequence,
            names,
            arguments: all,
            ..
        } = self;
        // The severity of a finding is an argument, too.
        let category = category.split(',').next().unwrap_or_default();
        let category = packets.intern_word(sequence, InternedKind::Category, category);
        let name = packets.intern(sequence, InternedKind::Name, name);
        intern_arguments(packets, sequence, trace, names, all, arguments);
        let mut mark = TrackEvent::new(packets, sequence, time, kind, track);
        mark.category(category);
        mark.name(name);
        mark.arguments(all);
        mark.end();
    }

    /// Writes a counter value; `None` if unknown.
    pub(super) fn counter_value(&mut self, time: u64, track: TrackId, value: Option<u32>) {
        let kind = TrackEventType::Counter;
        let mut mark = TrackEvent::new(self.packets, &mut self.sequence, time, kind, track);
        mark.value(value);
        mark.end();
    }
}

/// Interns the arguments that `pass` passes, and adds them to `all`.
pub(super) fn intern_arguments<W: Write>(
    packets: &mut PacketWriter<W>,
    sequence: &mut PacketSequence,
    trace: &Trace,
    names: &mut Names<'_>,
    all: &mut Vec<(u64, ArgumentValue<'static>)>,
    pass: impl FnOnce(&mut AddArgument<'_>),
) {
    pass(&mut |argument, value| {
        let mut text = |text: &str| {
            let text = packets.intern(sequence, InternedKind::Value, text);
            ArgumentValue::Interned(text)
        };
        let value = match value {
            Value::Text(value) => text(&names.name(value)),
            Value::Flag(flag) => text(if flag { "yes" } else { "no" }),
            Value::Number(number) => ArgumentValue::Number(number),
            Value::Event(event) => ArgumentValue::Number(trace.recording_event(event)),
        };
        let argument = packets.intern_word(sequence, InternedKind::Argument, argument);
        all.push((argument, value));
    });
}

fn next_id(last: &mut u64) -> u64 {
    *last += 1;
    *last
}
