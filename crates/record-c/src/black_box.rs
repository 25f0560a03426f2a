//! Recordings in memory that survives a reset.

use crate::c::size_t;
use crate::cswitch::{core_log, rto_cswitch};
use crate::save::{memory_regions, rto_memory_region, rto_write_fn};
use crate::threadx::TRACE;
use core::ffi::c_void;
use rtoscope_record::black_box::{BlackBoxMemory, FaultRecord};
use rtoscope_record::cswitch::BufferMode;
use rtoscope_record::threadx::TraceStatus;

/// Memory for a black box: aligned to 8 bytes, and in a section that the startup code
/// does not initialise.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct rto_black_box {
    /// The first byte.
    pub memory: *mut c_void,
    /// The size in bytes: 144 and those of the recording.
    pub bytes: size_t,
}

/// The registers of a fault.
#[repr(C)]
pub struct rto_fault {
    /// 0: nothing froze the recording; 1: Cortex-M; 2: RISC-V; 3: the application.
    pub origin: u32,
    /// Exception number (Cortex-M), `mcause` (RISC-V).
    pub exception: u32,
    /// The code address.
    pub pc: u64,
    /// The return address.
    pub lr: u64,
    /// xPSR, `mstatus`.
    pub status: u64,
    /// The stack pointer before the fault.
    pub sp: u64,
    /// CFSR, HFSR, MMFAR and BFAR; `mcause` and `mtval`.
    pub registers: [u64; 4],
    /// Words of the application.
    pub words: [u32; 4],
}

const _: () = assert!(core::mem::size_of::<rto_fault>() == core::mem::size_of::<FaultRecord>());

/// # Safety
/// As the header requires.
unsafe fn memory(black_box: rto_black_box) -> Option<BlackBoxMemory> {
    // SAFETY: the caller guarantees this.
    unsafe { BlackBoxMemory::from_raw(black_box.memory, black_box.bytes) }
}

/// # Safety
/// `fault` must be null or valid.
unsafe fn fault_or_default(fault: *const rto_fault) -> FaultRecord {
    if fault.is_null() {
        return FaultRecord {
            origin: 3,
            ..FaultRecord::default()
        };
    }
    // SAFETY: the caller guarantees this; the types have the same layout.
    unsafe { *fault.cast::<FaultRecord>() }
}

/// Starts a session of a log in a black box, as `rto_cswitch_start`. Call
/// `rto_black_box_recover` first: the memory's content is overwritten.
#[no_mangle]
pub unsafe extern "C" fn rto_black_box_start_cswitch(
    black_box: rto_black_box,
    log: *const rto_cswitch,
    cyclic: bool,
) -> bool {
    let mode = if cyclic {
        BufferMode::Cyclic
    } else {
        BufferMode::OneShot
    };
    // SAFETY: the header requires the memory and the log.
    match unsafe { (memory(black_box), core_log(log)) } {
        // SAFETY: as above.
        (Some(memory), Some(log)) => unsafe {
            let started = memory.start_log(log.log(), mode);
            if started {
                log.forget_finished();
            }
            started
        },
        _ => false,
    }
}

/// Enables the ThreadX event trace in a black box, as `rto_threadx_enable`. Call
/// `rto_black_box_recover` first: the memory's content is overwritten.
#[no_mangle]
pub unsafe extern "C" fn rto_black_box_start_threadx(
    black_box: rto_black_box,
    registry_entries: size_t,
) -> u32 {
    // SAFETY: the header requires the memory.
    let started = match unsafe { memory(black_box) } {
        // SAFETY: as above.
        Some(memory) => unsafe { memory.start_trace(&TRACE, registry_entries) },
        None => Err(TraceStatus::PointerError),
    };
    TraceStatus::code(&started)
}

/// Stops the session in a black box and stores the fault, which may be NULL. The log ends
/// with an entry at the fault's code address. Returns false if there is no session, or if
/// it was frozen before.
///
/// Handlers of HardFault and NMI may call this function: it acquires no mask and waits for
/// nothing, and may interrupt a recorder at any instruction. The handler should end in a
/// reset.
#[no_mangle]
pub unsafe extern "C" fn rto_black_box_freeze_cswitch(
    black_box: rto_black_box,
    log: *const rto_cswitch,
    fault: *const rto_fault,
) -> bool {
    // SAFETY: the header requires valid arguments.
    match unsafe { (memory(black_box), core_log(log)) } {
        (Some(memory), Some(log)) => {
            // SAFETY: as above.
            memory.freeze_log(log.log(), &unsafe { fault_or_default(fault) })
        }
        _ => false,
    }
}

/// As `rto_black_box_freeze_cswitch`, for the ThreadX event trace. Handlers of HardFault
/// and NMI may call it.
#[no_mangle]
pub unsafe extern "C" fn rto_black_box_freeze_threadx(
    black_box: rto_black_box,
    fault: *const rto_fault,
) -> bool {
    // SAFETY: the header requires valid arguments.
    match unsafe { memory(black_box) } {
        // SAFETY: as above.
        Some(memory) => memory.freeze_trace(&TRACE, &unsafe { fault_or_default(fault) }),
        None => false,
    }
}

/// Stores the registers of a Cortex-M exception: `frame` is the address of the eight words
/// that the core stacked, or NULL; `exc_return` the value of LR in the handler. Handlers
/// of HardFault and NMI may call it.
#[cfg(cortex_m)]
#[no_mangle]
pub unsafe extern "C" fn rto_fault_cortex_m(
    frame: *const u32,
    exc_return: u32,
    fault: *mut rto_fault,
) {
    use rtoscope_record::black_box::CaptureFault;
    if !fault.is_null() {
        // SAFETY: the caller guarantees the frame and the target.
        unsafe {
            fault
                .cast::<FaultRecord>()
                .write(FaultRecord::from_cortex_m(frame, exc_return));
        }
    }
}

/// Returns the number of the recording that survived the last reset, and stores its fault;
/// `fault` may be NULL. Returns 0 if there is none: after power-on, or if the memory is
/// damaged. Call it before a recorder is started in this memory.
#[no_mangle]
pub unsafe extern "C" fn rto_black_box_recover(
    black_box: rto_black_box,
    fault: *mut rto_fault,
) -> u32 {
    // SAFETY: the header requires the memory, in which nothing records.
    let recovery = unsafe { memory(black_box).and_then(|memory| memory.recover()) };
    let recovery = match recovery {
        Some(recovery) => recovery,
        None => return 0,
    };
    if !fault.is_null() {
        // SAFETY: the caller guarantees the target.
        unsafe { fault.cast::<FaultRecord>().write(*recovery.fault()) };
    }
    recovery.boot_count()
}

/// Writes the recording that survived the last reset as a file: a log as a CSWL file with
/// the names in the readable regions, a trace as it is in memory. `frequency_hz` and
/// `counter_bits` describe the log's counter. Returns the number of bytes written, 0 if
/// there is no recording. Call it before a recorder is started in this memory.
#[no_mangle]
pub unsafe extern "C" fn rto_black_box_save(
    black_box: rto_black_box,
    frequency_hz: u64,
    counter_bits: u8,
    readable: *const rto_memory_region,
    regions: size_t,
    write: rto_write_fn,
    user: *mut c_void,
) -> u64 {
    // SAFETY: the header requires the memory, in which nothing records.
    let recovery = unsafe { memory(black_box).and_then(|memory| memory.recover()) };
    let (recovery, write) = match (recovery, write) {
        (Some(recovery), Some(write)) => (recovery, write),
        _ => return 0,
    };
    let mut written = 0_u64;
    let sink = |bytes: &[u8]| {
        written = written.wrapping_add(bytes.len() as u64);
        // SAFETY: the program's own function, with readable bytes.
        unsafe { write(user, bytes.as_ptr(), bytes.len()) };
    };
    // SAFETY: the header requires this many regions, all of them readable.
    let names = unsafe { memory_regions(readable, regions) };
    recovery.save(sink, frequency_hz, counter_bits, names);
    written
}

/// Forgets the recording that survived the last reset.
#[no_mangle]
pub unsafe extern "C" fn rto_black_box_discard(black_box: rto_black_box) {
    // SAFETY: the header requires the memory, in which nothing records.
    unsafe {
        if let Some(memory) = memory(black_box) {
            memory.discard();
        }
    }
}
