//! The counters of the demonstration, of the camera, of the test of the ports and of the
//! unit tests, as in their memory: consecutive 32-bit words that a host can read.
#![no_std]

pub mod camera;
mod counters;
pub mod ports;
pub mod unit_tests;

use counters::{counters, words};

/// `done` of a program that has ended.
pub const DONE: u32 = 0x444F_4E45;

/// Maximum numbers of threads and handlers.
pub const THREADS: usize = 8;
/// See [`THREADS`].
pub const HANDLERS: usize = 4;

counters! {
    /// A thread.
    Thread {
        /// Its control block; 0 if unused.
        address,
        /// Address of its name.
        name,
        /// Dispatches after another thread or none had run.
        dispatches,
        /// Resumptions by the scheduler after it had suspended itself, possibly
        /// immediately.
        synchronous_resumes,
        /// Resumptions by the scheduler after an interrupt had preempted it.
        asynchronous_resumes,
        /// Transitions to ready, at the start or after a wait.
        resumptions,
        /// Calls of sleep that waited.
        sleeps,
        /// Waits for a queue, a semaphore, a mutex.
        queue_waits,
        /// See `queue_waits`.
        semaphore_waits,
        /// See `queue_waits`.
        mutex_waits,
        /// Preemptions by a thread that its own call made ready.
        solicited_preemptions,
        /// Preemptions, while it was the next thread, by a thread that an interrupt made
        /// ready.
        interrupt_preemptions,
        /// Time slices that expired while other threads of its priority were ready.
        time_slices,
        /// Priority changes while it was ready.
        priority_changes,
        /// Returns of handlers that interrupted it.
        returns,
        /// CPU time in ticks of the counter, without interrupts.
        ticks,
    }
}

counters! {
    /// An interrupt handler.
    Handler {
        /// Its number; 0 if unused.
        number,
        /// Its address.
        address,
        /// Number of calls.
        entries,
        /// Calls while another handler ran.
        nested,
        /// CPU time in ticks from entry to exit, without nested handlers.
        ticks,
    }
}

counters! {
    /// Global counters.
    Totals {
        /// Dispatches after another thread or none had run.
        dispatches,
        /// Dispatches after another thread had run.
        context_switches,
        /// Entries into idle.
        idle_entries,
        /// Exits from idle.
        idle_exits,
        /// Idle time in ticks.
        idle_ticks,
        /// Maximum number of nested handlers.
        max_nesting,
        /// Interrupts-off sections.
        interrupts_off_sections,
        /// Requests to disable interrupts while they were disabled, and restores of that
        /// state at the end of inner sections.
        interrupts_off_nested,
        /// Total time of all interrupts-off sections in ticks.
        interrupts_off_ticks,
        /// Time of the longest interrupts-off section in ticks.
        interrupts_off_max,
        /// Semaphore puts, and gets with or without a wait.
        semaphore_puts,
        /// See `semaphore_puts`.
        semaphore_gets,
        /// Mutex acquisitions with or without a wait, and releases.
        mutex_gets,
        /// See `mutex_gets`.
        mutex_puts,
        /// Mutex acquisitions that found an owner of lower priority.
        inversions,
        /// Messages sent, and receive calls with or without a wait.
        queue_sends,
        /// See `queue_sends`.
        queue_receives,
        /// Messages received.
        messages,
        /// Events written to the trace buffer.
        txtb_events,
        /// Entries written to the context-switch log.
        cswitch_entries,
        /// Entries lost there, as counted by the recorder.
        cswitch_lost,
        /// Records of the stream.
        rkh_records,
        /// Bytes taken from the stream.
        rkh_bytes,
        /// Records lost from the stream, as counted by the recorder.
        rkh_lost,
    }
}

/// All counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct GroundTruth {
    /// [`DONE`] after the end.
    pub done: u32,
    /// Global counters.
    pub totals: Totals,
    /// Counters by thread.
    pub threads: [Thread; THREADS],
    /// Counters by handler.
    pub handlers: [Handler; HANDLERS],
    /// Records of the stream by id.
    pub records: [u32; 256],
}

impl GroundTruth {
    /// All counters 0.
    pub const ZERO: Self = Self {
        done: 0,
        totals: Totals::ZERO,
        threads: [Thread::ZERO; THREADS],
        handlers: [Handler::ZERO; HANDLERS],
        records: [0; 256],
    };

    /// Length in bytes.
    pub const BYTES: usize = size_of::<Self>();

    /// Reads the counters from memory in little-endian order; [`None`] if there is too
    /// little.
    pub fn read(memory: &[u8]) -> Option<Self> {
        let mut words = words(memory);
        let mut truth = Self::ZERO;
        truth.done = words.next()?;
        truth.totals = Totals::read(&mut words)?;
        for thread in &mut truth.threads {
            *thread = Thread::read(&mut words)?;
        }
        for handler in &mut truth.handlers {
            *handler = Handler::read(&mut words)?;
        }
        for count in &mut truth.records {
            *count = words.next()?;
        }
        Some(truth)
    }
}
