//! Rules that the trace of a sound port of a recorder keeps.
//!
//! A rule fails only where the trace proves a fault. What a trace cannot show is not
//! checked, and says why.

mod arrivals;
mod clock;
mod completeness;
mod entries;
mod interrupts;
mod names;
mod rule;
mod scheduler;
mod starts;
#[cfg(test)]
mod tests;

pub use arrivals::Arrival;
pub use rule::TraceRule;

use crate::{AnalyzedRecording, Schedule};
use entries::EntryScan;
use rtoscope_trace::{DiagnosticKind, EventIndex, Interpret, SwitchModel, Trace};
use schemars::JsonSchema;
use serde::Serialize;

/// The result of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RuleVerdict {
    /// The trace keeps the rule.
    Passed,
    /// The trace breaks it.
    Failed,
    /// The trace cannot show it.
    NotChecked,
}

impl RuleVerdict {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::NotChecked => "not checked",
        }
    }
}

/// What a check says about a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Finding {
    verdict: RuleVerdict,
    count: u64,
    event: Option<EventIndex>,
    message: String,
}

impl Finding {
    fn passed(message: impl Into<String>) -> Self {
        Self {
            verdict: RuleVerdict::Passed,
            count: 0,
            event: None,
            message: message.into(),
        }
    }

    fn not_checked(message: impl Into<String>) -> Self {
        Self {
            verdict: RuleVerdict::NotChecked,
            ..Self::passed(message)
        }
    }

    fn failed(count: u64, event: Option<EventIndex>, message: impl Into<String>) -> Self {
        Self {
            verdict: RuleVerdict::Failed,
            count,
            event,
            message: message.into(),
        }
    }
}

/// Places in a trace where something occurs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Occurrences {
    count: u64,
    first: Option<EventIndex>,
}

impl Occurrences {
    fn push(&mut self, event: EventIndex) {
        self.count += 1;
        self.first.get_or_insert(event);
    }

    /// Failed if there are any; the message is made from their number.
    fn none_or(self, passed: &str, failed: impl FnOnce(u64) -> String) -> Finding {
        match self.count {
            0 => Finding::passed(passed),
            count => Finding::failed(count, self.first, failed(count)),
        }
    }
}

impl FromIterator<EventIndex> for Occurrences {
    fn from_iter<T: IntoIterator<Item = EventIndex>>(events: T) -> Self {
        let mut all = Self::default();
        events.into_iter().for_each(|event| all.push(event));
        all
    }
}

/// What the rules are checked on.
struct Subject<'a> {
    recording: &'a AnalyzedRecording,
    scan: EntryScan,
    arrivals: &'a [Arrival],
}

impl Subject<'_> {
    fn trace(&self) -> &Trace {
        &self.recording.trace
    }

    fn has(&self, kind: DiagnosticKind) -> bool {
        self.trace().diagnostics.iter().any(|it| it.kind == kind)
    }

    fn schedule(&self) -> &Schedule {
        &self.recording.schedule
    }

    /// Whether entries name the running context.
    fn is_explicit(&self) -> bool {
        matches!(self.trace().switch_model, SwitchModel::Explicit { .. })
    }

    /// Whether the contexts are active objects, which run in steps.
    fn has_active_objects(&self) -> bool {
        !self.recording.active.is_empty()
    }
}

/// The result of one rule, for output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RuleResult {
    /// The rule.
    pub rule: TraceRule,
    /// The result.
    pub verdict: RuleVerdict,
    /// The rule as a sentence.
    pub description: &'static str,
    /// What was found, or why it was not checked.
    pub message: String,
    /// How many times the trace breaks the rule; 0 unless it failed.
    pub count: u64,
    /// The first event that breaks it, if it is at an event.
    pub event: Option<u32>,
    /// The time of that event, in ticks since the first event.
    pub time: Option<u64>,
    /// The same in nanoseconds, if the clock's frequency is known.
    pub time_ns: Option<u64>,
    /// What to change in the port; `None` unless the rule failed.
    pub advice: Option<&'static str>,
}

/// The results of all rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TraceCheck {
    /// Rules that passed.
    pub passed: usize,
    /// Rules that failed.
    pub failed: usize,
    /// Rules that could not be checked.
    pub not_checked: usize,
    /// The results, in the order of [`TraceRule::ALL`].
    pub rules: Vec<RuleResult>,
}

impl TraceCheck {
    /// Checks a recording against all rules; `interpreter` is a new one of its format.
    /// `arrivals` is when its events arrived, in order, if it was captured live.
    pub fn new(
        recording: &AnalyzedRecording,
        interpreter: &mut impl Interpret,
        arrivals: &[Arrival],
    ) -> Self {
        let trace = &recording.trace;
        let scan = EntryScan::new(trace, interpreter);
        let subject = Subject {
            recording,
            scan,
            arrivals,
        };
        let rules: Vec<_> = TraceRule::ALL
            .iter()
            .map(|rule| result(*rule, rule.check(&subject), trace))
            .collect();
        let number = |verdict| rules.iter().filter(|it| it.verdict == verdict).count();
        Self {
            passed: number(RuleVerdict::Passed),
            failed: number(RuleVerdict::Failed),
            not_checked: number(RuleVerdict::NotChecked),
            rules,
        }
    }
}

fn result(rule: TraceRule, finding: Finding, trace: &Trace) -> RuleResult {
    let ticks = finding.event.and_then(|event| trace.events.time(event));
    let ns = ticks.and_then(|ticks| trace.timescale().duration(ticks));
    RuleResult {
        rule,
        verdict: finding.verdict,
        description: rule.description(),
        message: finding.message,
        count: finding.count,
        event: finding.event.map(|event| event.0),
        time: ticks.map(|ticks| ticks.0),
        time_ns: ns.map(|ns| ns.0),
        advice: (finding.verdict == RuleVerdict::Failed).then(|| rule.advice()),
    }
}
