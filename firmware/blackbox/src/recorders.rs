//! The recorders, their black boxes, and the program's own account of the last switches.

use crate::machine::{COUNTER, FREQUENCY, Mask};
use core::sync::atomic::{AtomicBool, Ordering};
use kernel::{Event, Observer, Shared, Thread};
use rtoscope_record::black_box::{BlackBox, BlackBoxMemory, FaultRecord};
use rtoscope_record::cswitch::{BufferMode, MemoryRegion, ReadableMemory, SwitchLog};
use rtoscope_record::port::{Clock, CounterRegister};
use rtoscope_record::threadx::ThreadXRecorder;

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

impl Account {
    const NONE: Self = Self {
        entries: 0,
        dispatches: 0,
        last: [core::ptr::null(); 16],
    };
}

/// It survives the reset, and tests read it by its symbol.
#[unsafe(no_mangle)]
#[unsafe(link_section = ".noinit")]
static ACCOUNT: Shared<Account> = Shared::new(Account::NONE);

/// A saved recording.
#[repr(C)]
pub(crate) struct Saved {
    /// [`truth::DONE`].
    done: u32,
    length: u32,
    bytes: [u8; 8192],
}

#[unsafe(no_mangle)]
static SAVED_LOG: Shared<Saved> = Shared::new(Saved::NONE);
#[unsafe(no_mangle)]
static SAVED_TRACE: Shared<Saved> = Shared::new(Saved::NONE);

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

fn save(memory: BlackBoxMemory, target: &Shared<Saved>) -> bool {
    // SAFETY: nothing records yet.
    let Some(recovery) = (unsafe { memory.recover() }) else {
        return false;
    };
    let code = [MemoryRegion {
        start: &raw const __code_start,
        end: &raw const __code_end,
    }];
    // SAFETY: the program's constants.
    let code = unsafe { ReadableMemory::new(&code) };
    target.with(|saved| {
        recovery.save(|bytes: &[u8]| saved.push(bytes), FREQUENCY.into(), 32, code);
        saved.done = truth::DONE;
    });
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
        ACCOUNT.with(|account| *account = Account::NONE);
        // SAFETY: nothing uses the memory, and there is one core.
        unsafe {
            LOG_BOX.memory().start_log(&LOG, BufferMode::Cyclic);
            let _ = TRACE_BOX.memory().start_trace(&TRACE, 8);
        }
    }
}

impl Observer for Recorders {
    fn observe(&self, running: Option<&Thread>, depth: u32, event: Event<'_>) {
        // The log would have room for few switches beside the kernel's critical sections.
        if matches!(
            event,
            Event::InterruptsDisabled { .. } | Event::InterruptsRestored { .. }
        ) {
            return;
        }
        recorders::threadx::observe(&TRACE, running, depth, &event);
        let has_entry = recorders::cswitch::observe(&LOG, running, depth, &event);
        ACCOUNT.with(|account| {
            account.entries = account.entries.wrapping_add(has_entry.into());
            if let Event::Dispatched { thread, .. } = event {
                let slot = account.dispatches as usize % account.last.len();
                if let Some(last) = account.last.get_mut(slot) {
                    *last = thread.name().as_ptr().cast();
                }
                account.dispatches = account.dispatches.wrapping_add(1);
            }
        });
        if let Event::Dispatched { .. } = event {
            TRACE.running();
        }
    }
}
