//! Merges the change streams of all recordings.

use super::clock::CommonClock;
use super::cpu_state::CpuState;
use super::signal_table::SignalTable;
use super::stream::{ChangeStream, change_streams};
use super::{SignalId, SignalSink, SignalValue};
use crate::Progress;
use rtoscope_tables::TableSource;
use rtoscope_trace::Events;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::io;

/// Changes between two progress updates.
const PROGRESS_BATCH: u32 = 1 << 16;

/// Passes on only actual changes.
pub(super) struct ChangeWriter<'s, S> {
    sink: &'s mut S,
    written: Vec<SignalValue>,
}

impl<S: SignalSink> ChangeWriter<'_, S> {
    #[inline]
    pub(super) fn set(&mut self, signal: Option<SignalId>, value: SignalValue) -> io::Result<()> {
        let shown = signal.and_then(|signal| Some((signal, self.written.get_mut(signal.index())?)));
        match shown {
            Some((signal, shown)) if *shown != value => {
                *shown = value;
                self.sink.set(signal, value)
            }
            _ => Ok(()),
        }
    }
}

/// The position in a recording.
struct ReadPosition<'a> {
    place: usize,
    events: &'a Events,
    reported_events: usize,
}

/// Writes all changes of the table's signals to a sink, in time order.
pub(crate) fn write_changes(
    sources: &[TableSource<'_>],
    table: &SignalTable,
    clock: &CommonClock,
    sink: &mut impl SignalSink,
    progress: &mut Progress<'_>,
) -> io::Result<()> {
    let end = clock.end(sources);
    let mut all: Vec<(usize, ChangeStream<'_>)> = Vec::new();
    let mut occupancies = Vec::new();
    let mut readings = Vec::new();
    for (place, (source, plan)) in sources.iter().zip(&table.plans).enumerate() {
        let trace = source.view.trace;
        let last = clock.units(place, trace.events.span()) == end;
        let own = change_streams(source, plan, last);
        all.extend(own.into_iter().map(|stream| (place, stream)));
        occupancies.push(CpuState::new(
            plan.cores.len(),
            &plan.running,
            plan.routine_lines.clone(),
            plan.other_lines.clone(),
        ));
        readings.push(ReadPosition {
            place,
            events: &trace.events,
            reported_events: 0,
        });
    }
    let mut heads = BinaryHeap::with_capacity(all.len());
    for (at, (place, stream)) in all.iter_mut().enumerate() {
        if let Some(time) = stream.time() {
            heads.push(Reverse((clock.units(*place, time), at)));
        }
    }
    let mut out = ChangeWriter {
        sink,
        written: vec![SignalValue::Unknown; table.signals.len()],
    };
    let mut now = 0;
    let mut count = 0_u32;
    while let Some(mut head) = heads.peek_mut() {
        let Reverse((time, at)) = *head;
        if now < time {
            for occupancy in &mut occupancies {
                occupancy.write_signals(&mut out)?;
            }
            out.sink.advance_to(time)?;
            now = time;
        }
        let Some((place, stream)) = all.get_mut(at) else {
            break;
        };
        if let (Some(plan), Some(occupancy)) =
            (table.plans.get(*place), occupancies.get_mut(*place))
        {
            stream.write_next(plan, occupancy, &mut out)?;
        }
        match stream.time() {
            // Time never runs backwards.
            Some(next) => *head = Reverse((clock.units(*place, next).max(now), at)),
            None => {
                PeekMut::pop(head);
            }
        }
        count = count.wrapping_add(1);
        if count.is_multiple_of(PROGRESS_BATCH) {
            let readings = readings.iter_mut();
            progress(
                readings
                    .map(|reading| reading.take_new_events(clock, now))
                    .sum(),
            );
        }
    }
    for occupancy in &mut occupancies {
        occupancy.write_signals(&mut out)?;
    }
    let readings = readings.iter_mut();
    progress(
        readings
            .map(|reading| reading.take_new_events(clock, u64::MAX))
            .sum(),
    );
    Ok(())
}

impl ReadPosition<'_> {
    /// The number of events up to a time that have not been reported.
    fn take_new_events(&mut self, clock: &CommonClock, now: u64) -> u64 {
        let rest = self.reported_events..self.events.len();
        let until = self
            .events
            .partition_point(rest, |time| clock.units(self.place, time) <= now);
        let passed = until - self.reported_events;
        self.reported_events = until;
        passed as u64
    }
}
