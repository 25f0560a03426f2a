//! Saves context-switch logs as files.

use crate::c::{c_char, size_t};
use crate::cswitch::{core_log, rto_cswitch};
use core::ffi::c_void;
use core::mem::{align_of, size_of};
use core::slice;
use rtoscope_record::cswitch::{
    CONTAINER_BYTES, CswlWriter, LogCursor, LogEntry, LogSnapshot, LogSource, MemoryRegion,
    ReadableMemory,
};

/// Writes the next bytes of a file. `user` is the argument of `rto_cswitch_save`.
pub type rto_write_fn =
    Option<unsafe extern "C" fn(user: *mut c_void, bytes: *const u8, count: size_t)>;

/// Memory from `start` up to, but not including, `end`.
#[repr(C)]
pub struct rto_memory_region {
    /// The first byte.
    pub start: *const c_char,
    /// The end, after the last byte.
    pub end: *const c_char,
}

/// Options for saving logs.
#[repr(C)]
pub struct rto_cswitch_save_options {
    /// The logs, starting with that of core 0.
    pub logs: *const *const rto_cswitch,
    /// The number of logs.
    pub cores: u16,
    /// Width of the counter in bits, 1 to 32.
    pub counter_bits: u8,
    /// Frequency of the counter in Hz, 0 if unknown.
    pub frequency_hz: u64,
    /// The memory in which names may be read, usually the program's constants. A name
    /// elsewhere is saved as an address only.
    pub readable: *const rto_memory_region,
    /// The number of regions.
    pub regions: size_t,
}

/// Saves logs as a self-contained CSWL file. Logs may keep recording meanwhile: an entry
/// that is overwritten before it is saved appears as an unfinished entry. A stopped log
/// is saved with its last session, if its buffer is unchanged. A log that was never
/// started, was not initialised, or whose address is NULL, is saved without entries.
/// Returns the number of bytes written; 0 if `options` or `write` is NULL, or if `logs`
/// is NULL and `cores` is not 0.
#[no_mangle]
pub unsafe extern "C" fn rto_cswitch_save(
    options: *const rto_cswitch_save_options,
    write: rto_write_fn,
    user: *mut c_void,
) -> u64 {
    let (options, write) = match (options.is_null(), write) {
        // SAFETY: the header requires a valid pointer if it is not NULL.
        (false, Some(write)) => (unsafe { &*options }, write),
        _ => return 0,
    };
    if options.logs.is_null() && options.cores > 0 {
        return 0;
    }
    let mut written = 0_u64;
    let sink = |bytes: &[u8]| {
        written = written.wrapping_add(bytes.len() as u64);
        // SAFETY: the program's own function, with readable bytes.
        unsafe { write(user, bytes.as_ptr(), bytes.len()) };
    };
    // SAFETY: the header requires this many regions, all of them readable.
    let readable = unsafe { memory_regions(options.readable, options.regions) };
    // SAFETY: the header requires this many logs.
    let logs = unsafe { slice_from_c(options.logs, options.cores.into()) };
    let mut file = CswlWriter::new(
        sink,
        options.frequency_hz,
        options.counter_bits,
        options.cores,
    );
    for (core, log) in (0..).zip(logs) {
        // SAFETY: as above.
        match unsafe { core_log(*log) } {
            Some(log) => file.write_core(core, log, readable),
            None => file.write_core(core, &EmptyLog, readable),
        }
    }
    let _ = file.finish();
    written
}

/// The position up to which a log was sent, and the names that were sent. Zeros are the
/// start of any log.
#[repr(C)]
pub struct rto_cswitch_cursor {
    position: u64,
    session: u32,
    names: [*const c_char; 32],
}

const _: () = assert!(size_of::<LogCursor>() == size_of::<rto_cswitch_cursor>());
const _: () = assert!(align_of::<LogCursor>() == align_of::<rto_cswitch_cursor>());

/// Reads the entries that the last call did not, as a CSWL container of at most `size`
/// bytes, and moves the cursors past them: call it again and again, and send the containers
/// one after the other. Each name is sent once. `cursors` has one cursor for each log. Logs
/// may keep recording meanwhile; the host reports entries that were overwritten before they
/// were read. Returns the number of bytes; 0 if there are no new entries, if `options`,
/// `cursors` or `buffer` is NULL, or if `size` is less than 256 bytes for each log.
#[no_mangle]
pub unsafe extern "C" fn rto_cswitch_read(
    options: *const rto_cswitch_save_options,
    cursors: *mut rto_cswitch_cursor,
    buffer: *mut u8,
    size: size_t,
) -> size_t {
    if options.is_null() || cursors.is_null() || buffer.is_null() {
        return 0;
    }
    // SAFETY: the header requires a valid pointer if it is not NULL.
    let options = unsafe { &*options };
    // SAFETY: as many logs and cursors as the header requires.
    let (logs, cursors) = unsafe {
        (
            slice_from_c(options.logs, options.cores.into()),
            slice::from_raw_parts_mut(cursors.cast::<LogCursor>(), options.cores.into()),
        )
    };
    // SAFETY: the header requires initialised logs, or memory of zeros.
    let log_at = |log: *const rto_cswitch| unsafe { core_log(log) };
    let has_new = |(log, cursor): (&*const rto_cswitch, &mut LogCursor)| {
        log_at(*log).map_or(false, |log| cursor.has_new_entries(log))
    };
    if size / MIN_READ_BYTES < logs.len() || !logs.iter().zip(&mut *cursors).any(has_new) {
        return 0;
    }
    // SAFETY: the header requires this many regions, all of them readable.
    let readable = unsafe { memory_regions(options.readable, options.regions) };
    let mut written = 0;
    let sink = |bytes: &[u8]| {
        for byte in bytes {
            if written < size {
                // SAFETY: the header requires writable memory of this size.
                unsafe { buffer.add(written).write(*byte) };
                written += 1;
            }
        }
    };
    let mut file = CswlWriter::new(
        sink,
        options.frequency_hz,
        options.counter_bits,
        options.cores,
    );
    let max_core_bytes = (size - CONTAINER_BYTES) / logs.len();
    for (core, (log, cursor)) in (0..).zip(logs.iter().zip(cursors)) {
        match log_at(*log) {
            Some(log) => file.write_new_entries(core, log, readable, cursor, max_core_bytes),
            None => file.write_core(core, &EmptyLog, readable),
        }
    }
    let _ = file.finish();
    written
}

/// Minimum size of a buffer for each log: a core without entries, and one with the longest
/// name.
const MIN_READ_BYTES: usize = 256;

/// A log that was never started.
struct EmptyLog;

impl LogSource for EmptyLog {
    fn snapshot(&self) -> Option<LogSnapshot> {
        None
    }

    fn copy_entries(&self, _session: u32, from: u64, _into: &mut [LogEntry]) -> (u64, usize) {
        (from, 0)
    }
}

/// # Safety
/// `first` must be null or the address of this many regions, all of them readable.
pub(crate) unsafe fn memory_regions<'a>(
    first: *const rto_memory_region,
    regions: size_t,
) -> ReadableMemory<'a> {
    // SAFETY: the caller guarantees this.
    unsafe { ReadableMemory::new(slice_from_c(first.cast::<MemoryRegion>(), regions)) }
}

/// # Safety
/// `first` must be null or the address of `count` values.
unsafe fn slice_from_c<'a, T>(first: *const T, count: usize) -> &'a [T] {
    if first.is_null() {
        return &[];
    }
    // SAFETY: the caller guarantees this.
    unsafe { slice::from_raw_parts(first, count) }
}
