//! Context-switch logs: who got the processor, when, and where in the code.

use crate::c::{c_char, rto_counter, size_t};
use crate::core_log::CoreLog;
use crate::counter::{NO_COUNTER, counter_or_default, counter_register};
use core::mem::{align_of, size_of};
use core::ptr::addr_of_mut;
use rtoscope_record::Name;
use rtoscope_record::cswitch::{BufferMode, LogEntry, LogSnapshot};

/// The log of one core, as the header has it.
#[repr(C)]
pub struct rto_cswitch {
    control: [u64; if size_of::<usize>() == 8 { 9 } else { 7 }],
    on: bool,
    rest: [u64; 10],
}

const _: () = assert!(size_of::<CoreLog>() <= size_of::<rto_cswitch>());
const _: () = assert!(align_of::<CoreLog>() <= align_of::<rto_cswitch>());

/// What an entry says.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum rto_cswitch_kind {
    /// The processor leaves the idle loop.
    RTO_WAKE = 0,
    /// The processor enters the idle loop.
    RTO_SLEEP = 1,
    /// The scheduler resumes a thread that gave the processor away itself.
    RTO_SYNC_RESUME = 2,
    /// The scheduler resumes a thread that an interrupt took the processor from.
    RTO_ASYNC_RESUME = 3,
    /// An interrupt returns to the thread that it interrupted.
    RTO_ISR_RETURN = 4,
    /// An interrupt handler begins.
    RTO_ISR_ENTER = 5,
    /// An interrupt handler ends.
    RTO_ISR_EXIT = 6,
    /// Interrupts are disabled from here on.
    RTO_INT_DISABLE = 7,
    /// Interrupts are enabled from here on.
    RTO_INT_RESTORE = 8,
}

/// Flag on `RTO_INT_DISABLE` and `RTO_INT_RESTORE`: up to this entry interrupts were
/// disabled.
pub const RTO_PREVIOUSLY_DISABLED: u32 = 0x20;

/// An entry of a log.
#[repr(C)]
pub struct rto_cswitch_entry {
    /// One of `enum rto_cswitch_kind`, maybe with `RTO_PREVIOUSLY_DISABLED`.
    pub kind: u32,
    /// The counter's value, in ticks.
    pub counter: u32,
    /// Where in the code: a return address, or an interrupt handler.
    pub address: usize,
    /// The name of the thread that executes; `"ISR"` in interrupt handlers.
    pub name: *const c_char,
}

const _: () = assert!(size_of::<LogEntry>() == size_of::<rto_cswitch_entry>());

/// Where a recording stands or stood when it ended.
#[repr(C)]
pub struct rto_cswitch_position {
    /// The first entry of the buffer.
    pub start: *const rto_cswitch_entry,
    /// The entry that would be written next.
    pub current: *const rto_cswitch_entry,
    /// Behind the last entry of the buffer.
    pub end: *const rto_cswitch_entry,
    /// Whether the buffer is used as a ring.
    pub cyclic: bool,
    /// Entries that were overwritten.
    pub overwritten: u64,
    /// Entries that were written in all.
    pub written: u64,
    /// Entries that were not taken, as the buffer was full.
    pub lost: u64,
    /// Ticks spent idle.
    pub idle: u64,
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
            idle: snapshot.idle_ticks,
        }
    }
}

/// The log of a program that has one core, or logs one of them. Its name is
/// where `rtoscope --elf` looks for it.
#[no_mangle]
#[allow(non_upper_case_globals)]
pub static rtoscope_cswitch_log: CoreLog = CoreLog::new(counter_register(&NO_COUNTER));

/// The log at an address; [`None`] if it is null or was never initialised.
///
/// # Safety
/// `log` must be null, zeroed or initialised.
#[inline(always)]
pub(crate) unsafe fn core_log<'a>(log: *const rto_cswitch) -> Option<&'a CoreLog> {
    // SAFETY: an initialised log is a `CoreLog` of static life; of a zeroed one
    // no more than a word is read.
    unsafe { CoreLog::from_ptr(log.cast()) }
}

/// Makes memory a log that is off, and says where its counter is: a register
/// or variable of 32 bits that counts up and wraps, or NULL if there is none.
/// No other code may use the log meanwhile. If `log` is NULL, nothing happens. If
/// the counter's address is not aligned to 4 bytes, the log becomes memory of
/// zeros, which is no log.
///
/// Memory of zeros that was never initialised is safe to use: it records nothing,
/// and all functions return false or 0. `rtoscope_cswitch_log` is initialised from
/// the start, without a counter.
#[no_mangle]
pub unsafe extern "C" fn rto_cswitch_init(log: *mut rto_cswitch, counter: *const rto_counter) {
    if log.is_null() {
        return;
    }
    let counter = counter_or_default(counter);
    // SAFETY: the memory is the caller's, large and aligned enough (see above).
    unsafe {
        if counter as usize % align_of::<rto_counter>() == 0 {
            log.cast::<CoreLog>()
                .write(CoreLog::new(counter_register(counter)));
        } else {
            log.write_bytes(0, 1);
        }
    }
}

/// Starts a recording in `buffer`. In a ring the newest entries overwrite the
/// oldest; else the first stay and the others are counted as lost. Returns
/// false, and does nothing, if the log was not initialised, if a recording is
/// running, if `buffer` is NULL or not aligned as a pointer, or if `entries` are
/// more than the address space holds. Until `rto_cswitch_stop` the buffer is the
/// log's. Leave it as it is until the log is saved or started again.
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
    // SAFETY: promised to this function.
    unsafe { core_log(log).map_or(false, |log| log.start(buffer.cast(), entries, mode)) }
}

/// Ends the recording and says where it stood. Returns false if none was
/// running. `position` may be NULL. `rto_cswitch_save` saves what was recorded
/// until the log is started or initialised again.
#[no_mangle]
pub unsafe extern "C" fn rto_cswitch_stop(
    log: *const rto_cswitch,
    position: *mut rto_cswitch_position,
) -> bool {
    // SAFETY: the log is initialised, and the position as was promised.
    unsafe { write_position(core_log(log).and_then(CoreLog::stop), position) }
}

/// Says where the running recording stands. Returns false if there is none.
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
        // SAFETY: promised to this function.
        unsafe { addr_of_mut!(*position).write(snapshot.into()) };
    }
    recorded
}

/// `rto_cswitch_record` of a log that records, or did a moment ago. The order of
/// the arguments is that of an entry's words, with the log in place of the
/// counter: none has to move.
#[cfg(not(all(target_arch = "arm", target_os = "none")))]
#[no_mangle]
pub unsafe extern "C" fn rto_cswitch_write(
    kind: u32,
    log: *const rto_cswitch,
    address: usize,
    name: *const c_char,
) {
    // SAFETY: promised to this function.
    if let Some(log) = unsafe { core_log(log) } {
        log.log().record(kind, address, Name::from_ptr(name));
    }
}

/// Records that the scheduler enters the idle loop; idle time begins.
#[no_mangle]
pub unsafe extern "C" fn rto_cswitch_sleep(
    log: *const rto_cswitch,
    address: usize,
    name: *const c_char,
) {
    // SAFETY: promised to this function.
    if let Some(log) = unsafe { core_log(log) } {
        log.log().sleep(address, Name::from_ptr(name));
    }
}

/// Records that the processor leaves the idle loop; idle time ends.
#[no_mangle]
pub unsafe extern "C" fn rto_cswitch_wake(
    log: *const rto_cswitch,
    address: usize,
    name: *const c_char,
) {
    // SAFETY: promised to this function.
    if let Some(log) = unsafe { core_log(log) } {
        log.log().wake(address, Name::from_ptr(name));
    }
}

/// Records that an interrupt handler begins.
#[no_mangle]
pub unsafe extern "C" fn rto_cswitch_isr_enter(log: *const rto_cswitch, handler: usize) {
    // SAFETY: promised to this function.
    if let Some(log) = unsafe { core_log(log) } {
        log.log().isr_enter(handler);
    }
}

/// Records that an interrupt handler ends.
#[no_mangle]
pub unsafe extern "C" fn rto_cswitch_isr_exit(log: *const rto_cswitch, handler: usize) {
    // SAFETY: promised to this function.
    if let Some(log) = unsafe { core_log(log) } {
        log.log().isr_exit(handler);
    }
}

/// Records that interrupts are disabled; `before` says whether they were already.
#[no_mangle]
pub unsafe extern "C" fn rto_cswitch_interrupts_disabled(
    log: *const rto_cswitch,
    before: bool,
    address: usize,
    name: *const c_char,
) {
    // SAFETY: promised to this function.
    if let Some(log) = unsafe { core_log(log) } {
        log.log()
            .interrupts_disabled(before, address, Name::from_ptr(name));
    }
}

/// Records that interrupts get back the state that they had before they were
/// disabled; `still` says that this is disabled, as at the end of the inner of nested
/// pairs.
#[no_mangle]
pub unsafe extern "C" fn rto_cswitch_interrupts_restored(
    log: *const rto_cswitch,
    still: bool,
    address: usize,
    name: *const c_char,
) {
    // SAFETY: promised to this function.
    if let Some(log) = unsafe { core_log(log) } {
        log.log()
            .interrupts_restored(still, address, Name::from_ptr(name));
    }
}

/// Ticks spent idle since the recording started.
#[no_mangle]
pub unsafe extern "C" fn rto_cswitch_idle_total(log: *const rto_cswitch) -> u64 {
    // SAFETY: promised to this function.
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
            let mut position = MaybeUninit::uninit();
            assert!(rto_cswitch_stop(log, position.as_mut_ptr()));
            assert_eq!(position.assume_init().written, 1);
            assert_eq!((*buffer).kind, 2);
            assert!(!on());
        }
    }

    /// Memory of zeros, for ever.
    fn zeroed<T>() -> *mut T {
        Box::leak(Box::new(MaybeUninit::<T>::zeroed())).as_mut_ptr()
    }

    #[test]
    fn a_log_that_was_never_initialised_records_nothing() {
        let log = zeroed::<rto_cswitch>();
        let buffer = zeroed::<[rto_cswitch_entry; 4]>().cast::<rto_cswitch_entry>();
        for log in [log, null_mut()] {
            // SAFETY: a log of zeros, or none.
            unsafe {
                assert!(!rto_cswitch_start(log, buffer, 4, true));
                rto_cswitch_write(2, log, 0x1000, "worker\0".as_ptr());
                rto_cswitch_sleep(log, 0, null());
                rto_cswitch_wake(log, 0, null());
                rto_cswitch_isr_enter(log, 0);
                rto_cswitch_interrupts_disabled(log, false, 0, null());
                assert_eq!(rto_cswitch_idle_total(log), 0);
                assert!(!rto_cswitch_snapshot(log, null_mut()));
                assert!(!rto_cswitch_stop(log, null_mut()));
            }
        }
        // SAFETY: as above.
        unsafe { assert_eq!((*buffer).kind, 0) };
    }

    #[test]
    fn a_buffer_that_cannot_be_written_is_refused() {
        let log = zeroed::<rto_cswitch>();
        let buffer = zeroed::<[rto_cswitch_entry; 4]>().cast::<rto_cswitch_entry>();
        let start = |buffer, entries| {
            // SAFETY: the log is initialised before, the buffer refused or right.
            unsafe { rto_cswitch_start(log, buffer, entries, false) }
        };
        // SAFETY: memory that is this test's alone.
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
