use super::control::LogControl;
use super::{BufferMode, EntryKind, FinishedLog, LogEntry, LogSnapshot, LogSource, SwitchRecorder};
use crate::Name;
use crate::port::{Clock, Mask};
use core::cell::UnsafeCell;
use core::mem::{MaybeUninit, align_of, size_of};
use core::sync::atomic::{AtomicBool, Ordering};

/// The log of one core: a `static` that threads and interrupt handlers share.
///
/// Its memory begins with the fields that a debugger needs to find the entries after a
/// crash, in C layout: `current`, `end` and `start` (pointers to entries; all null
/// without a buffer), then `cyclic` (32 bits, 1 for a ring), then the number of entries
/// of all previous laps (64 bits, aligned to eight bytes if the target does so).
#[repr(C)]
pub struct SwitchLog<M, C> {
    control: UnsafeCell<LogControl>,
    is_on: OnFlag,
    mask: M,
    clock: C,
}

// SAFETY: the control block and its buffer are accessed only while the mask is held.
unsafe impl<M: Mask + Sync, C: Clock + Sync> Sync for SwitchLog<M, C> {}

impl<M, C> SwitchLog<M, C> {
    /// Creates a log without a buffer.
    pub const fn new(mask: M, clock: C) -> Self {
        Self {
            control: UnsafeCell::new(LogControl::OFF),
            is_on: OnFlag::off(),
            mask,
            clock,
        }
    }

    pub(super) fn turn_off(&self) {
        self.is_on.set(false);
    }

    pub(super) const fn clock(&self) -> &C {
        &self.clock
    }

    pub(super) const fn control_ptr(&self) -> *mut LogControl {
        self.control.get()
    }

    /// Whether the log has a buffer.
    #[inline(always)]
    pub fn is_on(&self) -> bool {
        self.is_on.is_on()
    }
}

impl<M: Mask, C: Clock> SwitchLog<M, C> {
    /// Starts a session in `buffer`, with lost entries and idle time at 0. Returns
    /// `false` if a session is running, which then continues; the new buffer is leaked.
    /// With an empty buffer, every entry is lost and counted.
    pub fn start(&self, buffer: &'static mut [MaybeUninit<LogEntry>], mode: BufferMode) -> bool {
        // SAFETY: the caller passes the memory with a `'static` lifetime.
        unsafe { self.begin(buffer.as_mut_ptr().cast(), buffer.len(), mode) }
    }

    /// [`SwitchLog::start`] for memory at an address. Also returns `false` if `start` is
    /// null or not aligned like a [`LogEntry`], or if the entries would extend beyond the
    /// address space.
    ///
    /// # Safety
    /// The memory of `entries` entries must be valid for reads and writes, and no other
    /// code may use it until the session has been stopped and its [`FinishedLog`] is no
    /// longer used.
    pub unsafe fn start_raw(&self, start: *mut LogEntry, entries: usize, mode: BufferMode) -> bool {
        // SAFETY: the caller guarantees this.
        is_valid_buffer(start, entries) && unsafe { self.begin(start, entries, mode) }
    }

    /// # Safety
    /// As [`SwitchLog::start_raw`], and the memory must be aligned.
    unsafe fn begin(&self, start: *mut LogEntry, entries: usize, mode: BufferMode) -> bool {
        self.with_control(|control| {
            let free = !self.is_on();
            if free {
                // SAFETY: the caller guarantees this.
                unsafe { control.start(start, entries, mode, self.clock.now()) };
                self.is_on.set(true);
            }
            free
        })
    }

    /// Ends the session and returns its entries and the buffer; [`None`] if no session is
    /// running.
    pub fn stop(&self) -> Option<FinishedLog> {
        let snapshot = self.with_control(|control| {
            let snapshot = control.snapshot(self.clock.now());
            self.is_on.set(false);
            control.stop();
            snapshot
        })?;
        // SAFETY: the log no longer refers to the buffer, and it wrote the entries that
        // the snapshot describes.
        Some(unsafe { FinishedLog::new(snapshot) })
    }

    /// The position of the running session; [`None`] if no session is running. Use a
    /// [`LogReader`](super::LogReader) to read its entries.
    pub fn snapshot(&self) -> Option<LogSnapshot> {
        self.with_control(|control| control.snapshot(self.clock.now()))
    }

    /// Number of entries that found the buffer of the running session full; 0 if no
    /// session is running.
    pub fn lost(&self) -> u64 {
        self.snapshot().map_or(0, |snapshot| snapshot.lost)
    }

    /// Idle time since the session started, in ticks; without a session, since the
    /// program started. It is the time between each [`SwitchLog::sleep`] and the next
    /// [`SwitchLog::wake`], including a sleep that has not ended, whether or not entries
    /// are recorded. A single sleep is measured modulo 2^32 ticks.
    pub fn idle_ticks(&self) -> u64 {
        self.with_control(|control| control.idle_ticks_at(self.clock.now()))
    }

    /// Records an entry. `kind` is the number of an [`EntryKind`], optionally with
    /// [`PREVIOUSLY_DISABLED`](super::PREVIOUSLY_DISABLED).
    #[inline(always)]
    pub fn record(&self, kind: u32, address: usize, name: Name) {
        if self.is_on() {
            self.write_on(kind, address, name);
        }
    }

    /// The scheduler enters the idle loop. A second sleep without a wake in between
    /// restarts the idle time.
    #[inline]
    pub fn sleep(&self, address: usize, name: Name) {
        Self::write(
            EntryKind::Sleep as u32,
            self,
            address,
            name,
            Some(LogControl::sleep),
        );
    }

    /// The core leaves the idle loop. Without a preceding sleep, no idle time is counted.
    #[inline]
    pub fn wake(&self, address: usize, name: Name) {
        Self::write(
            EntryKind::Wake as u32,
            self,
            address,
            name,
            Some(LogControl::wake),
        );
    }

    super::events::methods!();

    #[cfg(cortex_m)]
    #[inline(always)]
    fn write_on(&self, kind: u32, address: usize, name: Name) {
        if !super::thumb_asm::write(kind, self, address, name) {
            Self::write(kind, self, address, name, None);
        }
    }

    #[cfg(not(cortex_m))]
    #[inline(always)]
    fn write_on(&self, kind: u32, address: usize, name: Name) {
        Self::write(kind, self, address, name, None);
    }

    /// Writes an entry after calling `update` with the same tick. The arguments are in the
    /// order of a slot's words, so that those passed in registers need not be moved.
    #[inline(always)]
    fn write(
        kind: u32,
        log: &Self,
        address: usize,
        name: Name,
        update: Option<fn(&mut LogControl, u32)>,
    ) {
        let before = log.mask.acquire();
        // SAFETY: no other code is here while the mask is held, as in `with_control`.
        // There is no closure, because compilers that optimise for size give it a stack
        // frame.
        let control = unsafe { &mut *log.control.get() };
        let updated_at = update.map(|update| {
            let now = log.clock.now();
            update(control, now);
            now
        });
        let room = control.has_room();
        if room {
            let entry = LogEntry {
                kind,
                counter: match updated_at {
                    Some(now) => now,
                    None => log.clock.now(),
                },
                address,
                name,
            };
            // SAFETY: there is room.
            unsafe { control.push(entry) };
        }
        // SAFETY: `before` comes from the `acquire` above.
        unsafe { log.mask.release(before) };
        if !room {
            Self::write_at_end(kind, log, address, name);
        }
    }

    /// [`SwitchLog::write`] at the end of the buffer. It acquires the mask again, so that
    /// the common case saves nothing for it.
    #[cold]
    #[inline(never)]
    pub(super) fn write_at_end(kind: u32, log: &Self, address: usize, name: Name) {
        log.with_control(|control| {
            if control.make_room() {
                let entry = LogEntry {
                    kind,
                    counter: log.clock.now(),
                    address,
                    name,
                };
                // SAFETY: `make_room` returned true.
                unsafe { control.push(entry) };
            }
        });
    }

    #[inline(always)]
    fn with_control<T>(&self, act: impl FnOnce(&mut LogControl) -> T) -> T {
        let before = self.mask.acquire();
        // SAFETY: no other code is here while the mask is held, and `act` does not call
        // the log.
        let result = act(unsafe { &mut *self.control.get() });
        // SAFETY: `before` comes from the `acquire` above.
        unsafe { self.mask.release(before) };
        result
    }
}

impl<M: Mask, C: Clock> SwitchRecorder for SwitchLog<M, C> {
    #[inline(always)]
    fn record(&self, kind: u32, address: usize, name: Name) {
        SwitchLog::record(self, kind, address, name);
    }

    #[inline(always)]
    fn sleep(&self, address: usize, name: Name) {
        SwitchLog::sleep(self, address, name);
    }

    #[inline(always)]
    fn wake(&self, address: usize, name: Name) {
        SwitchLog::wake(self, address, name);
    }
}

impl<M: Mask, C: Clock> LogSource for SwitchLog<M, C> {
    fn snapshot(&self) -> Option<LogSnapshot> {
        SwitchLog::snapshot(self)
    }

    fn copy_entries(&self, session: u32, from: u64, into: &mut [LogEntry]) -> (u64, usize) {
        let into = match into.get_mut(..COPY_CHUNK_ENTRIES) {
            Some(part) => part,
            None => into,
        };
        self.with_control(|control| control.copy_entries(session, from, into))
    }
}

/// Number of entries copied while the mask is held: few, because interrupts wait.
const COPY_CHUNK_ENTRIES: usize = 8;

/// Whether entries can be written at this address, judged by its value.
fn is_valid_buffer(start: *const LogEntry, entries: usize) -> bool {
    let address = start as usize;
    let end = entries
        .checked_mul(size_of::<LogEntry>())
        .filter(|bytes| *bytes <= isize::MAX as usize)
        .and_then(|bytes| address.checked_add(bytes));
    address != 0 && address % align_of::<LogEntry>() == 0 && end.is_some()
}

/// Whether a recorder is on, readable without its mask, so that a recorder that is off
/// costs little. It uses loads and stores only, which cores without atomic
/// compare-and-exchange support too.
struct OnFlag(AtomicBool);

impl OnFlag {
    const fn off() -> Self {
        Self(AtomicBool::new(false))
    }

    #[inline(always)]
    fn is_on(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn set(&self, on: bool) {
        self.0.store(on, Ordering::Relaxed);
    }
}
