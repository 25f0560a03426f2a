//! Merges the changes of all recordings.

use super::change_writer::{ChangeWriter, SignalSink};
use super::clock::CommonClock;
use super::recording_writer::RecordingWriter;
use super::signal_table::SignalTable;
use super::streams::signal_changes;
use crate::Progress;
use itertools::Itertools as _;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_trace::Events;
use std::io;

/// Changes between two progress updates.
const PROGRESS_BATCH: u32 = 1 << 16;

/// The position in a recording.
struct ReadPosition<'a> {
    place: usize,
    events: &'a Events,
    reported_events: usize,
}

/// Writes all changes of the table's signals to a sink, in time order. Those of the
/// same time are ordered by recording, then as its streams.
pub(crate) fn write_changes(
    sources: &[&AnalyzedRecording],
    table: &SignalTable,
    clock: &CommonClock,
    sink: &mut impl SignalSink,
    progress: &mut Progress<'_>,
) -> io::Result<()> {
    let end = clock.end(sources);
    let mut streams = Vec::new();
    let mut recordings = Vec::new();
    let mut readings = Vec::new();
    for (place, (source, plan)) in sources.iter().zip(&table.plans).enumerate() {
        let trace = &source.trace;
        let last = clock.units(place, trace.events.span()) == end;
        for stream in signal_changes(source, plan, last) {
            let rank = streams.len();
            let mut now = 0;
            streams.push(stream.map(move |(time, change)| {
                // Time never runs backwards.
                now = clock.units(place, time).max(now);
                ((now, rank), place, change)
            }));
        }
        recordings.push(RecordingWriter::new(source, plan));
        readings.push(ReadPosition {
            place,
            events: &trace.events,
            reported_events: 0,
        });
    }
    let mut out = ChangeWriter::new(sink, table.signals.len());
    let mut now = 0;
    let mut count = 0_u32;
    for ((time, _), place, change) in streams.into_iter().kmerge_by(|one, other| one.0 < other.0) {
        if now < time {
            for recording in &mut recordings {
                recording.finish_time(&mut out)?;
            }
            out.advance_to(time)?;
            now = time;
        }
        if let Some(recording) = recordings.get_mut(place) {
            recording.apply(change, &mut out)?;
        }
        count = count.wrapping_add(1);
        if count.is_multiple_of(PROGRESS_BATCH) {
            progress(
                readings
                    .iter_mut()
                    .map(|reading| reading.take_new_events(clock, now))
                    .sum(),
            );
        }
    }
    for recording in &mut recordings {
        recording.finish_time(&mut out)?;
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
