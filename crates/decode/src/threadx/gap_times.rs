//! The times of entries with gaps between them.

use super::entry_gaps::ElapsedTime;
use crate::clock::{self, ClockModulus, ClockOptions, UnwrappedTimes};
use rtoscope_trace::events::WordColumn;
use rtoscope_trace::{Clock, Diagnostic, DiagnosticKind, EventIndex};

/// Unwraps timestamps into times. `breaks` contains, in order, the numbers of
/// the timestamps after a gap, none of them 0, and the time elapsed across each
/// gap.
pub(super) fn unwrap(
    timestamps: &WordColumn,
    mask: u64,
    options: &ClockOptions,
    breaks: &[(usize, ElapsedTime)],
) -> UnwrappedTimes {
    if breaks.is_empty() {
        return clock::unwrap(timestamps, mask, options);
    }
    match timestamps {
        WordColumn::Narrow(timestamps) => {
            unwrap_between_gaps(timestamps, u32::BITS, mask, options, breaks)
        }
        WordColumn::Wide(timestamps) => {
            unwrap_between_gaps(timestamps, u64::BITS, mask, options, breaks)
        }
    }
}

/// Unwraps the parts between gaps separately: a long step across a gap is not a
/// backward step, and neither is a reset of the clock.
fn unwrap_between_gaps<W: Copy + Into<u64> + Sync>(
    timestamps: &[W],
    bits: u32,
    mask: u64,
    options: &ClockOptions,
    breaks: &[(usize, ElapsedTime)],
) -> UnwrappedTimes {
    let whole = clock::unwrap_words(timestamps, bits, mask, options);
    let modulus = clock::modulus(bits, mask, options);
    let options = ClockOptions {
        direction: Some(whole.clock.direction),
        ..*options
    };
    let mut said = whole.diagnostics;
    said.retain(|diagnostic| !is_backward(diagnostic));
    let mut joined = UnwrappedTimes {
        time: Vec::with_capacity(timestamps.len()),
        clock: whole.clock,
        diagnostics: said,
    };
    joined.clock.wraps = 0;
    joined.clock.backward_steps = 0;
    let mut start = 0;
    let mut now = 0_u64;
    let ends = breaks.iter().map(|(end, across)| (*end, Some(*across)));
    for (end, across) in ends.chain([(timestamps.len(), None)]) {
        let run = timestamps.get(start..end).unwrap_or_default();
        let unwrapped = clock::unwrap_words(run, bits, mask, &options);
        let times = unwrapped.time.iter().map(|time| now.saturating_add(*time));
        joined.time.extend(times);
        joined.clock.wraps += unwrapped.clock.wraps;
        joined.clock.backward_steps += unwrapped.clock.backward_steps;
        let steps = unwrapped.diagnostics.into_iter();
        joined
            .diagnostics
            .extend(steps.filter_map(|diagnostic| shifted(diagnostic, start)));
        now = joined.time.last().copied().unwrap_or(now);
        if let (Some(across), Some(last), Some(next)) = (across, run.last(), timestamps.get(end)) {
            let step = elapsed_ticks(
                across,
                modulus,
                &joined.clock,
                (*last).into(),
                (*next).into(),
            );
            now = now.saturating_add(step);
        }
        start = end;
    }
    joined
}

fn elapsed_ticks(
    across: ElapsedTime,
    modulus: ClockModulus,
    clock: &Clock,
    from: u64,
    to: u64,
) -> u64 {
    match across {
        ElapsedTime::Ticks(ticks) => ticks,
        ElapsedTime::FromTimestamps { periods, .. } => {
            let whole = clock.period.unwrap_or_default().saturating_mul(periods);
            modulus
                .step(clock.direction, from, to)
                .saturating_add(whole)
        }
    }
}

fn is_backward(diagnostic: &Diagnostic) -> bool {
    matches!(
        diagnostic.kind,
        DiagnosticKind::BackwardStep | DiagnosticKind::ClockJump
    )
}

/// Moves a diagnostic about backward steps after a gap to its position in the
/// whole.
fn shifted(mut diagnostic: Diagnostic, start: usize) -> Option<Diagnostic> {
    if !is_backward(&diagnostic) {
        return None;
    }
    let event = diagnostic.event?;
    if start > 0 {
        let message = &diagnostic.message;
        diagnostic.message =
            format!("after the gap before event {start}, relative to it: {message}");
    }
    let start = u32::try_from(start).unwrap_or(u32::MAX);
    diagnostic.event = Some(EventIndex(event.0.saturating_add(start)));
    Some(diagnostic)
}
