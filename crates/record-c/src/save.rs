//! Saving context-switch logs as files.

use crate::c::{c_char, size_t};
use crate::cswitch::{core_log, rto_cswitch};
use core::ffi::c_void;
use core::slice;
use rtoscope_record::cswitch::{
    CswlWriter, LogEntry, LogSnapshot, LogSource, MemoryRegion, ReadableMemory,
};

/// Takes the next bytes of a file. `user` is what `rto_cswitch_save` was given.
pub type rto_write =
    Option<unsafe extern "C" fn(user: *mut c_void, bytes: *const u8, count: size_t)>;

/// Memory from `start` to before `finish`.
#[repr(C)]
pub struct rto_region {
    /// The first byte.
    pub start: *const c_char,
    /// Behind the last byte.
    pub end: *const c_char,
}

/// How logs are saved.
#[repr(C)]
pub struct rto_cswitch_saving {
    /// The logs, that of core 0 first.
    pub logs: *const *const rto_cswitch,
    /// How many there are.
    pub cores: u16,
    /// Bits that the counter counts with, 1 to 32.
    pub counter_bits: u8,
    /// The counter's frequency in Hz, 0 if unknown.
    pub frequency: u64,
    /// The memory that names may be read from, usually the program's constants. A
    /// name elsewhere stays an address.
    pub readable: *const rto_region,
    /// How many regions there are.
    pub regions: size_t,
}

/// Writes logs as a CSWL file, which `rtoscope` reads without knowing anything
/// else of the target. Logs may run on meanwhile: what is overwritten before it
/// could be written comes as an unfinished entry. Of a log that was stopped, what
/// it had recorded is written, if its buffer is as it was then. A log that never
/// recorded, was not initialised, or whose address is NULL comes without entries.
/// Returns the bytes written, 0 if `saving` or `write` is NULL, or `logs` is and
/// `cores` is not 0.
#[no_mangle]
pub unsafe extern "C" fn rto_cswitch_save(
    saving: *const rto_cswitch_saving,
    write: rto_write,
    user: *mut c_void,
) -> u64 {
    let (saving, write) = match (saving.is_null(), write) {
        // SAFETY: a pointer that is not null is valid, says the header.
        (false, Some(write)) => (unsafe { &*saving }, write),
        _ => return 0,
    };
    if saving.logs.is_null() && saving.cores > 0 {
        return 0;
    }
    let mut written = 0_u64;
    let sink = |bytes: &[u8]| {
        written = written.wrapping_add(bytes.len() as u64);
        // SAFETY: the program's own function, with bytes that can be read.
        unsafe { write(user, bytes.as_ptr(), bytes.len()) };
    };
    // SAFETY: the header asks for so many regions, all of them readable.
    let readable = unsafe {
        ReadableMemory::new(slice_from_c(
            saving.readable.cast::<MemoryRegion>(),
            saving.regions,
        ))
    };
    // SAFETY: the header asks for so many logs.
    let logs = unsafe { slice_from_c(saving.logs, saving.cores.into()) };
    let mut file = CswlWriter::new(sink, saving.frequency, saving.counter_bits, saving.cores);
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

/// A log that never recorded.
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
/// `first` must be null or the address of `count` values.
unsafe fn slice_from_c<'a, T>(first: *const T, count: usize) -> &'a [T] {
    if first.is_null() {
        return &[];
    }
    // SAFETY: promised to this function.
    unsafe { slice::from_raw_parts(first, count) }
}
