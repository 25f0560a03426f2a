use super::{EntryKind, SwitchRecorder};
use crate::Name;
use core::sync::atomic::{AtomicU32, Ordering};

/// What a [`HookedRecorder`] does before and after each entry. A hook without a method
/// costs nothing.
pub trait EntryHook {
    /// Whether to record entries of this kind, the number of an [`EntryKind`] or of an
    /// extension, without flags.
    #[inline(always)]
    fn admits(&self, kind: u32) -> bool {
        let _ = kind;
        true
    }

    /// Called after each entry, with the kind as recorded; always called, even if the
    /// entry was not admitted, the log is off or the buffer is full. It runs in the context
    /// that records, without the log's mask.
    #[inline(always)]
    fn recorded(&self, kind: u32, address: usize, name: Name) {
        let _ = (kind, address, name);
    }
}

/// Kinds of entries that can be selected while the program runs. Kinds above 31 always
/// pass.
#[derive(Debug)]
pub struct KindMask(AtomicU32);

impl KindMask {
    /// All kinds.
    pub const ALL: u32 = u32::MAX;

    /// Interrupts disabled and restored, by far the most frequent entries.
    pub const INTERRUPT_CONTROL: u32 =
        1 << EntryKind::InterruptsDisabled as u32 | 1 << EntryKind::InterruptsRestored as u32;

    /// Admits the kinds whose bit is set.
    pub const fn new(kinds: u32) -> Self {
        Self(AtomicU32::new(kinds))
    }

    /// Changes the admitted kinds.
    pub fn set(&self, kinds: u32) {
        self.0.store(kinds, Ordering::Relaxed);
    }

    /// The admitted kinds.
    pub fn get(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

impl EntryHook for KindMask {
    #[inline(always)]
    fn admits(&self, kind: u32) -> bool {
        kind > 31 || self.get() >> kind & 1 != 0
    }
}

/// The kinds in a constant: calls that record other kinds compile to nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct FixedKinds<const KINDS: u32>;

impl<const KINDS: u32> EntryHook for FixedKinds<KINDS> {
    #[inline(always)]
    fn admits(&self, kind: u32) -> bool {
        kind > 31 || KINDS >> kind & 1 != 0
    }
}

/// A recorder with a hook: masks for kinds of entries, and a callback after each entry.
///
/// ```
/// use rtoscope_record::cswitch::{HookedRecorder, KindMask, SwitchLog};
/// use rtoscope_record::port::{NullClock, SpinLock};
///
/// static LOG: SwitchLog<SpinLock, NullClock> = SwitchLog::new(SpinLock::new(), NullClock);
/// static HOOKED: HookedRecorder<&SwitchLog<SpinLock, NullClock>, KindMask> =
///     HookedRecorder::new(&LOG, KindMask::new(KindMask::ALL & !KindMask::INTERRUPT_CONTROL));
///
/// HOOKED.isr_enter(0x1000);
/// HOOKED.hook().set(KindMask::ALL);
/// ```
///
/// If sleep or wake is not admitted, the log does not measure idle time.
#[derive(Debug)]
pub struct HookedRecorder<R, H> {
    recorder: R,
    hook: H,
}

impl<R, H> HookedRecorder<R, H> {
    /// Adds a hook to a recorder.
    pub const fn new(recorder: R, hook: H) -> Self {
        Self { recorder, hook }
    }

    /// The recorder.
    pub const fn recorder(&self) -> &R {
        &self.recorder
    }

    /// The hook.
    pub const fn hook(&self) -> &H {
        &self.hook
    }
}

impl<R: SwitchRecorder, H: EntryHook> HookedRecorder<R, H> {
    /// Records an entry, as [`SwitchRecorder::record`].
    #[inline(always)]
    pub fn record(&self, kind: u32, address: usize, name: Name) {
        SwitchRecorder::record(self, kind, address, name);
    }

    super::events::methods!();

    #[inline(always)]
    fn with_hook(&self, kind: u32, address: usize, name: Name, record: impl FnOnce(&R)) {
        if self.hook.admits(kind & !super::PREVIOUSLY_DISABLED) {
            record(&self.recorder);
        }
        self.hook.recorded(kind, address, name);
    }
}

impl<R: SwitchRecorder, H: EntryHook> SwitchRecorder for HookedRecorder<R, H> {
    #[inline(always)]
    fn record(&self, kind: u32, address: usize, name: Name) {
        self.with_hook(kind, address, name, |log| log.record(kind, address, name));
    }

    #[inline(always)]
    fn sleep(&self, address: usize, name: Name) {
        let kind = EntryKind::Sleep as u32;
        self.with_hook(kind, address, name, |log| log.sleep(address, name));
    }

    #[inline(always)]
    fn wake(&self, address: usize, name: Name) {
        let kind = EntryKind::Wake as u32;
        self.with_hook(kind, address, name, |log| log.wake(address, name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::vec::Vec;

    #[derive(Default)]
    struct Kinds(RefCell<Vec<u32>>);

    impl SwitchRecorder for Kinds {
        fn record(&self, kind: u32, _: usize, _: Name) {
            self.0.borrow_mut().push(kind);
        }

        fn sleep(&self, _: usize, _: Name) {
            self.0.borrow_mut().push(EntryKind::Sleep as u32);
        }

        fn wake(&self, _: usize, _: Name) {
            self.0.borrow_mut().push(EntryKind::Wake as u32);
        }
    }

    struct Callback(RefCell<Vec<u32>>);

    impl EntryHook for Callback {
        fn admits(&self, kind: u32) -> bool {
            kind != EntryKind::IsrEnter as u32
        }

        fn recorded(&self, kind: u32, _: usize, _: Name) {
            self.0.borrow_mut().push(kind);
        }
    }

    fn all<H: EntryHook>(log: &HookedRecorder<Kinds, H>) -> Vec<u32> {
        log.sleep(1, Name::ISR);
        log.wake(1, Name::ISR);
        log.isr_enter(2);
        log.isr_exit(2);
        log.interrupts_disabled(true, 3, Name::ISR);
        log.interrupts_restored(false, 3, Name::ISR);
        log.record(40 + 24, 4, Name::ISR);
        log.recorder().0.take()
    }

    #[test]
    fn kinds_are_masked_at_run_time_and_at_build_time() {
        let log = HookedRecorder::new(Kinds::default(), KindMask::new(KindMask::ALL));
        assert_eq!(all(&log), [1, 0, 5, 6, 39, 40, 64]);
        log.hook().set(!KindMask::INTERRUPT_CONTROL);
        assert_eq!(all(&log), [1, 0, 5, 6, 64]);
        log.hook().set(0);
        assert_eq!(all(&log), [64]);
        let fixed = HookedRecorder::new(Kinds::default(), FixedKinds::<{ 1 << 5 | 1 << 7 }>);
        assert_eq!(all(&fixed), [5, 39, 64]);
    }

    #[test]
    fn the_callback_always_runs() {
        let log = HookedRecorder::new(Kinds::default(), Callback(RefCell::default()));
        assert_eq!(all(&log), [1, 0, 6, 39, 40, 64]);
        assert_eq!(log.hook().0.take(), [1, 0, 5, 6, 39, 40, 64]);
    }
}
