use super::{EntryKind, PREVIOUSLY_DISABLED};
use crate::Name;

/// What writes entries of a context-switch log: [`Log`](super::Log),
/// [`AtomicLog`](super::AtomicLog), or a program's own choice among several.
pub trait SwitchRecorder {
    /// Records an entry; `kind` is the number of an
    /// [`EntryKind`], maybe with [`PREVIOUSLY_DISABLED`].
    fn record(&self, kind: u32, address: usize, name: Name);

    /// The scheduler enters the idle loop.
    fn sleep(&self, address: usize, name: Name);

    /// The processor leaves the idle loop.
    fn wake(&self, address: usize, name: Name);
}

/// The type of an entry where interrupts are disabled, and were `already`.
#[inline(always)]
pub(super) const fn disabled(already: bool) -> u32 {
    let previously = if already { PREVIOUSLY_DISABLED } else { 0 };
    EntryKind::InterruptsDisabled as u32 | previously
}

/// The type of an entry where a state is restored: the logger of the article goes
/// by the new state, so one that is `still` disabled is disabled again.
#[inline(always)]
pub(super) const fn restored(still: bool) -> u32 {
    if still {
        disabled(true)
    } else {
        EntryKind::InterruptsRestored as u32 | PREVIOUSLY_DISABLED
    }
}

/// The methods of a log for each kind of entry, on top of its `record`.
macro_rules! methods {
    () => {
        /// The scheduler resumes a thread that gave the processor away itself.
        #[inline(always)]
        pub fn sync_resume(&self, address: usize, thread: Name) {
            self.record(EntryKind::SyncResume as u32, address, thread);
        }

        /// The scheduler resumes a thread that an interrupt took the processor
        /// from.
        #[inline(always)]
        pub fn async_resume(&self, address: usize, thread: Name) {
            self.record(EntryKind::AsyncResume as u32, address, thread);
        }

        /// An interrupt returns to the thread that it interrupted.
        #[inline(always)]
        pub fn isr_return(&self, address: usize, thread: Name) {
            self.record(EntryKind::IsrReturn as u32, address, thread);
        }

        /// An interrupt handler begins; `handler` is its address.
        #[inline(always)]
        pub fn isr_enter(&self, handler: usize) {
            self.record(EntryKind::IsrEnter as u32, handler, Name::ISR);
        }

        /// An interrupt handler ends.
        #[inline(always)]
        pub fn isr_exit(&self, handler: usize) {
            self.record(EntryKind::IsrExit as u32, handler, Name::ISR);
        }

        /// Interrupts are disabled; `already` says whether they were before.
        #[inline(always)]
        pub fn interrupts_disabled(&self, already: bool, address: usize, thread: Name) {
            self.record(super::events::disabled(already), address, thread);
        }

        /// Interrupts get back the state that they had before they were
        /// disabled; `still` says that this is disabled, as at the end of the
        /// inner of nested pairs.
        #[inline(always)]
        pub fn interrupts_restored(&self, still: bool, address: usize, thread: Name) {
            self.record(super::events::restored(still), address, thread);
        }
    };
}

pub(super) use methods;
