//! The calls of kernel hooks, as a receiver of the compact stream sees them.

use crate::stream::received::Received;
use crate::stream::{TestClock, ring};
use rtoscope_record::hooks::{KernelObserver, StreamObserver};
use rtoscope_record::port::SpinLock;
use rtoscope_record::stream::CompactStream;
use rtoscope_wire::cswitch::EntryKind;
use rtoscope_wire::cswitch::EntryKind::{
    IsrEnter, IsrExit, MarkerBegin, MarkerEnd, MarkerInstant, Ready, Sleep, SyncResume, Wait,
};

type ObservedStream<'a> = CompactStream<SpinLock, &'a TestClock, 4>;

const BLINKY: u32 = 0x2000_0100;
const RADIO: u32 = 0x2000_0140;
const MAIN: u32 = 0x2000_0010;
const URGENT: u32 = 0x2000_0020;

/// The entries and names that `act` leaves.
fn recorded(
    act: impl FnOnce(&StreamObserver<'_, SpinLock, &TestClock, SpinLock, 4>),
) -> (Vec<(EntryKind, u32)>, Vec<String>) {
    let clock = TestClock::default();
    let stream: ObservedStream<'_> = CompactStream::new(SpinLock::new(), &clock);
    assert!(stream.start(ring(256), 0));
    act(&StreamObserver::new(&stream, SpinLock::new()));
    let mut bytes = vec![0; 4096];
    let length = stream.read(&mut bytes);
    let mut received = Received::default();
    received.push(&bytes[..length]);
    let names = received.names.into_iter().map(|(_, _, text)| text);
    let entries = { received.entries }.into_iter();
    let entries = entries.map(|entry| (entry.kind, entry.operand));
    (entries.collect(), names.collect())
}

#[test]
fn tasks_become_ready_run_and_wait() {
    let (entries, names) = recorded(|tasks| {
        tasks.task_new(BLINKY, Some("blinky"));
        tasks.task_new(RADIO, None);
        tasks.system_idle();
        tasks.system_idle();
        tasks.task_ready(BLINKY);
        tasks.task_exec_begin(BLINKY);
        tasks.isr_enter();
        tasks.task_ready(RADIO);
        tasks.isr_exit();
        tasks.task_exec_end();
        tasks.task_exec_begin(RADIO);
        tasks.task_ready(RADIO); // woken while it runs
        tasks.task_exec_end();
        tasks.task_exec_begin(RADIO);
        tasks.task_blocked(RADIO);
        tasks.task_blocked(RADIO);
        tasks.task_exec_end();
        tasks.task_blocked(BLINKY); // it waits already
        tasks.task_ready(BLINKY);
        tasks.task_exec_begin(BLINKY);
        tasks.task_terminated(BLINKY);
        tasks.task_exec_end();
        tasks.task_exec_end();
        tasks.marker(5);
        tasks.marker_begin(6);
        tasks.marker_end(6);
    });
    let expected = [
        (Sleep, 0),
        (Ready, BLINKY),
        (SyncResume, BLINKY),
        (IsrEnter, 0),
        (Ready, RADIO),
        (IsrExit, 0),
        (Wait, 0),
        (SyncResume, RADIO),
        (SyncResume, RADIO),
        (Wait, 0),
        (Ready, BLINKY),
        (SyncResume, BLINKY),
        (Wait, 1),
        (MarkerInstant, 5),
        (MarkerBegin, 6),
        (MarkerEnd, 6),
    ];
    assert_eq!(entries, expected);
    assert_eq!(names, ["blinky"]);
}

#[test]
fn a_task_that_waits_can_be_ready_again_before_it_returns() {
    let (entries, _) = recorded(|tasks| {
        tasks.task_exec_begin(BLINKY);
        tasks.task_blocked(BLINKY);
        tasks.task_ready(BLINKY);
        tasks.task_exec_end();
        tasks.system_idle();
    });
    let expected = [(SyncResume, BLINKY), (Wait, 0), (Ready, BLINKY), (Sleep, 0)];
    assert_eq!(entries, expected);
}

/// An executor in an interrupt runs a task, which does something.
fn run_urgent(tasks: &impl KernelObserver, act: impl FnOnce()) {
    tasks.poll_begin(URGENT);
    tasks.task_exec_begin(RADIO);
    act();
    tasks.task_exec_end();
    tasks.poll_end(URGENT);
}

#[test]
fn an_executor_that_interrupts_another_returns_to_it() {
    let (entries, _) = recorded(|tasks| {
        tasks.poll_begin(MAIN);
        tasks.task_exec_begin(BLINKY);
        tasks.poll_begin(URGENT); // nothing to run
        tasks.poll_end(URGENT);
        tasks.task_ready(RADIO);
        run_urgent(tasks, || {
            tasks.task_ready(BLINKY);
            tasks.task_blocked(BLINKY); // it is interrupted
            tasks.task_ready(BLINKY);
        });
        tasks.task_exec_end(); // ready again
        tasks.task_exec_begin(BLINKY);
        tasks.task_exec_end();
        run_urgent(tasks, || {}); // between two tasks
        tasks.poll_end(MAIN);
        run_urgent(tasks, || {}); // while the core is idle
        tasks.poll_begin(MAIN);
        tasks.poll_end(MAIN);
        tasks.poll_end(MAIN); // more ends than begins
    });
    let expected = [
        (SyncResume, BLINKY),
        (Ready, RADIO),
        (SyncResume, RADIO),
        (Wait, 0),
        (SyncResume, BLINKY),
        (SyncResume, BLINKY),
        (Wait, 0),
        (SyncResume, RADIO),
        (Wait, 0),
        (Sleep, 0),
        (SyncResume, RADIO),
        (Wait, 0),
        (Sleep, 0),
    ];
    assert_eq!(entries, expected);
}

#[test]
fn the_core_is_not_idle_while_a_task_is_ready() {
    let (entries, _) = recorded(|tasks| {
        run_urgent(tasks, || tasks.task_ready(BLINKY));
        tasks.poll_begin(MAIN);
        tasks.task_exec_begin(BLINKY);
        tasks.task_ready(BLINKY); // it lets others run
        tasks.task_exec_end();
        tasks.poll_end(MAIN);
        tasks.poll_begin(MAIN);
        tasks.task_exec_begin(BLINKY);
        tasks.task_exec_end();
        tasks.poll_end(MAIN);
    });
    let expected = [
        (SyncResume, RADIO),
        (Ready, BLINKY),
        (Wait, 0),
        (SyncResume, BLINKY),
        (SyncResume, BLINKY),
        (Wait, 0),
        (Sleep, 0),
    ];
    assert_eq!(entries, expected);
}

#[test]
fn executors_may_nest_too_deeply() {
    let (entries, _) = recorded(|tasks| {
        for executor in 0..10 {
            tasks.poll_begin(executor);
            tasks.task_exec_begin(100 + executor);
        }
        for executor in (0..10).rev() {
            tasks.task_exec_end();
            tasks.poll_end(executor);
        }
    });
    let resumes = entries.iter().filter(|(kind, _)| *kind == SyncResume);
    assert!(resumes.count() >= 10);
    assert_eq!(entries.last(), Some(&(Sleep, 0)));
}
