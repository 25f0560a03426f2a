//! The log of a core, and the recording that was last stopped.

use crate::mask::{Own, own};
use core::cell::UnsafeCell;
use core::ptr::addr_of;
use rtoscope_record::cswitch::{Entry, Log, Mode, Recording, Snapshot, Source};
use rtoscope_record::port::{Mask, Register};

/// A log that keeps what it recorded after it was stopped, so that a program can
/// save it then. The log comes first: it is what `rtoscope` reads in memory, and
/// what is written in assembly.
#[repr(C)]
pub struct CoreLog {
    log: Log<Own, Register>,
    /// [`INITIALISED`], unless it is memory of zeros.
    initialised: u32,
    mask: Own,
    /// What was recorded when the log was stopped, until it is started again.
    stopped: UnsafeCell<Option<Recording>>,
}

/// "RTOL"
const INITIALISED: u32 = 0x4C4F_5452;

// SAFETY: the log may be shared, and `stopped` is touched only while the mask
// keeps all others away.
unsafe impl Sync for CoreLog {}

impl CoreLog {
    pub(crate) const fn new(counter: Register) -> Self {
        Self {
            log: Log::new(own(), counter),
            initialised: INITIALISED,
            mask: own(),
            stopped: UnsafeCell::new(None),
        }
    }

    /// The log at an address; [`None`] if it is null or was never initialised.
    ///
    /// # Safety
    /// The address must be null, or that of a log or of memory of zeros, for the
    /// program's life.
    #[inline(always)]
    pub(crate) unsafe fn at<'a>(log: *const Self) -> Option<&'a Self> {
        // SAFETY: a word that can be read, and if it says so, a log.
        unsafe {
            let is_log = !log.is_null() && addr_of!((*log).initialised).read() == INITIALISED;
            if is_log { Some(&*log) } else { None }
        }
    }

    /// The log itself.
    #[inline(always)]
    pub(crate) fn log(&self) -> &Log<Own, Register> {
        &self.log
    }

    /// As [`Log::start_raw`]. What was recorded before is forgotten.
    ///
    /// # Safety
    /// As [`Log::start_raw`]; the buffer must stay readable and as it is until
    /// the log is started again, or not be saved any more.
    pub(crate) unsafe fn start(&self, start: *mut Entry, entries: usize, mode: Mode) -> bool {
        self.with(|stopped| {
            // SAFETY: promised to this function.
            let started = unsafe { self.log.start_raw(start, entries, mode) };
            if started {
                *stopped = None;
            }
            started
        })
    }

    /// Ends the recording and says where it stood; [`None`] if none was running.
    pub(crate) fn stop(&self) -> Option<Snapshot> {
        self.with(|stopped| {
            let recording = self.log.stop()?;
            let snapshot = recording.snapshot();
            *stopped = Some(recording);
            Some(snapshot)
        })
    }

    /// Where the running recording stands.
    pub(crate) fn running(&self) -> Option<Snapshot> {
        self.log.snapshot()
    }

    fn with<T>(&self, act: impl FnOnce(&mut Option<Recording>) -> T) -> T {
        masked(&self.mask, || {
            // SAFETY: no other code is in here while the mask holds, and `act`
            // calls only the log, whose mask is another or nests.
            act(unsafe { &mut *self.stopped.get() })
        })
    }
}

fn masked<T>(mask: &impl Mask, act: impl FnOnce() -> T) -> T {
    let before = mask.acquire();
    let result = act();
    // SAFETY: `before` is of the `acquire` above.
    unsafe { mask.release(before) };
    result
}

/// Entries that are copied while others are kept away: few, as interrupts wait
/// for them.
const AT_ONCE: usize = 8;

/// The recording that runs, else the one that was stopped last.
impl Source for CoreLog {
    fn snapshot(&self) -> Option<Snapshot> {
        self.with(|stopped| match stopped {
            Some(recording) => Some(recording.snapshot()),
            None => self.log.snapshot(),
        })
    }

    fn copy(&self, session: u32, from: u64, into: &mut [Entry]) -> (u64, usize) {
        self.with(|stopped| match stopped {
            Some(recording) if recording.snapshot().session == session => {
                let room = into.len().min(AT_ONCE);
                let into = into.get_mut(..room).unwrap_or_default();
                recording.copy(session, from, into)
            }
            Some(_) => (from, 0),
            None => self.log.copy(session, from, into),
        })
    }
}
