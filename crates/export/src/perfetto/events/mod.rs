//! Events as instants on the tracks of their contexts, interrupt service routines
//! and steps of active objects as slices around them, and flows from causes to
//! effects.

mod event_tracks;
mod flows;
mod kinds;
mod nesting;

use super::ftrace::Ftrace;
use super::packets::{InternedKind, PacketSequence};
use super::track_event::{ArgumentValue, TrackEvent, TrackEventType};
use super::track_writer::{TrackId, TrackWriter, intern_arguments};
use crate::Progress;
use event_tracks::EventTracks;
use flows::FlowTracker;
use itertools::Itertools as _;
use kinds::EventKinds;
use nesting::SliceStacks;
use rtoscope_analysis::View;
use rtoscope_analysis::report::CpuContext;
use rtoscope_analysis::timeline::{self, Label, Span, Text, Track};
use rtoscope_trace::{Contexts, Event, EventIndex};
use std::io::{self, Write};
use std::iter::Peekable;

/// Events per batch; complete blocks are flushed after each.
const EVENT_BATCH: usize = 1 << 11;

/// Writes the events. `threads` are the tracks of the contexts.
pub(super) fn write<W: Write>(
    writer: &mut TrackWriter<'_, W>,
    threads: &[Option<TrackId>],
    progress: &mut Progress<'_>,
) -> io::Result<()> {
    let trace = writer.view.trace;
    let sequence = writer.packets.sequence();
    let mut events = EventWriter {
        flows: FlowTracker::new(writer.view, writer.ids.recording_id),
        kinds: EventKinds::default(),
        tracks: EventTracks::new(threads),
        open_slices: SliceStacks::default(),
        spans: spans_around_events(writer.view),
        arguments: Vec::new(),
        ftrace: Ftrace::new(writer.packets, writer.first_cpu),
        sequence,
        writer,
    };
    let count = trace.events.len();
    for first in (0..count).step_by(EVENT_BATCH) {
        let end = count.min(first + EVENT_BATCH);
        trace.events.visit(first..end, |event| events.event(&event));
        events.writer.packets.flush_full()?;
        progress((end - first) as u64);
    }
    events.end(EventIndex(u32::MAX));
    events.ftrace.finish(events.writer.packets);
    Ok(())
}

struct EventWriter<'s, 'a, W: Write> {
    writer: &'s mut TrackWriter<'a, W>,
    sequence: PacketSequence,
    flows: FlowTracker,
    kinds: EventKinds,
    tracks: EventTracks,
    open_slices: SliceStacks,
    /// The interrupt service routines and steps that have not started.
    spans: Peekable<Box<dyn Iterator<Item = Span<'a>> + 'a>>,
    /// The arguments of the current event.
    arguments: Vec<(u64, ArgumentValue<'static>)>,
    /// The interrupt service routines again, as ftrace events for the engine's
    /// `linux.irqs`.
    ftrace: Ftrace,
}

impl<W: Write> EventWriter<'_, '_, W> {
    #[inline]
    fn event(&mut self, event: &Event) {
        while let Some(next) = self.spans.peek()
            && next.events[0] <= Some(event.index)
            && let Some(span) = self.spans.next()
        {
            self.begin(&span);
        }
        let (packets, sequence) = (&mut *self.writer.packets, &mut self.sequence);
        let trace = self.writer.view.trace;
        let [category, name] =
            self.kinds
                .event_strings(packets, sequence, trace, event, &mut self.arguments);
        if let Some(stack) = trace.call_stacks.get(event.index) {
            for (name, text) in stack.arguments() {
                let name = packets.intern(sequence, InternedKind::Argument, &name);
                self.arguments
                    .push((name, ArgumentValue::Text(text.into())));
            }
        }
        let time = self.writer.time(event.time);
        let track = self.tracks.track(self.writer, event.context, event.core);
        let packets = &mut *self.writer.packets;
        let mut mark = TrackEvent::new(
            packets,
            &mut self.sequence,
            time,
            TrackEventType::Instant,
            track,
        );
        mark.category(category);
        mark.name(name);
        self.flows.add_flows(event, &mut mark);
        mark.arguments(&mut self.arguments);
        mark.end();
        self.end(event.index);
    }

    /// Starts a slice at the end of its flow. It ends after its last event; one that would nest
    /// too deep becomes an instant.
    fn begin(&mut self, span: &Span<'_>) {
        let (context, core) = match span.track {
            Track::Interrupts(core) => (Contexts::INTERRUPT, core),
            Track::Steps(object) => (object, 0),
            _ => return,
        };
        let track = self.tracks.track(self.writer, context, core);
        let [start, end] = span.times.map(|time| self.writer.time(time));
        let [first, last] = span.events.map(Option::unwrap_or_default);
        // A slice that ended with the event at which this one starts does not
        // enclose it.
        while let Some(end) = self.open_slices.end_on(track, first) {
            self.write_end(track, end);
        }
        let kind = match self.open_slices.begin(track, last, end) {
            true => TrackEventType::Begin,
            false => TrackEventType::Instant,
        };
        let view = self.writer.view;
        let TrackWriter { packets, names, .. } = &mut *self.writer;
        let sequence = &mut self.sequence;
        let category = packets.intern_word(sequence, InternedKind::Category, span.class);
        let text = names.name(span.text);
        let name = packets.intern(sequence, InternedKind::Name, &text);
        let arguments = &mut self.arguments;
        intern_arguments(packets, sequence, view.trace, names, arguments, |add| {
            span.arguments(view, add);
        });
        let mut mark = TrackEvent::new(packets, sequence, start, kind, track);
        mark.category(category);
        mark.name(name);
        if let Some(post) = span.post() {
            mark.terminating_flow(self.flows.post_flow(post));
        }
        mark.arguments(arguments);
        mark.end();
        if let TrackEventType::Begin = kind
            && let Text::Label(Label::Cpu(CpuContext::Isr(number))) = span.text
        {
            self.ftrace.irq_entry(packets, core, start, number, &text);
        }
    }

    /// Ends the slices whose last event this is, the innermost first.
    #[inline]
    fn end(&mut self, event: EventIndex) {
        while let Some((track, end)) = self.open_slices.end(event) {
            self.write_end(track, end);
        }
    }

    fn write_end(&mut self, track: TrackId, end: u64) {
        let packets = &mut *self.writer.packets;
        if let Some(core) = self.tracks.core_of(track) {
            self.ftrace.irq_exit(packets, core, end);
        }
        TrackEvent::new(packets, &mut self.sequence, end, TrackEventType::End, track).end();
    }
}

/// Interrupt service routines and steps of active objects, by first event.
fn spans_around_events<'a>(view: &View<'a>) -> Peekable<Box<dyn Iterator<Item = Span<'a>> + 'a>> {
    let interrupts = timeline::interrupts(view);
    let all = interrupts.merge_by(timeline::steps(view), |one, other| {
        one.events[0] <= other.events[0]
    });
    let all: Box<dyn Iterator<Item = Span<'a>> + 'a> = Box::new(all);
    all.peekable()
}
