//! Tests in a recording.

use super::*;
use crate::expect::{
    ExpectedArgument, RecordAnswer, TargetOrder, TargetOrderKind, TargetTests, Uncertainty,
};
use rtoscope_trace::EventIndex;

/// An event with an order.
const ORDER: u32 = 0xE0;

fn order() -> ScriptedEvent {
    scripted_event(ORDER, &[])
}

fn expected(arguments: &[(&str, &[u64])]) -> Vec<ExpectedArgument> {
    let argument = |(name, values): &(&str, &[u64])| ExpectedArgument {
        name: (*name).to_owned(),
        values: values.to_vec(),
    };
    arguments.iter().map(argument).collect()
}

/// The orders in a trace.
struct Orders<'t> {
    trace: &'t Trace,
    orders: Vec<TargetOrder>,
}

impl<'t> Orders<'t> {
    fn of(trace: &'t Trace) -> Self {
        Self {
            trace,
            orders: Vec::new(),
        }
    }

    fn push(&mut self, event: EventIndex, line: u32, kind: TargetOrderKind) {
        self.orders.push(TargetOrder { event, line, kind });
    }

    fn begin(&mut self, event: EventIndex, line: u32) {
        self.push(event, line, TargetOrderKind::Begin);
    }

    fn end(&mut self, event: EventIndex, line: u32) {
        self.push(event, line, TargetOrderKind::End);
    }

    fn verify(&mut self, event: EventIndex, line: u32) {
        self.push(event, line, TargetOrderKind::Verify);
    }

    fn ignore(&mut self, event: EventIndex, line: u32, kind: EventKindId) {
        self.push(event, line, TargetOrderKind::Ignore(kind));
    }

    fn ignore_component(&mut self, event: EventIndex, line: u32, name: &str) {
        let kind = TargetOrderKind::IgnoreComponent(name.to_owned());
        self.push(event, line, kind);
    }

    fn expect(
        &mut self,
        event: EventIndex,
        line: u32,
        kind: EventKindId,
        arguments: Vec<ExpectedArgument>,
    ) {
        self.push(event, line, TargetOrderKind::Expect(kind, arguments));
    }

    fn ignore_argument(&mut self, event: EventIndex, line: u32, kind: EventKindId, index: usize) {
        self.push(event, line, TargetOrderKind::IgnoreArgument(kind, index));
    }

    fn run(self) -> Vec<TestResult> {
        let mut tests = TargetTests::new("sm");
        tests.push(self.trace, 0, self.orders, |answer| panic!("{answer:?}"));
        tests.finish(self.trace)
    }

    /// The answers to the records.
    fn answers(self) -> Vec<RecordAnswer> {
        let mut tests = TargetTests::live("sm");
        let mut answers = Vec::new();
        tests.push(self.trace, 0, self.orders, |answer| answers.push(answer));
        answers
    }
}

fn at(event: u32) -> EventIndex {
    EventIndex(event)
}

#[test]
fn tests_in_a_recording_have_results() {
    // Two orders, a record, two orders, a record, two orders.
    let trace = trace(&[
        order(),
        order(),
        scripted_event(TRN, &[SERVER, IDLE, BUSY]),
        scripted_event(GET, &[SERVER, 0, 0]),
        order(),
        order(),
        scripted_event(STATE, &[CLIENT, BUSY]),
        order(),
    ]);
    let trn = [("sst", &[IDLE][..]), ("tst", &[0, BUSY][..])];
    let run = |state: &[u64], ignored: bool| {
        let mut recorded = Orders::of(&trace);
        recorded.begin(at(0), 10);
        recorded.expect(at(1), 11, EventKindId(TRN), expected(&trn));
        recorded.expect(at(4), 12, EventKindId(STATE), expected(&[("nxtst", state)]));
        if ignored {
            recorded.ignore_argument(at(5), 13, EventKindId(STATE), 0);
        }
        recorded.end(at(7), 14);
        recorded.run().remove(0)
    };
    assert_eq!(run(&[BUSY], false).problem(), None);
    assert_eq!(run(&[IDLE], true).problem(), None);
    let failed = run(&[IDLE], false);
    assert_eq!((failed.line, failed.answer_line()), (10, 12));
    let difference = failed.difference.unwrap();
    assert_eq!(difference.expected, "SM.STATE nxtst=idle");
    assert_eq!(difference.reason, "nxtst is busy");
}

#[test]
fn an_order_takes_effect_at_its_record() {
    let trace = trace(&[
        order(),
        scripted_event(STATE, &[SERVER, BUSY]),
        order(),
        order(),
    ]);
    let mut recorded = Orders::of(&trace);
    recorded.begin(at(0), 10);
    recorded.expect(at(2), 11, EventKindId(STATE), Vec::new());
    recorded.verify(at(3), 12);
    let result = recorded.run().remove(0);
    let difference = result.difference.as_ref().unwrap();
    assert_eq!(difference.kind, DifferenceKind::Extra);
    assert_eq!(result.answer_line(), 10);
}

#[test]
fn open_expectations_fail_at_the_check() {
    let trace = trace(&[
        order(),
        order(),
        order(),
        scripted_event(STATE, &[SERVER, BUSY]),
    ]);
    let mut recorded = Orders::of(&trace);
    recorded.begin(at(0), 10);
    recorded.expect(at(1), 11, EventKindId(STATE), Vec::new());
    recorded.verify(at(2), 12);
    let result = recorded.run().remove(0);
    let difference = result.difference.as_ref().unwrap();
    assert_eq!(
        (difference.kind, difference.line),
        (DifferenceKind::Missing, 11)
    );
    assert_eq!(
        (result.outcome, result.answer_line()),
        (TestOutcome::Fail, 12)
    );
}

#[test]
fn ignored_kinds_change_during_a_test() {
    let state = scripted_event(STATE, &[SERVER, BUSY]);
    let trn = scripted_event(TRN, &[SERVER, BUSY, BUSY]);
    let trace = trace(&[
        order(),
        state.clone(),
        trn,
        order(),
        state.clone(),
        state,
        order(),
    ]);
    let outcome = |component: bool| {
        let mut recorded = Orders::of(&trace);
        recorded.begin(at(0), 10);
        match component {
            true => recorded.ignore_component(at(0), 11, "sm"),
            false => {
                recorded.ignore(at(0), 11, EventKindId(STATE));
                recorded.ignore(at(0), 12, EventKindId(TRN));
            }
        }
        // Stops ignoring the kind, but not the component.
        recorded.expect(at(3), 13, EventKindId(STATE), Vec::new());
        recorded.end(at(6), 14);
        recorded.run().remove(0)
    };
    assert_eq!(outcome(true).outcome, TestOutcome::Pass);
    let difference = outcome(false).difference.unwrap();
    let found = difference.found.map(|found| found.event);
    assert_eq!((difference.kind, found), (DifferenceKind::Extra, Some(5)));
}

#[test]
fn invalid_orders_fail_their_test() {
    let trace = trace(&[order(), order()]);
    let mut recorded = Orders::of(&trace);
    recorded.begin(at(0), 10);
    recorded.expect(at(0), 11, EventKindId(STATE), expected(&[("nxtst", &[1])]));
    recorded.ignore_argument(at(0), 12, EventKindId(TRN), 0);
    recorded.ignore_argument(at(0), 13, EventKindId(STATE), usize::MAX);
    recorded.end(at(1), 14);
    let difference = recorded.run().remove(0).difference.unwrap();
    assert_eq!(
        (difference.kind, difference.line),
        (DifferenceKind::Misuse, 12)
    );
    let problem = "cannot ignore argument 1 of SM.TRN: the last expectation has no such argument";
    assert_eq!(difference.expected, problem);
}

#[test]
fn tests_without_a_beginning_or_an_end_are_inconclusive() {
    let trace = trace(&[
        order(),
        scripted_event(STATE, &[SERVER, BUSY]),
        order(),
        order(),
    ]);
    let uncertainty = |begins: bool, ends: bool| {
        let mut recorded = Orders::of(&trace);
        if begins {
            recorded.begin(at(0), 10);
        }
        recorded.expect(at(0), 11, EventKindId(STATE), Vec::new());
        if ends {
            recorded.end(at(2), 12);
        }
        // The next one has neither orders nor records.
        recorded.begin(at(3), 13);
        let results = recorded.run();
        assert_eq!(results.len(), 1);
        results[0].uncertainty
    };
    assert_eq!(uncertainty(true, true), None);
    assert_eq!(uncertainty(false, true), Some(Uncertainty::NoBeginning));
    assert_eq!(uncertainty(true, false), Some(Uncertainty::NoEnd));
    let mut recorded = Orders::of(&trace);
    recorded.verify(at(0), 1);
    recorded.end(at(2), 2);
    assert!(recorded.run().is_empty());
}

#[test]
fn each_record_of_a_live_target_is_answered() {
    let trace = trace(&[
        scripted_event(STATE, &[SERVER, BUSY]),
        order(),
        order(),
        scripted_event(GET, &[SERVER, 0, 0]),
        scripted_event(STATE, &[SERVER, IDLE]),
        scripted_event(TRN, &[SERVER, BUSY, BUSY]),
        order(),
        scripted_event(STATE, &[SERVER, BUSY]),
    ]);
    let answers = |state: u64| {
        let mut orders = Orders::of(&trace);
        orders.begin(at(1), 10);
        let arguments = expected(&[("nxtst", &[state])]);
        orders.expect(at(2), 11, EventKindId(STATE), arguments);
        orders.ignore(at(2), 12, EventKindId(TRN));
        orders.end(at(6), 14);
        orders.answers()
    };
    let success = |line| RecordAnswer {
        line,
        failure: None,
    };
    let lines = [10, 12, 0, 0, 0, 14, 0];
    assert_eq!(answers(IDLE), lines.map(success));
    let failing = answers(BUSY);
    let failures: Vec<_> = failing.iter().map(|it| it.failure.is_some()).collect();
    assert_eq!(failures, [false, false, false, true, true, true, false]);
    assert!(failing[3..6].iter().all(|answer| answer.line == 11));
}
