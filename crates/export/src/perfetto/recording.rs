//! The format, the clock and the meaning of times of a recording.

use super::track_event::TrackEventType;
use super::track_writer::{TrackId, TrackWriter};
use crate::timeline::Value::{Number, Text};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_trace::{NoTime, Ticks};
use std::io::Write;

/// Writes them on a track.
pub(super) fn write<W: Write>(
    writer: &mut TrackWriter<'_, W>,
    source: &AnalyzedRecording,
    name: &str,
    track: TrackId,
) {
    let trace = writer.view.trace;
    let unit = match writer.scale.no_time() {
        None => "nanoseconds".to_owned(),
        Some(NoTime::UnknownFrequency) => "1 ns is a tick of the target's clock".to_owned(),
        Some(why) => why.to_string(),
    };
    let quality = trace.clock.quality.to_string();
    let mut arguments = vec![
        ("file", Text(name)),
        ("format", Text(source.info.format)),
        ("events", Number(trace.events.len() as u64)),
        ("times", Text(&unit)),
        ("clock", Text(&quality)),
    ];
    let frequency = trace.clock.frequency();
    arguments.extend(frequency.map(|frequency| ("clock in Hz", Number(frequency.hertz()))));
    writer.note(
        Ticks(0),
        TrackEventType::Instant,
        track,
        ["recording"; 2],
        &arguments,
    );
}
