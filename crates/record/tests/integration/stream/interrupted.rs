//! The compact stream, interrupted at every possible point, by handlers that record and read.

use super::received::Received;
use super::ring;
use crate::preemption::{Core, PreemptingMask, TickingClock};
use rtoscope_record::stream::CompactStream;
use rtoscope_wire::cswitch::{CoreHistory, CswlHeader, EntryKind, SECTION_HEADER_BYTES};
use std::cell::RefCell;
use std::rc::Rc;

type TestStream = CompactStream<PreemptingMask, TickingClock, 2>;

/// The thread and the handlers that use a stream.
struct Users {
    stream: &'static TestStream,
    /// The recorded markers, in any order.
    recorded: RefCell<Vec<u32>>,
    containers: RefCell<Vec<Vec<u8>>>,
}

impl Users {
    fn record(&self, number: u32) {
        self.recorded.borrow_mut().push(number);
        match number % 3 {
            0 => self.stream.marker(number, number),
            1 => self.stream.resume(number),
            _ => self.stream.ready(number),
        }
    }

    fn read(&self) {
        let mut bytes = [0; 256];
        let length = self.stream.read(&mut bytes);
        if length > 0 {
            let container = bytes[..length].to_vec();
            self.containers.borrow_mut().push(container);
        }
    }

    fn interrupt(&self, point: u32) {
        self.record(1000 + point);
        match point % 4 {
            1 => self.read(),
            2 => assert!(self.stream.name(1, "renamed")),
            3 => assert!(!self.stream.restart(0), "it is on"),
            _ => {}
        }
    }
}

/// Records entries with the given plan, into a ring that contains `before` entries. Returns the
/// number of interrupt points.
fn run(plan: u64, before: u32) -> u32 {
    let core = Core::new(3);
    let stream: &'static TestStream = Box::leak(Box::new(CompactStream::new(
        PreemptingMask(core.clone()),
        TickingClock(core.clone()),
    )));
    assert!(stream.start(ring(64), 0));
    let users = Rc::new(Users {
        stream,
        recorded: RefCell::default(),
        containers: RefCell::default(),
    });
    for number in 0..before {
        users.record(10 + number);
    }
    let handlers = users.clone();
    core.interrupt(move |point| {
        if point < 64 && plan >> point & 1 != 0 {
            handlers.interrupt(point);
        }
    });
    for number in 0..3 {
        users.record(number);
        users.read();
    }
    let points = core.calm();
    // The last entry shows what was lost before it.
    let mut bytes = [0; 256];
    let mut left = Vec::new();
    loop {
        match stream.read(&mut bytes) {
            0 => break,
            length => left.push(bytes[..length].to_vec()),
        }
    }
    users.record(9);
    let length = stream.read(&mut bytes);
    left.push(bytes[..length].to_vec());

    // A handler that interrupts at the end of a reader may deliver before it.
    let mut containers = users.containers.borrow().clone();
    containers.sort_by_key(|bytes| preceding_entries(bytes));
    let mut received = Received::default();
    for container in containers.iter().chain(&left) {
        received.push(container);
    }
    let entries = &received.entries;
    assert!(entries.windows(2).all(|pair| pair[0].time < pair[1].time));
    let recorded = users.recorded.borrow();
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
