//! Rules about the windows from one event to another, each judged on its own.

use super::outcome::{CheckResult, Offender, RuleOutcome};
use super::rule::{Judgement, Rule};
use crate::AnalyzedRecording;
use crate::intervals::{Interval, IntervalDefinition, IntervalSeries};
use crate::markers::SpanEnding;
use crate::report::{ReportDocument, ReportOptions, Scope};
use crate::timing::IntervalDeclaration;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::parallel;
use std::borrow::Cow;

/// Maximum number of windows of a rule: each costs a report.
const MAX_WINDOWS: usize = 2000;

/// The windows of a rule.
#[derive(Debug, Clone)]
pub(super) enum Between {
    /// From events that one filter selects to those that another selects.
    Events(Box<IntervalDefinition>),
    /// The declared intervals with this name.
    Declared(String),
}

impl Between {
    /// Parses `FROM -> TO`, as intervals on the command line, or the name of declared ones.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        if !text.contains("->") {
            return Ok(Self::Declared(text.to_owned()));
        }
        let declared = IntervalDeclaration::parse(text)?;
        match declared.deadline {
            Some(_) => Err("windows have no deadline (`within`)".to_owned()),
            None => Ok(Self::Events(Box::new(declared.definition))),
        }
    }

    fn series<'r>(
        &self,
        recording: &'r AnalyzedRecording,
    ) -> Result<Cow<'r, IntervalSeries>, String> {
        match self {
            Self::Events(definition) => definition.find(&recording.trace).map(Cow::Owned),
            Self::Declared(name) => {
                let mut declared = recording.intervals.iter();
                let declared = declared.find(|it| it.name == *name);
                let declared = declared.ok_or_else(|| format!("no interval {name:?} is declared"));
                declared.map(|it| Cow::Borrowed(&it.series))
            }
        }
    }

    /// Checks a rule in each window of a scope.
    ///
    /// # Errors
    ///
    /// If the windows cannot be found in the recording.
    pub(super) fn check(
        &self,
        rule: &Rule,
        recording: &AnalyzedRecording,
        scope: &Scope,
    ) -> Result<CheckResult, String> {
        let series = self
            .series(recording)
            .map_err(|it| format!("`between`: {it}"))?;
        let bounds = scope.window(recording.schedule.span);
        let starts = series.intervals.iter();
        let started: Vec<_> = starts
            .filter(|it| bounds.start <= it.start.0 && it.until.0 <= bounds.end)
            .collect();
        let ending = |wanted| {
            started
                .iter()
                .copied()
                .filter(move |it| it.ending == wanted)
        };
        let lost = ending(SpanEnding::Lost).count();
        let windows: Vec<&Interval> = ending(SpanEnding::Ended).collect();
        let count = windows.len();
        let check = |window: &Interval| {
            let scope = Scope {
                start: Some(window.start),
                end: Some(window.until),
                ..scope.clone()
            };
            let stats = recording.scope_stats(scope);
            let view = recording.view_of(&stats);
            let options = ReportOptions {
                kinds: [rule.kind].into(),
                findings: false,
                ..ReportOptions::default()
            };
            let document = ReportDocument::new("", &view, &options);
            (window.first.0, rule.check_window(&document, &view))
        };
        let first = windows.into_iter().take(MAX_WINDOWS).collect();
        let judged = parallel::map(first, check);
        let mut result = combine(rule, judged);
        let not_judged = match () {
            () if result.outcome != RuleOutcome::Passed => return Ok(result),
            () if lost > 0 && !rule.accepts_gaps => {
                let windows = pluralise(lost as u64, "window", "windows");
                format!("events are missing in {windows} more")
            }
            () if !series.start_unknown.is_empty()
                && !recording.trace.gaps.is_empty()
                && !rule.accepts_gaps =>
            {
                "the start of other windows is missing".to_owned()
            }
            () if count > MAX_WINDOWS => {
                format!("only the first {MAX_WINDOWS} of {count} windows were checked")
            }
            () => return Ok(result),
        };
        result.outcome = RuleOutcome::Undecided;
        result.message = format!("{}, but {not_judged}", result.message);
        Ok(result)
    }
}

/// The result for all windows, each with the event of its start.
fn combine(rule: &Rule, judged: Vec<(u32, Judgement)>) -> CheckResult {
    let count = judged.len() as u64;
    let all = pluralise(count, "window", "windows");
    let (absent, mut judged): (Vec<_>, Vec<_>) = judged
        .into_iter()
        .partition(|(_, judgement)| judgement.is_absent);
    judged.sort_by(|(_, one), (_, other)| rule.compare_worst(one, other));
    let outcomes = |wanted| {
        let judged = judged.iter();
        judged.filter(move |(_, it)| it.result.outcome == wanted)
    };
    let failed = outcomes(RuleOutcome::Failed).count();
    if failed > 0 {
        let offenders = outcomes(RuleOutcome::Failed).map(|(event, judgement)| {
            let worst = judgement.result.worst.first();
            let found = worst.map_or(&judgement.result.message, |it| &it.found);
            Offender {
                subject: worst.map_or_else(String::new, |it| it.subject.clone()),
                found: format!("{found} in the window from event {event}"),
                event: worst.and_then(|it| it.event).or(Some(*event)),
            }
        });
        let message = format!("{failed} of {all}");
        return CheckResult::failed(&rule.name, message, offenders.collect());
    }
    let mut undecided: Vec<_> = outcomes(RuleOutcome::Undecided).collect();
    undecided.sort_by_key(|(event, _)| *event);
    if let Some((event, judgement)) = undecided.first() {
        let why = &judgement.result.message;
        let number = undecided.len();
        let why = format!("{why}: {number} of {all}, the first from event {event}");
        return CheckResult::undecided(&rule.name, why);
    }
    match (judged.first(), absent.first()) {
        (Some((_, judgement)), _) => {
            let message = format!("{} in {all}", judgement.result.message);
            CheckResult::new(&rule.name, RuleOutcome::Passed, message.trim_start())
        }
        (None, Some((_, judgement))) => {
            let why = format!("{} in {all}", judgement.result.message);
            CheckResult::undecided(&rule.name, why)
        }
        (None, None) => CheckResult::undecided(&rule.name, "there is no complete window"),
    }
}
