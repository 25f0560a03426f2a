use super::*;
use crate::fixture::{FIRST_THREAD, Fixture, waiting};
use crate::report::Scope;
use crate::schedule::Running;
use rtoscope_trace::{ContextId, WaitReason};

const OTHER: ContextId = ContextId(FIRST_THREAD.0 + 1);

/// A thread that is due every 20 ticks: it starts on time, is preempted the second time,
/// starts 5 ticks late the third time, and is still ready at the end.
fn fixture() -> Fixture {
    let sleep = waiting(WaitReason::Sleep, None);
    let (ready, running) = (ThreadState::Ready, ThreadState::Running);
    let [thread, other] = [FIRST_THREAD, OTHER].map(Running::context);
    let slices = [
        (0, other),
        (10, thread),
        (14, other),
        (38, thread),
        (42, other),
        (55, thread),
        (59, other),
    ];
    let states = [
        (0, sleep, true),
        (10, ready, true),
        (10, running, true),
        (14, sleep, true),
        (30, ready, true),
        (38, running, true),
        (42, sleep, true),
        (55, ready, true),
        (55, running, true),
        (59, sleep, true),
        (75, ready, true),
    ];
    Fixture::empty(100, 2)
        .with_core(0, &slices)
        .with_thread(FIRST_THREAD, &states)
}

fn check(fixture: &Fixture, deadline: Deadline) -> DeadlineRow {
    let scope = Scope::default();
    let mut view = fixture.view(&scope);
    let all = [deadline];
    view.deadlines = &all;
    deadlines(&view).remove(0)
}

fn declared(period: Option<u64>, jitter: Option<u64>, deadline: Option<u64>) -> Deadline {
    Deadline {
        name: "sampling".to_owned(),
        source: ActivationSource::Thread(FIRST_THREAD),
        period: period.map(Ticks),
        jitter: jitter.map(Ticks),
        deadline: deadline.map(Ticks),
    }
}

/// Limit, event, observed ticks, limit in ticks, and the cause.
type Summary<'r> = (&'r str, u32, u64, u64, &'r str);

fn summary(row: &DeadlineRow) -> Vec<Summary<'_>> {
    let miss = |it: &'_ DeadlineMiss| (it.limit, it.event, it.observed_ticks, it.limit_ticks);
    let causes = row.misses.iter().map(|it| it.cause.as_str());
    let misses = row.misses.iter().map(miss).zip(causes);
    misses.map(|((a, b, c, d), e)| (a, b, c, d, e)).collect()
}

#[test]
fn a_slow_response_has_the_largest_delay_as_its_cause() {
    let row = check(&fixture(), declared(None, None, Some(10)));
    let expected = [
        ("deadline", 30, 12, 10, "preempted by 0x101 for 8 ticks"),
        // It lasts until the end of the trace.
        ("deadline", 75, 25, 10, "preempted by 0x101 for 25 ticks"),
    ];
    assert_eq!(summary(&row), expected);
    assert_eq!((row.judged, row.unjudged), (4, 0));
    assert_eq!(row.verdict, DeadlineVerdict::Missed);
    // 4 ticks of CPU time alone exceed this limit.
    let row = check(&fixture(), declared(None, None, Some(3)));
    assert_eq!(row.misses[1].cause, "it ran itself for 4 ticks");
}

#[test]
fn a_period_has_a_maximum_or_a_tolerance() {
    let row = check(&fixture(), declared(Some(20), None, None));
    let late = "started 5 ticks late: waiting (sleep) for 5 ticks";
    assert_eq!(summary(&row), [("period", 55, 25, 20, late)]);
    let row = check(&fixture(), declared(Some(20), Some(5), None));
    assert_eq!((row.verdict, row.judged), (DeadlineVerdict::Met, 3));
    let row = check(&fixture(), declared(Some(24), Some(1), None));
    let early = "started 4 ticks early";
    assert_eq!(
        summary(&row),
        [("period", 30, 20, 23, early), ("period", 75, 20, 23, early)]
    );
}

#[test]
fn what_is_not_recorded_is_not_judged() {
    let mut fixture = fixture();
    let states = &mut fixture.schedule.threads[FIRST_THREAD.index()];
    states.truncate(8);
    states.push(crate::schedule::ThreadStateInterval {
        start: Ticks(58),
        event: EventIndex(58),
        state: ThreadState::Unknown,
        interrupt: false,
        start_known: false,
    });
    let row = check(&fixture, declared(None, None, Some(20)));
    assert_eq!((row.judged, row.unjudged), (2, 1));
    assert_eq!(row.verdict, DeadlineVerdict::Unknown);
    let nothing = check(&Fixture::empty(9, 1), declared(None, None, Some(20)));
    assert_eq!(nothing.verdict, DeadlineVerdict::Unknown);
}
