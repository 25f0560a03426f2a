//! The kernel's services as threads call them. Like ThreadX, each logs its
//! event first, with the values from before the call.

use crate::event::{NO_WAIT, OR, OR_CLEAR, WAIT_FOREVER, id};
use crate::facts::KernelFact;
use crate::kernel::Kernel;
use crate::neighbours::OtherCore;
use crate::objects::{ObjectSet, Queue, Semaphore};
use crate::role::ScriptStep;
use crate::thread::{ThreadIndex, ThreadState, WaitTarget};
use crate::timeouts::{MAX_MUTEX_WAIT_TICKS, MAX_SEMAPHORE_WAIT_TICKS};
use crate::truth::DispatchCause;
use rtoscope_wire::threadx::FIRST_USER_EVENT;

/// Timer interrupts of CPU time per group of six threads: periods are chosen so
/// that all groups together leave the core idle half of the time.
const TICKS_PER_GROUP: u64 = 14;
/// Number of different user events.
const USER_EVENTS: u32 = 40;
/// The largest allocation from a byte pool.
pub(crate) const MAX_ALLOCATION_BYTES: u64 = 256;

impl Kernel {
    /// Performs the next step of the running thread's script.
    pub(crate) fn run_script_step(&mut self, index: ThreadIndex, neighbour: OtherCore<'_>) {
        let thread = &mut self.threads[index.slot()];
        let script = thread.role.script;
        let step = script.get(usize::from(thread.step)).copied();
        let is_first = thread.step == 0;
        thread.step = if usize::from(thread.step) + 1 < script.len() {
            thread.step + 1
        } else {
            0
        };
        let set = usize::from(thread.set);
        if is_first && self.has_controllers && self.end_round(index) {
            return;
        }
        match step.unwrap_or(ScriptStep::Relinquish) {
            ScriptStep::Compute => {
                let work = self.timing.long_work(&mut self.random);
                self.threads[index.slot()].work = work;
            }
            ScriptStep::Sleep => self.sleep_for_a_period(index),
            ScriptStep::Nap => {
                let ticks = self.random.u64(1..4);
                self.sleep(index, ticks);
            }
            ScriptStep::UserEvent => self.user_event(),
            ScriptStep::AwaitDevice => {
                self.get_semaphore(index, WaitTarget::Device, |sets| &mut sets[set].device);
            }
            ScriptStep::AwaitWork => {
                self.get_semaphore(index, WaitTarget::Work, |sets| &mut sets[set].work);
            }
            ScriptStep::GiveWork => self.put_semaphore_for(neighbour, set, |set| &mut set.work),
            ScriptStep::Send => self.send(index, set, WAIT_FOREVER),
            ScriptStep::TrySend => self.send(index, set, NO_WAIT),
            ScriptStep::Receive => self.receive(index, set),
            ScriptStep::Lock => {
                let wait = self.wait_option(MAX_MUTEX_WAIT_TICKS);
                self.get_mutex(index, set, wait);
            }
            ScriptStep::TryLock => self.get_mutex(index, set, NO_WAIT),
            ScriptStep::Unlock => self.put_mutex(index, set),
            ScriptStep::AwaitFlag => self.get_flag(index, set),
            ScriptStep::SetFlag => self.set_flag(index, set),
            ScriptStep::Relinquish => self.relinquish(index),
            ScriptStep::AllocateBlock => self.allocate_block(index),
            ScriptStep::ReleaseBlock => self.release_block(index),
            ScriptStep::AllocateBytes => self.allocate_bytes(index),
            ScriptStep::ReleaseBytes => self.release_bytes(index),
            ScriptStep::Control => self.control(index),
            ScriptStep::TakeItem => self.take_item(index),
            ScriptStep::PassItem => self.pass_item(index),
        }
    }

    /// Sleeps longer the more threads exist and the more of them are ready, so
    /// that no core is overloaded for long and low priorities get to run.
    fn sleep_for_a_period(&mut self, index: ThreadIndex) {
        let groups = self.threads.len().div_ceil(crate::role::ROLES.len()) as u64;
        let usual = TICKS_PER_GROUP * groups;
        let backlog = 2 * u64::from(self.ready.len() - 1);
        let ticks = usual / 2 + self.random.u64(0..usual) + backlog;
        self.sleep(index, ticks);
    }

    fn sleep(&mut self, index: ThreadIndex, ticks: u64) {
        let stack = self.stack_pointer();
        let state = ThreadState::Ready.word();
        self.log(id::THREAD_SLEEP, [ticks, state, stack, 0]);
        self.begin_wait(index, ticks, WaitTarget::Time);
        self.suspend(ThreadState::Sleep, 0);
    }

    fn user_event(&mut self) {
        let event = FIRST_USER_EVENT + self.random.u32(0..USER_EVENTS);
        let value = self.random.u64(..);
        let info = [value & 0xFFF, value >> 12 & 0xFF, value >> 20 & 1, 0];
        self.log(event, info);
    }

    fn get_semaphore(
        &mut self,
        index: ThreadIndex,
        awaited: WaitTarget,
        of: impl Fn(&mut [ObjectSet]) -> &mut Semaphore,
    ) {
        let stack = self.stack_pointer();
        let wait = self.wait_option(MAX_SEMAPHORE_WAIT_TICKS);
        let semaphore = of(&mut self.sets);
        let count = semaphore.count;
        semaphore.count = count.saturating_sub(1);
        let info = [semaphore.pointer, wait, count, stack];
        self.log(id::SEMAPHORE_GET, info);
        self.record_fact(KernelFact::Level(info[0], count.saturating_sub(1)));
        if count == 0 {
            self.begin_wait(index, wait, awaited);
            self.suspend(ThreadState::SemaphoreSuspended, info[0]);
            of(&mut self.sets).waiters.push(&mut self.threads, index);
        }
    }

    /// Puts a semaphore unless it is at its ceiling. Interrupts do this too;
    /// the core switches only from a thread.
    pub(crate) fn put_semaphore(&mut self, of: impl Fn(&mut [ObjectSet]) -> &mut Semaphore) {
        let stack = self.stack_pointer();
        let semaphore = of(&mut self.sets);
        if semaphore.is_high() {
            return;
        }
        let suspended = u64::from(semaphore.waiters.len());
        let info = [semaphore.pointer, semaphore.count, suspended, stack];
        let waiter = semaphore.waiters.pop(&self.threads);
        if waiter.is_none() {
            semaphore.count += 1;
        }
        self.log(id::SEMAPHORE_PUT, info);
        self.record_fact(KernelFact::Level(
            info[0],
            info[1] + u64::from(waiter.is_none()),
        ));
        if let Some(waiter) = waiter {
            self.resume(waiter);
            if !self.interrupts.is_active() {
                self.reschedule(DispatchCause::PreemptionSolicited);
            }
        }
    }

    fn send(&mut self, index: ThreadIndex, set: usize, wait: u64) {
        let source = self.stack_pointer();
        let queue = &mut self.sets[set].queue;
        let info = [queue.pointer, source, wait, queue.enqueued];
        let receiver = queue.receivers.pop(&self.threads);
        let waits = queue.is_full() && wait != NO_WAIT;
        if !waits && receiver.is_none() {
            queue.enqueued = (queue.enqueued + 1).min(Queue::CAPACITY);
        }
        let enqueued = queue.enqueued;
        self.log(id::QUEUE_SEND, info);
        self.record_fact(KernelFact::Level(info[0], enqueued));
        if let Some(receiver) = receiver {
            self.resume(receiver);
            self.reschedule(DispatchCause::PreemptionSolicited);
        } else if waits {
            self.begin_wait(index, wait, WaitTarget::Room);
            self.suspend(ThreadState::QueueSuspended, info[0]);
            let senders = &mut self.sets[set].queue.senders;
            senders.push(&mut self.threads, index);
        }
    }

    fn receive(&mut self, index: ThreadIndex, set: usize) {
        let destination = self.stack_pointer();
        let queue = &mut self.sets[set].queue;
        let enqueued = queue.enqueued;
        let info = [queue.pointer, destination, WAIT_FOREVER, enqueued];
        // The message of a waiting sender takes the free slot.
        let sender = queue.senders.pop(&self.threads);
        if sender.is_none() {
            queue.enqueued = enqueued.saturating_sub(1);
        }
        let left = queue.enqueued;
        self.log(id::QUEUE_RECEIVE, info);
        self.record_fact(KernelFact::Level(info[0], left));
        if let Some(sender) = sender {
            self.resume(sender);
            self.reschedule(DispatchCause::PreemptionSolicited);
        } else if enqueued == 0 {
            self.begin_wait(index, WAIT_FOREVER, WaitTarget::Message);
            self.suspend(ThreadState::QueueSuspended, info[0]);
            let receivers = &mut self.sets[set].queue.receivers;
            receivers.push(&mut self.threads, index);
        }
    }

    fn get_flag(&mut self, index: ThreadIndex, set: usize) {
        let wanted = self.threads[index.slot()].flag;
        let flags = &mut self.sets[set].flags;
        let current = flags.current;
        let waits = current & wanted == 0;
        flags.current &= !wanted;
        let (wanted, current) = (u64::from(wanted), u64::from(current));
        let info = [flags.pointer, wanted, current, OR_CLEAR];
        self.log(id::EVENT_FLAGS_GET, info);
        if waits {
            self.begin_wait(index, WAIT_FOREVER, WaitTarget::Flag);
            self.suspend(ThreadState::EventFlagsSuspended, info[0]);
            let waiters = &mut self.sets[set].flags.waiters;
            waiters.push(&mut self.threads, index);
        }
    }

    /// Each thread of a group waits for its own flag, so that at most one is
    /// resumed.
    fn set_flag(&mut self, index: ThreadIndex, set: usize) {
        let flag = self.threads[index.slot()].flag;
        let flags = &mut self.sets[set].flags;
        let suspended = u64::from(flags.waiters.len());
        let waiter = flags
            .waiters
            .take(&mut self.threads, |thread| thread.flag & flag != 0);
        if waiter.is_none() {
            flags.current |= flag;
        }
        let info = [flags.pointer, u64::from(flag), OR, suspended];
        self.log(id::EVENT_FLAGS_SET, info);
        if let Some(waiter) = waiter {
            self.resume(waiter);
            self.reschedule(DispatchCause::PreemptionSolicited);
        }
    }

    fn relinquish(&mut self, index: ThreadIndex) {
        let stack = self.stack_pointer();
        self.ready.rotate(&mut self.threads);
        let next = self.execute_pointer();
        self.log(id::THREAD_RELINQUISH, [stack, next, 0, 0]);
        self.record_fact(KernelFact::Relinquished(self.number(index)));
        self.reschedule(DispatchCause::Relinquish);
    }

    fn allocate_block(&mut self, index: ThreadIndex) {
        let pool = &mut self.block_pool;
        let free = pool.free_slots();
        let held = pool.allocate(1);
        let address = held.map_or(0, |held| pool.address(held));
        let info = [pool.pointer, address, NO_WAIT, free];
        self.threads[index.slot()].block = held;
        self.log(id::BLOCK_ALLOCATE, info);
    }

    pub(crate) fn release_block(&mut self, index: ThreadIndex) {
        if let Some(held) = self.threads[index.slot()].block.take() {
            let stack = self.stack_pointer();
            let pool = &mut self.block_pool;
            pool.release(held);
            let info = [pool.pointer, pool.address(held), 0, stack];
            self.log(id::BLOCK_RELEASE, info);
        }
    }

    fn allocate_bytes(&mut self, index: ThreadIndex) {
        let bytes = 8 * self.random.u64(1..=MAX_ALLOCATION_BYTES / 8);
        let pool = &mut self.byte_pool;
        let held = pool.allocate(bytes);
        let address = held.map_or(0, |held| pool.address(held));
        let info = [pool.pointer, address, NO_WAIT, bytes];
        self.threads[index.slot()].bytes = held;
        self.log(id::BYTE_ALLOCATE, info);
    }

    pub(crate) fn release_bytes(&mut self, index: ThreadIndex) {
        if let Some(held) = self.threads[index.slot()].bytes.take() {
            let pool = &mut self.byte_pool;
            let info = [pool.pointer, pool.address(held), 0, pool.free_bytes()];
            pool.release(held);
            self.log(id::BYTE_RELEASE, info);
        }
    }
}
