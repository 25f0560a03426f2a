use super::*;
use crate::fixture::switch_log::{
    A, B, DISABLE, RESTORE, SLEEP, enter, exit, on_one_core, resume, resume_preempted,
};
use crate::fixture::{FIRST_THREAD, Fixture, switch_log, waiting};
use crate::report::Scope;
use crate::schedule::{
    InterruptsOffEnding, IsrActivation, IsrActivationId, LockEnding, MutexHold, Running,
};
use rtoscope_trace::{Address, Resource};

const OTHER: ContextId = ContextId(FIRST_THREAD.0 + 1);
const READY: ThreadState = ThreadState::Ready;
const RUNNING: ThreadState = ThreadState::Running;

fn parts(fixture: &Fixture, window: Range<u64>) -> Vec<(u64, u64, DelayCause)> {
    let causes = DelayCauses::new(&fixture.trace, &fixture.schedule);
    let parts = causes.breakdown(FIRST_THREAD, window);
    parts
        .iter()
        .map(|it| (it.start.0, it.end.0, it.cause))
        .collect()
}

/// The thread waits for a mutex, is preempted, runs, is interrupted.
fn fixture() -> Fixture {
    let [thread, other] = [FIRST_THREAD, OTHER].map(Running::context);
    let isr = Running::isr(IsrActivationId(0));
    let slices = [
        (0, thread),
        (10, other),
        (40, thread),
        (50, isr),
        (55, thread),
    ];
    let mutex = waiting(WaitReason::Mutex, Some(0));
    let states = [
        (0, RUNNING, true),
        (10, mutex, true),
        (30, READY, true),
        (40, RUNNING, true),
    ];
    let mut fixture = Fixture::empty(60, 2)
        .with_core(0, &slices)
        .with_thread(FIRST_THREAD, &states);
    let schedule = &mut fixture.schedule;
    schedule
        .resources
        .push(Resource::new(ObjectClass::Mutex, Address(0x900)));
    schedule.mutex_holds.push(MutexHold {
        resource: ResourceId(0),
        owner: OTHER,
        start: Ticks(5),
        end: Ticks(28),
        first: EventIndex(5),
        last: EventIndex(28),
        start_known: true,
        ending: LockEnding::Done,
        contended: false,
    });
    schedule.activations.push(IsrActivation {
        number: Some(7),
        core: 0,
        depth: 1,
        interrupted: FIRST_THREAD,
        first: EventIndex(50),
        last: EventIndex(55),
        entered: true,
        exited: true,
        start: Ticks(50),
        end: Ticks(55),
        nested: Ticks(0),
    });
    fixture
}

fn mutex_wait(owner: Option<ContextId>) -> DelayCause {
    DelayCause::Waiting {
        wait_reason: WaitReason::Mutex,
        resource: Some(ResourceId(0)),
        owner,
    }
}

#[test]
fn an_interval_is_divided_by_cause() {
    let fixture = fixture();
    let expected = [
        (8, 10, DelayCause::Running),
        (10, 28, mutex_wait(Some(OTHER))),
        (28, 30, mutex_wait(None)),
        (30, 40, DelayCause::PreemptedBy(OTHER)),
        (40, 50, DelayCause::Running),
        (50, 55, DelayCause::InterruptedBy(Some(7))),
        (55, 60, DelayCause::Running),
        (60, 70, DelayCause::Unknown),
    ];
    assert_eq!(parts(&fixture, 8..70), expected);
    let causes = DelayCauses::new(&fixture.trace, &fixture.schedule);
    let totals = DelayCauses::totals(&causes.breakdown(FIRST_THREAD, 8..70));
    let totals: Vec<_> = totals.iter().map(|it| (it.cause, it.ticks.0)).collect();
    assert_eq!(
        totals,
        [
            (mutex_wait(Some(OTHER)), 18),
            (DelayCause::Running, 17),
            (DelayCause::PreemptedBy(OTHER), 10),
            (DelayCause::Unknown, 10),
            (DelayCause::InterruptedBy(Some(7)), 5),
            (mutex_wait(None), 2),
        ]
    );
}

#[test]
fn interrupts_off_delay_what_does_not_wait_for_a_mutex() {
    let mut fixture = fixture();
    fixture.schedule.interrupts_off.push(InterruptsOffSection {
        core: 0,
        context: OTHER,
        activation: None,
        start: Ticks(20),
        end: Ticks(35),
        first: EventIndex(20),
        last: EventIndex(35),
        nested: 0,
        start_known: true,
        ending: InterruptsOffEnding::Restored,
    });
    let expected = [
        (20, 28, mutex_wait(Some(OTHER))),
        (28, 30, mutex_wait(None)),
        (30, 35, DelayCause::InterruptsOff(0)),
        (35, 40, DelayCause::PreemptedBy(OTHER)),
    ];
    assert_eq!(parts(&fixture, 20..40), expected);
}

#[test]
fn without_evidence_the_cause_is_unknown() {
    let states = [(10, ThreadState::Unknown, false)];
    let fixture = Fixture::empty(60, 2)
        .with_core(0, &[(0, Running::context(OTHER))])
        .with_thread(FIRST_THREAD, &states);
    assert_eq!(parts(&fixture, 5..20), [(5, 20, DelayCause::Unknown)]);
    assert_eq!(parts(&Fixture::empty(9, 1), 3..3), []);
}

#[test]
fn of_several_cores_the_one_that_runs_the_thread_next_counts() {
    let [thread, other] = [FIRST_THREAD, OTHER].map(Running::context);
    let idle = Running::context(Contexts::IDLE);
    let fixture = Fixture::empty(60, 2)
        .with_core(0, &[(0, thread), (10, idle)])
        .with_core(1, &[(0, other), (30, thread), (40, other)])
        .with_thread(
            FIRST_THREAD,
            &[
                (0, RUNNING, true),
                (10, READY, true),
                (30, RUNNING, true),
                (40, READY, true),
            ],
        );
    let expected = [
        (0, 10, DelayCause::Running),
        (10, 30, DelayCause::PreemptedBy(OTHER)),
        (30, 40, DelayCause::Running),
        (40, 60, DelayCause::PreemptedBy(OTHER)),
    ];
    assert_eq!(parts(&fixture, 0..60), expected);
    // Also if the thread does not run in the interval.
    assert_eq!(parts(&fixture, 45..50), [(45, 50, expected[3].2)]);
}

#[test]
fn a_log_without_states_says_what_ran_instead() {
    let log = on_one_core(&[
        (0, resume(A)),
        (10, resume(B)),
        (12, DISABLE),
        (15, RESTORE),
        (20, enter(0)),
        (24, exit(0)),
        (30, SLEEP),
        (40, resume(A)),
        (50, SLEEP),
    ]);
    switch_log::with_view(&log, false, &Scope::default(), |view| {
        let causes = DelayCauses::new(view.trace, view.schedule);
        let parts = causes.breakdown(A, 0..50);
        let parts: Vec<_> = parts
            .iter()
            .map(|it| (it.start.0, it.end.0, it.cause))
            .collect();
        let expected = [
            (0, 10, DelayCause::Running),
            (10, 12, DelayCause::OffCore(B)),
            (12, 15, DelayCause::InterruptsOff(0)),
            (15, 20, DelayCause::OffCore(B)),
            (20, 24, DelayCause::InterruptedBy(Some(0))),
            (24, 30, DelayCause::OffCore(B)),
            (30, 40, DelayCause::OffCore(Contexts::IDLE)),
            (40, 50, DelayCause::Running),
        ];
        assert_eq!(parts, expected);
    });
}

#[test]
fn a_thread_that_continues_where_it_was_interrupted_was_preempted() {
    let log = on_one_core(&[
        // It starts.
        (0, resume_preempted(A)),
        (10, enter(0)),
        (12, exit(0)),
        (12, resume(B)),
        (30, resume_preempted(A)),
        (32, DISABLE),
        (37, RESTORE),
        (40, resume(B)),
        (50, SLEEP),
        // Something had suspended it meanwhile.
        (60, resume(B)),
        (70, resume_preempted(A)),
        (80, SLEEP),
    ]);
    switch_log::with_view(&log, false, &Scope::default(), |view| {
        let continues: Vec<_> = view
            .schedule
            .resumptions
            .iter()
            .map(|it| it.continues)
            .collect();
        assert_eq!(continues, [false, false, true, false, false, true]);
        let causes = DelayCauses::new(view.trace, view.schedule);
        let all = causes.breakdown(A, 0..80);
        let parts: Vec<_> = all
            .iter()
            .map(|it| (it.start.0, it.end.0, it.cause))
            .collect();
        let expected = [
            (0, 10, DelayCause::Running),
            (10, 12, DelayCause::InterruptedBy(Some(0))),
            (12, 30, DelayCause::PreemptedBy(B)),
            (30, 40, DelayCause::Running),
            (40, 50, DelayCause::OffCore(B)),
            (50, 60, DelayCause::OffCore(Contexts::IDLE)),
            (60, 70, DelayCause::OffCore(B)),
            (70, 80, DelayCause::Running),
        ];
        assert_eq!(parts, expected);
        let own = causes.longest_own_section(A, &all).unwrap();
        assert_eq!(
            (own.start.0, own.end.0, own.cause),
            (32, 37, DelayCause::InterruptsOff(0))
        );
    });
}
