use super::stack::stack_pointer;
use super::{
    EventGroups, InfoField, PendingField, Thread, ThreadState, ThreadxRecorder, WordWidth,
};
use crate::port::{Clock, Mask};

const THREAD_RESUME: u32 = 1;
const THREAD_SUSPEND: u32 = 2;
const BLOCK_ALLOCATE: u32 = 10;
const BYTE_ALLOCATE: u32 = 20;

/// What a scheduler does. See the [module](super) for how these events make up
/// a schedule.
impl<M: Mask, C: Clock, W: WordWidth> ThreadxRecorder<M, C, W> {
    /// A thread can run again (`TX_TRACE_THREAD_RESUME`), after it was in
    /// `previous` state. Pending is the highest thread that is ready then.
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

    /// A thread cannot run any more (`TX_TRACE_THREAD_SUSPEND`) and is in
    /// `state` now. Pending is the thread that runs next, 0 if none; until it
    /// is known the field holds `thread`.
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

    /// A thread runs from now on: [`ThreadxRecorder::enter_thread`] and, for readers
    /// who cannot know it from what was recorded before, the event RUNNING.
    #[inline(always)]
    pub fn dispatch(&self, thread: Thread) {
        self.enter_thread(thread);
        self.running();
    }

    /// `TX_TRACE_BLOCK_ALLOCATE`, with the free blocks before the call. Pending
    /// is the block's address, 0 if there was none.
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

    /// `TX_TRACE_BYTE_ALLOCATE`. Pending is the memory's address, 0 if there
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
