//! Counts events independently of the recorders.

use crate::shared::Shared;
use kernel::{Event, State, Thread};
use truth::{DONE, GroundTruth, Totals};

/// The host finds it by its symbol.
#[unsafe(no_mangle)]
static GROUND_TRUTH: Shared<GroundTruth> = Shared::new(GroundTruth::ZERO);

/// The running context and the start of its current slice.
static CHARGED: Shared<Charged> = Shared::new(Charged {
    handlers: [0; truth::HANDLERS],
    thread: 0,
    dispatched: 0,
    since: 0,
    idle_since: 0,
    masked_since: 0,
});

struct Charged {
    /// Numbers of the running handlers, the innermost at `depth - 1`.
    handlers: [u32; truth::HANDLERS],
    /// The running thread; 0 if none.
    thread: u32,
    /// The thread that ran last.
    dispatched: u32,
    since: u32,
    idle_since: u32,
    masked_since: u32,
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

pub(super) fn observe(now: u32, executing: Option<&Thread>, depth: u32, event: &Event<'_>) {
    GROUND_TRUTH.with(|truth| {
        CHARGED.with(|charged| {
            count(truth, charged, now, executing, depth, event);
        });
    });
}

fn count(
    truth: &mut GroundTruth,
    charged: &mut Charged,
    now: u32,
    executing: Option<&Thread>,
    depth: u32,
    event: &Event<'_>,
) {
    match *event {
        Event::Created { thread } => {
            let free = truth.threads.iter_mut().find(|known| known.address == 0);
            if let Some(known) = free {
                known.address = thread.address() as u32;
                known.name = thread.name().as_ptr() as u32;
            }
        }
        Event::Resumed {
            displaced, thread, ..
        } => {
            of(truth, thread).resumptions += 1;
            // The caller gives way, even if its priority was lowered immediately before
            // and another thread was to run next.
            match (displaced, executing) {
                (Some(_), Some(caller)) if depth == 0 => {
                    of(truth, caller).solicited_preemptions += 1
                }
                (Some(next), _) => of(truth, next).interrupt_preemptions += 1,
                (None, _) => {}
            }
        }
        Event::Suspended { thread, into, .. } => {
            let known = of(truth, thread);
            match into {
                State::Sleep => known.sleeps += 1,
                State::Queue => known.queue_waits += 1,
                State::Semaphore => known.semaphore_waits += 1,
                State::Mutex => known.mutex_waits += 1,
                State::Ready | State::Completed | State::Suspended => {}
            }
        }
        Event::Reprioritized { thread, .. } => of(truth, thread).priority_changes += 1,
        Event::SliceOver { thread, .. } => of(truth, thread).time_slices += 1,
        Event::Dispatched {
            thread,
            interrupted,
            ..
        } => {
            charge(truth, charged, depth, now);
            let address = thread.address() as u32;
            let dispatched = u32::from(charged.thread != address);
            let another = charged.dispatched != 0 && charged.dispatched != address;
            truth.totals.dispatches += dispatched;
            truth.totals.context_switches += u32::from(another);
            charged.thread = address;
            charged.dispatched = address;
            let known = of(truth, thread);
            known.dispatches += dispatched;
            if interrupted {
                known.asynchronous_resumes += 1;
            } else {
                known.synchronous_resumes += 1;
            }
        }
        Event::IdleEntered => {
            charge(truth, charged, depth, now);
            charged.thread = 0;
            charged.idle_since = now;
            truth.totals.idle_entries += 1;
        }
        Event::IdleLeft => {
            truth.totals.idle_exits += 1;
            let ticks = now.wrapping_sub(charged.idle_since);
            truth.totals.idle_ticks = truth.totals.idle_ticks.wrapping_add(ticks);
            charged.since = now;
        }
        Event::InterruptEntered {
            number, handler, ..
        } => {
            let outer = depth.wrapping_sub(1);
            charge(truth, charged, outer, now);
            if let Some(running) = charged.handlers.get_mut(outer as usize) {
                *running = number;
            }
            truth.totals.deepest = truth.totals.deepest.max(depth);
            let known = truth.handlers.iter_mut();
            let mut known = known.filter(|known| known.number == number || known.number == 0);
            if let Some(known) = known.next() {
                known.number = number;
                known.address = handler as u32;
                known.entries += 1;
                known.nested += u32::from(depth > 1);
            }
        }
        Event::InterruptLeft { .. } => charge(truth, charged, depth, now),
        Event::Returned { thread, .. } => of(truth, thread).returns += 1,
        Event::InterruptsDisabled { already, .. } => {
            if already {
                truth.totals.masked_again += 1;
            } else {
                truth.totals.masked_intervals += 1;
                charged.masked_since = now;
            }
        }
        Event::InterruptsRestored { still, .. } => {
            if still {
                truth.totals.masked_again += 1;
            } else {
                let ticks = now.wrapping_sub(charged.masked_since);
                truth.totals.masked_ticks = truth.totals.masked_ticks.wrapping_add(ticks);
                truth.totals.masked_longest = truth.totals.masked_longest.max(ticks);
            }
        }
        Event::Sleeps { .. } => {}
        Event::SemaphoreGet { .. } => truth.totals.semaphore_gets += 1,
        Event::SemaphorePut { .. } => truth.totals.semaphore_puts += 1,
        Event::MutexGet { owner, .. } => {
            truth.totals.mutex_gets += 1;
            let priority = executing.map(Thread::priority);
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
fn charge(truth: &mut GroundTruth, charged: &mut Charged, depth: u32, now: u32) {
    let ticks = now.wrapping_sub(charged.since);
    charged.since = now;
    let handler = depth
        .checked_sub(1)
        .and_then(|inner| charged.handlers.get(inner as usize));
    let mut handlers = truth.handlers.iter_mut();
    let mut threads = truth.threads.iter_mut();
    if let Some(number) = handler {
        if let Some(known) = handlers.find(|known| known.number == *number) {
            known.ticks = known.ticks.wrapping_add(ticks);
        }
    } else if charged.thread != 0
        && let Some(known) = threads.find(|known| known.address == charged.thread)
    {
        known.ticks = known.ticks.wrapping_add(ticks);
    }
}

/// The counters of a thread. An unknown thread is counted as the last one.
fn of<'t>(truth: &'t mut GroundTruth, thread: &Thread) -> &'t mut truth::Thread {
    let address = thread.address() as u32;
    let place = truth
        .threads
        .iter()
        .position(|known| known.address == address);
    let last = truth::THREADS - 1;
    &mut truth.threads[place.unwrap_or(last).min(last)]
}
