use super::control::LogControl;
use super::on_flag::OnFlag;
use super::{BufferMode, EntryKind, FinishedLog, LogEntry, LogSnapshot, LogSource, SwitchRecorder};
use crate::Name;
use crate::port::{Clock, Mask};
use core::cell::UnsafeCell;
use core::mem::{MaybeUninit, align_of, size_of};

/// The log of one core: a `static` that threads and interrupt handlers use
/// alike.
///
/// Its memory begins with what a debugger needs to find the entries after a
/// crash, laid out as C does: `current`, `end` and `start` (pointers to
/// entries; all null without a buffer), then `cyclic` (32 bits, 1 for a ring),
/// then the number of entries of all laps before this one (64 bits, aligned to
/// eight where the target does so).
#[repr(C)]
pub struct SwitchLog<M, C> {
    control: UnsafeCell<LogControl>,
    is_on: OnFlag,
    mask: M,
    clock: C,
}

// SAFETY: the control block and the buffer that it points to are touched only
// while the mask keeps everybody else away.
unsafe impl<M: Mask + Sync, C: Clock + Sync> Sync for SwitchLog<M, C> {}

impl<M, C> SwitchLog<M, C> {
    /// A log without a buffer.
    pub const fn new(mask: M, clock: C) -> Self {
        Self {
            control: UnsafeCell::new(LogControl::OFF),
            is_on: OnFlag::off(),
            mask,
            clock,
        }
    }

    /// Whether it has a buffer.
    #[inline(always)]
    pub fn is_on(&self) -> bool {
        self.is_on.is_on()
    }
}

impl<M: Mask, C: Clock> SwitchLog<M, C> {
    /// Starts a recording in `buffer`, with nothing lost and no time spent
    /// idle. `false` if one is running, which goes on; the buffer is then given
    /// up. In an empty buffer every entry is lost, and counted.
    pub fn start(&self, buffer: &'static mut [MaybeUninit<LogEntry>], mode: BufferMode) -> bool {
        // SAFETY: the caller gives the memory away for good.
        unsafe { self.begin(buffer.as_mut_ptr().cast(), buffer.len(), mode) }
    }

    /// [`SwitchLog::start`] for memory that is known by its address. Also `false` if
    /// `start` is null or not aligned as an [`LogEntry`], or if the entries would
    /// reach beyond the end of the address space.
    ///
    /// # Safety
    /// The memory of `entries` entries must be valid for reads and writes, and
    /// nobody else's until the recording has been stopped and its [`FinishedLog`]
    /// is no longer used.
    pub unsafe fn start_raw(&self, start: *mut LogEntry, entries: usize, mode: BufferMode) -> bool {
        // SAFETY: as was promised to this function.
        is_valid_buffer(start, entries) && unsafe { self.begin(start, entries, mode) }
    }

    /// # Safety
    /// As [`SwitchLog::start_raw`], and the memory must be aligned.
    unsafe fn begin(&self, start: *mut LogEntry, entries: usize, mode: BufferMode) -> bool {
        self.with_control(|control| {
            let free = !self.is_on();
            if free {
                // SAFETY: as was promised to this function.
                unsafe { control.start(start, entries, mode, self.clock.now()) };
                self.is_on.set(true);
            }
            free
        })
    }

    /// Ends the recording and gives its entries and the buffer; [`None`] if
    /// none was running.
    pub fn stop(&self) -> Option<FinishedLog> {
        let snapshot = self.with_control(|control| {
            let snapshot = control.snapshot(self.clock.now());
            self.is_on.set(false);
            control.stop();
            snapshot
        })?;
        // SAFETY: the log has forgotten the buffer, and what it wrote there is
        // what the snapshot says.
        Some(unsafe { FinishedLog::new(snapshot) })
    }

    /// Where the running recording stands; [`None`] if there is none. To read
    /// its entries use a [`Reader`](super::Reader).
    pub fn snapshot(&self) -> Option<LogSnapshot> {
        self.with_control(|control| control.snapshot(self.clock.now()))
    }

    /// Entries that the running recording did not take, as its buffer was full;
    /// 0 without one.
    pub fn lost(&self) -> u64 {
        self.snapshot().map_or(0, |snapshot| snapshot.lost)
    }

    /// Ticks spent idle since the recording started, or without one since the
    /// program did: those between each [`SwitchLog::sleep`] and the next
    /// [`SwitchLog::wake`], and those of a sleep that has not ended. It counts
    /// whether or not entries are taken. A single sleep counts modulo 2^32
    /// ticks.
    pub fn idle_ticks(&self) -> u64 {
        self.with_control(|control| control.idle_ticks_at(self.clock.now()))
    }

    /// Records an entry: `kind` is the number of an [`EntryKind`], maybe with
    /// [`PREVIOUSLY_DISABLED`](super::PREVIOUSLY_DISABLED).
    #[inline(always)]
    pub fn record(&self, kind: u32, address: usize, name: Name) {
        if self.is_on() {
            self.write_on(kind, address, name);
        }
    }

    /// The scheduler enters the idle loop. A second sleep without a wake in
    /// between begins the idle time anew.
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

    /// The processor leaves the idle loop. Without a sleep before it no idle
    /// time is counted.
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

    #[cfg(all(target_arch = "arm", target_os = "none"))]
    #[inline(always)]
    fn write_on(&self, kind: u32, address: usize, name: Name) {
        if !super::by_hand::write(kind, self, address, name) {
            Self::write(kind, self, address, name, None);
        }
    }

    #[cfg(not(all(target_arch = "arm", target_os = "none")))]
    #[inline(always)]
    fn write_on(&self, kind: u32, address: usize, name: Name) {
        Self::write(kind, self, address, name, None);
    }

    /// Writes an entry and does something else that needs the same tick. The
    /// order of the arguments is that of a slot's words: where they come in
    /// registers, none has to move.
    #[inline(always)]
    fn write(
        kind: u32,
        log: &Self,
        address: usize,
        name: Name,
        also: Option<fn(&mut LogControl, u32)>,
    ) {
        let before = log.mask.acquire();
        // SAFETY: nobody else is in here while the mask holds, as in `with_control`;
        // no closure, as compilers that save space give one a frame.
        let control = unsafe { &mut *log.control.get() };
        let noted = also.map(|note| {
            let now = log.clock.now();
            note(control, now);
            now
        });
        let room = control.has_room();
        if room {
            let entry = LogEntry {
                kind,
                counter: match noted {
                    Some(now) => now,
                    None => log.clock.now(),
                },
                address,
                name,
            };
            // SAFETY: there is room.
            unsafe { control.push(entry) };
        }
        // SAFETY: `before` is of the `acquire` above.
        unsafe { log.mask.release(before) };
        if !room {
            Self::write_at_end(kind, log, address, name);
        }
    }

    /// [`SwitchLog::write`] where the buffer ends. It takes the mask anew, so that
    /// the usual case has nothing to keep for it.
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
                // SAFETY: room has been made.
                unsafe { control.push(entry) };
            }
        });
    }

    #[inline(always)]
    fn with_control<T>(&self, act: impl FnOnce(&mut LogControl) -> T) -> T {
        let before = self.mask.acquire();
        // SAFETY: nobody else is in here while the mask holds, and `act` does
        // not call back into the log.
        let result = act(unsafe { &mut *self.control.get() });
        // SAFETY: `before` is of the `acquire` above.
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

/// Entries that are copied while others are kept away: few, as interrupts
/// wait for them.
const COPY_CHUNK_ENTRIES: usize = 8;

/// Whether entries can be written at that address, going by its value.
fn is_valid_buffer(start: *const LogEntry, entries: usize) -> bool {
    let address = start as usize;
    let end = entries
        .checked_mul(size_of::<LogEntry>())
        .filter(|bytes| *bytes <= isize::MAX as usize)
        .and_then(|bytes| address.checked_add(bytes));
    address != 0 && address % align_of::<LogEntry>() == 0 && end.is_some()
}
