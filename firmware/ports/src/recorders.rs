//! The recorders: a log and a trace with the ports of the crate, and the log of the C
//! library with its own mask and the core's counter.

use crate::machine::{Counter, Mask};
use crate::{counts, interrupts, saved};
use core::ffi::{CStr, c_void};
use core::mem::MaybeUninit;
use core::ptr::{addr_of, addr_of_mut};
use core::sync::atomic::{AtomicU32, Ordering};
use rtoscope_record::cswitch::{
    BufferMode, CswlWriter, LogEntry, MemoryRegion, ReadableMemory, SwitchLog,
};
use rtoscope_record::port::Clock;
use rtoscope_record::threadx::{Thread, ThreadXRecorder, Ulong, buffer_words};
use rtoscope_record::{Name, name};
use rtoscope_record_c::cswitch as c;
use rtoscope_record_c::save::{rto_cswitch_save, rto_cswitch_save_options, rto_memory_region};

const ENTRIES: usize = 4000;
const EVENTS: usize = 4000;
const OBJECTS: usize = 4;
const WORDS: usize = buffer_words::<Ulong>(OBJECTS, EVENTS);

/// `RTO_CORE_COUNTER` of the header.
const CORE_COUNTER: *const u32 = 4 as *const u32;

/// The core's counter, with a test of the interrupts within each entry.
struct TestClock;

impl Clock for TestClock {
    fn now(&self) -> u32 {
        let now = Counter.now();
        interrupts::within_entry();
        now
    }
}

// SAFETY: one core, a privileged mode, and only masked interrupts record.
static LOG: SwitchLog<Mask, TestClock> = SwitchLog::new(unsafe { Mask::new() }, TestClock);
// SAFETY: as above.
static TRACE: ThreadXRecorder<Mask, TestClock> =
    ThreadXRecorder::new(unsafe { Mask::new() }, TestClock);

static mut LOG_BUFFER: [MaybeUninit<LogEntry>; ENTRIES] =
    [const { MaybeUninit::uninit() }; ENTRIES];
static mut C_BUFFER: [MaybeUninit<LogEntry>; ENTRIES] = [const { MaybeUninit::uninit() }; ENTRIES];

/// The host finds it by its symbol.
#[unsafe(no_mangle)]
static mut TRACE_BUFFER: [MaybeUninit<Ulong>; WORDS] = [const { MaybeUninit::uninit() }; WORDS];

const THREADS: [&CStr; 2] = [c"camera", c"display"];

/// What runs.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Context {
    Thread,
    Timer,
    Software,
}

/// The number of the next mark of each context.
static NUMBERS: [AtomicU32; 3] = [const { AtomicU32::new(0) }; 3];

/// Numbers of the user events: the first context, and what to add for a mark that requests
/// an interrupt.
const FIRST_EVENT: u32 = 4096;
const REQUEST: u32 = 16;

/// Starts all recorders, with interrupts off.
pub(crate) fn start() {
    // SAFETY: the buffers are used once, here.
    unsafe {
        LOG.start(&mut *addr_of_mut!(LOG_BUFFER), BufferMode::OneShot);
        let _ = TRACE.enable(&mut *addr_of_mut!(TRACE_BUFFER), OBJECTS);
        c::rto_cswitch_init(c_log().cast_mut(), CORE_COUNTER);
        let entries = addr_of_mut!(C_BUFFER).cast();
        c::rto_cswitch_start(c_log(), entries, ENTRIES, false);
    }
    for (index, name) in (0..).zip(THREADS) {
        TRACE.register_thread(thread(index), name.to_str().unwrap_or(""), 0, 0);
    }
}

fn c_log() -> *const c::rto_cswitch {
    addr_of!(c::rtoscope_cswitch_log).cast()
}

fn thread(index: u32) -> Thread {
    Thread::new(0x1000 + 16 * index as usize, 5)
}

fn name(index: u32) -> Name {
    let name = THREADS.get(index as usize).copied().unwrap_or(c"");
    Name::from_ptr(name.as_ptr().cast())
}

/// Writes an entry of the log with the C library.
fn c_record(kind: c::rto_cswitch_kind, address: usize, name: Name) {
    // SAFETY: the log is initialised, and names never move.
    unsafe { c::rto_cswitch_write(kind as u32, c_log(), address, name.as_ptr().cast()) };
}

/// A thread continues.
pub(crate) fn dispatch(index: u32) {
    counts::change(|truth| truth.dispatches += 1);
    let address = dispatch as *const () as usize;
    LOG.sync_resume(address, name(index));
    c_record(c::rto_cswitch_kind::RTO_SYNC_RESUME, address, name(index));
    TRACE.enter_thread(thread(index));
}

/// Marks of a context have consecutive numbers. With `request`, an interrupt is requested
/// while the log and while the trace is written.
pub(crate) fn mark(context: Context, request: bool) {
    let event = FIRST_EVENT + context as u32 + if request { REQUEST } else { 0 };
    let (name, number) = match context {
        Context::Thread => (name!("thread"), &NUMBERS[0]),
        Context::Timer => (name!("timer"), &NUMBERS[1]),
        Context::Software => (name!("software"), &NUMBERS[2]),
    };
    let number = number.fetch_add(1, Ordering::Relaxed);
    counts::change(|truth| match context {
        Context::Thread => truth.thread_marks += 1,
        Context::Timer => truth.timer_marks += 1,
        Context::Software => truth.software_marks += 1,
    });
    if request {
        interrupts::request_within_entry();
        LOG.marker_begin(name, number);
    } else {
        LOG.marker(name, number);
    }
    c_record(c::rto_cswitch_kind::RTO_MARKER, number as usize, name);
    if request {
        interrupts::request_within_entry();
    }
    TRACE.user_event(event, [number as Ulong, 0, 0, 0]);
}

/// A handler begins; the logs get its number as its address.
pub(crate) fn enter(number: u32) {
    LOG.isr_enter(number as usize);
    c_record(
        c::rto_cswitch_kind::RTO_ISR_ENTER,
        number as usize,
        name!("ISR"),
    );
    TRACE.isr_enter(number);
}

/// A handler ends.
pub(crate) fn exit(number: u32) {
    LOG.isr_exit(number as usize);
    c_record(
        c::rto_cswitch_kind::RTO_ISR_EXIT,
        number as usize,
        name!("ISR"),
    );
    TRACE.isr_exit(number);
}

/// The interrupted thread continues.
pub(crate) fn resume() {
    let (name, address) = (name(crate::running()), resume as *const () as usize);
    LOG.isr_return(address, name);
    c_record(c::rto_cswitch_kind::RTO_ISR_RETURN, address, name);
}

unsafe extern "C" {
    static __code_start: u8;
    static __code_end: u8;
}

/// Stops the recorders and saves both logs as files in memory.
pub(crate) fn save() {
    let _ = TRACE.disable();
    counts::change(|truth| {
        let mut position = MaybeUninit::<c::rto_cswitch_position>::zeroed();
        // SAFETY: the log is initialised, and the position is valid with zeros.
        let position = unsafe {
            c::rto_cswitch_snapshot(c_log(), position.as_mut_ptr());
            position.assume_init()
        };
        truth.lost = (LOG.lost() + position.lost) as u32;
    });
    let (start, end) = (&raw const __code_start, &raw const __code_end);
    let code = [MemoryRegion { start, end }];
    // SAFETY: the program's constants, with the names of the entries.
    let code = unsafe { ReadableMemory::new(&code) };
    let mut file = CswlWriter::new(|bytes: &[u8]| saved::LOG_FILE.push(bytes), 0, 32, 1);
    file.write_core(0, &LOG, code);
    let _ = file.finish();
    let region = rto_memory_region { start, end };
    let log = c_log();
    let options = rto_cswitch_save_options {
        logs: &log,
        cores: 1,
        counter_bits: 32,
        frequency_hz: 0,
        readable: &region,
        regions: 1,
    };
    // SAFETY: the log is initialised, and the region is readable.
    unsafe { rto_cswitch_save(&options, Some(push), core::ptr::null_mut()) };
}

unsafe extern "C" fn push(_: *mut c_void, bytes: *const u8, count: usize) {
    // SAFETY: the library passes readable bytes.
    saved::C_LOG_FILE.push(unsafe { core::slice::from_raw_parts(bytes, count) });
}
