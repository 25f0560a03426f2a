//! The compact stream, interrupted at every possible point, by handlers that record and read.

use super::received::Received;
use super::ring;
use rtoscope_record::port::{Clock, Mask};
use rtoscope_record::stream::CompactStream;
use rtoscope_wire::cswitch::{CoreHistory, CswlHeader, EntryKind, SECTION_HEADER_BYTES};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// A simulated core with one kind of interrupt, which occurs at chosen points.
#[derive(Default)]
struct SimulatedCpu {
    /// Bit `n`: an interrupt occurs at point `n`.
    interrupt_plan: Cell<u64>,
    preemption_points: Cell<u32>,
    masked: Cell<bool>,
    depth: Cell<u32>,
    ticks: Cell<u32>,
    /// The recorded markers, in any order.
    recorded: RefCell<Vec<u32>>,
    containers: RefCell<Vec<Vec<u8>>>,
    stream: Cell<Option<&'static SimulatedStream>>,
}

type SimulatedStream = CompactStream<SimulatedMask, SimulatedClock, 2>;

struct SimulatedMask(Rc<SimulatedCpu>);
struct SimulatedClock(Rc<SimulatedCpu>);

impl SimulatedCpu {
    /// A point at which an interrupt can occur.
    fn preemption_point(&self) {
        assert!(!self.masked.get());
        let point = self.preemption_points.get();
        self.preemption_points.set(point + 1);
        let comes = point < 64 && self.interrupt_plan.get() >> point & 1 != 0;
        if let (true, true, Some(stream)) = (comes, self.depth.get() < 3, self.stream.get()) {
            self.depth.set(self.depth.get() + 1);
            self.record(stream, 1000 + point);
            match point % 4 {
                1 => self.read(stream),
                2 => assert!(stream.name(1, "renamed")),
                3 => assert!(!stream.restart(0), "it is on"),
                _ => {}
            }
            self.depth.set(self.depth.get() - 1);
        }
    }

    fn record(&self, stream: &SimulatedStream, number: u32) {
        self.recorded.borrow_mut().push(number);
        match number % 3 {
            0 => stream.marker(number, number),
            1 => stream.resume(number),
            _ => stream.ready(number),
        }
    }

    fn read(&self, stream: &SimulatedStream) {
        let mut bytes = [0; 256];
        let length = stream.read(&mut bytes);
        if length > 0 {
            let container = bytes[..length].to_vec();
            self.containers.borrow_mut().push(container);
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

/// Records entries with the given plan, into a ring that contains `before` entries. Returns the
/// number of interrupt points.
fn run(plan: u64, before: u32) -> u32 {
    let cpu = Rc::new(SimulatedCpu::default());
    let stream = CompactStream::new(SimulatedMask(cpu.clone()), SimulatedClock(cpu.clone()));
    let stream: &'static SimulatedStream = Box::leak(Box::new(stream));
    assert!(stream.start(ring(64), 0));
    for number in 0..before {
        cpu.record(stream, 10 + number);
    }
    cpu.preemption_points.set(0);
    cpu.interrupt_plan.set(plan);
    cpu.stream.set(Some(stream));
    for number in 0..3 {
        cpu.record(stream, number);
        cpu.read(stream);
    }
    let points = cpu.preemption_points.get();
    cpu.interrupt_plan.set(0);
    // The last entry shows what was lost before it.
    let mut bytes = [0; 256];
    let mut left = Vec::new();
    loop {
        match stream.read(&mut bytes) {
            0 => break,
            length => left.push(bytes[..length].to_vec()),
        }
    }
    cpu.record(stream, 9);
    let length = stream.read(&mut bytes);
    left.push(bytes[..length].to_vec());

    // A handler that interrupts at the end of a reader may deliver before it.
    let mut containers = cpu.containers.borrow().clone();
    containers.sort_by_key(|bytes| preceding_entries(bytes));
    let mut received = Received::default();
    for container in containers.iter().chain(&left) {
        received.push(container);
    }
    let entries = &received.entries;
    assert!(entries.windows(2).all(|pair| pair[0].time < pair[1].time));
    let recorded = cpu.recorded.borrow();
    let lost = stream.lost() as usize;
    assert_eq!(entries.len() + lost, recorded.len());
    assert_eq!(received.lost, lost as u64);
    let mut numbers: Vec<u32> = entries.iter().map(|entry| entry.operand).collect();
    for entry in entries {
        let (kind, value) = match entry.operand % 3 {
            0 => (EntryKind::MarkerInstant, entry.operand),
            1 => (EntryKind::SyncResume, 0),
            _ => (EntryKind::Ready, 0),
        };
        assert_eq!((entry.kind, entry.value), (kind, value));
    }
    // No entry appears twice, and none that was not recorded.
    numbers.sort_unstable();
    assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(numbers.iter().all(|number| recorded.contains(number)));
    points
}

fn preceding_entries(bytes: &[u8]) -> u64 {
    let history = bytes.windows(4).position(|tag| tag == b"PAST").unwrap();
    let content = &bytes[history + SECTION_HEADER_BYTES..];
    let history = CoreHistory::read(content, CswlHeader::read(bytes).unwrap().unwrap().order);
    history.unwrap().preceding_entries
}

#[test]
fn interrupts_at_every_point_lose_and_tear_nothing() {
    let plans = if cfg!(miri) { 1 << 6 } else { 1 << 10 };
    // A ring with much room, with little and with none.
    for before in [0, 12, 21, 30] {
        let mut max_points = 0;
        for plan in 0..plans {
            max_points = max_points.max(run(plan, before));
        }
        assert!(max_points > 20, "only {max_points} interrupt points");
        for point in 0..max_points.min(64) {
            run(1 << point, before);
            run(u64::MAX << point, before);
            if cfg!(miri) {
                continue;
            }
            // Earlier pairs are among the plans above.
            for later in point.max(9) + 1..max_points.min(64) {
                run(1 << point | 1 << later, before);
            }
        }
    }
}
