use super::*;
use crate::fixture::{FIRST_THREAD, Fixture, waiting};
use crate::schedule::{IsrActivation, IsrActivationId, Running, ThreadState, Transfer};
use rtoscope_trace::{Address, Contexts, ObjectClass, Resource};

const HIGH: ContextId = FIRST_THREAD;
const MIDDLE: ContextId = ContextId(FIRST_THREAD.0 + 1);
const LOW: ContextId = ContextId(FIRST_THREAD.0 + 2);
const READY: ThreadState = ThreadState::Ready;
const RUNNING: ThreadState = ThreadState::Running;
const UNKNOWN: ThreadState = ThreadState::Unknown;
const RUNS: PathCause = PathCause::Delay(DelayCause::Running);

fn isr(start: u64, end: u64) -> IsrActivation {
    IsrActivation {
        number: Some(7),
        core: 0,
        depth: 1,
        interrupted: LOW,
        first: EventIndex(start as u32),
        last: EventIndex(end as u32),
        entered: true,
        exited: true,
        start: Ticks(start),
        end: Ticks(end),
        nested: Ticks(0),
    }
}

fn resource(class: ObjectClass) -> Resource {
    Resource::new(class, Address(0x900))
}

fn path_with(fixture: &Fixture, event: u32, options: CriticalPathOptions) -> CriticalPath {
    let finder = CriticalPathFinder::new(&fixture.trace, &fixture.schedule, &fixture.active);
    let path = finder.path(EventIndex(event), options).unwrap();
    let mut at = path.start;
    for segment in &path.segments {
        assert_eq!(segment.start, at, "{:?}", path.segments);
        at = segment.end;
    }
    assert_eq!(at, path.end);
    path
}

fn path(fixture: &Fixture, event: u32) -> CriticalPath {
    path_with(fixture, event, CriticalPathOptions::default())
}

type SegmentSummary = (u64, u64, PathContext, PathCause);

fn steps(path: &CriticalPath) -> Vec<SegmentSummary> {
    let all = path.segments.iter();
    all.map(|it| (it.start.0, it.end.0, it.context, it.cause))
        .collect()
}

const fn thread(id: ContextId) -> PathContext {
    PathContext::Context(id)
}

const fn by(cause: DelayCause) -> PathCause {
    PathCause::Delay(cause)
}

/// An interrupt gives a semaphore to HIGH, which blocks on a mutex of LOW, which MIDDLE
/// preempts.
fn inversion() -> Fixture {
    let [high, middle, low] = [HIGH, MIDDLE, LOW].map(Running::context);
    let slices = [
        (0, low),
        (10, Running::isr(IsrActivationId(0))),
        (14, high),
        (20, low),
        (30, middle),
        (50, low),
        (55, high),
    ];
    let contexts = [(12, Contexts::INTERRUPT), (20, HIGH), (55, LOW), (60, HIGH)];
    let mut fixture = Fixture::empty(70, 3)
        .with_event_contexts(&contexts)
        .with_core(0, &slices)
        .with_thread(
            HIGH,
            &[
                (0, waiting(WaitReason::Semaphore, Some(1)), true),
                (12, READY, true),
                (14, RUNNING, true),
                (20, waiting(WaitReason::Mutex, Some(0)), true),
                (55, READY, true),
                (55, RUNNING, true),
            ],
        )
        .with_thread(
            MIDDLE,
            &[
                (0, waiting(WaitReason::Sleep, None), true),
                (30, READY, true),
                (30, RUNNING, true),
                (50, waiting(WaitReason::Sleep, None), true),
            ],
        )
        .with_thread(
            LOW,
            &[
                (0, RUNNING, false),
                (14, READY, true),
                (20, RUNNING, true),
                (30, READY, true),
                (50, RUNNING, true),
                (55, READY, true),
            ],
        );
    let schedule = &mut fixture.schedule;
    schedule.resources.push(resource(ObjectClass::Mutex));
    schedule.resources.push(resource(ObjectClass::Semaphore));
    schedule.activations.push(isr(10, 14));
    fixture
}

#[test]
fn a_window_goes_beyond_the_first_cause() {
    let fixture = inversion();
    let options = |from| CriticalPathOptions {
        from: Some(Ticks(from)),
        ..CriticalPathOptions::default()
    };
    let early = path_with(&fixture, 60, options(4));
    let wait = by(DelayCause::Waiting {
        wait_reason: WaitReason::Semaphore,
        resource: Some(ResourceId(1)),
        owner: None,
    });
    assert_eq!(steps(&early)[0], (4, 10, thread(HIGH), wait));
    assert_eq!(early.origin, PathOrigin::Window);
    let late = path_with(&fixture, 60, options(25));
    assert_eq!(steps(&late)[0], (25, 30, thread(LOW), RUNS));
    assert_eq!((late.start, late.segments.len()), (Ticks(25), 4));
}

#[test]
fn the_number_of_segments_is_limited() {
    let fixture = inversion();
    let options = CriticalPathOptions {
        max_segments: 3,
        ..CriticalPathOptions::default()
    };
    let path = path_with(&fixture, 60, options);
    assert_eq!(path.origin, PathOrigin::Limit);
    assert_eq!(path.segments.len(), 3);
    assert_eq!(path.start, Ticks(30));
}

/// An interrupt sends to LOW, that to MIDDLE, and that to HIGH; each waits for a message.
fn chain() -> Fixture {
    let [high, middle, low] = [HIGH, MIDDLE, LOW].map(Running::context);
    let idle = Running::context(Contexts::IDLE);
    let slices = [
        (0, idle),
        (10, Running::isr(IsrActivationId(0))),
        (14, low),
        (22, middle),
        (31, high),
    ];
    let contexts = [
        (13, Contexts::INTERRUPT),
        (22, LOW),
        (31, MIDDLE),
        (40, HIGH),
    ];
    let queue = |queue| waiting(WaitReason::Queue, Some(queue));
    let states = |queue, resumed, runs| {
        [
            (0, queue, true),
            (resumed, READY, true),
            (runs, RUNNING, true),
        ]
    };
    let mut fixture = Fixture::empty(50, 3)
        .with_event_contexts(&contexts)
        .with_core(0, &slices)
        .with_thread(LOW, &states(queue(0), 13, 14))
        .with_thread(MIDDLE, &states(queue(1), 22, 22))
        .with_thread(HIGH, &states(queue(2), 31, 31));
    let schedule = &mut fixture.schedule;
    for (at, (putter, take)) in (0..).zip([
        (Contexts::INTERRUPT, (LOW, 13)),
        (LOW, (MIDDLE, 22)),
        (MIDDLE, (HIGH, 31)),
    ]) {
        schedule.resources.push(resource(ObjectClass::Queue));
        schedule.transfers.push(Transfer {
            resource: ResourceId(at),
            put: EventIndex(take.1 - 1),
            take: EventIndex(take.1),
            putter,
            taker: take.0,
        });
    }
    schedule.activations.push(isr(10, 14));
    fixture
}

#[test]
fn what_is_not_recorded_ends_the_path() {
    let mut fixture = chain();
    // The resumption of LOW is not recorded: it was found to run.
    fixture = fixture.with_thread(
        LOW,
        &[
            (0, UNKNOWN, true),
            (5, waiting(WaitReason::Queue, Some(0)), true),
            (14, RUNNING, false),
        ],
    );
    let wait = by(DelayCause::Waiting {
        wait_reason: WaitReason::Queue,
        resource: Some(ResourceId(0)),
        owner: None,
    });
    let found = path(&fixture, 40);
    assert_eq!(found.origin, PathOrigin::ResumptionNotRecorded);
    assert_eq!(steps(&found)[0], (5, 14, thread(LOW), wait));
    fixture = fixture.with_thread(LOW, &[(0, UNKNOWN, true), (16, RUNNING, false)]);
    let found = path(&fixture, 40);
    assert_eq!(found.origin, PathOrigin::NotRecorded);
    assert_eq!(steps(&found)[0], (16, 22, thread(LOW), RUNS));
    // No entry of the interrupt.
    fixture = chain();
    fixture
        .schedule
        .activations
        .update(0, |isr| isr.entered = false);
    let found = path(&fixture, 40);
    assert_eq!(found.origin, PathOrigin::InterruptEntryNotRecorded);
    // Idle has no cause.
    assert_eq!(path(&fixture, 2).origin, PathOrigin::NotRecorded);
    let finder = CriticalPathFinder::new(&fixture.trace, &fixture.schedule, &fixture.active);
    let none = finder.path(EventIndex(51), CriticalPathOptions::default());
    assert_eq!(none, None);
}

#[test]
fn room_in_a_queue_is_given_back() {
    // LOW waits for room until MIDDLE, which has run meanwhile, takes a message.
    let [middle, low] = [MIDDLE, LOW].map(Running::context);
    let mut fixture = Fixture::empty(50, 3)
        .with_event_contexts(&[(20, MIDDLE), (30, LOW)])
        .with_core(0, &[(0, low), (10, middle), (20, low)])
        .with_thread(
            MIDDLE,
            &[(0, READY, true), (10, RUNNING, true), (20, READY, true)],
        )
        .with_thread(
            LOW,
            &[
                (0, RUNNING, true),
                (10, waiting(WaitReason::Queue, Some(0)), true),
                (20, READY, true),
                (20, RUNNING, true),
            ],
        );
    fixture
        .schedule
        .resources
        .push(resource(ObjectClass::Queue));
    let found = path(&fixture, 30);
    let expected = [
        (0, 10, thread(LOW), RUNS),
        (10, 20, thread(MIDDLE), RUNS),
        (20, 30, thread(LOW), RUNS),
    ];
    assert_eq!(steps(&found), expected);
    assert_eq!(found.origin, PathOrigin::TraceStart);
}
