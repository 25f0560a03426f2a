//! Tracks of text logs.

use super::BarClass;
use super::track::{LaneStep, StepTrack};
use rtoscope_trace::{TextLog, Trace};

/// The lines of a text log over time: the last one that was printed. The subject of a step is
/// the index of the line among those with a time.
pub(crate) fn track(trace: &Trace, log: &TextLog) -> StepTrack {
    let mut track = StepTrack::default();
    let end = trace.events.span();
    for (line, index) in log.timed_lines().zip(0..) {
        // Those before the trace show what was printed last at its start.
        let time = line.time.map(|time| time.in_trace().unwrap_or_default());
        let Some(time) = time.filter(|time| *time <= end) else {
            continue;
        };
        let step = LaneStep {
            start: time.0,
            event: trace.events.index_after(time).0.saturating_sub(1),
            subject: index,
            class: BarClass::for_log_level(line.level),
            owns_event: false,
        };
        // Of several at a time, the last.
        track.push_over(step, |_| true);
    }
    track
}
