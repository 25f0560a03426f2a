//! Findings about active objects.

use super::{Finding, FindingCategory, FindingSeverity};
use crate::active::StepEnding;
use crate::naming::NameFormatter;
use crate::report::View;
use rtoscope_trace::active_object::StepOutcome;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{ContextId, EventIndex, Signal};
use std::collections::BTreeMap;

/// Failed assertions, defective machines, unhandled events.
pub(super) fn active_objects(view: &View<'_>, all: &mut Vec<Finding>) {
    failures(view, all);
    let mut unhandled: BTreeMap<ContextId, UnhandledEvents> = BTreeMap::new();
    for step in &view.active.steps {
        if !view.includes_thread(step.object) || !view.contains(step.end) {
            continue;
        }
        let StepEnding::Recorded(outcome) = step.ending else {
            continue;
        };
        let why = match outcome {
            StepOutcome::Processed | StepOutcome::GuardFalse | StepOutcome::NoBranch => continue,
            StepOutcome::Unhandled => {
                let of_object = unhandled.entry(step.object).or_default();
                of_object.add(step.last, step.signal);
                continue;
            }
            StepOutcome::UnknownState => "reached a state of unknown kind",
            StepOutcome::TooDeep => {
                "reached states nested deeper than the target is configured for"
            }
            StepOutcome::TooManySegments => {
                "took a transition with more segments than the target is configured for"
            }
        };
        let object = view.trace.context_name(step.object);
        let message = format!("the state machine of {object} {why}");
        let (severity, category) = (FindingSeverity::Critical, FindingCategory::BrokenMachine);
        all.push(Finding::new(severity, category, Some(step.last), message));
    }
    for (object, found) in unhandled {
        found.push_finding(view, object, all);
    }
}

fn failures(view: &View<'_>, all: &mut Vec<Finding>) {
    for index in &view.active.failed_assertions {
        let Some(event) = view.trace.events.get(*index) else {
            continue;
        };
        if view.contains(event.time) {
            let arguments = view.trace.arguments_line(&event);
            let message = format!("an assertion failed: {arguments}");
            let category = FindingCategory::FailedAssertion;
            all.push(Finding::new(
                FindingSeverity::Critical,
                category,
                Some(*index),
                message,
            ));
        }
    }
}

/// The events for which an active object had no transition in its state.
#[derive(Default)]
struct UnhandledEvents {
    first: Option<EventIndex>,
    count: u64,
    signals: BTreeMap<Signal, u64>,
}

impl UnhandledEvents {
    fn add(&mut self, event: EventIndex, signal: Option<Signal>) {
        self.first.get_or_insert(event);
        self.count += 1;
        if let Some(signal) = signal {
            *self.signals.entry(signal).or_default() += 1;
        }
    }

    fn push_finding(&self, view: &View<'_>, object: ContextId, all: &mut Vec<Finding>) {
        let object = view.trace.context_name(object);
        let events = pluralise(self.count, "event", "events");
        let mut message = format!("{object} did not handle {events} in its current state");
        // Among equals the first: signals are in order.
        let most = self.signals.iter().rev().max_by_key(|(_, count)| **count);
        if let Some((signal, count)) = most {
            let signal = NameFormatter(view.trace).signal(*signal);
            message.push_str(&match *count == self.count {
                true => format!(", {signal}"),
                false => format!(", most often {signal} ({count})"),
            });
        }
        let (severity, category) = (FindingSeverity::Note, FindingCategory::Unhandled);
        let finding = Finding::new(severity, category, self.first, message);
        all.push(finding.with_badness(self.count as f64));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scope;
    use crate::fixture::active_story::{A, story_trace, with_changed_story, with_view};
    use crate::fixture::window;
    use rtoscope_trace::ActiveObjectEvent;

    fn found(view: &View<'_>) -> Vec<Finding> {
        let mut all = Vec::new();
        active_objects(view, &mut all);
        all
    }

    #[test]
    fn unhandled_events_are_a_finding() {
        let all = with_view(&Scope::default(), found);
        let [only] = all.as_slice() else {
            panic!("{all:?}");
        };
        assert_eq!(
            (only.severity, only.category),
            (FindingSeverity::Note, FindingCategory::Unhandled)
        );
        let expected = "server did not handle 1 event in its current state, STOP";
        assert_eq!(only.message, expected);
        assert!(with_view(&window(0, 70), found).is_empty());
    }

    #[test]
    fn defective_machines_are_a_finding() {
        let change = |object_event| match object_event {
            ActiveObjectEvent::Done {
                outcome: StepOutcome::Unhandled,
                ..
            } => ActiveObjectEvent::Done {
                object: A,
                outcome: StepOutcome::TooDeep,
            },
            ActiveObjectEvent::Action { .. } => ActiveObjectEvent::AssertionFailed,
            other => other,
        };
        let all = with_changed_story(&story_trace(), &Scope::default(), change, found);
        let categories: Vec<_> = all.iter().map(|it| (it.severity, it.category)).collect();
        let expected = [
            FindingCategory::FailedAssertion,
            FindingCategory::BrokenMachine,
        ];
        assert_eq!(
            categories,
            expected.map(|category| (FindingSeverity::Critical, category))
        );
        assert_eq!(all[0].event, Some(14));
    }
}
