//! Merges the changes of all recordings.

use super::change_writer::{ChangeWriter, SignalSink};
use super::clock::CommonClock;
use super::recording_writer::RecordingWriter;
use super::signal_plan::RecordingSignals;
use super::signal_table::SignalTable;
use super::streams::{SignalChange, SignalChanges, signal_changes};
use crate::Progress;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::timeline::Changes;
use rtoscope_trace::{Events, Ticks};
use std::io;
use std::iter::Peekable;

/// Times between two progress updates.
const PROGRESS_BATCH: u32 = 1 << 15;

/// The next changes of a recording.
struct RecordingPosition<'a> {
    place: usize,
    changes: Changes<'a>,
    others: Peekable<SignalChanges<'a>>,
    /// The time of the next change in the clock's units.
    next: Option<u64>,
}

/// The number of events of a recording that the progress has counted.
struct ReadEvents<'a> {
    place: usize,
    events: &'a Events,
    reported_events: usize,
}

/// Writes all changes of the table's signals to a sink, in time order. Those of the
/// same time are ordered by recording, and those of the same tick of a recording
/// start with those of its cores and threads.
pub(crate) fn write_changes(
    sources: &[&AnalyzedRecording],
    table: &SignalTable,
    clock: &CommonClock,
    sink: &mut impl SignalSink,
    progress: &mut Progress<'_>,
) -> io::Result<()> {
    let mut positions = positions(sources, table, clock);
    let mut writers: Vec<_> = table.plans.iter().map(RecordingWriter::new).collect();
    let events = sources
        .iter()
        .enumerate()
        .map(|(place, source)| ReadEvents {
            place,
            events: &source.trace.events,
            reported_events: 0,
        });
    let mut readings: Vec<_> = events.collect();
    let mut out = ChangeWriter::new(sink, table.signals.len());
    let mut count = 0_u32;
    while let Some(time) = next_time(&positions) {
        if time > 0 {
            out.advance_to(time)?;
        }
        for (position, writer) in positions.iter_mut().zip(&mut writers) {
            position.take_changes(clock, time, |change| writer.apply(change, &mut out))?;
        }
        for writer in &mut writers {
            writer.finish_time(&mut out)?;
        }
        count = count.wrapping_add(1);
        if count.is_multiple_of(PROGRESS_BATCH) {
            let readings = readings.iter_mut();
            progress(readings.map(|it| it.take_new_events(clock, time)).sum());
        }
    }
    let readings = readings.iter_mut();
    progress(readings.map(|it| it.take_new_events(clock, u64::MAX)).sum());
    Ok(())
}

/// The times of all changes, in the clock's units.
pub(crate) fn change_times<'a>(
    sources: &[&'a AnalyzedRecording],
    table: &'a SignalTable,
    clock: &'a CommonClock,
) -> impl Iterator<Item = u64> + use<'a> {
    let mut positions = positions(sources, table, clock);
    std::iter::from_fn(move || {
        let time = next_time(&positions)?;
        for position in &mut positions {
            position.take_changes(clock, time, |_| Ok(())).ok()?;
        }
        Some(time)
    })
}

/// The starts of the recordings.
fn positions<'a>(
    sources: &[&'a AnalyzedRecording],
    table: &'a SignalTable,
    clock: &CommonClock,
) -> Vec<RecordingPosition<'a>> {
    let end = clock.end(sources);
    let recordings = sources.iter().zip(&table.plans).enumerate();
    recordings
        .map(|(place, (source, plan))| RecordingPosition::new(place, source, plan, clock, end))
        .collect()
}

/// The time of the next change of any recording.
fn next_time(positions: &[RecordingPosition<'_>]) -> Option<u64> {
    positions.iter().filter_map(|position| position.next).min()
}

impl<'a> RecordingPosition<'a> {
    /// The start of a recording; `end` is that of the longest.
    fn new(
        place: usize,
        source: &'a AnalyzedRecording,
        plan: &'a RecordingSignals,
        clock: &CommonClock,
        end: u64,
    ) -> Self {
        let last = clock.units(place, source.trace.events.span()) == end;
        let mut position = Self {
            place,
            // Active objects have no signals, nor have cores if no event shows what
            // they run.
            changes: Changes::of(
                &source.view(),
                |thread| plan.thread(thread).is_some(),
                plan.cores.len(),
            ),
            others: signal_changes(source, plan, last).peekable(),
            next: None,
        };
        position.find_next(clock);
        position
    }

    fn next_tick(&mut self) -> Option<Ticks> {
        let change = self.changes.next_time();
        let other = self.others.peek().map(|(time, _)| *time);
        change.into_iter().chain(other).min()
    }

    fn find_next(&mut self, clock: &CommonClock) {
        let tick = self.next_tick();
        self.next = tick.map(|tick| clock.units(self.place, tick));
    }

    /// Takes all changes up to a time in the clock's units.
    #[inline]
    fn take_changes(
        &mut self,
        clock: &CommonClock,
        time: u64,
        mut take: impl FnMut(SignalChange) -> io::Result<()>,
    ) -> io::Result<()> {
        while self.next.is_some_and(|next| next <= time) {
            if let Some(tick) = self.next_tick() {
                while self.changes.next_time().is_some_and(|next| next <= tick) {
                    if let Some((_, change)) = self.changes.next() {
                        take(SignalChange::Timeline(change))?;
                    }
                }
                while let Some((_, change)) = self.others.next_if(|(next, _)| *next <= tick) {
                    take(change)?;
                }
            }
            self.find_next(clock);
        }
        Ok(())
    }
}

impl ReadEvents<'_> {
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
