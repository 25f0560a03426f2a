use super::*;
use crate::active::{Post, PostId, RtcStep, StateInterval, StepEnding, StepId};
use crate::fixture::{FIRST_THREAD, Fixture, waiting};
use crate::report::Scope;
use crate::schedule::Running;
use rtoscope_trace::active_object::StepOutcome;
use rtoscope_trace::{Address, ContextId, Endpoint, Signal, Vertex, WaitReason};

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
    let miss = |it: &'_ DeadlineMiss| (it.limit, it.event, it.observed, it.allowed);
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
    *states = states.range(0..8).collect();
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

/// An active object that handles three events of another one. The second is queued while
/// it handles the first, and then while the other runs; the third is posted late. The
/// second moves it to another state, the third back.
fn active_fixture() -> Fixture {
    let queue = waiting(WaitReason::Queue, None);
    let (ready, running) = (ThreadState::Ready, ThreadState::Running);
    let [object, other] = [FIRST_THREAD, OTHER].map(Running::context);
    let slices = [
        (0, other),
        (10, object),
        (20, other),
        (35, object),
        (45, other),
        (62, object),
        (65, other),
    ];
    let states = [
        (0, queue, true),
        (5, ready, true),
        (10, running, true),
        (20, ready, true),
        (35, running, true),
        (45, queue, true),
        (60, ready, true),
        (62, running, true),
        (65, queue, true),
    ];
    let mut fixture = Fixture::empty(100, 2)
        .with_core(0, &slices)
        .with_thread(FIRST_THREAD, &states);
    let active = &mut fixture.active;
    active.objects = vec![FIRST_THREAD];
    let steps = [(5, 10, 20), (12, 35, 45), (60, 62, 65)];
    for ((posted, start, end), id) in steps.into_iter().zip(0..) {
        active.posts.push(Post {
            event: EventIndex(posted),
            time: Ticks(posted.into()),
            to: FIRST_THREAD,
            signal: Signal(1),
            from: Endpoint::Object(OTHER),
            front: false,
            queued: None,
            recalled: false,
            step: Some(StepId(id)),
        });
        active.steps.push(RtcStep {
            object: FIRST_THREAD,
            signal: Some(Signal(1)),
            initial: false,
            post: Some(PostId(id)),
            first: EventIndex(start),
            last: EventIndex(end),
            start: Ticks(start.into()),
            end: Ticks(end.into()),
            ending: StepEnding::Recorded(StepOutcome::Processed),
            guards_false: 0,
            before: None,
            after: None,
        });
    }
    active.state_intervals = vec![Vec::new(); FIRST_THREAD.index()];
    let interval = |(state, start, end): (Vertex, u32, u32)| StateInterval {
        state,
        first: EventIndex(start),
        start: Ticks(start.into()),
        end: Ticks(end.into()),
        complete: true,
    };
    let intervals = [(IDLE, 15, 40), (BUSY, 40, 63), (IDLE, 63, 100)];
    active
        .state_intervals
        .push(intervals.map(interval).to_vec());
    fixture
}

const IDLE: Vertex = Vertex(Address(0x10));
const BUSY: Vertex = Vertex(Address(0x20));

fn check_active(source: ActivationSource, limits: [Option<u64>; 2]) -> DeadlineRow {
    let [period, deadline] = limits;
    let limits = declared(period, None, deadline);
    check(&active_fixture(), Deadline { source, ..limits })
}

#[test]
fn a_step_is_late_by_its_post_its_queue_or_itself() {
    let step = ActivationSource::Dispatch(FIRST_THREAD);
    let row = check_active(step, [Some(20), None]);
    let queued = "started 5 ticks late: the event was queued while 0x101 ran for 5 ticks";
    let posted = "started 7 ticks late: waited for signal 1 from 0x101 for 5 ticks";
    let expected = [
        ("period", 35, 25, 20, queued),
        ("period", 62, 27, 20, posted),
    ];
    assert_eq!(summary(&row), expected);
    let row = check_active(step, [None, Some(20)]);
    let queued = "the event was queued while 0x101 ran for 15 ticks";
    assert_eq!(summary(&row), [("deadline", 35, 33, 20, queued)]);
    let [miss] = &row.misses[..] else {
        panic!("one miss")
    };
    assert_eq!(miss.culprit.as_deref(), Some("0x101"));
    let causes: Vec<_> = miss
        .causes
        .iter()
        .map(|it| (&*it.cause, it.duration))
        .collect();
    let earlier = "the event was queued while earlier ones were handled";
    let expected = [
        ("the event was queued while 0x101 ran", 15),
        ("the step lasted", 10),
        (earlier, 8),
    ];
    assert_eq!(causes, expected);
    // The step alone exceeds this limit.
    let row = check_active(step, [None, Some(9)]);
    assert_eq!(row.misses[1].cause, "the step lasted for 10 ticks");
    assert_eq!(row.misses[1].culprit, None);
}

#[test]
fn a_state_is_late_by_the_step_that_enters_or_leaves_it() {
    let busy = ActivationSource::State(FIRST_THREAD, BUSY);
    let row = check_active(busy, [None, Some(10)]);
    let cause = "waited for signal 1 from 0x101 for 20 ticks";
    assert_eq!(summary(&row), [("deadline", 40, 23, 10, cause)]);
    assert_eq!(row.misses[0].culprit.as_deref(), Some("0x101"));
}

#[test]
fn a_late_event_without_evidence_says_so() {
    let fixture = fixture();
    let kind = fixture.trace.events.kind(EventIndex(1)).unwrap();
    let source = ActivationSource::Event(kind);
    let limits = declared(Some(1), Some(0), None);
    let row = check(&fixture, Deadline { source, ..limits });
    assert_eq!(row.misses.len(), 0);
    let limits = declared(Some(0), Some(0), None);
    let row = check(&fixture, Deadline { source, ..limits });
    let cause = "started 1 tick late: the cause is not recorded";
    assert_eq!(row.misses[0].cause, cause);
    assert_eq!(row.misses[0].culprit, None);
}

#[test]
fn verdicts_on_activations_agree_with_the_row() {
    use DeadlineVerdict::{Met, Missed};
    let fixture = fixture();
    let scope = Scope::default();
    let mut view = fixture.view(&scope);
    let both = [
        declared(Some(20), None, Some(10)),
        declared(None, None, Some(30)),
    ];
    view.deadlines = &both;
    let verdicts = verdicts(&view);
    let events = |all: &[(EventIndex, DeadlineVerdict)]| -> Vec<_> {
        all.iter()
            .map(|(event, verdict)| (event.0, *verdict))
            .collect()
    };
    // The first has no period; those of 55 and 75 miss the period and the response.
    let expected = [(10, Met), (30, Missed), (55, Missed), (75, Missed)];
    assert_eq!(events(&verdicts[0]), expected);
    // The last one is not due.
    assert_eq!(events(&verdicts[1]), [(10, Met), (30, Met), (55, Met)]);
}
