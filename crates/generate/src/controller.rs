//! Controller threads: they stop other threads and set them up again, so that
//! most of the application runs most of the time.

use crate::kernel::Kernel;
use crate::role::CONTROLLERS;
use crate::thread::{Thread, ThreadIndex, ThreadState};

/// Priorities of controlled threads are below this one...
const MAX_PRIORITY: u8 = 3;
/// ... and above this.
const MIN_PRIORITY: u8 = 24;
/// Each of the three ways in which a thread stops comes once in this many rounds.
const ROUNDS: u32 = 48;

impl Kernel {
    /// Performs one service on a thread of the application.
    pub(crate) fn control(&mut self, controller: ThreadIndex) {
        let Some(target) = self.target() else {
            return;
        };
        let Thread { state, set, .. } = self.threads[target.slot()];
        let choice = self.random.u32(0..12);
        match state {
            ThreadState::Deleted => {
                let starts = self.random.bool();
                self.create(target, starts);
            }
            ThreadState::Completed | ThreadState::Terminated => match choice {
                0 => self.terminate(target),
                1 => self.suspend_thread(target),
                2 => self.resume_thread(target),
                3..6 if !self.has_deleted() => {
                    self.release_memory(target);
                    self.delete(target);
                }
                _ => {
                    self.release_memory(target);
                    self.reset(target);
                }
            },
            ThreadState::Suspended => match choice {
                0 => self.terminate(target),
                1 => self.suspend_thread(target),
                2 => self.abort_wait(target),
                3 => self.change_priority_of(target),
                _ => self.resume_thread(target),
            },
            _ => match choice {
                0 | 1 => self.terminate(target),
                2 | 3 => self.suspend_thread(target),
                4 | 5 => self.abort_wait(target),
                6 | 7 => self.change_priority_of(target),
                8 => self.change_priority_of(controller),
                9 => self.resume_thread(target),
                _ => self.flush_queue(set.into()),
            },
        }
    }

    /// A thread of the application starts a round of its script. Returns
    /// whether it ends or suspends itself instead.
    pub(crate) fn end_round(&mut self, index: ThreadIndex) -> bool {
        if index.slot() + CONTROLLERS.len() >= self.threads.len() {
            return false;
        }
        let choice = self.random.u32(0..ROUNDS);
        match choice {
            0 => self.complete(index),
            1 => self.suspend_thread(index),
            2 => self.terminate(index),
            _ => return false,
        }
        true
    }

    /// Selects a thread of the application, preferably one that is not running.
    fn target(&mut self) -> Option<ThreadIndex> {
        let count = self.threads.len().checked_sub(CONTROLLERS.len())?;
        if count == 0 {
            return None;
        }
        let start = self.random.usize(0..count);
        let index = |offset: usize| ThreadIndex(((start + offset) % count) as u16);
        let is_down = |index: &ThreadIndex| {
            let state = self.threads[index.slot()].state;
            !state.is_wait() && state != ThreadState::Ready
        };
        let down = (0..count).map(index).find(is_down);
        let prefers_down = self.random.bool();
        Some(down.filter(|_| prefers_down).unwrap_or(index(0)))
    }

    /// At most one thread is deleted at a time, so that a new one gets its
    /// registry entry back.
    fn has_deleted(&self) -> bool {
        let mut threads = self.threads.iter();
        threads.any(|thread| thread.state == ThreadState::Deleted)
    }

    fn change_priority_of(&mut self, index: ThreadIndex) {
        let Thread { priority, role, .. } = self.threads[index.slot()];
        let wanted = if self.random.bool() {
            role.priority
        } else {
            self.random.u8(MAX_PRIORITY..=MIN_PRIORITY)
        };
        // A running thread that keeps its priority would lose its place at the
        // head of it, which no other service causes.
        if self.running != Some(index) || wanted != priority {
            self.set_own_priority(index, wanted);
        }
    }

    /// The application releases the memory of a thread that has ended.
    fn release_memory(&mut self, index: ThreadIndex) {
        self.release_block(index);
        self.release_bytes(index);
    }
}
