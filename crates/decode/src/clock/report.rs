//! What is odd about a clock, said in diagnostics.

use super::modulus::Modulus;
use super::steps::Steps;
use super::walk::Course;
use rtoscope_trace::clock::Quality;
use rtoscope_trace::diagnostic::counted;
use rtoscope_trace::{Diagnostic, DiagnosticKind, Frequency};

/// Of fewer steps, wraps in most of them may be chance.
const MIN_STEPS: u64 = 16;

/// What is known of a clock after the walk through its stamps.
pub(super) struct Findings<'a> {
    pub(super) quality: Quality,
    /// Ticks from one event to the next, if all are the same.
    pub(super) step: u64,
    /// Whether its period was given, or a direction against most steps.
    pub(super) is_doubtful: bool,
    /// What the user says of it.
    pub(super) frequency: Option<Frequency>,
    pub(super) course: &'a Course,
    pub(super) steps: &'a Steps,
    pub(super) modulus: Modulus,
    pub(super) mask: u64,
}

impl Findings<'_> {
    pub(super) fn report(&self, diagnostics: &mut Vec<Diagnostic>) {
        diagnostics.extend(self.junk());
        diagnostics.extend(self.quality());
        diagnostics.extend(self.constant_wraps());
        // An early reload explains what looks like steps back.
        let course = self.early_reload().or_else(|| self.backward_steps());
        diagnostics.extend(course);
    }

    fn junk(&self) -> Option<Diagnostic> {
        let junk = self.steps.junk;
        let message = format!(
            "{} with bits above the clock's mask {:#x}, which were dropped",
            counted(junk, "stamp", "stamps"),
            self.mask
        );
        let diagnostic = Diagnostic::new(DiagnosticKind::ClockJunk, message);
        (junk > 0).then(|| diagnostic.times(junk))
    }

    fn quality(&self) -> Option<Diagnostic> {
        let (kind, mut message) = match self.quality {
            Quality::Static => (
                DiagnosticKind::StaticClock,
                "all stamps are equal: the clock stood still, only the order of events is known"
                    .to_owned(),
            ),
            Quality::EventCounter => (
                DiagnosticKind::EventCounterClock,
                format!(
                    "every event is {} after the previous one: the clock counts events, only \
                     their order is known",
                    counted(self.step, "tick", "ticks")
                ),
            ),
            Quality::Good | Quality::Unknown => return None,
        };
        if self.frequency.is_some() {
            message.push_str("; the given frequency is not used");
        }
        Some(Diagnostic::new(kind, message))
    }

    /// A period or a direction that was given is wrong if the clock wraps from one
    /// event to the next again and again.
    fn constant_wraps(&self) -> Option<Diagnostic> {
        let (wraps, steps) = (self.course.wraps, self.steps.up + self.steps.down);
        let period = self.modulus.period()?;
        if !self.is_doubtful || steps < MIN_STEPS || wraps * 2 < steps {
            return None;
        }
        let message = format!(
            "the clock wraps in {wraps} of {steps} steps from one event to the next: its period \
             is probably longer than {period} ticks, or it counts the other way"
        );
        Some(Diagnostic::new(DiagnosticKind::ClockPeriod, message).times(wraps))
    }

    /// A counter that reloads early never shows the upper half of its range,
    /// and where it starts again it jumps by nearly its highest value.
    fn early_reload(&self) -> Option<Diagnostic> {
        let highest = self.steps.highest;
        let jumps = self.course.wraps + self.course.backward_steps;
        let period = self.modulus.period()?;
        if highest >= period / 2 || jumps < 2 || self.course.jumped / jumps <= highest / 2 {
            return None;
        }
        let message = format!(
            "no stamp exceeds {highest} and the clock starts again {jumps} times: its period is \
             probably shorter than its mask {:#x} says, and times are wrong unless the period is \
             given",
            self.mask
        );
        Some(Diagnostic::new(DiagnosticKind::ClockPeriod, message).times(jumps))
    }

    fn backward_steps(&self) -> Option<Diagnostic> {
        let first = self.course.first_backward?;
        let count = self.course.backward_steps;
        let mut message = format!(
            "the clock stepped back a little {}, first at event {first}; time stands still until it \
             has caught up",
            counted(count, "time", "times")
        );
        if count > (self.steps.up + self.steps.down) / 2 {
            message.push_str(": the clock probably counts the other way");
        }
        let diagnostic = Diagnostic::new(DiagnosticKind::BackwardStep, message);
        Some(diagnostic.on(first).times(count))
    }
}
