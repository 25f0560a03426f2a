//! The times of entries with gaps between them.

use super::entry_gaps::ElapsedTime;
use crate::clock::{self, ClockModulus, ClockOptions, Stamps, TimeSink, UnwrappedTimes};
use rtoscope_trace::clock::ClockDirection;
use rtoscope_trace::events::records::{StampCounter, TimeBlockBuilder, TimeBlocks};
use rtoscope_trace::{Clock, Diagnostic, DiagnosticKind, EventIndex};
use std::ops::Range;

/// Timestamps to unwrap.
pub(super) struct GappyStamps<'s, S: ?Sized> {
    pub(super) stamps: &'s S,
    /// Their bits.
    pub(super) bits: u32,
    /// The mask of the header.
    pub(super) mask: u64,
    /// Whether they are those of the entries, so that times may follow from these.
    pub(super) are_recorded: bool,
    /// The numbers of the timestamps after a gap, in order, none of them 0, and the time
    /// elapsed across each gap.
    pub(super) breaks: &'s [(usize, ElapsedTime)],
}

impl TimeSink for TimeBlockBuilder {
    #[inline(always)]
    fn push(&mut self, stamp: u64, time: u64) {
        Self::push(self, stamp, time);
    }
}

/// Times that are not needed.
impl TimeSink for () {
    fn push(&mut self, _stamp: u64, _time: u64) {}
}

/// Timestamps between gaps.
struct StampRun<'s, S: ?Sized> {
    stamps: &'s S,
    numbers: Range<usize>,
}

impl<S: Stamps + ?Sized> Stamps for StampRun<'_, S> {
    fn count(&self) -> usize {
        self.numbers.len()
    }

    fn visit(&self, numbers: Range<usize>, visit: impl FnMut(u64)) {
        let Range { start, end } = self.numbers;
        let moved = |number: usize| start.saturating_add(number).min(end);
        self.stamps
            .visit(moved(numbers.start)..moved(numbers.end), visit);
    }
}

impl<S: Stamps + ?Sized> GappyStamps<'_, S> {
    /// Unwraps the timestamps into times.
    pub(super) fn unwrap(&self, options: &ClockOptions) -> UnwrappedTimes<TimeBlocks> {
        if !self.breaks.is_empty() {
            return self.unwrap_between_gaps(options);
        }
        let modulus = clock::modulus(self.bits, self.mask, options);
        let sink = |_: &Range<usize>, direction| self.builder(modulus, direction);
        clock::unwrap_stamps(self.stamps, self.bits, self.mask, options, sink)
            .map(TimeBlockBuilder::join)
    }

    fn builder(&self, modulus: ClockModulus, direction: ClockDirection) -> TimeBlockBuilder {
        TimeBlockBuilder::new(match modulus {
            ClockModulus::Mask(mask) if self.are_recorded => Some(StampCounter {
                mask,
                counts_down: direction == ClockDirection::Down,
            }),
            _ => None,
        })
    }

    /// Unwraps the parts between gaps separately: a long step across a gap is not a
    /// backward step, and neither is a reset of the clock.
    fn unwrap_between_gaps(&self, options: &ClockOptions) -> UnwrappedTimes<TimeBlocks> {
        let (bits, mask) = (self.bits, self.mask);
        let no_sink = |_: &Range<usize>, _| ();
        let whole = clock::unwrap_stamps(self.stamps, bits, mask, options, no_sink);
        let modulus = clock::modulus(bits, mask, options);
        let options = ClockOptions {
            direction: Some(whole.clock.direction),
            ..*options
        };
        let mut said = whole.diagnostics;
        said.retain(|diagnostic| !is_backward(diagnostic));
        let mut times = self.builder(modulus, whole.clock.direction);
        let mut joined = UnwrappedTimes {
            time: (),
            clock: whole.clock,
            diagnostics: said,
        };
        joined.clock.wraps = 0;
        joined.clock.backward_steps = 0;
        let mut start = 0;
        let mut now = 0_u64;
        let count = self.stamps.count();
        let ends = self
            .breaks
            .iter()
            .map(|(end, across)| (*end, Some(*across)));
        for (end, across) in ends.chain([(count, None)]) {
            let run = StampRun {
                stamps: self.stamps,
                numbers: start..end.min(count),
            };
            let mut run_times = vec![0; run.count()];
            let mut rest = run_times.as_mut_slice();
            let sink = |part: &Range<usize>, _| {
                let (times, following) = std::mem::take(&mut rest).split_at_mut(part.len());
                rest = following;
                times.iter_mut()
            };
            let unwrapped = clock::unwrap_stamps(&run, bits, mask, &options, sink).map(|_| ());
            let (before, mut next) = (now, run_times.into_iter());
            run.visit(0..run.count(), |stamp| {
                now = before.saturating_add(next.next().unwrap_or_default());
                times.push(stamp, now);
            });
            joined.clock.wraps += unwrapped.clock.wraps;
            joined.clock.backward_steps += unwrapped.clock.backward_steps;
            let steps = unwrapped.diagnostics.into_iter();
            joined
                .diagnostics
                .extend(steps.filter_map(|diagnostic| shifted(diagnostic, start)));
            let last = end.checked_sub(1).and_then(|last| self.stamps.get(last));
            if let (Some(across), Some(last), Some(next)) = (across, last, self.stamps.get(end)) {
                let step = elapsed_ticks(across, modulus, &joined.clock, last, next);
                now = now.saturating_add(step);
            }
            start = end;
        }
        joined.map(|()| TimeBlockBuilder::join(vec![times]))
    }
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
