//! Tests in a recording.

use super::*;
use crate::sequence::unit_tests::{EndedTest, RecordAnswer, TargetTests};
use DirectiveKind::{Begin, End, Ignore, IgnoreArgument, IgnoreComponent, Verify};
use rtoscope_trace::EventIndex;
use rtoscope_trace::unit_test::{ArgumentExpectation, DirectiveKind, TestDirective};

/// An event with an order.
const ORDER: u32 = 0xE0;

fn order() -> ScriptedEvent {
    scripted_event(ORDER, &[])
}

fn expected(arguments: &[(&str, &[u64])]) -> Vec<ArgumentExpectation> {
    let argument = |(name, values): &(&str, &[u64])| ArgumentExpectation {
        name: (*name).to_owned(),
        values: values.to_vec(),
    };
    arguments.iter().map(argument).collect()
}

/// An order at an event, on a line of the target's program.
fn at(event: u32, line: u32, kind: DirectiveKind) -> TestDirective {
    TestDirective {
        event: EventIndex(event),
        line,
        kind,
    }
}

fn expect(kind: u32, arguments: &[(&str, &[u64])]) -> DirectiveKind {
    DirectiveKind::Expect(EventKindId(kind), expected(arguments))
}

fn run(trace: &Trace, orders: &[TestDirective]) -> Vec<EndedTest> {
    let mut tests = TargetTests::new("sm", false);
    tests.push(trace, 0, orders.to_vec(), |answer| panic!("{answer:?}"));
    tests.end(trace)
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
        let mut orders = vec![
            at(0, 10, Begin),
            at(1, 11, expect(TRN, &trn)),
            at(4, 12, expect(STATE, &[("nxtst", state)])),
        ];
        orders.extend(ignored.then(|| at(5, 13, IgnoreArgument(EventKindId(STATE), 0))));
        orders.push(at(7, 14, End));
        self::run(&trace, &orders).remove(0)
    };
    assert_eq!(run(&[BUSY], false).result.problem(), None);
    assert_eq!(run(&[IDLE], true).result.problem(), None);
    let failed = run(&[IDLE], false);
    assert_eq!((failed.line, failed.answer_line), (10, 12));
    let difference = failed.result.difference.unwrap();
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
    let orders = [
        at(0, 10, Begin),
        at(2, 11, expect(STATE, &[])),
        at(3, 12, Verify),
    ];
    let result = run(&trace, &orders).remove(0);
    let difference = result.result.difference.as_ref().unwrap();
    assert_eq!(difference.kind, DifferenceKind::Extra);
    assert_eq!(result.answer_line, 10);
}

#[test]
fn open_expectations_fail_at_the_check() {
    let trace = trace(&[
        order(),
        order(),
        order(),
        scripted_event(STATE, &[SERVER, BUSY]),
    ]);
    let orders = [
        at(0, 10, Begin),
        at(1, 11, expect(STATE, &[])),
        at(2, 12, Verify),
    ];
    let result = run(&trace, &orders).remove(0);
    let difference = result.result.difference.as_ref().unwrap();
    assert_eq!(
        (difference.kind, difference.line),
        (DifferenceKind::Missing, 11)
    );
    assert_eq!(
        (result.result.outcome(), result.answer_line),
        (RuleOutcome::Failed, 12)
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
        let ignored = match component {
            true => vec![IgnoreComponent("sm".to_owned())],
            false => [STATE, TRN].map(|it| Ignore(EventKindId(it))).to_vec(),
        };
        let mut orders = vec![at(0, 10, Begin)];
        orders.extend(ignored.into_iter().map(|kind| at(0, 11, kind)));
        // Stops ignoring the kind, but not the component.
        orders.extend([at(3, 13, expect(STATE, &[])), at(6, 14, End)]);
        run(&trace, &orders).remove(0)
    };
    assert_eq!(outcome(true).result.outcome(), RuleOutcome::Passed);
    let difference = outcome(false).result.difference.unwrap();
    let found = difference.found.map(|found| found.event);
    assert_eq!((difference.kind, found), (DifferenceKind::Extra, Some(5)));
}

#[test]
fn invalid_orders_fail_their_test() {
    let trace = trace(&[order(), order()]);
    let orders = [
        at(0, 10, Begin),
        at(0, 11, expect(STATE, &[("nxtst", &[1])])),
        at(0, 12, IgnoreArgument(EventKindId(TRN), 0)),
        at(0, 13, IgnoreArgument(EventKindId(STATE), usize::MAX)),
        at(1, 14, End),
    ];
    let difference = run(&trace, &orders).remove(0).result.difference.unwrap();
    assert_eq!(
        (difference.kind, difference.line),
        (DifferenceKind::Misuse, 12)
    );
    let problem = "cannot ignore argument 1 of SM.TRN: the last expectation has no such argument";
    assert_eq!(difference.expected, problem);
}

#[test]
fn tests_without_a_beginning_or_an_end_are_undecided() {
    let trace = trace(&[
        order(),
        scripted_event(STATE, &[SERVER, BUSY]),
        order(),
        order(),
    ]);
    let uncertainty = |begins: bool, ends: bool| {
        let mut orders: Vec<_> = begins.then(|| at(0, 10, Begin)).into_iter().collect();
        orders.push(at(0, 11, expect(STATE, &[])));
        orders.extend(ends.then(|| at(2, 12, End)));
        // The next one has neither orders nor records.
        orders.push(at(3, 13, Begin));
        let results = run(&trace, &orders);
        assert_eq!(results.len(), 1);
        results[0].result.uncertainty
    };
    assert_eq!(uncertainty(true, true), None);
    assert_eq!(uncertainty(false, true), Some(Uncertainty::NoBeginning));
    assert_eq!(uncertainty(true, false), Some(Uncertainty::NoEnd));
    assert!(run(&trace, &[at(0, 1, Verify), at(2, 2, End)]).is_empty());
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
        let orders = vec![
            at(1, 10, Begin),
            at(2, 11, expect(STATE, &[("nxtst", &[state])])),
            at(2, 12, Ignore(EventKindId(TRN))),
            at(6, 14, End),
        ];
        let mut answers = Vec::new();
        TargetTests::new("sm", true).push(&trace, 0, orders, |answer| answers.push(answer));
        answers
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
