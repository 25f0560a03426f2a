//! The events that each part of the language selects.

use super::super::{BoundFilter, Filter, FilterProblem};
use super::{passing, trace};
use crate::event::PriorityWord;
use crate::{ContextId, EventIndex, NoTime};

#[track_caller]
fn check(cases: &[(&str, &[u32])]) {
    for (text, expected) in cases {
        assert_eq!(passing(text), *expected, "{text}");
    }
}

#[test]
fn numbers() {
    check(&[
        ("event >= 0x4", &[4, 5]),
        ("event in 1..3", &[1, 2]),
        ("event in 1..=3", &[1, 2, 3]),
        ("event in 3..1", &[]),
        ("event in (5, 0, 9)", &[0, 5]),
        ("event < 0 or event > 18446744073709551615", &[]),
        ("core != 0", &[1, 3]),
        ("timestamp == 1_050 or timestamp == 1075", &[2, 3]),
        ("number == 5000", &[4]),
        ("info1 <= 1", &[2, 4, 5]),
        ("info4 & 0x30", &[4]),
        ("info3 & 0", &[]),
    ]);
}

#[test]
fn times() {
    check(&[
        ("time == 25", &[1]),
        ("time == 1us", &[1]),
        ("time == 1.02us", &[]),
        ("time <= 2us", &[0, 1, 2]),
        ("time < 2000ns", &[0, 1]),
        ("time > 0.000003s", &[4, 5]),
        ("time in 1\u{b5}s..3µs", &[1, 2]),
        ("time in 1us..=75", &[1, 2, 3]),
        ("time != 0.001ms", &[0, 2, 3, 4, 5]),
        ("time in (1us, 100)", &[1, 4]),
    ]);
    let mut trace = trace();
    trace.clock.set_frequency(None);
    let error = Filter::parse("core == 1 or time < 1ms")
        .unwrap()
        .bind(&trace)
        .unwrap_err();
    assert_eq!(
        error.problem(),
        &FilterProblem::NoTime(NoTime::UnknownFrequency)
    );
    assert_eq!(error.span(), 20..23);
    assert!(Filter::parse("time < 10").unwrap().bind(&trace).is_ok());
}

#[test]
fn contexts() {
    check(&[
        ("context == 'worker 1'", &[0]),
        ("context == 0x20001000", &[0]),
        ("context == interrupt", &[1, 4]),
        ("context == \"(interrupt)\"", &[1, 4]),
        ("context == Idle", &[2]),
        ("context in (initialize, idle)", &[2, 5]),
        ("context != interrupt", &[0, 2, 3, 5]),
        ("context ~ WORK", &[0]),
        ("context ~ 'worker ?'", &[0]),
        ("context !~ work*", &[1, 2, 3, 4, 5]),
        (r"context == 'caf\xe9\\x'", &[3]),
        (r"context == 'caf\\xe9\\\\x'", &[3]),
        ("context == 12345", &[]),
        ("interrupted == idle", &[4]),
        ("interrupted != idle", &[1]),
        ("not interrupted != idle", &[0, 2, 3, 4, 5]),
        ("interrupted ~ worker", &[1]),
    ]);
}

#[test]
fn kinds() {
    check(&[
        ("kind == TX_queue_SEND", &[0, 1]),
        ("kind == TX_TRACE_QUEUE_SEND", &[0, 1]),
        ("kind == 70000", &[2]),
        ("kind == 'event 5000'", &[4]),
        ("kind ~ tx_*_get", &[3, 5]),
        ("kind !~ tx_*_get", &[0, 1, 2, 4]),
        ("kind ~ trace_isr", &[2]),
        ("kind in (isr_enter, tx_mutex_get)", &[2, 3, 5]),
        ("kind=tx_*_get or kind = event.5000 # comment", &[3, 4, 5]),
        ("component == kernel", &[2]),
        ("component == unknown", &[4]),
        ("component != threadx", &[2, 4]),
        ("class == queue", &[0, 1]),
        ("class == event-flags", &[]),
        ("class != queue", &[3, 5]),
        ("class ~ *u*", &[0, 1, 3, 5]),
    ]);
}

#[test]
fn objects() {
    check(&[
        ("object == 'rx queue'", &[0, 1]),
        ("object == 0x2000_0100", &[0, 1]),
        ("object == 'worker 1'", &[3]),
        ("object == shadow", &[]),
        ("object != bus", &[0, 1, 5]),
        ("object ~ b?s", &[3]),
        ("object == none", &[5]),
        ("object in (none, bus)", &[3, 5]),
        ("object !~ *", &[]),
    ]);
}

#[test]
fn texts() {
    check(&[
        // Kind, object class.
        ("MUTEX", &[3, 5]),
        ("mutex get", &[3, 5]),
        ("tx_*_get", &[3, 5]),
        ("kernel", &[2]),
        // Context, interrupted context, object.
        ("worker", &[0, 1, 3]),
        ("'worker 1' not_there", &[]),
        ("bus", &[3]),
        ("idle", &[2, 4]),
        // Other arguments, by what they show.
        ("forever", &[0]),
        ("0x2000_0100", &[0, 1]),
        ("100", &[3]),
        // No null pointer, although it shows `none`.
        ("non", &[]),
        ("queue and not worker", &[]),
        ("queue and not interrupt", &[0]),
        ("not (queue or mutex)", &[2, 4]),
        ("(bus) or core == 0 and queue", &[0, 3]),
        ("'core'", &[]),
        ("core queue", &[]),
    ]);
    assert_eq!(
        Filter::parse("queue send or Core x").unwrap().to_string(),
        "queue and send or \"Core\" and x"
    );
}

#[test]
fn a_field_alone_is_no_text() {
    for text in [
        "core",
        "queue and kind",
        "(context)",
        "arg.",
        "object or mutex",
    ] {
        assert!(Filter::parse(text).is_err(), "{text}");
    }
}

#[test]
fn named_arguments() {
    check(&[
        ("arg.wait_option == 0xffffffff", &[0]),
        ("arg.Wait_Option == tx_wait_forever", &[0]),
        ("arg.\"wait option\" == TX_NO_WAIT", &[1, 5]),
        ("arg.wait_option != 0", &[0, 3]),
        ("arg.wait_option in 1..=100", &[3]),
        ("arg.wait_option in (TX_NO_WAIT, 100)", &[1, 3, 5]),
        ("arg.wait_option ~ forever", &[0]),
        ("arg.wait_option & 0xf", &[0, 3]),
        ("arg.queue == 'rx queue'", &[0, 1]),
        ("arg.owner == 'worker 1'", &[3]),
        ("arg.owner == none", &[5]),
        ("arg.peer == 10.0.0.1", &[3]),
        ("arg.wait_option = *", &[0, 1, 3, 5]),
        ("arg.wait_option == -1", &[0]),
        ("arg.owner = work*", &[3]),
        ("not arg.source > 0", &[2, 3, 4, 5]),
    ]);
}

#[test]
fn missing_fields_satisfy_no_comparison() {
    check(&[
        ("priority == 3", &[0]),
        ("priority != 3", &[3]),
        ("not priority == 3", &[1, 2, 3, 4, 5]),
        ("threshold != 9", &[0]),
        ("threshold >= 0 or threshold < 5", &[0]),
    ]);
}

#[test]
fn operators_bind_as_written() {
    check(&[
        ("event == 0 or event == 1 and core == 0", &[0]),
        ("(event == 0 or event == 1) and core == 0", &[0]),
        ("(event == 0 || event == 1) && core == 1", &[1]),
        ("not event == 0 and core == 0", &[2, 4, 5]),
        ("!(event == 0 AND core == 0)", &[1, 2, 3, 4, 5]),
        ("!!event==0", &[0]),
    ]);
}

#[test]
fn numbers_after_the_last_event_do_not_match() {
    let trace = trace();
    let bound = Filter::parse("not event == 0").unwrap();
    let bound = bound.bind(&trace).unwrap();
    assert!(!bound.matches(EventIndex(6)) && !bound.matches(EventIndex(u32::MAX)));
    assert!(bound.matches(EventIndex(5)));
    let of = |bound: BoundFilter<'_>| bound.trace().events.len();
    assert_eq!(of(bound), 6);
}

#[test]
fn unknown_interrupted_contexts_are_missing_fields() {
    let mut trace = trace();
    let interrupted = PriorityWord::interrupted(ContextId(999));
    trace
        .events
        .edit(|columns| columns.priority_word[1] = interrupted);
    let filter = Filter::parse("interrupted != idle").unwrap();
    assert_eq!(filter.bind(&trace).unwrap().matching().count(), 0);
}
