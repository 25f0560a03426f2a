//! A log that is sent piece by piece while it records.

use super::container::{read, region};
use super::{CountingClock, buffer};
use proptest::prelude::*;
use rtoscope_decode::DecodeOptions;
use rtoscope_decode::live::{HostTime, LiveDecoder, LiveOptions};
use rtoscope_record::Name;
use rtoscope_record::cswitch::{
    BufferMode, CONTAINER_BYTES, CswlWriter, LogCursor, LogEntry, ReadableMemory, SwitchLog,
};
use rtoscope_record::port::SpinLock;
use std::cell::RefCell;

/// All names in one place: the log knows them by their addresses, and the cursor knows which
/// ones it has sent by the low bits of these, which must differ.
static TEXT: &str = "camera\0a name with the longest text that a writer may send: 63 chars\0x\0";
const NAME_COUNT: usize = 3;

fn names() -> [&'static str; NAME_COUNT] {
    let mut names = TEXT.split_inclusive('\0');
    std::array::from_fn(|_| names.next().unwrap())
}

/// A log, its reader and what was sent.
struct Sender {
    log: SwitchLog<SpinLock, CountingClock>,
    cursor: LogCursor,
    containers: Vec<Vec<u8>>,
    recorded: usize,
}

impl Sender {
    fn new(slots: usize) -> Self {
        let log = SwitchLog::new(SpinLock::new(), CountingClock::from(0));
        assert!(log.start(buffer(slots), BufferMode::Cyclic));
        Self {
            log,
            cursor: LogCursor::new(),
            containers: Vec::new(),
            recorded: 0,
        }
    }

    fn record(&mut self, entries: usize) {
        for _ in 0..entries {
            let name = Name::from_nul_terminated(names()[self.recorded % NAME_COUNT]);
            self.log.sync_resume(self.recorded, name.unwrap());
            self.recorded += 1;
        }
    }

    /// Sends one container; returns whether there was something new.
    fn send(&mut self, size: usize) -> bool {
        if !self.cursor.has_new_entries(&self.log) {
            return false;
        }
        let regions = names().map(|name| region(name.as_bytes()));
        // SAFETY: the texts of constants.
        let readable = unsafe { ReadableMemory::new(&regions) };
        let bytes = RefCell::new(Vec::new());
        let sink = |part: &[u8]| bytes.borrow_mut().extend_from_slice(part);
        let mut file = CswlWriter::new(sink, 1_000_000, 32, 1);
        let room = size - CONTAINER_BYTES;
        file.write_new_entries(0, &self.log, readable, &mut self.cursor, room);
        let _ = file.finish();
        let bytes = bytes.into_inner();
        assert!(bytes.len() <= size, "{} of {size} bytes", bytes.len());
        self.containers.push(bytes);
        true
    }
}

proptest! {
    #[test]
    fn each_entry_is_sent_once_or_counted(
        slots in 1_usize..200,
        steps in proptest::collection::vec((0_usize..150, 256_usize..2000, 1_usize..4), 1..20),
    ) {
        let mut sender = Sender::new(slots);
        let mut addresses = Vec::new();
        for (entries, size, calls) in steps {
            sender.record(entries);
            for _ in 0..calls {
                sender.send(size);
            }
        }
        while sender.send(256) {}
        let (mut missing, mut names) = (0, 0);
        for bytes in &sender.containers {
            let container = read(bytes);
            let (_, entries) = &container.cores[0];
            let past = container.pasts[0];
            missing = past.preceding_entries as usize - addresses.len();
            addresses.extend(entries.iter().map(|entry| entry.address as usize));
            names += container.names.len();
        }
        prop_assert_eq!(addresses.len() + missing, sender.recorded);
        prop_assert!(addresses.windows(2).all(|pair| pair[0] < pair[1]));
        prop_assert!(names <= NAME_COUNT, "{} names", names);
    }
}

#[test]
fn a_fast_log_is_sent_without_loss_and_decoded() {
    let mut sender = Sender::new(512);
    for _ in 0..900 {
        sender.record(100);
        while sender.send(1024) {}
    }
    let mut decoder = LiveDecoder::new(LiveOptions {
        options: DecodeOptions::default(),
        format: None,
        max_events: u64::MAX,
    });
    for bytes in &sender.containers {
        decoder.push(bytes, HostTime(0));
    }
    let stats = decoder.stats();
    assert_eq!((stats.events, stats.missing_events), (90_000, 0));
    let sent: usize = sender.containers.iter().map(Vec::len).sum();
    let entries = 90_000 * size_of::<LogEntry>();
    assert!(sent < entries * 5 / 4, "{sent} bytes");
}

#[test]
fn names_are_sent_again_on_request() {
    let mut sender = Sender::new(64);
    for _ in 0..2 {
        sender.record(6);
        assert!(sender.send(2000));
    }
    sender.cursor.forget_names();
    sender.record(6);
    assert!(sender.send(2000));
    let names: Vec<usize> = sender
        .containers
        .iter()
        .map(|bytes| read(bytes).names.len())
        .collect();
    assert_eq!(names, [3, 0, 3]);
}
