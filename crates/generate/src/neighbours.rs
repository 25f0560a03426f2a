//! Interaction between cores: a core puts a semaphore that threads of another
//! core wait for.

use crate::event::{Dispatch, id};
use crate::facts::KernelFact;
use crate::kernel::Kernel;
use crate::objects::{ObjectSet, Semaphore};
use crate::thread::ThreadState;
use crate::truth::DispatchCause;

/// The core whose semaphores this one puts, if cores share them.
pub(crate) type OtherCore<'a> = Option<&'a mut Kernel>;

impl Kernel {
    /// Puts a semaphore of this core, or of the other core if it has the set.
    pub(crate) fn put_semaphore_for(
        &mut self,
        neighbour: OtherCore<'_>,
        set: usize,
        of: impl Fn(&mut ObjectSet) -> &mut Semaphore,
    ) {
        match neighbour.filter(|neighbour| set < neighbour.sets.len()) {
            Some(neighbour) => self.put_remote_semaphore(neighbour, set, of),
            None => self.put_semaphore(|sets| of(&mut sets[set])),
        }
    }

    /// Like [`Kernel::put_semaphore`] on another core. This core logs
    /// everything and does not reschedule.
    fn put_remote_semaphore(
        &mut self,
        neighbour: &mut Kernel,
        set: usize,
        of: impl Fn(&mut ObjectSet) -> &mut Semaphore,
    ) {
        let stack = self.stack_pointer();
        let semaphore = of(&mut neighbour.sets[set]);
        if semaphore.is_high() {
            return;
        }
        let suspended = u64::from(semaphore.waiters.len());
        let info = [semaphore.pointer, semaphore.count, suspended, stack];
        let waiter = semaphore.waiters.pop(&neighbour.threads);
        if waiter.is_none() {
            semaphore.count += 1;
        }
        self.log(id::SEMAPHORE_PUT, info);
        self.record_fact(KernelFact::Level(
            info[0],
            info[1] + u64::from(waiter.is_none()),
        ));
        let Some(waiter) = waiter else {
            return;
        };
        neighbour.make_ready(waiter);
        let pointer = neighbour.pointer(Some(waiter));
        let previous = ThreadState::SemaphoreSuspended.word();
        let stack = self.stack_pointer();
        let next = self.execute_pointer();
        let time = self.now;
        self.log(id::THREAD_RESUME, [pointer, previous, stack, next]);
        self.record_fact(KernelFact::Ready(neighbour.number(waiter)));
        neighbour.recheck(time, self);
    }

    /// Another core has logged an event at `time` that may have made a thread
    /// of this core ready: switches to it immediately.
    fn recheck(&mut self, time: u64, other: &mut Kernel) {
        if self.ready.first() == self.running {
            return;
        }
        match self.running {
            Some(index) => {
                let thread = &mut self.threads[index.slot()];
                thread.work = thread.work.saturating_sub(time.saturating_sub(self.now));
                self.now = time;
            }
            None => {
                self.now = time;
                self.count_standing_timer();
            }
        }
        let next = self.switch().map(|index| self.number(index));
        other.record_fact(KernelFact::Switch {
            core: self.core(),
            next,
            cause: DispatchCause::PreemptionInterrupt,
        });
        other.note_dispatch(next.map_or(Dispatch::None, Dispatch::Thread));
    }
}
