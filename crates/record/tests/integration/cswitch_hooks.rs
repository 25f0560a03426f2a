//! The calls of kernel hooks, as readers of the recordings see them.

use crate::cswitch::container;
use crate::threadx::buffer;
use rtoscope_record::Name;
use rtoscope_record::cswitch::{
    AtomicSwitchLog, BufferMode, LogEntry, LogSource, MemoryRegion, ReadableMemory, SwitchLog,
};
use rtoscope_record::hooks::{EventObserver, KernelObserver, SwitchObserver};
use rtoscope_record::port::{NullClock, SpinLock};
use rtoscope_record::threadx::{ThreadXRecorder, buffer_words};
use rtoscope_wire::cswitch::EntryKind;
use std::mem::MaybeUninit;

/// Kind, name and address of each entry.
fn entries(log: &impl LogSource, names: MemoryRegion) -> Vec<(&'static str, String, u64)> {
    let constant = |name: Name| MemoryRegion {
        start: name.as_ptr(),
        end: name.as_ptr().wrapping_add(4),
    };
    let regions = [names, constant(Name::ISR)];
    // SAFETY: the observer's names and a constant of four bytes.
    let saved = container::saved(log, unsafe { ReadableMemory::new(&regions) });
    let name = |address: &u64| saved.names.get(address).cloned().unwrap_or_default();
    saved.cores[0]
        .1
        .iter()
        .map(|entry| {
            let kind = EntryKind::from_number(entry.kind).unwrap().name();
            (kind, name(&entry.name), entry.address)
        })
        .collect()
}

fn expected(entries: &[(&'static str, &str, u64)]) -> Vec<(&'static str, String, u64)> {
    let owned =
        |(kind, name, address): &(&'static str, &str, u64)| (*kind, (*name).to_owned(), *address);
    entries.iter().map(owned).collect()
}

mod embassy {
    use super::*;

    static LOG: SwitchLog<SpinLock, NullClock> = SwitchLog::new(SpinLock::new(), NullClock);
    static TASKS: SwitchObserver<'_, SwitchLog<SpinLock, NullClock>, SpinLock, 4> =
        SwitchObserver::new(&LOG, SpinLock::new());
    rtoscope_record::embassy_trace!(TASKS);

    extern "Rust" {
        fn _embassy_trace_poll_start(executor: u32);
        fn _embassy_trace_task_new(executor: u32, task: u32);
        fn _embassy_trace_task_end(executor: u32, task: u32);
        fn _embassy_trace_task_exec_begin(executor: u32, task: u32);
        fn _embassy_trace_task_exec_end(executor: u32, task: u32);
        fn _embassy_trace_task_ready_begin(executor: u32, task: u32);
        fn _embassy_trace_executor_idle(executor: u32);
    }

    const MAIN: u32 = 0x2000_0010;
    const URGENT: u32 = 0x2000_0020;
    const BLINKY: u32 = 0x2000_0100;
    const RADIO: u32 = 0x2000_0140;

    #[test]
    fn an_executor_that_interrupts_another_returns_to_it() {
        let buffer = Box::leak(vec![MaybeUninit::<LogEntry>::uninit(); 32].into_boxed_slice());
        assert!(LOG.start(buffer, BufferMode::OneShot));
        TASKS.task_new(BLINKY, Some("blinky"));
        // SAFETY: defined by the macro above.
        unsafe {
            _embassy_trace_task_new(MAIN, BLINKY);
            _embassy_trace_task_new(URGENT, RADIO);
            _embassy_trace_task_ready_begin(MAIN, BLINKY);
            _embassy_trace_poll_start(MAIN);
            _embassy_trace_task_exec_begin(MAIN, BLINKY);
            _embassy_trace_task_ready_begin(URGENT, RADIO);
            _embassy_trace_poll_start(URGENT);
            _embassy_trace_task_exec_begin(URGENT, RADIO);
            _embassy_trace_task_exec_end(URGENT, RADIO);
            _embassy_trace_executor_idle(URGENT);
            _embassy_trace_task_exec_end(MAIN, BLINKY);
            _embassy_trace_executor_idle(MAIN);
            // The interrupt occurs while the core is idle.
            _embassy_trace_poll_start(URGENT);
            _embassy_trace_task_exec_begin(URGENT, RADIO);
            _embassy_trace_task_exec_end(URGENT, RADIO);
            _embassy_trace_task_end(URGENT, RADIO);
            _embassy_trace_executor_idle(URGENT);
        }
        let (main, urgent) = (u64::from(MAIN), u64::from(URGENT));
        let (blinky, radio) = (u64::from(BLINKY), u64::from(RADIO));
        let expected_entries = expected(&[
            ("SYNC_RESUME", "", main),
            ("SYNC_RESUME", "blinky", blinky),
            ("SYNC_RESUME", "", urgent),
            ("SYNC_RESUME", "task 20000140", radio),
            ("SYNC_RESUME", "", 0),
            ("ASYNC_RESUME", "blinky", blinky),
            ("SYNC_RESUME", "", 0),
            ("SLEEP", "", 0),
            ("WAKE", "", 0),
            ("SYNC_RESUME", "", urgent),
            ("SYNC_RESUME", "task 20000140", radio),
            ("SYNC_RESUME", "", 0),
            ("SLEEP", "", 0),
        ]);
        assert_eq!(entries(&LOG, TASKS.name_memory()), expected_entries);
    }
}

/// The calls of an executor whose poll runs no task.
fn poll_nothing(observer: &impl KernelObserver, executor: u32) {
    observer.poll_begin(executor);
    observer.poll_end(executor);
}

#[test]
fn a_poll_that_runs_no_task_leaves_no_entry() {
    let log = SwitchLog::new(SpinLock::new(), NullClock);
    let buffer = vec![MaybeUninit::<LogEntry>::uninit(); 4000];
    assert!(log.start(Box::leak(buffer.into_boxed_slice()), BufferMode::OneShot));
    let tasks = SwitchObserver::<_, _, 4>::new(&log, SpinLock::new());
    let written = || LogSource::snapshot(&log).unwrap().next_entry;
    tasks.task_new(8, Some("main"));
    tasks.task_new(16, Some("radio"));
    poll_nothing(&tasks, 1);
    assert_eq!(written(), 1, "the processor is idle");
    for _ in 0..1000 {
        poll_nothing(&tasks, 1);
    }
    assert_eq!(written(), 1, "it still is");

    tasks.poll_begin(1);
    // The interrupt's executor has no task to run, and the log does not contain the other
    // poll yet.
    poll_nothing(&tasks, 2);
    tasks.task_exec_begin(8);
    // It interrupts a task, and has no task to run again.
    poll_nothing(&tasks, 2);
    tasks.task_exec_end();
    tasks.poll_end(1);

    // It runs a task before the other executor does, which then has no task to run.
    tasks.poll_begin(1);
    tasks.poll_begin(2);
    tasks.task_exec_begin(16);
    tasks.task_exec_end();
    tasks.poll_end(2);
    tasks.poll_end(1);
    poll_nothing(&tasks, 1);

    let expected_entries = expected(&[
        ("SLEEP", "", 0),
        ("WAKE", "", 0),
        ("SYNC_RESUME", "", 1),
        ("SYNC_RESUME", "main", 8),
        ("SYNC_RESUME", "", 0),
        ("SLEEP", "", 0),
        ("WAKE", "", 0),
        ("SYNC_RESUME", "", 2),
        ("SYNC_RESUME", "radio", 16),
        ("SYNC_RESUME", "", 0),
        ("ASYNC_RESUME", "", 1),
        ("SLEEP", "", 0),
    ]);
    assert_eq!(entries(&log, tasks.name_memory()), expected_entries);
}

/// A log that counts the entries that an interrupt could separate from the change of the
/// observer's state.
struct CheckedLog<'a> {
    log: &'a SwitchLog<SpinLock, NullClock>,
    masked: &'a CheckedMask,
    unmasked_writes: std::cell::Cell<u32>,
}

impl rtoscope_record::cswitch::SwitchRecorder for CheckedLog<'_> {
    fn record(&self, kind: u32, address: usize, name: Name) {
        self.unmasked_writes
            .set(self.unmasked_writes.get() + u32::from(!self.masked.0.get()));
        self.log.record(kind, address, name);
    }

    fn sleep(&self, address: usize, name: Name) {
        self.record(EntryKind::Sleep as u32, address, name);
    }

    fn wake(&self, address: usize, name: Name) {
        self.record(EntryKind::Wake as u32, address, name);
    }
}

/// A mask that tracks whether it is held.
struct CheckedMask(std::cell::Cell<bool>);

// SAFETY: used by one thread, without interrupts.
unsafe impl rtoscope_record::port::Mask for &CheckedMask {
    type State = bool;

    fn acquire(&self) -> bool {
        self.0.replace(true)
    }

    unsafe fn release(&self, before: bool) {
        self.0.set(before);
    }
}

#[test]
fn an_observers_state_and_its_entries_change_together() {
    let log = SwitchLog::new(SpinLock::new(), NullClock);
    let buffer = vec![MaybeUninit::<LogEntry>::uninit(); 32];
    assert!(log.start(Box::leak(buffer.into_boxed_slice()), BufferMode::OneShot));
    let held = CheckedMask(std::cell::Cell::new(false));
    let watched = CheckedLog {
        log: &log,
        masked: &held,
        unmasked_writes: std::cell::Cell::new(0),
    };
    let tasks = SwitchObserver::<_, _, 4>::new(&watched, &held);
    poll_nothing(&tasks, 1);
    tasks.poll_begin(1);
    tasks.task_exec_begin(8);
    tasks.poll_begin(2);
    tasks.task_exec_begin(16);
    tasks.task_exec_end();
    tasks.poll_end(2);
    tasks.task_exec_end();
    tasks.poll_end(1);
    assert_eq!(LogSource::snapshot(&log).unwrap().next_entry, 10);
    assert_eq!(
        watched.unmasked_writes.get(),
        0,
        "an interrupt could come between"
    );
}

#[test]
fn interrupts_and_idle_go_into_a_lock_free_log() {
    let log: AtomicSwitchLog<NullClock, 16> = AtomicSwitchLog::new(NullClock);
    log.start(BufferMode::Cyclic);
    let tasks = SwitchObserver::<_, _, 2>::new(&log, SpinLock::new());
    tasks.task_new(7, Some("pump"));
    tasks.system_idle();
    tasks.system_idle();
    tasks.isr_enter();
    tasks.isr_exit();
    tasks.task_ready(7);
    tasks.task_exec_begin(7);
    tasks.task_exec_end();
    tasks.marker_begin(3);
    tasks.marker(1);
    tasks.marker_end(3);
    tasks.system_idle();
    let expected_entries = expected(&[
        ("SLEEP", "", 0),
        ("ISR_ENTER", "ISR", 0),
        ("ISR_EXIT", "ISR", 0),
        ("WAKE", "", 0),
        ("SYNC_RESUME", "pump", 7),
        ("SYNC_RESUME", "", 0),
        ("MARKER_BEGIN", "", 3),
        ("MARKER", "", 1),
        ("MARKER_END", "", 3),
        ("SLEEP", "", 0),
    ]);
    assert_eq!(entries(&log, tasks.name_memory()), expected_entries);
}

type Trace = ThreadXRecorder<SpinLock, NullClock, u32>;

/// Number, context and first two fields of each event, and the names of all threads.
fn events(trace: &Trace) -> (Vec<[u64; 4]>, Vec<(u64, String)>) {
    trace.disable().unwrap();
    let words = trace.take_buffer().unwrap();
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    let buffer = buffer::read(buffer::layout::<u32>(), &bytes);
    // Each trace begins with two RUNNING events.
    let events = buffer.ring[2..buffer.current]
        .iter()
        .map(|words| [words[2], words[0], words[4], words[5]])
        .collect();
    let threads = buffer.registry.iter().filter(|slot| slot.pointer != 0);
    let name = |bytes: &[u8]| {
        let text = bytes.split(|byte| *byte == 0).next().unwrap();
        String::from_utf8(text.to_vec()).unwrap()
    };
    (
        events,
        threads
            .map(|slot| (slot.pointer, name(&slot.name)))
            .collect(),
    )
}

fn enable(trace: &Trace) {
    let words = vec![MaybeUninit::<u32>::uninit(); buffer_words::<u32>(4, 32)];
    trace
        .enable(Box::leak(words.into_boxed_slice()), 4)
        .unwrap();
}

const RESUME: u64 = 1;
const SUSPEND: u64 = 2;
const ISR_ENTER: u64 = 3;
const ISR_EXIT: u64 = 4;
const RUNNING: u64 = 6;
/// The context of events outside threads.
const INTERRUPT: u64 = 0xFFFF_FFFF;

#[test]
fn a_trace_has_threads_that_run_and_wait() {
    let trace = Trace::new(SpinLock::new(), NullClock);
    enable(&trace);
    let tasks = EventObserver::new(&trace, SpinLock::new());
    tasks.task_new(16, Some("pump\0"));
    tasks.task_new(32, None);
    tasks.system_idle();
    tasks.task_ready(16);
    tasks.task_exec_begin(16);
    tasks.isr_enter();
    tasks.task_ready(32);
    tasks.isr_exit();
    tasks.marker(5);
    tasks.task_blocked(16); // kept until another runs
    tasks.task_exec_begin(32);
    tasks.task_ready(32); // woken while it runs
    tasks.task_exec_end();
    tasks.task_terminated(16);
    let (events, threads) = events(&trace);
    assert_eq!(threads[0], (16, "pump".to_owned()));
    let found: Vec<[u64; 3]> = events
        .iter()
        .map(|event| [event[0], event[1], event[2]])
        .collect();
    let stack = |event: usize| events[event][2];
    let expected = [
        [RESUME, INTERRUPT, 16],
        [RUNNING, 16, stack(1)],
        [ISR_ENTER, INTERRUPT, stack(2)],
        [RESUME, INTERRUPT, 32],
        [ISR_EXIT, INTERRUPT, stack(4)],
        [4096, 16, 5],
        [SUSPEND, 16, 16],
        [RUNNING, 32, stack(7)],
        [SUSPEND, 32, 32],
        [RESUME, INTERRUPT, 32],
        [SUSPEND, INTERRUPT, 16],
    ];
    assert_eq!(found, expected);
}

#[test]
fn in_a_trace_an_interrupted_task_runs_again() {
    let trace = Trace::new(SpinLock::new(), NullClock);
    enable(&trace);
    let tasks = EventObserver::new(&trace, SpinLock::new());
    tasks.poll_begin(1);
    tasks.task_exec_begin(16);
    for _ in 0..100 {
        poll_nothing(&tasks, 2);
    }
    tasks.poll_begin(2);
    tasks.task_exec_begin(32);
    tasks.task_ready(16);
    tasks.task_exec_end();
    tasks.poll_end(2);
    tasks.task_exec_end();
    tasks.poll_end(1);
    let (events, _) = events(&trace);
    let found: Vec<[u64; 2]> = events.iter().map(|event| [event[0], event[1]]).collect();
    let expected = [
        [RUNNING, 16],
        [RUNNING, 32],
        [SUSPEND, 32],
        [RUNNING, 16],
        [SUSPEND, 16],
        [RESUME, INTERRUPT],
    ];
    assert_eq!(found, expected);
}

#[cfg(feature = "rtos-trace")]
mod rtos {
    use super::*;
    use rtoscope_record::hooks::rtos_trace::{TaskInfo, trace};

    static TRACE: Trace = Trace::new(SpinLock::new(), NullClock);
    static TASKS: EventObserver<'_, SpinLock, NullClock, u32, SpinLock> =
        EventObserver::new(&TRACE, SpinLock::new());
    rtoscope_record::rtos_trace!(TASKS);

    #[test]
    fn calls_of_the_crate_reach_the_observer() {
        enable(&TRACE);
        trace::start();
        trace::task_new(16);
        let info = TaskInfo {
            name: "pump",
            priority: 3,
            stack_base: 0,
            stack_size: 0,
        };
        trace::task_send_info(16, info);
        trace::task_new_stackless(32, "fan", 4);
        trace::task_ready_begin(16);
        trace::task_exec_begin(16);
        trace::isr_enter();
        trace::isr_exit();
        trace::isr_enter();
        trace::isr_exit_to_scheduler();
        trace::task_ready_end(16);
        trace::task_exec_end();
        trace::name_marker(9, "filling");
        trace::marker(9);
        trace::marker_begin(9);
        trace::marker_end(9);
        trace::system_idle();
        trace::task_terminate(16);
        trace::stop();
        let (events, threads) = events(&TRACE);
        let numbers: Vec<u64> = events.iter().map(|event| event[0]).collect();
        let expected = [
            RESUME, RUNNING, ISR_ENTER, ISR_EXIT, ISR_ENTER, ISR_EXIT, SUSPEND, 4096, 4097, 4098,
            SUSPEND,
        ];
        assert_eq!(numbers, expected);
        assert_eq!(threads, [(16, "pump".to_owned()), (32, "fan".to_owned())]);
    }
}
