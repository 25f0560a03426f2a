use super::stack::stack_pointer;
use super::{
    EventGroups, InfoField, PendingField, Thread, ThreadState, ThreadXRecorder, WordWidth,
};
use crate::port::{Clock, Mask};

const THREAD_RESUME: u32 = 1;
const THREAD_SUSPEND: u32 = 2;
const BLOCK_ALLOCATE: u32 = 10;
const BYTE_ALLOCATE: u32 = 20;

/// The actions of a scheduler. The [module](super) describes how these events form a
/// schedule.
impl<M: Mask, C: Clock, W: WordWidth> ThreadXRecorder<M, C, W> {
    /// A thread becomes ready (`TX_TRACE_THREAD_RESUME`) after it was in state
    /// `previous`. The pending field is the ready thread of the highest priority.
    #[inline(always)]
    pub fn resume(&self, thread: usize, previous: ThreadState) -> PendingField<W> {
        let next = 0_u32;
        let info = [
            thread.word(),
            previous.word(),
            stack_pointer().word(),
            next.word(),
        ];
        self.insert_pending(EventGroups::INTERNAL, THREAD_RESUME, info, 3)
    }

    /// A thread stops being ready (`TX_TRACE_THREAD_SUSPEND`); `state` is its new state.
    /// The pending field is the thread that runs next, 0 if none; until it is known, the
    /// field contains `thread`.
    #[inline(always)]
    pub fn suspend(&self, thread: usize, state: ThreadState) -> PendingField<W> {
        let info = [
            thread.word(),
            state.word(),
            stack_pointer().word(),
            thread.word(),
        ];
        self.insert_pending(EventGroups::INTERNAL, THREAD_SUSPEND, info, 3)
    }

    /// A thread starts running: [`ThreadXRecorder::enter_thread`] and the event RUNNING,
    /// for readers that cannot derive it from earlier events.
    #[inline(always)]
    pub fn dispatch(&self, thread: Thread) {
        self.enter_thread(thread);
        self.running();
    }

    /// `TX_TRACE_BLOCK_ALLOCATE`, with the number of free blocks before the call. The
    /// pending field is the block's address, 0 if there was none.
    #[inline(always)]
    pub fn block_allocate(
        &self,
        pool: usize,
        wait_option: u32,
        remaining_blocks: u32,
    ) -> PendingField<W> {
        let memory = 0_u32;
        let info = [
            pool.word(),
            memory.word(),
            wait_option.word(),
            remaining_blocks.word(),
        ];
        self.insert_pending(EventGroups::BLOCK_POOL, BLOCK_ALLOCATE, info, 1)
    }

    /// `TX_TRACE_BYTE_ALLOCATE`. The pending field is the memory's address, 0 if there
    /// was none.
    #[inline(always)]
    pub fn byte_allocate(
        &self,
        pool: usize,
        size_requested: usize,
        wait_option: u32,
    ) -> PendingField<W> {
        let memory = 0_u32;
        let info = [
            pool.word(),
            memory.word(),
            size_requested.word(),
            wait_option.word(),
        ];
        self.insert_pending(EventGroups::BYTE_POOL, BYTE_ALLOCATE, info, 1)
    }
}
