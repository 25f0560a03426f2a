//! Logs read from the memory of a running target.

use super::live_target::{ExpectedEvent, ReceivedTrace, from_first, settings};
use proptest::prelude::*;
use rtoscope_decode::cswitch::{CswitchOptions, LogProbe, ProbeResult};
use rtoscope_decode::live::{HostTime, LiveDecoder};
use rtoscope_symbols::Firmware;
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::{LogEntry, PointerSize};
use std::cell::RefCell;
use std::sync::Arc;

const RAM: u64 = 0x2000_0000;
const RING: u64 = RAM + 0x400;
const NAME: u64 = RAM + 0x3F0;
const LAYOUT: (PointerSize, ByteOrder) = (PointerSize::Four, ByteOrder::Big);

/// The memory of a target and its recorder, in the layout of the Rust recorder.
struct Target {
    memory: Vec<u8>,
    cores: Vec<Core>,
    now: u64,
    truth: Vec<ExpectedEvent>,
}

struct Core {
    block: u64,
    ring: u64,
    slots: u64,
    written: u64,
    session: u32,
    recorded: u64,
}

impl Target {
    fn new(cores: u64, slots: u64) -> Self {
        let bytes = 0x400 + (cores * slots * 16) as usize;
        let core = |core| Core {
            block: RAM + core * 0x40,
            ring: RING + core * slots * 16,
            slots,
            written: 0,
            session: 0,
            recorded: 0,
        };
        let mut target = Self {
            memory: vec![0; bytes],
            cores: (0..cores).map(core).collect(),
            now: 77,
            truth: Vec::new(),
        };
        target.put(NAME, b"worker\0");
        target
    }

    fn put(&mut self, address: u64, bytes: &[u8]) {
        let at = (address - RAM) as usize;
        self.memory[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn start(&mut self, core: usize) {
        self.cores[core].session += 1;
        self.cores[core].written = 0;
        self.control(core);
    }

    fn control(&mut self, core: usize) {
        let Core {
            block,
            ring,
            slots,
            written,
            session,
            ..
        } = self.cores[core];
        let lap = written.saturating_sub(1) / slots * slots;
        let words = [ring + (written - lap) * 16, ring + slots * 16, ring, 1];
        for (place, word) in words.into_iter().enumerate() {
            self.put(block + place as u64 * 4, &(word as u32).to_be_bytes());
        }
        self.put(block + 16, &lap.to_be_bytes());
        self.put(block + 48, &session.to_be_bytes());
    }

    fn record(&mut self, core: usize) {
        self.now += 10;
        let number = self.cores[core].recorded;
        let Core {
            ring,
            slots,
            written,
            ..
        } = self.cores[core];
        let entry = LogEntry {
            kind: 2,
            counter: self.now as u32,
            address: number,
            name: NAME,
        };
        let mut bytes = [0; 16];
        entry.write(&mut bytes, LAYOUT.0, LAYOUT.1).unwrap();
        self.put(ring + written % slots * 16, &bytes);
        self.cores[core].written += 1;
        self.cores[core].recorded += 1;
        self.control(core);
        self.truth.push(ExpectedEvent {
            time: self.now,
            core: core as u8,
            number,
        });
    }

    fn read(&self, address: u64, length: usize) -> Option<Vec<u8>> {
        let at = usize::try_from(address.checked_sub(RAM)?).ok()?;
        Some(self.memory.get(at..at.checked_add(length)?)?.to_vec())
    }
}

fn options(symbols: &str) -> CswitchOptions {
    let firmware = Firmware::read(symbols.as_bytes().to_vec()).unwrap();
    CswitchOptions {
        pointer_size: Some(LAYOUT.0),
        byte_order: Some(LAYOUT.1),
        firmware: vec![Arc::new(firmware)],
        ..CswitchOptions::default()
    }
}

const ONE_CORE: &str = "08000000 T main\n20000000 B rtoscope_cswitch_log\n";
const TWO_CORES: &str =
    "08000000 T main\n20000000 B rtoscope_cswitch_log_0\n20000040 B rtoscope_cswitch_log_1\n";

/// Polls a target; `busy` runs on it before each read.
fn poll(
    probe: &mut LogProbe,
    target: &RefCell<Target>,
    busy: &mut impl FnMut(&mut Target),
) -> ProbeResult {
    let read = |address, length| {
        busy(&mut target.borrow_mut());
        target.borrow().read(address, length)
    };
    probe.read(read).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn what_is_overwritten_meanwhile_is_missing_and_no_more(
        slots in 3_u64..60, between in proptest::collection::vec(0_u32..40, 1..40),
        busy in 0_u32..4,
    ) {
        let target = RefCell::new(Target::new(1, slots));
        target.borrow_mut().start(0);
        let mut probe = LogProbe::new(options(ONE_CORE)).unwrap();
        let mut live = LiveDecoder::new(settings());
        let mut received = ReceivedTrace::default();
        let mut give = |probe: &mut LogProbe, busy: u32| {
            let mut busy = |target: &mut Target| (0..busy).for_each(|_| target.record(0));
            if let ProbeResult::Container(bytes) = poll(probe, &target, &mut busy) {
                live.push(&bytes, HostTime(target.borrow().now * 1000));
                received.drain_updates(&mut live);
            }
        };
        for events in between {
            (0..events).for_each(|_| target.borrow_mut().record(0));
            give(&mut probe, busy);
        }
        give(&mut probe, 0);
        let target = target.borrow();
        let mut next = None;
        let mut gaps = Vec::new();
        for (number, event) in (0..).zip(&received.events) {
            let missing = next.map_or(0, |next| event.number - next);
            next = Some(event.number + 1);
            if missing > 0 {
                gaps.push((number, Some(missing)));
            }
        }
        prop_assert_eq!(&received.gaps, &gaps);
        let truth: Vec<_> = received.events.iter().map(|event| target.truth[event.number as usize]).collect();
        prop_assert_eq!(&received.events, &from_first(&truth));
        // One slot may be in the middle of a write at any time.
        let last = received.events.iter().rev().take_while(|event| event.number + slots > target.truth.len() as u64);
        prop_assert_eq!(last.count() as u64, (slots - 1).min(target.truth.len() as u64));
    }
}

#[test]
fn cores_are_read_together_and_names_come_from_the_target() {
    let target = RefCell::new(Target::new(2, 16));
    target.borrow_mut().start(1);
    let mut probe = LogProbe::new(options(TWO_CORES)).unwrap();
    let mut live = LiveDecoder::new(settings());
    let mut received = ReceivedTrace::default();
    for round in 0..20 {
        if round == 3 {
            target.borrow_mut().start(0);
        }
        for _ in 0..5 {
            target.borrow_mut().record(1);
            if round >= 3 {
                target.borrow_mut().record(0);
            }
        }
        let ProbeResult::Container(bytes) = poll(&mut probe, &target, &mut |_| ()) else {
            panic!("something was new");
        };
        live.push(&bytes, HostTime(target.borrow().now * 1000));
    }
    live.connection_lost();
    received.drain_updates(&mut live);
    assert_eq!(received.events, from_first(&target.borrow().truth));
    assert_eq!(received.gaps, []);
    let trace = live.window(10).unwrap().decode().unwrap().trace;
    let names: Vec<_> = trace
        .objects
        .iter()
        .map(|object| object.name.to_string())
        .collect();
    assert_eq!(names, ["worker"]);
}

#[test]
fn a_log_that_is_off_or_quiet_says_so() {
    assert!(LogProbe::new(options("08000000 T main\n")).is_none());
    let target = RefCell::new(Target::new(1, 16));
    let mut probe = LogProbe::new(options(ONE_CORE)).unwrap();
    let mut idle = |_: &mut Target| ();
    let off = poll(&mut probe, &target, &mut idle);
    assert_eq!(
        off,
        ProbeResult::Inactive("nothing is recorded: rtoscope_cswitch_log is 0x0".to_owned())
    );
    target.borrow_mut().start(0);
    target.borrow_mut().record(0);
    let mut looks = || {
        matches!(
            poll(&mut probe, &target, &mut idle),
            ProbeResult::Container(_)
        )
    };
    let containers: Vec<bool> = (0..19).map(|_| looks()).collect();
    let reads_with_container: Vec<usize> = (0..19).filter(|look| containers[*look]).collect();
    assert_eq!(reads_with_container, [0, 1, 17]);
    let unreadable = probe.read(|_, _| None).unwrap();
    assert_eq!(
        unreadable,
        ProbeResult::Inactive("the target's memory at 0x20000000 cannot be read".to_owned())
    );
    // Another firmware: the log would end before it starts.
    target.borrow_mut().put(RAM + 4, &[0x10, 0, 0, 0]);
    let read = |address, length| target.borrow().read(address, length);
    assert!(probe.read(read).is_err());
    // A length that no target has.
    target.borrow_mut().put(RAM + 4, &[0xF0, 0, 0, 0]);
    let read = |address, length| target.borrow().read(address, length);
    assert!(probe.read(read).is_err());
}

#[test]
fn the_articles_variables_are_read_whole() {
    let symbols = "20000000 B profile_switch_log_current\n20000004 B profile_switch_log_end\n\
                   20000008 B profile_switch_log_start\n2000000c B profile_switch_log_cyclic\n";
    let target = RefCell::new(Target::new(1, 16));
    target.borrow_mut().start(0);
    let mut probe = LogProbe::new(options(symbols)).unwrap();
    let mut live = LiveDecoder::new(settings());
    let mut received = ReceivedTrace::default();
    for round in 0..12 {
        (0..round).for_each(|_| target.borrow_mut().record(0));
        if let ProbeResult::Container(bytes) = poll(&mut probe, &target, &mut |_| ()) {
            live.push(&bytes, HostTime(target.borrow().now * 1000));
            received.drain_updates(&mut live);
        }
    }
    assert_eq!(received.events, from_first(&target.borrow().truth));
    assert_eq!(received.gaps, []);
}
