//! The masked log, interrupted at every possible point.

use super::buffer;
use rtoscope_record::cswitch::{BufferMode, LogEntry, LogReader, SwitchLog};
use rtoscope_record::name;
use rtoscope_record::port::{Clock, Mask};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// A simulated core with one kind of interrupt, which occurs at chosen points and also
/// records.
#[derive(Default)]
struct SimulatedCpu {
    /// Bit `n`: an interrupt occurs at point `n`.
    interrupt_plan: Cell<u32>,
    preemption_points: Cell<u32>,
    masked: Cell<bool>,
    depth: Cell<u32>,
    ticks: Cell<u32>,
    /// The recorded addresses, in any order.
    recorded: RefCell<Vec<usize>>,
    log: Cell<Option<&'static SwitchLog<SimulatedMask, SimulatedClock>>>,
}

#[derive(Clone)]
struct SimulatedMask(Rc<SimulatedCpu>);
struct SimulatedClock(Rc<SimulatedCpu>);

impl SimulatedCpu {
    /// A point at which an interrupt can occur.
    fn preemption_point(&self) {
        assert!(!self.masked.get());
        let point = self.preemption_points.get();
        self.preemption_points.set(point + 1);
        let comes = point < 32 && self.interrupt_plan.get() >> point & 1 != 0;
        if let (true, true, Some(log)) = (comes, self.depth.get() < 3, self.log.get()) {
            self.depth.set(self.depth.get() + 1);
            self.record(log, 1000 + point as usize);
            self.depth.set(self.depth.get() - 1);
        }
    }

    fn record(&self, log: &SwitchLog<SimulatedMask, SimulatedClock>, address: usize) {
        self.recorded.borrow_mut().push(address);
        match address % 3 {
            0 => log.sleep(address, name!("idle")),
            1 => log.wake(address, name!("idle")),
            _ => log.isr_enter(address),
        }
    }
}

// SAFETY: there is one thread; `acquire` panics if the mask is held.
unsafe impl Mask for SimulatedMask {
    type State = ();

    fn acquire(&self) {
        self.0.preemption_point();
        assert!(!self.0.masked.replace(true));
    }

    unsafe fn release(&self, (): ()) {
        assert!(self.0.masked.replace(false));
        self.0.preemption_point();
    }
}

impl Clock for SimulatedClock {
    fn now(&self) -> u32 {
        self.0.ticks.set(self.0.ticks.get() + 1);
        self.0.ticks.get()
    }
}

/// Records five entries with the given plan and returns the number of interrupt points.
fn run(plan: u32, slots: usize, mode: BufferMode) -> u32 {
    let processor = Rc::new(SimulatedCpu::default());
    let log = SwitchLog::new(
        SimulatedMask(processor.clone()),
        SimulatedClock(processor.clone()),
    );
    let log: &'static SwitchLog<SimulatedMask, SimulatedClock> = Box::leak(Box::new(log));
    assert!(log.start(buffer(slots), mode));
    let mut reader = LogReader::new(log).unwrap();
    processor.preemption_points.set(0);
    processor.interrupt_plan.set(plan);
    processor.log.set(Some(log));
    let mut read = Vec::new();
    let mut into = [LogEntry::UNFINISHED; 64];
    for address in 0..5 {
        processor.record(log, address);
        read.extend_from_slice(reader.read(&mut into));
    }
    let moments = processor.preemption_points.get();
    processor.interrupt_plan.set(0);
    read.extend_from_slice(reader.read(&mut into));

    let recording = log.stop().unwrap();
    let (older, newer) = recording.entries();
    let left = [older, newer].concat();
    for entry in &left {
        let isr = entry.address % 3 == 2;
        assert_eq!(entry.kind, [1, 0, 5][entry.address % 3]);
        assert_eq!(isr, entry.name == rtoscope_record::Name::ISR);
    }
    assert!(
        left.windows(2)
            .all(|pair| pair[0].counter < pair[1].counter)
    );
    assert!(
        read.windows(2)
            .all(|pair| pair[0].counter < pair[1].counter)
    );
    let mut recorded = processor.recorded.borrow().clone();
    let snapshot = recording.snapshot();
    assert_eq!(recorded.len() as u64, snapshot.next_entry + snapshot.lost);
    assert_eq!(left.len() as u64, snapshot.entries());
    assert_eq!(
        read.len() as u64 + reader.overwritten(),
        snapshot.next_entry
    );
    assert!(read.ends_with(&left) || left.ends_with(&read));
    // No entry appears twice, and no entry that was not recorded appears.
    let mut addresses: Vec<usize> = read.iter().map(|entry| entry.address).collect();
    addresses.sort_unstable();
    recorded.sort_unstable();
    assert!(addresses.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(
        addresses
            .iter()
            .all(|address| recorded.binary_search(address).is_ok())
    );
    moments
}

#[test]
fn interrupts_at_every_point_lose_and_tear_nothing() {
    let plans = if cfg!(miri) { 1 << 6 } else { 1 << 15 };
    for (slots, mode) in [
        (64, BufferMode::OneShot),
        (3, BufferMode::OneShot),
        (3, BufferMode::Cyclic),
        (16, BufferMode::Cyclic),
    ] {
        let mut max_points = 0;
        for plan in 0..plans {
            max_points = max_points.max(run(plan, slots, mode));
        }
        assert!(
            max_points > 15,
            "the plans reach only {max_points} interrupt points"
        );
        // One interrupt at each of the later points.
        for point in 0..32 {
            run(1 << point, slots, mode);
        }
    }
}
