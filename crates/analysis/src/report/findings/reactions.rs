//! What active objects could not do.

use super::{Finding, Subject, Weight, push};
use crate::active::Ending;
use crate::naming::Naming;
use crate::report::View;
use rtoscope_trace::diagnostic::counted;
use rtoscope_trace::reaction::Outcome;
use rtoscope_trace::{ContextId, EventIndex, Signal};
use std::collections::BTreeMap;

/// Assertions that failed, machines that broke down, events that nothing handled.
pub(super) fn reactions(view: &View<'_>, all: &mut Vec<Finding>) {
    failures(view, all);
    let mut unhandled: BTreeMap<ContextId, Unhandled> = BTreeMap::new();
    for step in &view.active.steps {
        if !view.shows(step.object) || !view.holds(step.end) {
            continue;
        }
        let Ending::Told(outcome) = step.ending else {
            continue;
        };
        let why = match outcome {
            Outcome::Processed | Outcome::GuardFalse | Outcome::NoBranch => continue,
            Outcome::Unhandled => {
                let of_object = unhandled.entry(step.object).or_default();
                of_object.add(step.last, step.signal);
                continue;
            }
            Outcome::UnknownState => "met a state of a kind that it does not know",
            Outcome::TooDeep => "found states nested deeper than the target is configured for",
            Outcome::TooManySegments => {
                "took a transition of more segments than the target is configured for"
            }
        };
        let object = view.trace.context_name(step.object);
        let message = format!("the state machine of {object} {why}");
        let (weight, subject) = (Weight::Critical, Subject::BrokenMachine);
        push(all, weight, subject, Some(step.last), message);
    }
    for (object, found) in unhandled {
        found.tell(view, object, all);
    }
}

fn failures(view: &View<'_>, all: &mut Vec<Finding>) {
    for index in &view.active.failures {
        let Some(event) = view.trace.events.get(*index) else {
            continue;
        };
        if view.holds(event.time) {
            let arguments = view.trace.arguments_line(&event);
            let message = format!("an assertion failed: {arguments}");
            let subject = Subject::FailedAssertion;
            push(all, Weight::Critical, subject, Some(*index), message);
        }
    }
}

/// The events that an active object had no transition for in its state.
#[derive(Default)]
struct Unhandled {
    first: Option<EventIndex>,
    count: u64,
    signals: BTreeMap<Signal, u64>,
}

impl Unhandled {
    fn add(&mut self, event: EventIndex, signal: Option<Signal>) {
        self.first.get_or_insert(event);
        self.count += 1;
        if let Some(signal) = signal {
            *self.signals.entry(signal).or_default() += 1;
        }
    }

    fn tell(&self, view: &View<'_>, object: ContextId, all: &mut Vec<Finding>) {
        let object = view.trace.context_name(object);
        let events = counted(self.count, "event", "events");
        let mut message = format!("{object} did not handle {events} in the state that it was in");
        // Of equals the first: signals are in order.
        let most = self.signals.iter().rev().max_by_key(|(_, count)| **count);
        if let Some((signal, count)) = most {
            let signal = Naming(view.trace).signal(*signal);
            message.push_str(&match *count == self.count {
                true => format!(", {signal}"),
                false => format!(", most often {signal} ({count})"),
            });
        }
        push(all, Weight::Note, Subject::Unhandled, self.first, message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scope;
    use crate::fixture::reactive::{A, look, look_through, told};
    use crate::fixture::window;
    use rtoscope_trace::Reaction;

    fn found(view: &View<'_>) -> Vec<Finding> {
        let mut all = Vec::new();
        reactions(view, &mut all);
        all
    }

    #[test]
    fn what_nobody_handles_is_found() {
        let all = look(&Scope::default(), found);
        let [only] = all.as_slice() else {
            panic!("{all:?}");
        };
        assert_eq!(
            (only.weight, only.subject),
            (Weight::Note, Subject::Unhandled)
        );
        let told = "server did not handle 1 event in the state that it was in, STOP";
        assert_eq!(only.message, told);
        assert!(look(&window(0, 70), found).is_empty());
    }

    #[test]
    fn what_breaks_down_is_found() {
        let change = |reaction| match reaction {
            Reaction::Done {
                outcome: Outcome::Unhandled,
                ..
            } => Reaction::Done {
                object: A,
                outcome: Outcome::TooDeep,
            },
            Reaction::Action { .. } => Reaction::Failure,
            other => other,
        };
        let all = look_through(&told(), &Scope::default(), change, found);
        let subjects: Vec<_> = all.iter().map(|it| (it.weight, it.subject)).collect();
        let expected = [Subject::FailedAssertion, Subject::BrokenMachine];
        assert_eq!(
            subjects,
            expected.map(|subject| (Weight::Critical, subject))
        );
        assert_eq!(all[0].event, Some(14));
    }
}
