//! The recorders, their black boxes, and the program's own account of the last switches.

use crate::machine::{COUNTER, FREQUENCY, Mask};
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, Ordering};
use kernel::{Event, Observer, Thread};
use rtoscope_record::Name;
use rtoscope_record::black_box::{BlackBox, BlackBoxMemory, FaultRecord};
use rtoscope_record::cswitch::{BufferMode, MemoryRegion, ReadableMemory, SwitchLog};
use rtoscope_record::port::{Clock, CounterRegister};
use rtoscope_record::threadx::{self, ThreadXRecorder};

/// Executes an undefined instruction while a recorder writes an entry, with interrupts
/// masked, if this is set.
pub(crate) static CRASH_IN_ENTRY: AtomicBool = AtomicBool::new(false);

/// The counter of the board.
pub(crate) struct BoardClock;

impl Clock for BoardClock {
    fn now(&self) -> u32 {
        if CRASH_IN_ENTRY.load(Ordering::Relaxed) {
            CRASH_IN_ENTRY.store(false, Ordering::Relaxed);
            crate::machine::crash();
        }
        // SAFETY: a register that is readable at any time.
        unsafe { COUNTER.read_volatile() }
    }
}

// SAFETY: one core; handlers of faults only freeze.
static LOG: SwitchLog<Mask, BoardClock> = SwitchLog::new(unsafe { Mask::new() }, BoardClock);

// SAFETY: as above, and the counter is readable at any time.
static TRACE: ThreadXRecorder<Mask, CounterRegister> =
    ThreadXRecorder::new(unsafe { Mask::new() }, unsafe {
        CounterRegister::new(COUNTER)
    });

/// A ring of 64 entries.
#[unsafe(link_section = ".noinit")]
static LOG_BOX: BlackBox<{ 18 + 128 }> = BlackBox::new();

/// A buffer of 4 KiB with 8 objects.
#[unsafe(link_section = ".noinit")]
static TRACE_BOX: BlackBox<512> = BlackBox::new();

/// The program's own account, which a test reads: the numbers of entries of the log and
/// of dispatches, and the last dispatches, each with its thread's name.
#[repr(C)]
pub(crate) struct Account {
    entries: u32,
    dispatches: u32,
    last: [*const u8; 16],
}

/// Memory that survives the reset and that tests read by its symbol.
#[repr(transparent)]
pub(crate) struct Kept<T>(UnsafeCell<T>);

// SAFETY: one core, and it is accessed with interrupts off.
unsafe impl<T> Sync for Kept<T> {}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".noinit")]
static ACCOUNT: Kept<Account> = Kept(UnsafeCell::new(Account {
    entries: 0,
    dispatches: 0,
    last: [core::ptr::null(); 16],
}));

/// A saved recording.
#[repr(C)]
pub(crate) struct Saved {
    /// "DONE".
    done: u32,
    length: u32,
    bytes: [u8; 8192],
}

#[unsafe(no_mangle)]
static SAVED_LOG: Kept<Saved> = Kept(UnsafeCell::new(Saved::NONE));
#[unsafe(no_mangle)]
static SAVED_TRACE: Kept<Saved> = Kept(UnsafeCell::new(Saved::NONE));

impl Saved {
    const NONE: Self = Self {
        done: 0,
        length: 0,
        bytes: [0; 8192],
    };

    fn push(&mut self, bytes: &[u8]) {
        let free = self.bytes.iter_mut().skip(self.length as usize);
        for (target, byte) in free.zip(bytes) {
            *target = *byte;
            self.length += 1;
        }
    }
}

unsafe extern "C" {
    static __code_start: u8;
    static __code_end: u8;
}

/// Saves what the previous run recorded. Returns whether there was something.
pub(crate) fn hand_over() -> bool {
    let log = save(LOG_BOX.memory(), &SAVED_LOG);
    let trace = save(TRACE_BOX.memory(), &SAVED_TRACE);
    log && trace
}

fn save(memory: BlackBoxMemory, target: &Kept<Saved>) -> bool {
    // SAFETY: nothing records yet.
    let Some(recovery) = (unsafe { memory.recover() }) else {
        return false;
    };
    let code = [MemoryRegion {
        start: &raw const __code_start,
        end: &raw const __code_end,
    }];
    // SAFETY: the program's constants, and no other code uses the target.
    unsafe {
        let saved = &mut *target.0.get();
        let sink = |bytes: &[u8]| saved.push(bytes);
        recovery.save(sink, FREQUENCY.into(), 32, ReadableMemory::new(&code));
        saved.done = u32::from_le_bytes(*b"DONE");
    }
    true
}

/// Freezes both recordings, in the handler of a fault.
pub(crate) fn freeze(mut fault: FaultRecord) {
    fault.words = [0xC0DE, 0, 0, 0];
    LOG_BOX.memory().freeze_log(&LOG, &fault);
    TRACE_BOX.memory().freeze_trace(&TRACE, &fault);
}

/// The kernel's observer.
pub(crate) struct Recorders;

impl Recorders {
    /// Starts both recordings, with interrupts off.
    pub(crate) fn start(&self) {
        // SAFETY: nothing uses the memory, and there is one core.
        unsafe {
            ACCOUNT.0.get().write_bytes(0, 1);
            LOG_BOX.memory().start_log(&LOG, BufferMode::Cyclic);
            let _ = TRACE_BOX.memory().start_trace(&TRACE, 8);
        }
    }
}

impl Observer for Recorders {
    fn observe(&self, _running: Option<&Thread>, _depth: u32, event: Event<'_>) {
        match event {
            Event::Created { thread } => {
                TRACE.register_thread(id(thread), thread.name().to_str().unwrap_or(""), 0, 0);
                return;
            }
            Event::Dispatched {
                thread,
                interrupted,
                address,
            } => {
                if interrupted {
                    LOG.async_resume(address, name(thread));
                } else {
                    LOG.sync_resume(address, name(thread));
                }
                TRACE.dispatch(id(thread));
                // SAFETY: interrupts are off.
                let account = unsafe { &mut *ACCOUNT.0.get() };
                let slot = account.dispatches as usize % account.last.len();
                if let Some(last) = account.last.get_mut(slot) {
                    *last = thread.name().as_ptr().cast();
                }
                account.dispatches = account.dispatches.wrapping_add(1);
            }
            Event::IdleEntered => {
                LOG.sleep(kernel::address_here(), rtoscope_record::name!("idle"));
                TRACE.enter_idle();
            }
            Event::IdleLeft => LOG.wake(kernel::address_here(), rtoscope_record::name!("idle")),
            Event::InterruptEntered {
                handler, number, ..
            } => {
                LOG.isr_enter(handler);
                TRACE.isr_enter(number);
            }
            Event::InterruptLeft {
                handler, number, ..
            } => {
                LOG.isr_exit(handler);
                TRACE.isr_exit(number);
            }
            Event::Returned { thread, address } => LOG.isr_return(address, name(thread)),
            _ => return,
        }
        // SAFETY: interrupts are off.
        let account = unsafe { &mut *ACCOUNT.0.get() };
        account.entries = account.entries.wrapping_add(1);
    }
}

fn id(thread: &Thread) -> threadx::Thread {
    threadx::Thread::new(thread.address(), 1)
}

fn name(thread: &Thread) -> Name {
    Name::from_ptr(thread.name().as_ptr().cast())
}
