//! The ThreadX event trace: events with four words, as a kernel inserts them.

use crate::{call, case, inside, mark};
use core::ffi::c_void;
use core::hint::black_box;
use cost::{PRIMASK, buffer};
use rtoscope_record::port::{CycleCounter, Primask};
use rtoscope_record::threadx::{
    EventGroups, ObjectType, Thread, ThreadXRecorder, Ulong, buffer_words,
};

type TestRecorder = ThreadXRecorder<Primask, CycleCounter, Ulong>;

/// Slots of a registry, and events of a ring: enabling the recorder writes two events.
const REGISTRY: usize = 4;
const ENABLED: usize = 2;
const EVENTS: usize = ENABLED + 3;

/// `TX_TRACE_QUEUE_SEND`.
const QUEUE_SEND: u32 = 68;
const WORKER: Thread = Thread::new(0x2000_1000, 7);

/// Defines a case that inserts an event, into a recorder of its own; otherwise identical
/// functions would be merged.
macro_rules! insert {
    ($($recorder:ident $case:ident)*) => {$(
        static $recorder: TestRecorder = TestRecorder::new(PRIMASK, CycleCounter);
        case!($case(first: u32, second: u32, third: u32, fourth: u32) {
            $recorder.insert(EventGroups::QUEUE, QUEUE_SEND, [first, second, third, fourth]);
        });
    )*};
}

insert! {
    THREAD cost_txtb_thread
    INTERRUPT cost_txtb_isr
    FILTERED cost_txtb_filtered
    DISABLED cost_txtb_disabled
    WRAP cost_txtb_wrap
}

static DISABLED_INSIDE: TestRecorder = TestRecorder::new(PRIMASK, CycleCounter);
inside!(
    disabled,
    "cost_from_txtb_disabled_inside",
    "cost_to_txtb_disabled_inside",
    DISABLED_INSIDE.insert(EventGroups::QUEUE, QUEUE_SEND, [1, 2, 3, 4])
);
case!(cost_txtb_user(id: u32, first: u32, second: u32, third: u32) {
    THREAD.user_event(id, [first, second, third, 0]);
});
case!(cost_txtb_register(queue: *const c_void, name: *const u8, size: u32, message: u32) -> bool {
    let queue = queue as usize;
    // SAFETY: the name is NUL-terminated text.
    unsafe { THREAD.register_raw(ObjectType::QUEUE, queue, name, [size, message]) }.is_ok()
});
case!(cost_txtb_isr_enter(number: u32) { INTERRUPT.isr_enter(number); });

/// Calls a case with an event.
macro_rules! event {
    ($case:ident) => {
        call!($case(1, 2, 3, 4): fn(u32, u32, u32, u32))
    };
}

/// Enables a recorder in a thread and returns the address of its memory, which is opaque
/// to the compiler, so that it knows nothing of the state.
macro_rules! enable {
    ($recorder:ident) => {{
        let memory = buffer!(BUFFER: [Ulong; buffer_words::<Ulong>(REGISTRY, EVENTS)]);
        let words = memory.as_ptr().cast::<Ulong>();
        let enabled = black_box(&$recorder).enable(memory, REGISTRY).is_ok();
        black_box(&$recorder).enter_thread(WORKER);
        TraceBuffer { words, enabled }
    }};
}

/// The memory of a recorder.
struct TraceBuffer {
    words: *const Ulong,
    enabled: bool,
}

impl TraceBuffer {
    /// Whether the events from number `first` on were recorded with the contexts
    /// `contexts`, and `next` is the next event.
    fn has_events(&self, first: usize, contexts: &[Ulong], next: usize) -> bool {
        let word = |offset: usize| {
            // SAFETY: the offset is inside the memory.
            unsafe { self.words.add(offset).read_volatile() }
        };
        let events = buffer_words::<Ulong>(REGISTRY, 0);
        let event = |number: usize| events + 8 * number;
        let current = self.words.wrapping_add(event(next)) as Ulong;
        let recorded = |(number, context): (usize, &Ulong)| {
            let entry = event(first + number);
            word(entry) == *context && word(entry + 2) == QUEUE_SEND && word(entry + 7) == 4
        };
        self.enabled && word(8) == current && contexts.iter().enumerate().all(recorded)
    }
}

pub(crate) fn run() -> bool {
    inserted() & in_interrupts() & not_inserted() & wrapped()
}

fn inserted() -> bool {
    let buffer = enable!(THREAD);
    event!(cost_txtb_thread);
    let ok = buffer.has_events(ENABLED, &[WORKER.address as Ulong], ENABLED + 1);
    call!(cost_txtb_user(4096, 1, 2, 3): fn(u32, u32, u32, u32));
    let queue = 0x2000_2000 as *const c_void;
    ok & call!(cost_txtb_register(queue, c"worker".as_ptr().cast(), 16, 4):
        fn(*const c_void, *const u8, u32, u32) -> bool)
}

fn in_interrupts() -> bool {
    let buffer = enable!(INTERRUPT);
    call!(cost_txtb_isr_enter(1): fn(u32));
    event!(cost_txtb_isr);
    buffer.has_events(ENABLED + 1, &[Ulong::MAX], ENABLED + 2)
}

fn not_inserted() -> bool {
    let buffer = enable!(FILTERED);
    black_box(&FILTERED).event_filter(EventGroups::QUEUE);
    event!(cost_txtb_filtered);
    black_box(&DISABLED).enter_thread(WORKER);
    event!(cost_txtb_disabled);
    disabled();
    buffer.has_events(0, &[], ENABLED) & !black_box(&DISABLED).is_enabled()
}

fn wrapped() -> bool {
    let buffer = enable!(WRAP);
    for _ in ENABLED + 1..EVENTS {
        WRAP.insert(EventGroups::QUEUE, QUEUE_SEND, [0; 4]);
    }
    event!(cost_txtb_wrap);
    buffer.has_events(EVENTS - 1, &[WORKER.address as Ulong], 0)
}
