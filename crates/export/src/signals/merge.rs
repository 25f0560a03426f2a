//! The streams of all recordings as one.

use super::board::Board;
use super::clock::Clock;
use super::occupancy::Occupancy;
use super::stream::{Stream, streams};
use super::{SignalId, Sink, Value};
use crate::Progress;
use rtoscope_tables::Source;
use rtoscope_trace::Ticks;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::io;

/// Changes between two times that progress is told.
const BATCH: u32 = 1 << 16;

/// Hands on only what is a change.
pub(super) struct Changes<'s, S> {
    sink: &'s mut S,
    shown: Vec<Value>,
}

impl<S: Sink> Changes<'_, S> {
    #[inline]
    pub(super) fn set(&mut self, signal: Option<SignalId>, value: Value) -> io::Result<()> {
        let shown = signal.and_then(|signal| Some((signal, self.shown.get_mut(signal.index())?)));
        match shown {
            Some((signal, shown)) if *shown != value => {
                *shown = value;
                self.sink.set(signal, value)
            }
            _ => Ok(()),
        }
    }
}

/// How far a recording was read.
struct Reading<'a> {
    place: usize,
    times: &'a [u64],
    told: usize,
}

/// Gives a sink all changes of the board's signals, in order of time.
pub(crate) fn merge(
    sources: &[Source<'_>],
    board: &Board,
    clock: &Clock,
    sink: &mut impl Sink,
    progress: &mut Progress<'_>,
) -> io::Result<()> {
    let end = clock.end(sources);
    let mut all: Vec<(usize, Stream<'_>)> = Vec::new();
    let mut occupancies = Vec::new();
    let mut readings = Vec::new();
    for (place, (source, plan)) in sources.iter().zip(&board.plans).enumerate() {
        let trace = source.view.trace;
        let last = clock.units(place, trace.events.span()) == end;
        let own = streams(source, plan, last);
        all.extend(own.into_iter().map(|stream| (place, stream)));
        occupancies.push(Occupancy::new(
            plan.cores.len(),
            &plan.executes,
            plan.routine_lines.clone(),
            plan.other_lines.clone(),
        ));
        readings.push(Reading {
            place,
            times: &trace.events.time,
            told: 0,
        });
    }
    let mut heads = BinaryHeap::with_capacity(all.len());
    for (at, (place, stream)) in all.iter_mut().enumerate() {
        if let Some(time) = stream.time() {
            heads.push(Reverse((clock.units(*place, time), at)));
        }
    }
    let mut out = Changes {
        sink,
        shown: vec![Value::Unknown; board.signals.len()],
    };
    let mut now = 0;
    let mut count = 0_u32;
    while let Some(mut head) = heads.peek_mut() {
        let Reverse((time, at)) = *head;
        if now < time {
            for occupancy in &mut occupancies {
                occupancy.settle(&mut out)?;
            }
            out.sink.at(time)?;
            now = time;
        }
        let Some((place, stream)) = all.get_mut(at) else {
            break;
        };
        if let (Some(plan), Some(occupancy)) =
            (board.plans.get(*place), occupancies.get_mut(*place))
        {
            stream.step(plan, occupancy, &mut out)?;
        }
        match stream.time() {
            // Nothing falls back behind what was told.
            Some(next) => *head = Reverse((clock.units(*place, next).max(now), at)),
            None => {
                PeekMut::pop(head);
            }
        }
        count = count.wrapping_add(1);
        if count.is_multiple_of(BATCH) {
            let readings = readings.iter_mut();
            progress(readings.map(|reading| reading.news(clock, now)).sum());
        }
    }
    for occupancy in &mut occupancies {
        occupancy.settle(&mut out)?;
    }
    let readings = readings.iter_mut();
    progress(readings.map(|reading| reading.news(clock, u64::MAX)).sum());
    Ok(())
}

impl Reading<'_> {
    /// Events up to that time that were not told of.
    fn news(&mut self, clock: &Clock, now: u64) -> u64 {
        let rest = self.times.get(self.told..).unwrap_or_default();
        let passed = rest.partition_point(|time| clock.units(self.place, Ticks(*time)) <= now);
        self.told += passed;
        passed as u64
    }
}
