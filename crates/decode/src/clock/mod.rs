//! Unwraps the timestamps of a counter of limited width into ticks since the
//! first event.
//!
//! All formats use the same rules: differences are modulo the clock's period;
//! the majority of steps decides the direction; a small step back of a wide
//! clock is not a wrap.

mod clock_diagnostics;
pub(crate) mod core_offsets;
mod modulus;
mod outlier_scan;
mod partition;
pub(crate) mod stamp_block;
mod stamps;
mod step_counts;
mod step_stats;
pub(crate) mod tick_witness;
mod unwrap_pass;

pub(crate) use modulus::ClockModulus;
pub(crate) use outlier_scan::OutlierScan;
pub(crate) use stamps::{Stamps, TimeSink};
pub(crate) use step_counts::StepCounts;

use clock_diagnostics::ClockFindings;
use rtoscope_trace::clock::{Clock, ClockDirection, ClockQuality};
use rtoscope_trace::{Diagnostic, DiagnosticKind, EventIndex, Frequency};
use std::ops::Range;
use step_stats::StepStats;
use unwrap_pass::UnwrapPass;

/// Clock properties that override those of the recording.
#[derive(Debug, Clone, Copy, Default)]
pub struct ClockOptions {
    /// The direction in which the clock counts.
    pub direction: Option<ClockDirection>,
    /// The valid bits of a timestamp.
    pub mask: Option<u64>,
    /// Ticks after which the clock restarts, for clocks that reload before
    /// their mask is full (SysTick, nanoseconds of a second). At least 2.
    pub period: Option<u64>,
    /// The frequency of the clock, if the recording does not contain it.
    pub frequency: Option<Frequency>,
    /// Whether `frequency` replaces that of the recording, too.
    pub overrides_frequency: bool,
}

impl ClockOptions {
    /// The options for a recording that contains this frequency, and a diagnostic if it is not
    /// the one in these options.
    pub(crate) fn with_recorded(self, recorded: Option<Frequency>) -> (Self, Option<Diagnostic>) {
        let (Some(given), Some(recorded)) = (self.frequency, recorded) else {
            let frequency = self.frequency.or(recorded);
            return (Self { frequency, ..self }, None);
        };
        if given == recorded {
            return (self, None);
        }
        let used = if self.overrides_frequency {
            given
        } else {
            recorded
        };
        let contains = format!("the recording contains {recorded}");
        let options = Self {
            frequency: Some(used),
            ..self
        };
        (options, Some(frequency_mismatch(given, &contains, used)))
    }
}

/// The diagnostic for a frequency that the user set although the recording `contains` another.
pub(crate) fn frequency_mismatch(given: Frequency, contains: &str, used: Frequency) -> Diagnostic {
    let hint = match used == given {
        true => "",
        false => "; override it with -O clock-override",
    };
    let message = format!("--clock sets {given}, but {contains}: {used} is used{hint}");
    Diagnostic::new(DiagnosticKind::ClockMismatch, message)
}

/// The result of unwrapping timestamps.
pub(crate) struct UnwrappedTimes<T = Vec<u64>> {
    /// Ticks since the first event; never decreases.
    pub(crate) time: T,
    pub(crate) clock: Clock,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl UnwrappedTimes {
    /// Appends the events after a restart of the clock. How much time passed there is unknown:
    /// time continues from the last value.
    pub(crate) fn append(&mut self, next: Self) {
        let first = u32::try_from(self.time.len()).unwrap_or(u32::MAX);
        let now = self.time.last().copied().unwrap_or_default();
        let times = next.time.into_iter();
        self.time.extend(times.map(|time| now.saturating_add(time)));
        // One part may show what another does not.
        let order = [
            ClockQuality::Good,
            ClockQuality::EventCounter,
            ClockQuality::Static,
        ];
        let qualities = [self.clock.quality, next.clock.quality];
        let best = order.into_iter().find(|it| qualities.contains(it));
        let wraps = self.clock.wraps + next.clock.wraps;
        let backward_steps = self.clock.backward_steps + next.clock.backward_steps;
        // The widest clock.
        if next.clock.mask > self.clock.mask {
            self.clock = next.clock;
        }
        self.clock.quality = best.unwrap_or(ClockQuality::Unknown);
        self.clock.wraps = wraps;
        self.clock.backward_steps = backward_steps;
        let moved = next.diagnostics.into_iter().map(|mut diagnostic| {
            if let Some(event) = &mut diagnostic.event {
                event.0 = event.0.saturating_add(first);
            }
            diagnostic
        });
        self.diagnostics.extend(moved);
    }
}

impl<T> UnwrappedTimes<T> {
    /// The same with the times in another form.
    pub(crate) fn map<U>(self, change: impl FnOnce(T) -> U) -> UnwrappedTimes<U> {
        UnwrappedTimes {
            time: change(self.time),
            clock: self.clock,
            diagnostics: self.diagnostics,
        }
    }
}

/// The modulus of differences between timestamps of `stamp_bits` bits.
pub(crate) fn modulus(stamp_bits: u32, header_mask: u64, options: &ClockOptions) -> ClockModulus {
    // Clock diagnostics are reported once, when the timestamps are unwrapped.
    let mut said = Vec::new();
    let mask = usable_mask(options.mask.unwrap_or(header_mask), stamp_bits, &mut said);
    ClockModulus::new(mask, usable_period(mask, options.period, &mut said))
}

/// Unwraps timestamps into times.
pub(crate) fn unwrap_words<W: Copy + Into<u64> + Sync>(
    timestamps: &[W],
    stamp_bits: u32,
    header_mask: u64,
    options: &ClockOptions,
) -> UnwrappedTimes {
    let mut time = vec![0; timestamps.len()];
    let mut rest = time.as_mut_slice();
    let sink = |part: &Range<usize>, _| {
        let (times, following) = std::mem::take(&mut rest).split_at_mut(part.len());
        rest = following;
        times.iter_mut()
    };
    let unwrapped = unwrap_stamps(timestamps, stamp_bits, header_mask, options, sink);
    let (clock, diagnostics) = (unwrapped.clock, unwrapped.diagnostics);
    UnwrappedTimes {
        time,
        clock,
        diagnostics,
    }
}

/// Unwraps timestamps; `sink` creates what takes the times of the next part.
pub(crate) fn unwrap_stamps<T: TimeSink>(
    timestamps: &(impl Stamps + ?Sized),
    stamp_bits: u32,
    header_mask: u64,
    options: &ClockOptions,
    mut sink: impl FnMut(&Range<usize>, ClockDirection) -> T,
) -> UnwrappedTimes<Vec<T>> {
    let mut diagnostics = Vec::new();
    let mask = usable_mask(
        options.mask.unwrap_or(header_mask),
        stamp_bits,
        &mut diagnostics,
    );
    let modulus = ClockModulus::new(mask, usable_period(mask, options.period, &mut diagnostics));
    let parts = partition::partition(timestamps.count());
    let part_steps = rtoscope_trace::parallel::map(parts.clone(), |part| {
        StepStats::count(timestamps, part, modulus)
    });
    let add = |sum: StepStats, part| sum.merge(part);
    let steps = part_steps.iter().fold(StepStats::default(), add);
    if steps.junk > 0 && options.mask.is_none() && counts_above(timestamps, mask) {
        let all = u64::MAX >> (u64::BITS - stamp_bits);
        let message = format!(
            "the clock's mask {mask:#x} is too narrow: the bits of the timestamps above it count \
             on; using {all:#x}"
        );
        let options = ClockOptions {
            mask: Some(all),
            ..*options
        };
        let mut unwrapped = unwrap_stamps(timestamps, stamp_bits, all, &options, sink);
        let diagnostic = Diagnostic::new(DiagnosticKind::ClockMask, message);
        unwrapped.diagnostics.insert(0, diagnostic);
        return unwrapped;
    }
    let direction = direction(&steps, options.direction, &mut diagnostics);
    let min_restart = steps.min_restart();
    let sinks = parts.iter().map(|part| sink(part, direction)).collect();
    let walk = UnwrapPass::new(
        timestamps,
        &parts,
        sinks,
        &part_steps,
        modulus,
        direction,
        min_restart,
    );
    let constant = steps.constant(modulus);
    let quality = match (timestamps.count(), constant) {
        (0 | 1, _) => ClockQuality::Unknown,
        (_, Some(0)) => ClockQuality::Static,
        (events, Some(step)) if counts_events(events, step) => ClockQuality::EventCounter,
        _ => ClockQuality::Good,
    };
    let findings = ClockFindings {
        quality,
        step: constant.unwrap_or_default(),
        is_doubtful: options.period.is_some()
            || options.direction.is_some_and(|given| {
                // In narrow clocks, steps are often longer than half a period.
                let is_narrow = modulus
                    .period()
                    .is_some_and(|period| period < MAX_NARROW_PERIOD);
                !is_narrow && given != steps.direction()
            }),
        frequency: options.frequency,
        span: walk.span,
        wrap_stats: &walk.wrap_stats,
        step_stats: &steps,
        modulus,
        mask,
        first_shared: steps
            .mostly_zero()
            .then(|| first_shared(timestamps, modulus))
            .flatten(),
    };
    findings.report(&mut diagnostics);
    let mut clock = Clock::new(mask, direction).with_frequency(options.frequency);
    clock.period = modulus.period();
    clock.quality = quality;
    clock.wraps = walk.wrap_stats.wraps;
    clock.backward_steps = walk.wrap_stats.backward_steps;
    UnwrappedTimes {
        clock,
        time: walk.sinks,
        diagnostics,
    }
}

/// Minimum number of changes of the bits above a mask from which they are part of the counter.
const MIN_CHANGES_ABOVE: u64 = 16;
/// There are at least this many of them for each change against the direction, as where the
/// whole counter wraps.
const CHANGES_PER_FALL: u64 = 16;

/// Whether the bits above a mask count on where those within it wrap.
fn counts_above(timestamps: &(impl Stamps + ?Sized), mask: u64) -> bool {
    let (mut rises, mut falls) = (0, 0);
    let mut before = timestamps.get(0).unwrap_or_default();
    timestamps.visit(0..timestamps.count(), |timestamp| {
        if timestamp & !mask != before & !mask {
            rises += u64::from(timestamp > before);
            falls += u64::from(timestamp < before);
        }
        before = timestamp;
    });
    let is_block = mask & mask.wrapping_add(1) == 0;
    let (most, least) = (u64::max(rises, falls), u64::min(rises, falls));
    is_block && most >= MIN_CHANGES_ABOVE && least <= most / CHANGES_PER_FALL
}

/// Minimum number of events with equal steps (other than 1) that indicates an
/// event counter: a few events may be equally spaced by chance.
const MIN_EQUALLY_SPACED_EVENTS: usize = 16;

/// The first event with the timestamp of the event before.
fn first_shared(timestamps: &(impl Stamps + ?Sized), modulus: ClockModulus) -> Option<EventIndex> {
    let (mut first, mut before, mut event) = (None, None, 0);
    timestamps.visit(0..timestamps.count(), |timestamp| {
        let masked = modulus.masked(timestamp);
        if before.replace(masked) == Some(masked) {
            first.get_or_insert(EventIndex(event));
        }
        event += 1;
    });
    first
}

/// Clocks with a shorter period are narrow.
const MAX_NARROW_PERIOD: u64 = 1 << 16;

/// Whether `events` events, each `step` ticks after the previous one, indicate
/// that the clock counts events. The default clock of ThreadX steps by 1.
fn counts_events(events: usize, step: u64) -> bool {
    match step {
        0 => false,
        1 => events >= 3,
        _ => events >= MIN_EQUALLY_SPACED_EVENTS,
    }
}

/// Returns a mask that is a contiguous block of ones, anywhere in the
/// timestamp. For any other mask, returns all bits up to its highest one; for
/// an empty mask, all bits.
fn usable_mask(mask: u64, stamp_bits: u32, diagnostics: &mut Vec<Diagnostic>) -> u64 {
    let all = u64::MAX >> (u64::BITS - stamp_bits);
    let within = mask & all;
    let block = within >> within.trailing_zeros().min(u64::BITS - 1);
    let is_block = block & block.wrapping_add(1) == 0;
    if within == mask && within != 0 && is_block {
        return within;
    }
    let taken = match within {
        0 => all,
        _ if is_block => within,
        _ => u64::MAX >> within.leading_zeros(),
    };
    diagnostics.push(Diagnostic::new(
        DiagnosticKind::ClockMask,
        format!(
            "the clock's mask {mask:#x} is not a contiguous block of ones within {stamp_bits} \
             bits; using {taken:#x}"
        ),
    ));
    taken
}

/// Returns the period if it fits the mask; the counter cannot exceed the mask.
fn usable_period(mask: u64, period: Option<u64>, diagnostics: &mut Vec<Diagnostic>) -> Option<u64> {
    let max = ClockModulus::new(mask, None).period();
    let fits = |period: &u64| max.is_none_or(|max| *period <= max);
    let fitting = period.filter(fits);
    if let (Some(period), None, Some(max)) = (period, fitting, max) {
        diagnostics.push(Diagnostic::new(
            DiagnosticKind::ClockPeriod,
            format!(
                "the period of {period} ticks exceeds the maximum of {max} for the mask \
                 {mask:#x}; using {max}"
            ),
        ));
    }
    fitting
}

fn direction(
    steps: &StepStats,
    chosen: Option<ClockDirection>,
    diagnostics: &mut Vec<Diagnostic>,
) -> ClockDirection {
    if let Some(chosen) = chosen {
        return chosen;
    }
    // Fewer than three events have at most one step, which is no evidence. (The
    // first timestamp counts as a step of 0.)
    if steps.up + steps.down + steps.zero < 3 {
        return ClockDirection::Up;
    }
    if steps.up == steps.down && steps.up > 0 {
        diagnostics.push(Diagnostic::new(
            DiagnosticKind::ClockDirection,
            format!(
                "{} steps suggest a clock that counts up and as many one that counts down; \
                 assuming up",
                steps.up
            ),
        ));
    }
    steps.direction()
}

#[cfg(test)]
mod tests;
