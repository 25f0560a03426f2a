//! Diagnostics about the clock.

use super::modulus::ClockModulus;
use super::step_stats::StepStats;
use super::unwrap_pass::WrapStats;
use rtoscope_trace::clock::ClockQuality;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Diagnostic, DiagnosticKind, Frequency};

/// With fewer steps, wraps in most of them may be chance.
const MIN_STEPS_FOR_WRAP_WARNING: u64 = 16;

/// A backward step is small if so many of them fit into the span.
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
}

impl ClockFindings<'_> {
    pub(super) fn report(&self, diagnostics: &mut Vec<Diagnostic>) {
        diagnostics.extend(self.junk_bits());
        diagnostics.extend(self.quality());
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

    /// A counter that reloads early never shows the upper half of its range,
    /// and jumps by nearly its highest value when it restarts.
    fn early_reload(&self) -> Option<Diagnostic> {
        let highest = self.step_stats.highest;
        let jumps = self.wrap_stats.wraps + self.wrap_stats.backward_steps;
        let period = self.modulus.period()?;
        if highest >= period / 2
            || jumps < 2
            || self.wrap_stats.backward_ticks / jumps <= highest / 2
        {
            return None;
        }
        let message = format!(
            "no timestamp exceeds {highest} and the clock restarts {jumps} times: its period is \
             probably shorter than its mask {:#x} suggests, and times are wrong unless you set \
             the period",
            self.mask
        );
        Some(Diagnostic::new(DiagnosticKind::ClockPeriod, message).with_count(jumps))
    }

    fn backward_steps(&self) -> Option<Diagnostic> {
        let first = self.wrap_stats.first_backward?;
        let count = self.wrap_stats.backward_steps;
        let times = pluralise(count, "time", "times");
        let longest = pluralise(self.wrap_stats.longest_backward, "tick", "ticks");
        let is_small = self.wrap_stats.longest_backward <= self.span / MIN_JUMPS_PER_SPAN;
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
