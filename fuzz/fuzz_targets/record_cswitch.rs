//! Operations on the recorders of context switches, against a list.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rtoscope_record::Name;
use rtoscope_record::cswitch::{
    AtomicSwitchLog, BufferMode, EntryKind, LogEntry, LogReader, LogSource, SwitchLog,
};
use rtoscope_record::port::{Clock, SpinLock};
use std::cell::Cell;
use std::collections::VecDeque;
use std::mem::MaybeUninit;
use std::rc::Rc;
use std::sync::{LazyLock, Mutex};

/// A clock that the input sets.
#[derive(Clone, Default)]
struct Hand(Rc<Cell<u32>>);

impl Clock for Hand {
    fn now(&self) -> u32 {
        self.0.get()
    }
}

/// What a log should be.
#[derive(Default)]
struct Model {
    recording: Option<Recorded>,
    idle: u64,
    asleep: Option<u32>,
}

#[derive(Default)]
struct Recorded {
    slots: usize,
    cyclic: bool,
    made: u64,
    left: VecDeque<LogEntry>,
    lost: u64,
}

impl Recorded {
    fn put(&mut self, entry: LogEntry) {
        if self.left.len() < self.slots {
            self.left.push_back(entry);
        } else if self.cyclic && self.slots > 0 {
            self.left.pop_front();
            self.left.push_back(entry);
        } else {
            self.lost += 1;
            return;
        }
        self.made += 1;
    }
}

impl Model {
    fn record(&mut self, kind: u32, counter: u32, address: usize, name: Name) {
        if let Some(recording) = &mut self.recording {
            recording.put(LogEntry {
                kind,
                counter,
                address,
                name,
            });
        }
    }

    fn idle(&self, now: u32) -> u64 {
        let asleep = self
            .asleep
            .map_or(0, |since| now.wrapping_sub(since).into());
        self.idle + asleep
    }
}

/// Slots of the lock-free log, and the most of the other.
const SLOTS: usize = 8;

/// A buffer of each size, which logs keep for as long as they record: a static,
/// as what a thread lets go of is lost.
static BUFFERS: LazyLock<Mutex<Vec<&'static mut [MaybeUninit<LogEntry>]>>> = LazyLock::new(|| {
    let buffer = |slots| Box::leak(vec![MaybeUninit::uninit(); slots].into_boxed_slice());
    Mutex::new((0..=SLOTS).map(buffer).collect())
});

fn borrow(slots: usize) -> &'static mut [MaybeUninit<LogEntry>] {
    std::mem::take(&mut BUFFERS.lock().unwrap()[slots])
}

fn give_back(buffer: &'static mut [MaybeUninit<LogEntry>]) {
    let slots = buffer.len();
    BUFFERS.lock().unwrap()[slots] = buffer;
}

fn read(source: &impl LogSource) -> Vec<LogEntry> {
    let mut into = [LogEntry::UNFINISHED; 3];
    let mut all = Vec::new();
    let Some(mut reader) = LogReader::new(source) else {
        return all;
    };
    loop {
        match reader.read(&mut into) {
            [] => return all,
            entries => all.extend_from_slice(entries),
        }
        assert_eq!(reader.overwritten(), 0);
    }
}

fn check(log: &SwitchLog<SpinLock, Hand>, model: &Model, now: u32) {
    assert_eq!(log.idle_ticks(), model.idle(now));
    let Some(recorded) = &model.recording else {
        assert!(log.snapshot().is_none() && !log.is_on());
        return;
    };
    let snapshot = log.snapshot().expect("it records");
    assert_eq!(snapshot.entries(), recorded.left.len() as u64);
    assert_eq!(snapshot.next_entry, recorded.made);
    assert_eq!(snapshot.lost, recorded.lost);
    assert_eq!(snapshot.cyclic, recorded.cyclic);
    assert_eq!(snapshot.idle_ticks, model.idle(now));
    assert!(read(log).iter().eq(&recorded.left));
}

fn stop(log: &SwitchLog<SpinLock, Hand>, model: &mut Model) {
    let expected = model.recording.take();
    let recording = log.stop();
    assert_eq!(recording.is_some(), expected.is_some());
    if let (Some(recording), Some(expected)) = (recording, expected) {
        let (older, newer) = recording.entries();
        assert!(older.iter().chain(newer).eq(&expected.left));
        assert!(read(&recording).iter().eq(&expected.left));
        let mut memory = recording.memory().to_vec();
        memory.rotate_left(recording.oldest_index());
        assert!(memory.iter().eq(&expected.left));
        give_back(recording.into_buffer());
    }
}

fuzz_target!(|data: &[u8]| {
    let hand = Hand::default();
    let log = SwitchLog::new(SpinLock::new(), hand.clone());
    let atomic = AtomicSwitchLog::<Hand, SLOTS>::new(hand.clone());
    let mut model = Model::default();
    // The lock-free log keeps what it has when it is stopped.
    let mut shadow = None::<Recorded>;
    let mut runs = false;
    for operation in data.chunks_exact(2) {
        let (what, detail) = (operation[0], operation[1]);
        let now = hand
            .0
            .get()
            .wrapping_add(u32::from(detail) << (what >> 4 << 1));
        hand.0.set(now);
        let address = usize::from(detail);
        let name = Name::from_ptr(std::ptr::without_provenance(usize::from(detail >> 4)));
        let kind = match what & 0xF {
            0 => {
                log.sleep(address, name);
                atomic.sleep(address, name);
                model.asleep = Some(now);
                EntryKind::Sleep as u32
            }
            1 => {
                log.wake(address, name);
                atomic.wake(address, name);
                model.idle = model.idle(now);
                model.asleep = None;
                EntryKind::Wake as u32
            }
            2 => {
                let slots = address % (SLOTS + 1);
                let cyclic = detail & 0x80 != 0;
                let mode = if cyclic {
                    BufferMode::Cyclic
                } else {
                    BufferMode::OneShot
                };
                let recorded = |slots| Recorded {
                    slots,
                    cyclic,
                    ..Recorded::default()
                };
                if model.recording.is_none() {
                    assert!(log.start(borrow(slots), mode));
                    model.recording = Some(recorded(slots));
                    model.idle = 0;
                    model.asleep = model.asleep.map(|_| now);
                }
                assert_eq!(atomic.start(mode), !runs);
                if !std::mem::replace(&mut runs, true) {
                    shadow = Some(recorded(SLOTS));
                }
                check(&log, &model, now);
                continue;
            }
            3 => {
                stop(&log, &mut model);
                atomic.stop();
                runs = false;
                check(&log, &model, now);
                continue;
            }
            kind => {
                let kind = u32::from(kind - 4);
                log.record(kind, address, name);
                atomic.record(kind, address, name);
                kind
            }
        };
        model.record(kind, now, address, name);
        if let Some(shadow) = shadow.as_mut().filter(|_| runs) {
            shadow.put(LogEntry {
                kind,
                counter: now,
                address,
                name,
            });
        }
        check(&log, &model, now);
        if let Some(shadow) = &shadow {
            assert!(read(&atomic).iter().eq(&shadow.left));
            assert_eq!(u64::from(atomic.lost()), shadow.lost);
        }
    }
    stop(&log, &mut model);
});
