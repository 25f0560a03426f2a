//! The context-switch log.

use crate::{call, case, inside, mark};
use core::arch::global_asm;
use core::ffi::c_void;
use core::hint::black_box;
use cost::{CYCLES, PRIMASK, UNMASKED, buffer};
use rtoscope_record::Name;
use rtoscope_record::cswitch::{
    AtomicSwitchLog, BufferMode, LogEntry, LogSnapshot, LogSource as _, SwitchLog,
};
use rtoscope_record::port::{CounterRegister, CycleCounter, Primask, Unmasked};

type UnmaskedLog = SwitchLog<Unmasked, CounterRegister>;
type MaskedLog = SwitchLog<Primask, CounterRegister>;

// One log per case; otherwise identical functions would be merged.
static ONE_SHOT: UnmaskedLog = SwitchLog::new(UNMASKED, CYCLES);
static FULL: UnmaskedLog = SwitchLog::new(UNMASKED, CYCLES);
static CALLED: MaskedLog = SwitchLog::new(PRIMASK, CYCLES);
static MASKED: MaskedLog = SwitchLog::new(PRIMASK, CYCLES);
static CYCLIC: MaskedLog = SwitchLog::new(PRIMASK, CYCLES);
static WRAP: MaskedLog = SwitchLog::new(PRIMASK, CYCLES);
static OFF: MaskedLog = SwitchLog::new(PRIMASK, CYCLES);
static OFF_INSIDE: MaskedLog = SwitchLog::new(PRIMASK, CYCLES);

// The functions that write, without the code around their calls: the test whether the log
// is on, which is a case of its own, and the loading of the arguments.
global_asm!(
    ".section .text.cost_jumps, \"ax\"",
    ".thumb",
    ".global cost_jump_cswitch_one_shot",
    ".type cost_jump_cswitch_one_shot, %function",
    ".thumb_func",
    "cost_jump_cswitch_one_shot: b.w rto_cswitch_write_unmasked",
    ".global cost_jump_cswitch_masked",
    ".type cost_jump_cswitch_masked, %function",
    ".thumb_func",
    "cost_jump_cswitch_masked: b.w rto_cswitch_write",
    ".global cost_jump_cswitch_cyclic",
    ".type cost_jump_cswitch_cyclic, %function",
    ".thumb_func",
    "cost_jump_cswitch_cyclic: b.w rto_cswitch_write",
);

unsafe extern "C" {
    fn cost_jump_cswitch_one_shot(kind: u32, log: *const c_void, address: usize, name: Name);
    fn cost_jump_cswitch_masked(kind: u32, log: *const c_void, address: usize, name: Name);
    fn cost_jump_cswitch_cyclic(kind: u32, log: *const c_void, address: usize, name: Name);
}

// The same with the code around the call.
case!(cost_cswitch_call(kind: u32, address: usize, name: Name) {
    CALLED.record(kind, address, name);
});
case!(cost_cswitch_full(kind: u32, address: usize, name: Name) {
    FULL.record(kind, address, name);
});
case!(cost_cswitch_wrap(kind: u32, address: usize, name: Name) {
    WRAP.record(kind, address, name);
});
case!(cost_cswitch_off(kind: u32, address: usize, name: Name) {
    OFF.record(kind, address, name);
});
inside!(
    off,
    "cost_from_cswitch_off_inside",
    "cost_to_cswitch_off_inside",
    OFF_INSIDE.record(2, 0x1000, Name::ISR)
);
case!(cost_cswitch_sleep(address: usize, name: Name) { MASKED.sleep(address, name); });
case!(cost_cswitch_wake(address: usize, name: Name) { MASKED.wake(address, name); });
case!(cost_cswitch_isr_enter(handler: usize) { MASKED.isr_enter(handler); });

static ATOMIC: AtomicSwitchLog<CycleCounter, 4> = AtomicSwitchLog::new(CycleCounter);
static ATOMIC_WRAP: AtomicSwitchLog<CycleCounter, 2> = AtomicSwitchLog::new(CycleCounter);
static ATOMIC_OFF: AtomicSwitchLog<CycleCounter, 4> = AtomicSwitchLog::new(CycleCounter);

case!(cost_cswitch_atomic(kind: u32, address: usize, name: Name) {
    ATOMIC.record(kind, address, name);
});
case!(cost_cswitch_atomic_wrap(kind: u32, address: usize, name: Name) {
    ATOMIC_WRAP.record(kind, address, name);
});
case!(cost_cswitch_atomic_off(kind: u32, address: usize, name: Name) {
    ATOMIC_OFF.record(kind, address, name);
});

/// A log in the form that the functions take.
fn memory<M>(log: &'static SwitchLog<M, CounterRegister>) -> *const c_void {
    black_box(core::ptr::from_ref(log).cast())
}

/// Calls a case with an entry.
macro_rules! entry {
    ($case:ident) => {
        call!($case(2, 0x1000, Name::ISR): fn(u32, usize, Name))
    };
}

/// Starts a log through an address that is opaque to the compiler, so that it knows
/// nothing of any log's state.
macro_rules! start {
    ($log:ident, $entries:literal, $mode:ident) => {
        black_box(&$log).start(buffer!(BUFFER: [LogEntry; $entries]), BufferMode::$mode)
    };
}

pub(crate) fn run() -> bool {
    one_shot() & cyclic() & atomic()
}

fn one_shot() -> bool {
    let mut ok = start!(ONE_SHOT, 1, OneShot) & start!(FULL, 1, OneShot);
    // SAFETY: each function writes an entry to a log of its own type.
    unsafe { cost_jump_cswitch_one_shot(2, memory(&ONE_SHOT), 0x1000, Name::ISR) };
    FULL.record(2, 0x1000, Name::ISR);
    entry!(cost_cswitch_full);
    ok &= black_box(&FULL).lost() == 1;

    ok &= start!(CALLED, 1, OneShot);
    entry!(cost_cswitch_call);
    ok &= start!(MASKED, 4, OneShot);
    // SAFETY: as above.
    unsafe { cost_jump_cswitch_masked(2, memory(&MASKED), 0x1000, Name::ISR) };
    call!(cost_cswitch_sleep(0x1000, Name::ISR): fn(usize, Name));
    call!(cost_cswitch_wake(0x1000, Name::ISR): fn(usize, Name));
    call!(cost_cswitch_isr_enter(0x1000): fn(usize));
    let recording = black_box(&MASKED).stop();
    let kinds = recording.iter().flat_map(|recording| recording.memory());
    ok & kinds.map(|entry| entry.kind).eq([2, 1, 0, 5])
}

fn cyclic() -> bool {
    let mut ok = start!(CYCLIC, 2, Cyclic) & start!(WRAP, 1, Cyclic);
    // SAFETY: as above.
    unsafe { cost_jump_cswitch_cyclic(2, memory(&CYCLIC), 0x1000, Name::ISR) };
    black_box(());
    WRAP.record(2, 0x1000, Name::ISR);
    entry!(cost_cswitch_wrap);
    let stopped = black_box(&WRAP)
        .stop()
        .map(|recording| recording.snapshot());
    ok &= stopped.is_some_and(|snapshot| (snapshot.first_entry, snapshot.next_entry) == (1, 2));
    entry!(cost_cswitch_off);
    off();
    ok & black_box(&OFF).snapshot().is_none()
}

fn atomic() -> bool {
    let next = |snapshot: Option<LogSnapshot>| snapshot.map(|snapshot| snapshot.next_entry);
    let mut ok = black_box(&ATOMIC).start(BufferMode::OneShot);
    entry!(cost_cswitch_atomic);
    ok &= next(black_box(&ATOMIC).snapshot()) == Some(1);
    ok &= black_box(&ATOMIC_WRAP).start(BufferMode::Cyclic);
    ATOMIC_WRAP.record(2, 0x1000, Name::ISR);
    ATOMIC_WRAP.record(2, 0x1000, Name::ISR);
    entry!(cost_cswitch_atomic_wrap);
    ok &= next(black_box(&ATOMIC_WRAP).snapshot()) == Some(3);
    entry!(cost_cswitch_atomic_off);
    ok & black_box(&ATOMIC_OFF).snapshot().is_none()
}
