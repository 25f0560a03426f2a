//! What the demonstration counts about itself, as it lies in its memory: 32-bit
//! words, one after the other, so that a host can read them back.
#![no_std]

mod counters;

/// `done` of a program that came to its end.
pub const DONE: u32 = 0x444F_4E45;

/// Threads and handlers that can be counted.
pub const THREADS: usize = 8;
/// See [`THREADS`].
pub const HANDLERS: usize = 4;

counters::counters! {
    /// A thread.
    Thread {
        /// Its control block; 0 if there is none.
        address,
        /// Text of its name.
        name,
        /// It got the processor, and another thread or none had it before.
        dispatches,
        /// The scheduler resumed it after it had given the processor away
        /// itself, perhaps at once.
        synchronous_resumes,
        /// The scheduler resumed it after an interrupt had taken the processor
        /// from it.
        asynchronous_resumes,
        /// It became ready, at the start or after it waited.
        resumptions,
        /// It began to sleep.
        sleeps,
        /// It began to wait for a queue, a semaphore, a mutex.
        queue_waits,
        /// See `queue_waits`.
        semaphore_waits,
        /// See `queue_waits`.
        mutex_waits,
        /// Its own call made a thread ready that comes before it.
        solicited_preemptions,
        /// It was next, and an interrupt made a higher thread ready.
        interrupt_preemptions,
        /// Its slice was over and another had its turn.
        time_slices,
        /// Its priority changed while it was ready.
        priority_changes,
        /// Handlers that interrupted it returned to it.
        returns,
        /// Ticks of the counter from dispatches on, without interrupts.
        ticks,
    }
}

counters::counters! {
    /// An interrupt handler.
    Handler {
        /// Its number; 0 if there is none.
        number,
        /// Its address.
        address,
        /// It was called.
        entries,
        /// Of these while another handler ran.
        nested,
        /// Ticks from entry to exit, without handlers that interrupted it.
        ticks,
    }
}

counters::counters! {
    /// What is counted once.
    Totals {
        /// A thread got the processor, and another or none had it before.
        dispatches,
        /// Another thread than the one before, which there was.
        context_switches,
        /// The processor began to wait.
        idle_entries,
        /// The processor stopped waiting.
        idle_exits,
        /// Ticks between the two.
        idle_ticks,
        /// The most handlers at once.
        deepest,
        /// Interrupts were disabled and had been enabled.
        masked_intervals,
        /// They were disabled and had been already: by who disables them again,
        /// and by who restores that at the end of an inner pair.
        masked_again,
        /// Ticks with interrupts disabled, all together.
        masked_ticks,
        /// The longest of these intervals.
        masked_longest,
        /// Counts put into semaphores, and taken or waited for.
        semaphore_puts,
        /// See `semaphore_puts`.
        semaphore_gets,
        /// Mutexes taken or waited for, and given back.
        mutex_gets,
        /// See `mutex_gets`.
        mutex_puts,
        /// Mutexes that had an owner of lower priority when they were wanted.
        inversions,
        /// Messages sent, and received or waited for.
        queue_sends,
        /// See `queue_sends`.
        queue_receives,
        /// Messages that came to a thread.
        messages,
        /// Events in the trace buffer, all there ever were.
        txtb_events,
        /// Entries in the context-switch log, all there ever were.
        cswitch_entries,
        /// Entries that had no room there, as the recorder says.
        cswitch_lost,
        /// Records of the stream.
        rkh_records,
        /// Bytes of it that were taken.
        rkh_bytes,
        /// Records that the recorder says were lost.
        rkh_lost,
    }
}

/// Everything that is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct GroundTruth {
    /// [`DONE`] at the end.
    pub done: u32,
    /// What is counted once.
    pub totals: Totals,
    /// By thread.
    pub threads: [Thread; THREADS],
    /// By handler.
    pub handlers: [Handler; HANDLERS],
    /// Records of the stream by identifier.
    pub records: [u32; 256],
}

impl GroundTruth {
    /// Nothing yet.
    pub const ZERO: Self = Self {
        done: 0,
        totals: Totals::ZERO,
        threads: [Thread::ZERO; THREADS],
        handlers: [Handler::ZERO; HANDLERS],
        records: [0; 256],
    };

    /// Bytes that it takes.
    pub const BYTES: usize = size_of::<Self>();

    /// What memory holds, in little endian; [`None`] if there is too little.
    pub fn read(memory: &[u8]) -> Option<Self> {
        let (words, _) = memory.as_chunks::<4>();
        let mut words = words.iter().map(|word| u32::from_le_bytes(*word));
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
