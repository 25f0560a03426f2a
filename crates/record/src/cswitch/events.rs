use super::{EntryKind, PREVIOUSLY_DISABLED};
use crate::Name;

/// Records context switches: a [`SwitchLog`](super::SwitchLog), an
/// [`AtomicSwitchLog`](super::AtomicSwitchLog), or a type of the program that selects one
/// of several logs.
pub trait SwitchRecorder {
    /// Records an entry. `kind` is the number of an [`EntryKind`], optionally with
    /// [`PREVIOUSLY_DISABLED`].
    fn record(&self, kind: u32, address: usize, name: Name);

    /// The scheduler enters the idle loop.
    fn sleep(&self, address: usize, name: Name);

    /// The core leaves the idle loop.
    fn wake(&self, address: usize, name: Name);
}

impl<R: SwitchRecorder + ?Sized> SwitchRecorder for &R {
    #[inline(always)]
    fn record(&self, kind: u32, address: usize, name: Name) {
        (**self).record(kind, address, name);
    }

    #[inline(always)]
    fn sleep(&self, address: usize, name: Name) {
        (**self).sleep(address, name);
    }

    #[inline(always)]
    fn wake(&self, address: usize, name: Name) {
        (**self).wake(address, name);
    }
}

/// The type word of an entry for disabling interrupts; `already` if they were disabled
/// before.
#[inline(always)]
pub(super) const fn disable_kind(already: bool) -> u32 {
    let previously = if already { PREVIOUSLY_DISABLED } else { 0 };
    EntryKind::InterruptsDisabled as u32 | previously
}

/// The type word of an entry for restoring the interrupt state. The logger of the article
/// logs the new state: if interrupts are `still` disabled, it logs another disable.
#[inline(always)]
pub(super) const fn restore_kind(still: bool) -> u32 {
    if still {
        disable_kind(true)
    } else {
        EntryKind::InterruptsRestored as u32 | PREVIOUSLY_DISABLED
    }
}

/// A log's methods for each kind of entry, based on its `record`.
macro_rules! methods {
    () => {
        /// The scheduler resumes a thread that had suspended itself.
        #[inline(always)]
        pub fn sync_resume(&self, address: usize, thread: Name) {
            self.record(EntryKind::SyncResume as u32, address, thread);
        }

        /// The scheduler resumes a thread that an interrupt had preempted.
        #[inline(always)]
        pub fn async_resume(&self, address: usize, thread: Name) {
            self.record(EntryKind::AsyncResume as u32, address, thread);
        }

        /// An interrupt returns to the interrupted thread.
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

        /// Interrupts are disabled; `already` is true if they were disabled before.
        #[inline(always)]
        pub fn interrupts_disabled(&self, already: bool, address: usize, thread: Name) {
            self.record(super::events::disable_kind(already), address, thread);
        }

        /// The interrupt state is restored; `still` is true if interrupts remain
        /// disabled, as at the end of the inner of two nested sections.
        #[inline(always)]
        pub fn interrupts_restored(&self, still: bool, address: usize, thread: Name) {
            self.record(super::events::restore_kind(still), address, thread);
        }

        /// A thread becomes ready to run. Record it together with [`wait`](Self::wait): the
        /// host then shows the states of threads, and their wake-up latency.
        #[inline(always)]
        pub fn ready(&self, thread: Name) {
            self.record(EntryKind::Ready as u32, 0, thread);
        }

        /// The running thread stops being ready, for a reason: a number of ThreadX's thread
        /// states (`tx_thread_state`), such as 4 for a sleep, 5 for a queue, or 0.
        #[inline(always)]
        pub fn wait(&self, reason: u32) {
            self.record(EntryKind::Wait as u32, reason as usize, Name::NONE);
        }

        /// A span of interest begins. Spans of the same name overlap if their values
        /// differ (the number of a frame, of a buffer), and nest if they are equal.
        #[inline(always)]
        pub fn marker_begin(&self, name: Name, value: u32) {
            self.record(EntryKind::MarkerBegin as u32, value as usize, name);
        }

        /// The span of the same name and value ends, in whichever context it began.
        #[inline(always)]
        pub fn marker_end(&self, name: Name, value: u32) {
            self.record(EntryKind::MarkerEnd as u32, value as usize, name);
        }

        /// A point of interest without a duration.
        #[inline(always)]
        pub fn marker(&self, name: Name, value: u32) {
            self.record(EntryKind::MarkerInstant as u32, value as usize, name);
        }
    };
}

pub(super) use methods;
