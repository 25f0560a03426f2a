//! Diagnostics about the clock.

use super::modulus::ClockModulus;
use super::step_stats::StepStats;
use super::unwrap_pass::WrapStats;
use rtoscope_trace::clock::ClockQuality;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Diagnostic, DiagnosticKind, EventIndex, Frequency};

/// With fewer steps, wraps in most of them may be chance.
const MIN_STEPS_FOR_WRAP_WARNING: u64 = 16;

/// Counters with a lower reload value are not recognised: any few numbers look like one.
const MIN_RELOAD: u64 = 64;

/// A kernel whose tick is the counter's period records most restarts at one phase: the
/// jumps are as short as what it does in between. Other clocks step back slightly for
/// other reasons.
const MAX_JUMPS_PER_RESTART: u64 = 16;

/// The likely period of a counter with this highest known value: the next power of two,
/// or number of two digits and zeros, if it is near.
fn suspected_period(highest: u64) -> u64 {
    let least = highest.saturating_add(1);
    let binary = least.checked_next_power_of_two();
    let decimal = (highest.ilog10() > 1).then(|| {
        let unit = 10_u64.pow(highest.ilog10() - 1);
        least.checked_next_multiple_of(unit)
    });
    let round = [binary, decimal.flatten()].into_iter().flatten();
    let mut near = round.filter(|period| period - least <= least / 128);
    near.next().unwrap_or(least)
}

/// A backward step is small if this many of them fit into the span, and if it is not longer
/// than the mean step.
const MIN_JUMPS_PER_SPAN: u64 = 100;

/// The properties of a clock after unwrapping.
pub(super) struct ClockFindings<'a> {
    pub(super) quality: ClockQuality,
    /// Ticks between consecutive events, if all are equal.
    pub(super) step: u64,
    /// Whether the user set a period, or a direction that contradicts most
    /// steps.
    pub(super) is_doubtful: bool,
    /// The frequency set by the user.
    pub(super) frequency: Option<Frequency>,
    /// Ticks from the first event to the last.
    pub(super) span: u64,
    pub(super) wrap_stats: &'a WrapStats,
    pub(super) step_stats: &'a StepStats,
    pub(super) modulus: ClockModulus,
    pub(super) mask: u64,
    /// The first event with the timestamp of the event before, if most have.
    pub(super) first_shared: Option<EventIndex>,
}

impl ClockFindings<'_> {
    pub(super) fn report(&self, diagnostics: &mut Vec<Diagnostic>) {
        diagnostics.extend(self.junk_bits());
        diagnostics.extend(self.quality());
        diagnostics.extend(self.coarse());
        diagnostics.extend(self.constant_wraps());
        // An early reload explains apparent backward steps.
        let course = self.early_reload().or_else(|| self.backward_steps());
        diagnostics.extend(course);
    }

    fn junk_bits(&self) -> Option<Diagnostic> {
        let junk = self.step_stats.junk;
        let message = format!(
            "{} with bits above the clock's mask {:#x}; the bits were dropped",
            pluralise(junk, "timestamp", "timestamps"),
            self.mask
        );
        let diagnostic = Diagnostic::new(DiagnosticKind::ClockJunk, message);
        (junk > 0).then(|| diagnostic.with_count(junk))
    }

    fn quality(&self) -> Option<Diagnostic> {
        let why = self.quality.no_time()?;
        let (kind, evidence) = match self.quality {
            ClockQuality::Static => (
                DiagnosticKind::StaticClock,
                "all timestamps are equal".to_owned(),
            ),
            _ => (
                DiagnosticKind::EventCounterClock,
                format!(
                    "every event is {} after the previous one",
                    pluralise(self.step, "tick", "ticks")
                ),
            ),
        };
        let mut message = format!("{why} ({evidence})");
        if self.frequency.is_some() {
            message.push_str("; the frequency is ignored");
        }
        Some(Diagnostic::new(kind, message))
    }

    fn coarse(&self) -> Option<Diagnostic> {
        let first = self.first_shared?;
        if self.quality != ClockQuality::Good {
            return None;
        }
        let (steps, zero) = self.step_stats.zero_steps();
        let message = format!(
            "the clock is coarse: {zero} of {steps} events have the timestamp of the event \
             before, so durations of a few ticks are not measured"
        );
        let diagnostic = Diagnostic::new(DiagnosticKind::CoarseClock, message);
        Some(diagnostic.at_event(first).with_count(zero))
    }

    /// The user's period or direction is wrong if the clock wraps in most
    /// steps.
    fn constant_wraps(&self) -> Option<Diagnostic> {
        let (wraps, steps) = (
            self.wrap_stats.wraps,
            self.step_stats.up + self.step_stats.down,
        );
        let period = self.modulus.period()?;
        if !self.is_doubtful || steps < MIN_STEPS_FOR_WRAP_WARNING || wraps * 2 < steps {
            return None;
        }
        let message = format!(
            "the clock wraps in {wraps} of {steps} steps between events: its period \
             is probably longer than {period} ticks, or it counts the other way"
        );
        Some(Diagnostic::new(DiagnosticKind::ClockPeriod, message).with_count(wraps))
    }

    /// A counter that reloads early comes near 0, never shows the upper half of the
    /// mask's range, and jumps over a part of its own range when it restarts.
    fn early_reload(&self) -> Option<Diagnostic> {
        let highest = self.step_stats.highest;
        let jumps = self.wrap_stats.wraps + self.wrap_stats.backward_steps;
        let restarts = self.wrap_stats.restarts;
        if highest >= self.modulus.half()
            || highest < MIN_RELOAD
            || self.step_stats.lowest() > highest / 4
            || restarts < 2
            || restarts < jumps / MAX_JUMPS_PER_RESTART
        {
            return None;
        }
        let period = suspected_period(highest);
        let message = format!(
            "no timestamp exceeds {highest} and the clock restarts {jumps} times: its period is \
             probably {period} ticks, shorter than its mask {:#x} suggests, and times are wrong \
             unless you set it with -O clock-period={period}",
            self.mask
        );
        Some(Diagnostic::new(DiagnosticKind::ClockPeriod, message).with_count(jumps))
    }

    fn backward_steps(&self) -> Option<Diagnostic> {
        let first = self.wrap_stats.first_backward?;
        let count = self.wrap_stats.backward_steps;
        let times = pluralise(count, "time", "times");
        let longest = pluralise(self.wrap_stats.longest_backward, "tick", "ticks");
        let (steps, _) = self.step_stats.zero_steps();
        let least = self
            .wrap_stats
            .longest_backward
            .saturating_mul(steps.max(MIN_JUMPS_PER_SPAN));
        let is_small = least <= self.span;
        let (kind, mut message) = match is_small {
            true => (
                DiagnosticKind::BackwardStep,
                format!(
                    "the clock stepped back slightly {times}, by up to {longest}, first at event \
                     {first}; time does not advance until it has caught up"
                ),
            ),
            false => (
                DiagnosticKind::ClockJump,
                format!(
                    "the clock stepped back {times}, by up to {longest} of a span of {}, first at \
                     event {first}; time does not advance until it has caught up, so that times \
                     and durations there are wrong",
                    self.span
                ),
            ),
        };
        if count > (self.step_stats.up + self.step_stats.down) / 2 {
            message.push_str(": the clock probably counts the other way");
        }
        let diagnostic = Diagnostic::new(kind, message);
        Some(diagnostic.at_event(first).with_count(count))
    }
}
