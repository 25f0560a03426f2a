//! The log of a core, with its last finished session.

use crate::counter::SelectedCounter;
use crate::mask::{Own, own};
use core::cell::UnsafeCell;
use core::ptr::addr_of;
use rtoscope_record::cswitch::{
    BufferMode, FinishedLog, LogEntry, LogSnapshot, LogSource, SwitchLog,
};
use rtoscope_record::port::Mask;

/// A log that keeps its entries after it was stopped, so that a program can save it then.
/// The log comes first, because `rtoscope` reads it in memory and assembly functions
/// write it.
#[repr(C)]
pub struct CoreLog {
    log: SwitchLog<Own, SelectedCounter>,
    /// [`INITIALISED`], unless it is memory of zeros.
    initialised: u32,
    mask: Own,
    /// The last session that was stopped, until the log is started again.
    stopped: UnsafeCell<Option<FinishedLog>>,
}

/// "RTOL"
const INITIALISED: u32 = 0x4C4F_5452;

// SAFETY: the log may be shared, and `stopped` is accessed only while the mask is held.
unsafe impl Sync for CoreLog {}

impl CoreLog {
    pub(crate) const fn new(counter: SelectedCounter) -> Self {
        Self {
            log: SwitchLog::new(own(), counter),
            initialised: INITIALISED,
            mask: own(),
            stopped: UnsafeCell::new(None),
        }
    }

    /// The log at an address; [`None`] if it is null or was never initialised.
    ///
    /// # Safety
    /// The address must be null, or that of a log or of memory of zeros, for the life of
    /// the program.
    #[inline(always)]
    pub(crate) unsafe fn from_ptr<'a>(log: *const Self) -> Option<&'a Self> {
        // SAFETY: the word is readable; if it has this value, the memory is a log.
        unsafe {
            let is_log = !log.is_null() && addr_of!((*log).initialised).read() == INITIALISED;
            if is_log { Some(&*log) } else { None }
        }
    }

    /// The log itself.
    #[inline(always)]
    pub(crate) fn log(&self) -> &SwitchLog<Own, SelectedCounter> {
        &self.log
    }

    /// As [`SwitchLog::start_raw`]. Drops the finished session.
    ///
    /// # Safety
    /// As [`SwitchLog::start_raw`]. In addition, the buffer must remain readable and
    /// unchanged until the log is started again, or must not be saved any more.
    pub(crate) unsafe fn start(
        &self,
        start: *mut LogEntry,
        entries: usize,
        mode: BufferMode,
    ) -> bool {
        self.with_stopped(|stopped| {
            // SAFETY: the caller guarantees this.
            let started = unsafe { self.log.start_raw(start, entries, mode) };
            if started {
                *stopped = None;
            }
            started
        })
    }

    /// Drops the finished session, after a new one was started.
    pub(crate) fn forget_finished(&self) {
        self.with_stopped(|stopped| *stopped = None);
    }

    /// Ends the session and returns its position; [`None`] if no session is running.
    pub(crate) fn stop(&self) -> Option<LogSnapshot> {
        self.with_stopped(|stopped| {
            let recording = self.log.stop()?;
            let snapshot = recording.snapshot();
            *stopped = Some(recording);
            Some(snapshot)
        })
    }

    /// The position of the running session.
    pub(crate) fn snapshot_running(&self) -> Option<LogSnapshot> {
        self.log.snapshot()
    }

    fn with_stopped<T>(&self, act: impl FnOnce(&mut Option<FinishedLog>) -> T) -> T {
        with_mask(&self.mask, || {
            // SAFETY: no other code is here while the mask is held, and `act` only calls
            // the log, whose mask is another one or nests.
            act(unsafe { &mut *self.stopped.get() })
        })
    }
}

fn with_mask<T>(mask: &impl Mask, act: impl FnOnce() -> T) -> T {
    let before = mask.acquire();
    let result = act();
    // SAFETY: `before` comes from the `acquire` above.
    unsafe { mask.release(before) };
    result
}

/// Number of entries copied while the mask is held: few, because interrupts wait.
const COPY_CHUNK_ENTRIES: usize = 8;

/// The running session, otherwise the last finished one.
impl LogSource for CoreLog {
    fn snapshot(&self) -> Option<LogSnapshot> {
        self.with_stopped(|stopped| match stopped {
            Some(recording) => Some(recording.snapshot()),
            None => self.log.snapshot(),
        })
    }

    fn copy_entries(&self, session: u32, from: u64, into: &mut [LogEntry]) -> (u64, usize) {
        self.with_stopped(|stopped| match stopped {
            Some(recording) if recording.snapshot().session == session => {
                let room = into.len().min(COPY_CHUNK_ENTRIES);
                let into = into.get_mut(..room).unwrap_or_default();
                recording.copy_entries(session, from, into)
            }
            Some(_) => (from, 0),
            None => self.log.copy_entries(session, from, into),
        })
    }
}
