//! Interrupts at every possible point.

use super::setups::{Base, Flight, memory};
use crate::preemption::{Core, PreemptingMask, TickingClock};
use rtoscope_decode::rkh::{RkhOptions, WireArgument, decode};
use rtoscope_record::rkh::filter::FilterSelection;
use rtoscope_record::rkh::{ActiveObject, Address, RkhRecorder, StreamSetup, item};
use rtoscope_trace::EventIndex;

type TestRecorder<S> = RkhRecorder<S, PreemptingMask, TickingClock>;

const FIRST: u32 = 0x0900_0000;

/// The actions of the thread; returns the number of records.
fn thread<S: StreamSetup>(target: &TestRecorder<S>, stream: &mut Vec<u8>) -> u32 {
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
fn run<S: StreamSetup + 'static>(bytes: usize, chosen: [u32; 2]) -> u32 {
    let core = Core::new(1);
    // Timestamps are the order in which records are written.
    core.ticks.set(1);
    let target: &'static TestRecorder<S> = Box::leak(Box::new(RkhRecorder::new(
        PreemptingMask(core.clone()),
        TickingClock(core.clone()),
    )));
    target.start(memory(bytes)).unwrap();
    target.pass(FilterSelection::AllEvents).unwrap();
    target.pass(FilterSelection::AllObjects).unwrap();
    core.interrupt(move |point| {
        if let Some(which) = chosen.iter().position(|chosen| *chosen == point) {
            // One that needs an escape and one that does not.
            target.fwk_exe_fun(Address(FIRST + [0x7E, 0x20][which]));
        }
    });
    let mut stream = Vec::new();
    let made = thread(target, &mut stream);
    let points = core.calm();
    let mut rest = [0; 300];
    let taken = target.take(&mut rest);
    stream.extend_from_slice(&rest[..taken]);

    let interrupts = chosen.iter().filter(|point| **point < points).count() as u32;
    let recording = decode(&stream, &RkhOptions::default()).unwrap();
    let of = &recording.stream_info;
    let arrived = of.len() as u32;
    // All records have consecutive numbers and timestamps, in this order.
    assert_eq!(core.ticks.get(), 1 + made + interrupts);
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
    let points = run::<S>(bytes, [u32::MAX; 2]);
    assert!(points > 30);
    let mut first = 0;
    while first < run::<S>(bytes, [first, u32::MAX]) {
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
