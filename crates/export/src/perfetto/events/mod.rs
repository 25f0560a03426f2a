//! Events as instants on the tracks of their contexts, interrupt service routines
//! and steps of active objects as slices around them, and flows from causes to
//! effects.

mod event_tracks;
mod flows;
mod interned_strings;
mod kinds;
mod nesting;

use super::ftrace::Ftrace;
use super::packets::{InternedKind, PacketSequence};
use super::track_event::{ArgumentValue, TrackEvent, TrackEventType};
use super::track_writer::{TrackId, TrackWriter};
use crate::Progress;
use event_tracks::EventTracks;
use flows::FlowTracker;
use interned_strings::InternedStrings;
use kinds::EventKinds;
use nesting::SliceStacks;
use rtoscope_analysis::naming::NameFormatter;
use rtoscope_trace::{ContextId, Event, EventIndex, Ticks};
use std::io::{self, Write};

/// Events per batch; complete blocks are flushed after each.
const EVENT_BATCH: usize = 1 << 11;

/// Writes the events. `threads` are the tracks of the contexts.
pub(super) fn write<W: Write>(
    writer: &mut TrackWriter<'_, W>,
    threads: &[Option<TrackId>],
    progress: &mut Progress<'_>,
) -> io::Result<()> {
    let trace = writer.view.trace;
    let mut sequence = writer.packets.sequence();
    let mut events = EventWriter {
        flows: FlowTracker::new(writer.view, writer.ids.recording_id),
        kinds: EventKinds::default(),
        tracks: EventTracks::new(threads, writer.view),
        open_slices: SliceStacks::default(),
        begun_activations: 0,
        begun_steps: 0,
        arguments: Vec::new(),
        words: InternedStrings::new(writer.packets, &mut sequence),
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
    /// The numbers of started activations and steps.
    begun_activations: usize,
    begun_steps: usize,
    /// The arguments of the current event.
    arguments: Vec<(u64, ArgumentValue<'static>)>,
    words: InternedStrings,
    /// The interrupt service routines again, as ftrace events for the engine's
    /// `linux.irqs`.
    ftrace: Ftrace,
}

impl<W: Write> EventWriter<'_, '_, W> {
    #[inline]
    fn event(&mut self, event: &Event) {
        self.begin_activations(event.index);
        self.begin_steps(event.index);
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
        let track = self.tracks.event_track(self.writer, event);
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
        write_arguments(&mut mark, &mut self.arguments);
        mark.end();
        self.end(event.index);
    }

    /// Starts the interrupt service routines that begin with an event.
    #[inline]
    fn begin_activations(&mut self, event: EventIndex) {
        let schedule = self.writer.view.schedule;
        while let Some(activation) = schedule.activations.get(self.begun_activations)
            && activation.first <= event
        {
            self.begun_activations += 1;
            let track = self.tracks.interrupt_track(self.writer, activation.core);
            let (packets, sequence) = (&mut *self.writer.packets, &mut self.sequence);
            let words = &mut self.words;
            let names = [
                words.isr_category,
                words.routine(packets, sequence, schedule, activation.number),
            ];
            if activation.interrupted != ContextId::UNKNOWN {
                let trace = self.writer.view.trace;
                let context = words.context(packets, sequence, trace, activation.interrupted);
                let context = ArgumentValue::Interned(context);
                self.arguments.push((words.interrupted, context));
            }
            for (is_recorded, argument) in [
                (activation.entered, words.entry_recorded),
                (activation.exited, words.exit_recorded),
            ] {
                if !is_recorded {
                    let no = ArgumentValue::Text("no".into());
                    self.arguments.push((argument, no));
                }
            }
            let span = [activation.start, activation.end];
            let events = [activation.first, activation.last];
            if self.begin(span, events, track, names, None) {
                let [start, _] = span.map(|time| self.writer.time(time));
                let name = self.words.routine_name(activation.number);
                let packets = &mut *self.writer.packets;
                self.ftrace
                    .irq_entry(packets, activation.core, start, activation.number, name);
            }
        }
    }

    /// Starts the steps that begin with an event.
    #[inline]
    fn begin_steps(&mut self, event: EventIndex) {
        let active = self.writer.view.active;
        while let Some(step) = active.steps.get(self.begun_steps)
            && step.first <= event
        {
            self.begun_steps += 1;
            let naming = NameFormatter(self.writer.view.trace);
            let name = match step.signal {
                Some(signal) => naming.signal(signal),
                None if step.initial => "initial transition".to_owned(),
                None => "(unknown)".to_owned(),
            };
            let track = self.tracks.context_track(self.writer, step.object);
            let (packets, sequence) = (&mut *self.writer.packets, &mut self.sequence);
            let words = &self.words;
            let name = packets.intern(sequence, InternedKind::Name, &name);
            let names = [words.step_category, name];
            for (argument, state) in [
                (words.state_before, step.before),
                (words.state_after, step.after),
            ] {
                if let Some(state) = state {
                    let state = naming.vertex(state);
                    let state = packets.intern(sequence, InternedKind::Value, &state);
                    self.arguments
                        .push((argument, ArgumentValue::Interned(state)));
                }
            }
            let flow = step.post.map(|post| self.flows.post_flow(post));
            let span = [step.start, step.end];
            let events = [step.first, step.last];
            self.begin(span, events, track, names, flow);
        }
    }

    /// Starts a slice at the end of a flow, with the current arguments. It ends
    /// after its last event; a slice that would nest too deep becomes an instant.
    /// Returns whether it is a slice.
    fn begin(
        &mut self,
        span: [Ticks; 2],
        [first, last]: [EventIndex; 2],
        track: TrackId,
        [category, name]: [u64; 2],
        flow: Option<u64>,
    ) -> bool {
        let [start, end] = span.map(|time| self.writer.time(time));
        // A slice that ended with the event at which this one starts does not
        // enclose it.
        while let Some(end) = self.open_slices.end_on(track, first) {
            self.write_end(track, end);
        }
        let is_slice = self.open_slices.begin(track, last, end);
        let kind = match is_slice {
            true => TrackEventType::Begin,
            false => TrackEventType::Instant,
        };
        let packets = &mut *self.writer.packets;
        let mut mark = TrackEvent::new(packets, &mut self.sequence, start, kind, track);
        mark.category(category);
        mark.name(name);
        if let Some(flow) = flow {
            mark.terminating_flow(flow);
        }
        write_arguments(&mut mark, &mut self.arguments);
        mark.end();
        is_slice
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

/// Writes the arguments and clears them.
#[inline]
fn write_arguments(mark: &mut TrackEvent<'_>, shown: &mut Vec<(u64, ArgumentValue<'static>)>) {
    for (argument, value) in shown.drain(..) {
        mark.argument(argument, &value);
    }
}
