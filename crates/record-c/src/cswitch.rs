//! Context-switch logs: the running context, the time and the code address.

use crate::c::{c_char, rto_counter, size_t};
use crate::core_log::CoreLog;
use crate::counter::{NO_COUNTER, counter_or_default, select_counter};
use core::mem::{align_of, size_of};
use core::ptr::addr_of_mut;
use rtoscope_record::Name;
use rtoscope_record::cswitch::{BufferMode, LogEntry, LogSnapshot};

/// The log of one core, as in the header.
#[repr(C)]
pub struct rto_cswitch {
    current: *mut rto_cswitch_entry,
    end: *mut rto_cswitch_entry,
    control: [u64; if size_of::<usize>() == 8 { 7 } else { 6 }],
    on: bool,
    counter: *const rto_counter,
    reserved: [u64; 10],
}

const _: () = assert!(size_of::<CoreLog>() <= size_of::<rto_cswitch>());
const _: () = assert!(align_of::<CoreLog>() <= align_of::<rto_cswitch>());

/// The kind of an entry.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum rto_cswitch_kind {
    /// The core leaves the idle loop.
    RTO_WAKE = 0,
    /// The core enters the idle loop.
    RTO_SLEEP = 1,
    /// The scheduler resumes a thread that had suspended itself.
    RTO_SYNC_RESUME = 2,
    /// The scheduler resumes a thread that an interrupt had preempted.
    RTO_ASYNC_RESUME = 3,
    /// An interrupt returns to the interrupted thread.
    RTO_ISR_RETURN = 4,
    /// An interrupt handler begins.
    RTO_ISR_ENTER = 5,
    /// An interrupt handler ends.
    RTO_ISR_EXIT = 6,
    /// Interrupts are disabled from here on.
    RTO_INT_DISABLE = 7,
    /// Interrupts are enabled from here on.
    RTO_INT_RESTORE = 8,
    /// A span of interest begins.
    RTO_MARKER_BEGIN = 16,
    /// The span of the same name and value ends.
    RTO_MARKER_END = 17,
    /// A point of interest without a duration.
    RTO_MARKER = 18,
    /// A thread becomes ready to run.
    RTO_READY = 19,
    /// The running thread stops being ready.
    RTO_WAIT = 20,
}

/// Flag on `RTO_INT_DISABLE` and `RTO_INT_RESTORE`: interrupts were disabled before this
/// entry.
pub const RTO_PREVIOUSLY_DISABLED: u32 = 0x20;

/// An entry of a log.
#[repr(C)]
pub struct rto_cswitch_entry {
    /// One of `enum rto_cswitch_kind`, optionally with `RTO_PREVIOUSLY_DISABLED`.
    pub kind: u32,
    /// The value of the counter in ticks.
    pub counter: u32,
    /// The code address: a return address, or an interrupt handler. The value of a
    /// marker.
    pub address: usize,
    /// The name of the running thread, `"ISR"` in interrupt handlers; or that of a
    /// marker.
    pub name: *const c_char,
}

const _: () = assert!(size_of::<LogEntry>() == size_of::<rto_cswitch_entry>());

/// The position of a running or finished session.
#[repr(C)]
pub struct rto_cswitch_position {
    /// The first entry of the buffer.
    pub start: *const rto_cswitch_entry,
    /// The entry to write next.
    pub current: *const rto_cswitch_entry,
    /// The end of the buffer, after its last entry.
    pub end: *const rto_cswitch_entry,
    /// Whether the buffer is a ring.
    pub cyclic: bool,
    /// Number of overwritten entries.
    pub overwritten: u64,
    /// Number of written entries.
    pub written: u64,
    /// Number of lost entries: those that found the buffer full.
    pub lost: u64,
    /// Idle time in ticks.
    pub idle_ticks: u64,
}

impl From<LogSnapshot> for rto_cswitch_position {
    fn from(snapshot: LogSnapshot) -> Self {
        Self {
            start: snapshot.start.cast(),
            current: snapshot.current.cast(),
            end: snapshot.end.cast(),
            cyclic: snapshot.cyclic,
            overwritten: snapshot.first_entry,
            written: snapshot.next_entry,
            lost: snapshot.lost,
            idle_ticks: snapshot.idle_ticks,
        }
    }
}

/// The log of a program with one core, or with one recorded core. `rtoscope --elf` finds
/// it by its name.
#[no_mangle]
#[allow(non_upper_case_globals)]
pub static rtoscope_cswitch_log: CoreLog = CoreLog::new(select_counter(&NO_COUNTER));

/// The log at an address; [`None`] if it is null or was never initialised.
///
/// # Safety
/// `log` must be null, zeroed or initialised.
#[inline(always)]
pub(crate) unsafe fn core_log<'a>(log: *const rto_cswitch) -> Option<&'a CoreLog> {
    // SAFETY: an initialised log is a `CoreLog` that lives for ever; of a zeroed one,
    // only one word is read.
    unsafe { CoreLog::from_ptr(log.cast()) }
}

/// Initialises a log that is off, and sets its counter: a 32-bit register or variable
/// that counts up and wraps, `RTO_CORE_COUNTER`, or NULL if there is none. No other code
/// may use the log meanwhile. Does nothing if `log` is NULL. If the address of the counter
/// is not aligned to 4 bytes, the log becomes memory of zeros, which is not a log.
///
/// Memory of zeros that was never initialised is safe to use: it records nothing, and all
/// functions return false or 0. `rtoscope_cswitch_log` is initialised from the start,
/// without a counter.
#[no_mangle]
pub unsafe extern "C" fn rto_cswitch_init(log: *mut rto_cswitch, counter: *const rto_counter) {
    if log.is_null() {
        return;
    }
    let counter = counter_or_default(counter);
    // SAFETY: the memory belongs to the caller and has sufficient size and alignment (see
    // above).
    unsafe {
        if counter as usize % align_of::<rto_counter>() == 0 {
            log.cast::<CoreLog>()
                .write(CoreLog::new(select_counter(counter)));
        } else {
            log.write_bytes(0, 1);
        }
    }
}

/// Starts a session in `buffer`. In a ring, new entries overwrite the oldest ones;
/// otherwise the first entries are kept and the others are counted as lost. Returns false
/// and does nothing if the log was not initialised, if a session is running, if `buffer`
/// is NULL or not aligned like a pointer, or if the entries would extend beyond the
/// address space. Until `rto_cswitch_stop`, only the log may use the buffer. Do not
/// modify it until the log is saved or started again.
#[no_mangle]
pub unsafe extern "C" fn rto_cswitch_start(
    log: *const rto_cswitch,
    buffer: *mut rto_cswitch_entry,
    entries: size_t,
    cyclic: bool,
) -> bool {
    let mode = if cyclic {
        BufferMode::Cyclic
    } else {
        BufferMode::OneShot
    };
    // SAFETY: the caller guarantees this.
    unsafe { core_log(log).map_or(false, |log| log.start(buffer.cast(), entries, mode)) }
}

/// Ends the session and stores its position. Returns false if no session is running.
/// `position` may be NULL. `rto_cswitch_save` saves the session until the log is started
/// or initialised again.
#[no_mangle]
pub unsafe extern "C" fn rto_cswitch_stop(
    log: *const rto_cswitch,
    position: *mut rto_cswitch_position,
) -> bool {
    // SAFETY: the caller guarantees the log and the position.
    unsafe { write_position(core_log(log).and_then(CoreLog::stop), position) }
}

/// Stores the position of the running session. Returns false if there is none.
#[no_mangle]
pub unsafe extern "C" fn rto_cswitch_snapshot(
    log: *const rto_cswitch,
    position: *mut rto_cswitch_position,
) -> bool {
    // SAFETY: as above.
    unsafe { write_position(core_log(log).and_then(CoreLog::snapshot_running), position) }
}

/// # Safety
/// `position` must be null or writable.
unsafe fn write_position(
    snapshot: Option<LogSnapshot>,
    position: *mut rto_cswitch_position,
) -> bool {
    let recorded = snapshot.is_some();
    if let (Some(snapshot), false) = (snapshot, position.is_null()) {
        // SAFETY: the caller guarantees this.
        unsafe { addr_of_mut!(*position).write(snapshot.into()) };
    }
    recorded
}

/// The part of `rto_cswitch_record` for a log that is on, or was on immediately before.
/// The arguments are in the order of an entry's words, with the log in place of the
/// counter, so that none has to be moved.
#[cfg(not(cortex_m))]
#[no_mangle]
pub unsafe extern "C" fn rto_cswitch_write(
    kind: u32,
    log: *const rto_cswitch,
    address: usize,
    name: *const c_char,
) {
    // SAFETY: the caller guarantees this.
    if let Some(log) = unsafe { core_log(log) } {
        log.log().record(kind, address, Name::from_ptr(name));
    }
}

/// The part of `rto_cswitch_sleep` in the library.
#[no_mangle]
pub unsafe extern "C" fn rto_cswitch_write_sleep(
    log: *const rto_cswitch,
    address: usize,
    name: *const c_char,
) {
    // SAFETY: the caller guarantees this.
    if let Some(log) = unsafe { core_log(log) } {
        log.log().sleep(address, Name::from_ptr(name));
    }
}

/// The part of `rto_cswitch_wake` in the library.
#[no_mangle]
pub unsafe extern "C" fn rto_cswitch_write_wake(
    log: *const rto_cswitch,
    address: usize,
    name: *const c_char,
) {
    // SAFETY: the caller guarantees this.
    if let Some(log) = unsafe { core_log(log) } {
        log.log().wake(address, Name::from_ptr(name));
    }
}

/// Idle time since the session started, in ticks.
#[no_mangle]
pub unsafe extern "C" fn rto_cswitch_idle_ticks(log: *const rto_cswitch) -> u64 {
    // SAFETY: the caller guarantees this.
    unsafe { core_log(log).map_or(0, |log| log.log().idle_ticks()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::mem::MaybeUninit;
    use core::ptr::{null, null_mut};
    use std::boxed::Box;

    #[test]
    fn the_header_sees_whether_a_log_is_on() {
        let log = zeroed::<rto_cswitch>();
        let buffer = zeroed::<[rto_cswitch_entry; 4]>().cast::<rto_cswitch_entry>();
        // SAFETY: the log is initialised first, and its buffer lives for ever.
        unsafe {
            let on = || addr_of_mut!((*log).on).read_volatile();
            rto_cswitch_init(log, null());
            assert!(!on());
            assert!(rto_cswitch_start(log, buffer, 4, false));
            assert!(on());
            rto_cswitch_write(2, log, 0x1000, "worker\0".as_ptr());
            rto_cswitch_write(5, log, 0x2000, "ISR\0".as_ptr());
            let mut position = MaybeUninit::uninit();
            assert!(rto_cswitch_stop(log, position.as_mut_ptr()));
            assert_eq!(position.assume_init().written, 2);
            let entry = |at: usize| &*buffer.add(at);
            assert_eq!([0, 1].map(|at| entry(at).kind), [2, 5]);
            assert_eq!(entry(1).address, 0x2000);
            assert!(!on());
        }
    }

    /// Memory of zeros that lives for ever.
    fn zeroed<T>() -> *mut T {
        Box::leak(Box::new(MaybeUninit::<T>::zeroed())).as_mut_ptr()
    }

    #[test]
    fn a_log_that_was_never_initialised_records_nothing() {
        let log = zeroed::<rto_cswitch>();
        let buffer = zeroed::<[rto_cswitch_entry; 4]>().cast::<rto_cswitch_entry>();
        for log in [log, null_mut()] {
            // SAFETY: a log of zeros, or NULL.
            unsafe {
                assert!(!rto_cswitch_start(log, buffer, 4, true));
                rto_cswitch_write(2, log, 0x1000, "worker\0".as_ptr());
                rto_cswitch_write_sleep(log, 0, null());
                rto_cswitch_write_wake(log, 0, null());
                assert_eq!(rto_cswitch_idle_ticks(log), 0);
                assert!(!rto_cswitch_snapshot(log, null_mut()));
                assert!(!rto_cswitch_stop(log, null_mut()));
            }
        }
        // SAFETY: as above.
        unsafe { assert_eq!((*buffer).kind, 0) };
    }

    #[test]
    fn a_buffer_that_cannot_be_written_is_rejected() {
        let log = zeroed::<rto_cswitch>();
        let buffer = zeroed::<[rto_cswitch_entry; 4]>().cast::<rto_cswitch_entry>();
        let start = |buffer, entries| {
            // SAFETY: the log is initialised before; the buffer is valid or rejected.
            unsafe { rto_cswitch_start(log, buffer, entries, false) }
        };
        // SAFETY: only this test uses the memory.
        unsafe { rto_cswitch_init(log, null()) };
        for bytes in 1..align_of::<rto_cswitch_entry>() {
            let buffer = buffer.cast::<u8>().wrapping_add(bytes).cast();
            assert!(!start(buffer, 3), "{} bytes off", bytes);
        }
        assert!(!start(null_mut(), 4));
        assert!(!start(buffer, usize::MAX / 16));
        assert!(start(buffer, 4));
        assert!(!start(buffer, 4), "one is running");
        // SAFETY: as above; the counter's address is not used.
        unsafe {
            rto_cswitch_stop(log, null_mut());
            rto_cswitch_init(log, 6 as *const rto_counter);
        }
        assert!(!start(buffer, 4), "a counter that is not aligned");
    }
}
