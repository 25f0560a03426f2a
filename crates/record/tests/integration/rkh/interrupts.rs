//! Interrupts at every possible point.

use super::setups::{Base, Flight, memory};
use rtoscope_decode::rkh::{RkhOptions, WireArgument, decode};
use rtoscope_record::port::{Clock, Mask};
use rtoscope_record::rkh::filter::FilterSelection;
use rtoscope_record::rkh::{ActiveObject, Address, RkhRecorder, StreamSetup, item};
use rtoscope_trace::EventIndex;
use std::cell::{Cell, RefCell};

thread_local! {
    /// Whether interrupts are masked.
    static MASKED: Cell<bool> = const { Cell::new(false) };
    /// The number of interrupt points passed, and those at which an interrupt occurs.
    static POINTS: Cell<usize> = const { Cell::new(0) };
    static CHOSEN: Cell<[usize; 2]> = const { Cell::new([usize::MAX; 2]) };
    static HANDLER: RefCell<Option<Handler>> = const { RefCell::new(None) };
    static INTERRUPTED: Cell<bool> = const { Cell::new(false) };
}

type Handler = Box<dyn Fn(u32)>;

/// A point at which an interrupt can occur.
fn preemption_point() {
    if INTERRUPTED.get() {
        return;
    }
    let point = POINTS.get();
    POINTS.set(point + 1);
    if let Some(which) = CHOSEN.get().iter().position(|chosen| *chosen == point) {
        INTERRUPTED.set(true);
        HANDLER.with_borrow(|handler| {
            if let Some(handler) = handler {
                handler(which as u32);
            }
        });
        INTERRUPTED.set(false);
    }
}

/// Interrupts before it masks and after it unmasks.
struct PreemptingMask;

// SAFETY: each thread has its own recorder, and its interrupts occur only in
// `preemption_point`, where nothing is masked.
unsafe impl Mask for PreemptingMask {
    type State = ();

    fn acquire(&self) {
        assert!(!MASKED.get(), "a recorder masks once");
        preemption_point();
        MASKED.set(true);
    }

    unsafe fn release(&self, (): ()) {
        assert!(MASKED.get());
        MASKED.set(false);
        preemption_point();
    }
}

/// Its timestamps are the order in which records were written.
struct SequenceClock;

impl Clock for SequenceClock {
    fn now(&self) -> u32 {
        assert!(MASKED.get(), "the clock is read inside the mask");
        STAMP.set(STAMP.get() + 1);
        STAMP.get()
    }
}

thread_local! {
    static STAMP: Cell<u32> = const { Cell::new(0) };
}

const FIRST: u32 = 0x0900_0000;

/// The actions of the thread; returns the number of records.
fn thread<S: StreamSetup>(
    target: &RkhRecorder<S, PreemptingMask, SequenceClock>,
    stream: &mut Vec<u8>,
) -> u32 {
    let mut take = |bytes: usize| {
        let mut into = vec![0; bytes];
        let taken = target.take(&mut into);
        stream.extend_from_slice(&into[..taken]);
    };
    let ao = ActiveObject::new(Address(FIRST), 1);
    take(100);
    target.fwk_exe_fun(Address(FIRST));
    target.sm_trn(ao, Address(FIRST + 1), Address(0x7E7D));
    take(3);
    target.fwk_obj(Address(FIRST + 2), b"na~}me");
    target.user(1, &[item::x32(0, FIRST + 3), item::text(b"}")]);
    take(40);
    target.pass(FilterSelection::AllEvents).unwrap();
    target.sm_state(ao, Address(FIRST + 4));
    assert!(target.available() > 0);
    target.lost();
    take(200);
    5
}

/// The unique number of a record, as `thread` and the handler write it.
fn unique(numbers: &[(&'static str, WireArgument<'_>)]) -> Option<u32> {
    numbers
        .iter()
        .rev()
        .find_map(|(_, argument)| match argument {
            WireArgument::Number(number) if *number > FIRST || numbers.len() == 1 => Some(*number),
            WireArgument::Item(_) => Some(FIRST + 3),
            _ => None,
        })
}

/// Runs with interrupts at the chosen points; returns the number of points.
fn run<S: StreamSetup + 'static>(bytes: usize, chosen: [usize; 2]) -> usize {
    MASKED.set(false);
    POINTS.set(0);
    STAMP.set(0);
    CHOSEN.set([usize::MAX; 2]);
    let target: &'static RkhRecorder<S, PreemptingMask, SequenceClock> =
        Box::leak(Box::new(RkhRecorder::new(PreemptingMask, SequenceClock)));
    target.start(memory(bytes)).unwrap();
    target.pass(FilterSelection::AllEvents).unwrap();
    target.pass(FilterSelection::AllObjects).unwrap();
    HANDLER.set(Some(Box::new(move |which| {
        // One that needs an escape and one that does not.
        target.fwk_exe_fun(Address(FIRST + [0x7E, 0x20][which as usize]));
    })));
    POINTS.set(0);
    CHOSEN.set(chosen);
    let mut stream = Vec::new();
    let made = thread(target, &mut stream);
    let points = POINTS.get();
    CHOSEN.set([usize::MAX; 2]);
    let mut rest = [0; 300];
    let taken = target.take(&mut rest);
    stream.extend_from_slice(&rest[..taken]);
    HANDLER.set(None);

    let interrupts = chosen.iter().filter(|point| **point < points).count() as u32;
    let recording = decode(&stream, &RkhOptions::default()).unwrap();
    let of = &recording.stream_info;
    let arrived = of.len() as u32;
    // All records have consecutive numbers and timestamps, in this order.
    assert_eq!(STAMP.get(), made + interrupts);
    assert_eq!(arrived + target.lost(), made + interrupts + 1);
    let mut before = 0;
    let mut numbers = Vec::new();
    for event in (1..arrived).map(EventIndex) {
        let timestamp = of.timestamp(&recording.trace, event).unwrap();
        assert!(timestamp > before);
        assert_eq!(of.sequence(event), Some((timestamp - 1) as u8));
        before = timestamp;
        numbers.push(unique(&of.arguments(&recording.trace, event)).unwrap());
    }
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(
        sorted.len(),
        numbers.len(),
        "a record appears twice: {numbers:x?}"
    );
    if target.lost() == 0 {
        assert_eq!(of.losses.total(), 0);
        let of_thread = numbers.iter().filter(|number| **number < FIRST + 5);
        assert!(of_thread.copied().eq(FIRST..FIRST + 5));
    }
    points
}

fn everywhere<S: StreamSetup + 'static>(bytes: usize) {
    let points = run::<S>(bytes, [usize::MAX; 2]);
    assert!(points > 30);
    let mut first = 0;
    while first < run::<S>(bytes, [first, usize::MAX]) {
        let mut second = first + 1;
        while second < run::<S>(bytes, [first, second]) {
            // All pairs nearby, and some of the others.
            second += if second - first < 3 { 1 } else { 17 };
        }
        first += 1;
    }
}

#[test]
fn no_interrupt_tears_loses_or_duplicates_a_record() {
    everywhere::<Base>(400);
    everywhere::<Base>(64);
    everywhere::<Flight>(400);
    everywhere::<Flight>(64);
}
