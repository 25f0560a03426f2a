//! Counts events independently of the recorders.

use kernel::{Event, Shared, State, Thread};
use truth::{DONE, GroundTruth, Totals};

/// The host finds it by its symbol.
#[unsafe(no_mangle)]
static GROUND_TRUTH: Shared<GroundTruth> = Shared::new(GroundTruth::ZERO);

/// The running context and the start of its current slice.
static ACCOUNT: Shared<Account> = Shared::new(Account {
    handlers: [0; truth::HANDLERS],
    thread: 0,
    dispatched: 0,
    slice_start: 0,
    idle_since: 0,
    interrupts_off_since: 0,
});

struct Account {
    /// Numbers of the running handlers, the innermost at `depth - 1`.
    handlers: [u32; truth::HANDLERS],
    /// The running thread; 0 if none.
    thread: u32,
    /// The thread that ran last.
    dispatched: u32,
    slice_start: u32,
    idle_since: u32,
    interrupts_off_since: u32,
}

/// Changes a global counter.
pub(crate) fn total(change: impl FnOnce(&mut Totals)) {
    GROUND_TRUTH.with(|truth| change(&mut truth.totals));
}

/// Counts a record of the stream.
pub(crate) fn record(identifier: u8) {
    GROUND_TRUTH.with(|truth| {
        truth.totals.rkh_records += 1;
        if let Some(count) = truth.records.get_mut(usize::from(identifier)) {
            *count += 1;
        }
    });
}

/// Marks the end of the program.
pub(crate) fn finish() {
    GROUND_TRUTH.with(|truth| truth.done = DONE);
}

pub(super) fn observe(now: u32, running: Option<&Thread>, depth: u32, event: &Event<'_>) {
    GROUND_TRUTH.with(|truth| {
        ACCOUNT.with(|account| {
            count(truth, account, now, running, depth, event);
        });
    });
}

fn count(
    truth: &mut GroundTruth,
    account: &mut Account,
    now: u32,
    running: Option<&Thread>,
    depth: u32,
    event: &Event<'_>,
) {
    match *event {
        Event::Created { thread } => {
            let free = truth
                .threads
                .iter_mut()
                .find(|counters| counters.address == 0);
            if let Some(counters) = free {
                counters.address = thread.address() as u32;
                counters.name = thread.name().as_ptr() as u32;
            }
        }
        Event::Resumed {
            displaced, thread, ..
        } => {
            thread_counters(truth, thread).resumptions += 1;
            // The caller gives way, even if its priority was lowered immediately before
            // and another thread was to run next.
            match (displaced, running) {
                (Some(_), Some(caller)) if depth == 0 => {
                    thread_counters(truth, caller).solicited_preemptions += 1
                }
                (Some(next), _) => thread_counters(truth, next).interrupt_preemptions += 1,
                (None, _) => {}
            }
        }
        Event::Suspended { thread, into, .. } => {
            let counters = thread_counters(truth, thread);
            match into {
                State::Sleep => counters.sleeps += 1,
                State::Queue => counters.queue_waits += 1,
                State::Semaphore => counters.semaphore_waits += 1,
                State::Mutex => counters.mutex_waits += 1,
                State::Ready | State::Completed | State::Suspended => {}
            }
        }
        Event::PriorityChanged { thread, .. } => {
            thread_counters(truth, thread).priority_changes += 1
        }
        Event::TimeSliceExpired { thread, .. } => thread_counters(truth, thread).time_slices += 1,
        Event::Dispatched {
            thread,
            interrupted,
            ..
        } => {
            add_cpu_time(truth, account, depth, now);
            let address = thread.address() as u32;
            let dispatched = u32::from(account.thread != address);
            let another = account.dispatched != 0 && account.dispatched != address;
            truth.totals.dispatches += dispatched;
            truth.totals.context_switches += u32::from(another);
            account.thread = address;
            account.dispatched = address;
            let counters = thread_counters(truth, thread);
            counters.dispatches += dispatched;
            if interrupted {
                counters.asynchronous_resumes += 1;
            } else {
                counters.synchronous_resumes += 1;
            }
        }
        Event::IdleEntered => {
            add_cpu_time(truth, account, depth, now);
            account.thread = 0;
            account.idle_since = now;
            truth.totals.idle_entries += 1;
        }
        Event::IdleLeft => {
            truth.totals.idle_exits += 1;
            let ticks = now.wrapping_sub(account.idle_since);
            truth.totals.idle_ticks = truth.totals.idle_ticks.wrapping_add(ticks);
            account.slice_start = now;
        }
        Event::InterruptEntered {
            number, handler, ..
        } => {
            let outer = depth.wrapping_sub(1);
            add_cpu_time(truth, account, outer, now);
            if let Some(running) = account.handlers.get_mut(outer as usize) {
                *running = number;
            }
            truth.totals.max_nesting = truth.totals.max_nesting.max(depth);
            let counters = truth.handlers.iter_mut();
            let mut counters =
                counters.filter(|counters| counters.number == number || counters.number == 0);
            if let Some(counters) = counters.next() {
                counters.number = number;
                counters.address = handler as u32;
                counters.entries += 1;
                counters.nested += u32::from(depth > 1);
            }
        }
        Event::InterruptLeft { .. } => add_cpu_time(truth, account, depth, now),
        Event::Returned { thread, .. } => thread_counters(truth, thread).returns += 1,
        Event::InterruptsDisabled { already, .. } => {
            if already {
                truth.totals.interrupts_off_nested += 1;
            } else {
                truth.totals.interrupts_off_sections += 1;
                account.interrupts_off_since = now;
            }
        }
        Event::InterruptsRestored { still, .. } => {
            if still {
                truth.totals.interrupts_off_nested += 1;
            } else {
                let ticks = now.wrapping_sub(account.interrupts_off_since);
                truth.totals.interrupts_off_ticks =
                    truth.totals.interrupts_off_ticks.wrapping_add(ticks);
                truth.totals.interrupts_off_max = truth.totals.interrupts_off_max.max(ticks);
            }
        }
        Event::Sleep { .. } => {}
        Event::SemaphoreGet { .. } => truth.totals.semaphore_gets += 1,
        Event::SemaphorePut { .. } => truth.totals.semaphore_puts += 1,
        Event::MutexGet { owner, .. } => {
            truth.totals.mutex_gets += 1;
            let priority = running.map(Thread::priority);
            let inverted = owner.is_some_and(|owner| priority < Some(owner.priority()));
            truth.totals.inversions += u32::from(inverted);
        }
        Event::MutexPut { .. } => truth.totals.mutex_puts += 1,
        Event::QueueSend { .. } => truth.totals.queue_sends += 1,
        Event::QueueReceive { .. } => truth.totals.queue_receives += 1,
        Event::QueueReceived { .. } => truth.totals.messages += 1,
    }
}

/// Adds the time since the last change to the running context.
fn add_cpu_time(truth: &mut GroundTruth, account: &mut Account, depth: u32, now: u32) {
    let ticks = now.wrapping_sub(account.slice_start);
    account.slice_start = now;
    let handler = depth
        .checked_sub(1)
        .and_then(|inner| account.handlers.get(inner as usize));
    let mut handlers = truth.handlers.iter_mut();
    let mut threads = truth.threads.iter_mut();
    if let Some(number) = handler {
        if let Some(counters) = handlers.find(|counters| counters.number == *number) {
            counters.ticks = counters.ticks.wrapping_add(ticks);
        }
    } else if account.thread != 0
        && let Some(counters) = threads.find(|counters| counters.address == account.thread)
    {
        counters.ticks = counters.ticks.wrapping_add(ticks);
    }
}

/// The counters of a thread. An unknown thread is counted as the last one.
fn thread_counters<'t>(truth: &'t mut GroundTruth, thread: &Thread) -> &'t mut truth::Thread {
    let address = thread.address() as u32;
    let index = truth
        .threads
        .iter()
        .position(|counters| counters.address == address);
    let last = truth::THREADS - 1;
    &mut truth.threads[index.unwrap_or(last).min(last)]
}
