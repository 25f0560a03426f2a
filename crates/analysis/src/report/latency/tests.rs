use super::*;
use crate::fixture::{FIRST_THREAD, Fixture, waiting, window};
use crate::report::Scope;
use crate::schedule::IsrActivation;
use rtoscope_trace::{Address, ObjectClass, Resource};

/// Count, minimum, maximum, and the event of the maximum.
type Figures = (u64, u64, u64, u32);

fn figures(found: Option<&Distribution>) -> Option<Figures> {
    found.map(|found| (found.count, found.min, found.max, found.event))
}

/// A thread that waits for a queue, is woken at 10, 30 and 55 and preempted
/// from 14 to 16; from 70 on records are missing.
fn fixture() -> Fixture {
    let queue = waiting(WaitReason::Queue, Some(0));
    let sleep = waiting(WaitReason::Sleep, None);
    let (ready, running) = (ThreadState::Ready, ThreadState::Running);
    let mut fixture = Fixture::empty(100, 1).with_thread(
        FIRST_THREAD,
        &[
            (0, queue, false),
            (10, ready, true),
            (12, running, true),
            (14, ready, true),
            (16, running, true),
            (20, queue, true),
            (30, ready, true),
            (31, running, true),
            (34, sleep, true),
            (55, ready, true),
            (60, running, true),
            (65, queue, true),
            (70, ThreadState::Unknown, false),
            (80, queue, false),
            (85, ready, true),
            (86, running, true),
            (90, queue, true),
        ],
    );
    fixture.schedule.threads[FIRST_THREAD.index()].update(6, |it| it.interrupt = true);
    fixture
        .schedule
        .resources
        .push(Resource::new(ObjectClass::Queue, Address(0x50)));
    fixture
}

#[test]
fn only_complete_durations_count() {
    let fixture = fixture();
    let latency = latency(&fixture.view(&Scope::default()));
    let [thread] = &latency.threads[..] else {
        panic!()
    };
    assert_eq!(figures(thread.wake_up.as_ref()), Some((4, 1, 5, 60)));
    assert_eq!(figures(thread.response.as_ref()), Some((4, 4, 10, 20)));
    assert_eq!(figures(thread.period.as_ref()), Some((2, 20, 25, 55)));
    assert_eq!(figures(thread.jitter.as_ref()), Some((1, 5, 5, 55)));
    assert_eq!(figures(thread.preempted.as_ref()), Some((1, 2, 2, 16)));
    let [queue, sleep] = &thread.waited[..] else {
        panic!()
    };
    assert_eq!(
        (queue.reason, queue.object.as_deref()),
        ("queue", Some("0x50"))
    );
    assert_eq!(
        (queue.address, queue.blocking),
        (Some(Hex(Address(0x50))), true)
    );
    assert_eq!(figures(Some(&queue.duration)), Some((1, 10, 10, 30)));
    assert_eq!((sleep.reason, sleep.blocking), ("sleep", false));
    assert_eq!((sleep.object.as_ref(), sleep.address), (None, None));
    assert_eq!(figures(Some(&sleep.duration)), Some((1, 21, 21, 55)));
    assert_eq!(latency.blocking, thread.waited[..1]);
    assert_eq!(figures(latency.isr_to_thread.as_ref()), Some((1, 1, 1, 31)));
    assert_eq!(latency.max_interrupt_burst, None);
}

#[test]
fn durations_count_in_the_window_of_their_end() {
    let fixture = fixture();
    let scope = window(31, 55);
    let latency = latency(&fixture.view(&scope));
    let [thread] = &latency.threads[..] else {
        panic!()
    };
    assert_eq!(figures(thread.wake_up.as_ref()), Some((1, 1, 1, 31)));
    assert_eq!(figures(thread.response.as_ref()), Some((1, 4, 4, 34)));
    assert_eq!(figures(thread.period.as_ref()), Some((1, 25, 25, 55)));
    assert_eq!(figures(thread.jitter.as_ref()), Some((1, 5, 5, 55)));
    assert_eq!(thread.preempted, None);
    assert_eq!((thread.waited.len(), latency.blocking.len()), (1, 0));
}

#[test]
fn an_unrecorded_wake_up_interrupts_the_periods() {
    let sleep = waiting(WaitReason::Sleep, None);
    let fixture = Fixture::empty(50, 1).with_thread(
        FIRST_THREAD,
        &[
            (0, sleep, false),
            (10, ThreadState::Ready, true),
            (10, ThreadState::Running, true),
            (12, sleep, true),
            (20, ThreadState::Ready, false),
            (20, ThreadState::Running, true),
            (22, sleep, true),
            (30, ThreadState::Ready, true),
            (
                32,
                ThreadState::Waiting {
                    wait_reason: WaitReason::Terminated,
                    resource: None,
                },
                true,
            ),
            (40, ThreadState::Ready, true),
            (41, ThreadState::Running, false),
        ],
    );
    let latency = latency(&fixture.view(&Scope::default()));
    let [thread] = &latency.threads[..] else {
        panic!()
    };
    assert_eq!(figures(thread.period.as_ref()), Some((1, 10, 10, 40)));
    assert_eq!(thread.jitter, None);
    assert_eq!(figures(thread.response.as_ref()), Some((2, 2, 2, 12)));
    assert_eq!(figures(thread.wake_up.as_ref()), Some((1, 0, 0, 10)));
    let [sleep] = &thread.waited[..] else {
        panic!()
    };
    assert_eq!(figures(Some(&sleep.duration)), Some((1, 8, 8, 30)));
}

#[test]
fn incomplete_waits_and_backward_steps_are_no_durations() {
    let sleep = waiting(WaitReason::Sleep, None);
    let (ready, running) = (ThreadState::Ready, ThreadState::Running);
    let fixture = Fixture::empty(50, 1).with_thread(
        FIRST_THREAD,
        &[
            (0, running, false),
            (5, sleep, true),
            (10, running, true),
            (20, sleep, true),
            (30, ready, true),
            (25, running, true),
            (28, sleep, true),
        ],
    );
    let latency = latency(&fixture.view(&Scope::default()));
    let [thread] = &latency.threads[..] else {
        panic!()
    };
    assert_eq!((&thread.wake_up, &thread.response), (&None, &None));
    let [sleep] = &thread.waited[..] else {
        panic!()
    };
    assert_eq!(figures(Some(&sleep.duration)), Some((1, 10, 10, 30)));
}

#[test]
fn consecutive_isrs_are_one_burst() {
    let whole = |core, start: u64, end: u64, depth| IsrActivation {
        number: Some(1),
        core,
        depth,
        interrupted: FIRST_THREAD,
        first: EventIndex(start as u32),
        last: EventIndex(end as u32),
        entered: true,
        exited: true,
        start: Ticks(start),
        end: Ticks(end),
        nested: Ticks(0),
    };
    let mut fixture = Fixture::empty(60, 1);
    fixture.schedule.activations = crate::PackedVec::from_iter([
        whole(0, 2, 6, 1),
        whole(1, 4, 9, 1),
        whole(0, 6, 9, 1),
        whole(0, 7, 8, 2),
        whole(0, 20, 24, 1),
        IsrActivation {
            exited: false,
            ..whole(0, 30, 60, 1)
        },
    ]);
    let longest = |scope: &Scope| {
        let longest = latency(&fixture.view(scope)).max_interrupt_burst?;
        let (first, event) = (longest.first_event, longest.event);
        Some((longest.core, longest.start, longest.duration, first, event))
    };
    assert_eq!(longest(&Scope::default()), Some((0, 2, 7, 2, 9)));
    assert_eq!(longest(&window(10, 60)), Some((0, 20, 4, 20, 24)));
    // The slice of core 0 that contains 6 ends later.
    assert_eq!(longest(&window(0, 6)), None);
}

#[test]
fn waits_agree_with_measurements_of_the_target() {
    let opened = Fixture::open("cm3_short.trx");
    let found = latency(&opened.view(&Scope::default()));
    let spi = found
        .blocking
        .iter()
        .find(|waited| waited.reason == "mutex")
        .unwrap();
    // `contended_mutex_gets` of `cm3_short.gt.json`: 68015 and 91974 ticks from
    // before the call to after it.
    let (count, min, max, _) = figures(Some(&spi.duration)).unwrap();
    assert_eq!(count, 2);
    assert!((66_000..68_015).contains(&min), "{min}");
    assert!((90_000..91_974).contains(&max), "{max}");
}
