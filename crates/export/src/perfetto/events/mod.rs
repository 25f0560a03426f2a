//! What happened, as instants on the tracks of who logged it; interrupt service
//! routines and steps of active objects around them, as slices; and arrows from
//! causes to effects.

mod flows;
mod kinds;
mod nesting;
mod tracks;
mod words;

use super::ftrace::Ftrace;
use super::mark::{Kind, Mark};
use super::packets::{Interned, Sequence};
use super::stage::{Stage, Track};
use crate::Progress;
use flows::Flows;
use kinds::{Kinds, Shown};
use nesting::Nesting;
use rtoscope_analysis::naming::Naming;
use rtoscope_trace::{ContextId, Event, EventIndex, Ticks};
use std::io::{self, Write};
use tracks::Tracks;
use words::Words;

/// Events that are written before what has come together is handed on.
const BATCH: usize = 1 << 11;

/// Writes the events. `threads` are the tracks of the contexts.
pub(super) fn write<W: Write>(
    stage: &mut Stage<'_, W>,
    threads: &[Option<Track>],
    progress: &mut Progress<'_>,
) -> io::Result<()> {
    let trace = stage.view.trace;
    let sequence = stage.packets.sequence();
    let mut events = Events {
        flows: Flows::of(stage.view, stage.numbers.recording),
        kinds: Kinds::default(),
        tracks: Tracks::new(threads, stage.view),
        open: Nesting::default(),
        activations: 0,
        steps: 0,
        shown: Vec::new(),
        words: Words::default(),
        ftrace: Ftrace::new(stage.packets, stage.first_cpu),
        sequence,
        stage,
    };
    let count = trace.events.len();
    for first in (0..count).step_by(BATCH) {
        let end = count.min(first + BATCH);
        trace.events.visit(first..end, |event| events.event(&event));
        events.stage.packets.flush_full()?;
        progress((end - first) as u64);
    }
    events.end(EventIndex(u32::MAX));
    events.ftrace.finish(events.stage.packets);
    Ok(())
}

struct Events<'s, 'a, W: Write> {
    stage: &'s mut Stage<'a, W>,
    sequence: Sequence,
    flows: Flows<'a>,
    kinds: Kinds,
    tracks: Tracks,
    open: Nesting,
    /// How many activations, and steps, have begun.
    activations: usize,
    steps: usize,
    /// The arguments of the present event.
    shown: Vec<(u64, Shown)>,
    words: Words,
    /// The interrupt service routines once more, as the engine's `linux.irqs`
    /// looks for them.
    ftrace: Ftrace,
}

impl<W: Write> Events<'_, '_, W> {
    #[inline]
    fn event(&mut self, event: &Event) {
        self.activations(event.index);
        self.steps(event.index);
        let (packets, sequence) = (&mut *self.stage.packets, &mut self.sequence);
        let trace = self.stage.view.trace;
        let [category, name] = self
            .kinds
            .show(packets, sequence, trace, event, &mut self.shown);
        let time = self.stage.time(event.time);
        let track = self.tracks.of_event(self.stage, event);
        let packets = &mut *self.stage.packets;
        let mut mark = Mark::new(packets, &mut self.sequence, time, Kind::Instant, track);
        mark.category(category);
        mark.name(name);
        self.flows.mark(event, &mut mark);
        show(&mut mark, &mut self.shown);
        mark.end();
        self.end(event.index);
    }

    /// Begins the routines that begin with an event.
    #[inline]
    fn activations(&mut self, event: EventIndex) {
        let schedule = self.stage.view.schedule;
        while let Some(activation) = schedule.activations.get(self.activations)
            && activation.first <= event
        {
            self.activations += 1;
            let track = self.tracks.of_routines(self.stage, activation.core);
            let (packets, sequence) = (&mut *self.stage.packets, &mut self.sequence);
            let words = &mut self.words;
            let category = words.category(packets, sequence, "isr");
            let name = words.routine(packets, sequence, schedule, activation.number);
            if activation.interrupted != ContextId::UNKNOWN {
                let trace = self.stage.view.trace;
                let argument = words.argument(packets, sequence, "interrupted");
                let context = words.context(packets, sequence, trace, activation.interrupted);
                self.shown.push((argument, Shown::Interned(context)));
            }
            for (told, what) in [
                (activation.entered, "entry recorded"),
                (activation.exited, "exit recorded"),
            ] {
                if !told {
                    let argument = words.argument(packets, sequence, what);
                    self.shown.push((argument, Shown::Text("no".to_owned())));
                }
            }
            let span = [activation.start, activation.end];
            let events = [activation.first, activation.last];
            if self.begin(span, events, track, [category, name], None) {
                let [start, _] = span.map(|time| self.stage.time(time));
                let name = self.words.routine_text(activation.number);
                let packets = &mut *self.stage.packets;
                self.ftrace
                    .irq_entry(packets, activation.core, start, activation.number, name);
            }
        }
    }

    /// Begins the steps that begin with an event.
    #[inline]
    fn steps(&mut self, event: EventIndex) {
        let active = self.stage.view.active;
        while let Some(step) = active.steps.get(self.steps)
            && step.first <= event
        {
            self.steps += 1;
            let naming = Naming(self.stage.view.trace);
            let name = match step.signal {
                Some(signal) => naming.signal(signal),
                None if step.initial => "initial transition".to_owned(),
                None => "(unknown)".to_owned(),
            };
            let track = self.tracks.of_context(self.stage, step.object);
            let (packets, sequence) = (&mut *self.stage.packets, &mut self.sequence);
            let category = self.words.category(packets, sequence, "step");
            let name = packets.intern(sequence, Interned::Name, &name);
            for (what, state) in [("state before", step.before), ("state after", step.after)] {
                if let Some(state) = state {
                    let argument = self.words.argument(packets, sequence, what);
                    let state = naming.vertex(state);
                    let state = packets.intern(sequence, Interned::Value, &state);
                    self.shown.push((argument, Shown::Interned(state)));
                }
            }
            let flow = step.post.map(|post| self.flows.of_post(post));
            let span = [step.start, step.end];
            let events = [step.first, step.last];
            self.begin(span, events, track, [category, name], flow);
        }
    }

    /// Begins a slice, to which a flow leads, with the arguments that are shown.
    /// It ends behind its last event; what would lie too deep is an instant.
    /// Returns whether it is a slice.
    fn begin(
        &mut self,
        span: [Ticks; 2],
        [first, last]: [EventIndex; 2],
        track: Track,
        [category, name]: [u64; 2],
        flow: Option<u64>,
    ) -> bool {
        let [start, end] = span.map(|time| self.stage.time(time));
        // What ended with the event at which this begins is not around it.
        while let Some(end) = self.open.end_on(track, first) {
            self.mark_end(track, end);
        }
        let is_slice = self.open.begin(track, last, end);
        let kind = match is_slice {
            true => Kind::Begin,
            false => Kind::Instant,
        };
        let packets = &mut *self.stage.packets;
        let mut mark = Mark::new(packets, &mut self.sequence, start, kind, track);
        mark.category(category);
        mark.name(name);
        if let Some(flow) = flow {
            mark.last_of_flow(flow);
        }
        show(&mut mark, &mut self.shown);
        mark.end();
        is_slice
    }

    /// Ends the slices whose last event that is, the innermost first.
    #[inline]
    fn end(&mut self, event: EventIndex) {
        while let Some((track, end)) = self.open.end(event) {
            self.mark_end(track, end);
        }
    }

    fn mark_end(&mut self, track: Track, end: u64) {
        let packets = &mut *self.stage.packets;
        if let Some(core) = self.tracks.core_of(track) {
            self.ftrace.irq_exit(packets, core, end);
        }
        Mark::new(packets, &mut self.sequence, end, Kind::End, track).end();
    }
}

/// Marks arguments, and forgets them.
#[inline]
fn show(mark: &mut Mark<'_>, shown: &mut Vec<(u64, Shown)>) {
    for (argument, value) in shown.drain(..) {
        match value {
            Shown::Number(number) => mark.number(argument, number),
            Shown::Signed(number) => mark.signed(argument, number),
            Shown::Pointer(number) => mark.pointer(argument, number),
            Shown::Interned(text) => mark.interned(argument, text),
            Shown::Text(text) => mark.text(argument, &text),
        }
    }
}
