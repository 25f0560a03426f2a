//! Operations on the recorders of context switches, compared with a list.

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

/// A clock set by the input.
#[derive(Clone, Default)]
struct ManualClock(Rc<Cell<u32>>);

impl Clock for ManualClock {
    fn now(&self) -> u32 {
        self.0.get()
    }
}

/// The expected state of a log.
#[derive(Default)]
struct Model {
    recording: Option<ModelSession>,
    idle: u64,
    asleep_since: Option<u32>,
}

#[derive(Default)]
struct ModelSession {
    slots: usize,
    cyclic: bool,
    written: u64,
    entries: VecDeque<LogEntry>,
    lost: u64,
}

impl ModelSession {
    fn put(&mut self, entry: LogEntry) {
        if self.entries.len() < self.slots {
            self.entries.push_back(entry);
        } else if self.cyclic && self.slots > 0 {
            self.entries.pop_front();
            self.entries.push_back(entry);
        } else {
            self.lost += 1;
            return;
        }
        self.written += 1;
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
            .asleep_since
            .map_or(0, |since| now.wrapping_sub(since).into());
        self.idle + asleep
    }
}

/// Number of slots of the lock-free log, and maximum number of slots of the other.
const SLOTS: usize = 8;

/// A buffer of each size, which logs keep while they record. It is a static, because a
/// leaked buffer would be reported as lost.
static BUFFERS: LazyLock<Mutex<Vec<&'static mut [MaybeUninit<LogEntry>]>>> = LazyLock::new(|| {
    let buffer = |slots| Box::leak(vec![MaybeUninit::uninit(); slots].into_boxed_slice());
    Mutex::new((0..=SLOTS).map(buffer).collect())
});

fn take_buffer(slots: usize) -> &'static mut [MaybeUninit<LogEntry>] {
    std::mem::take(&mut BUFFERS.lock().unwrap()[slots])
}

fn return_buffer(buffer: &'static mut [MaybeUninit<LogEntry>]) {
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

fn check(log: &SwitchLog<SpinLock, ManualClock>, model: &Model, now: u32) {
    assert_eq!(log.idle_ticks(), model.idle(now));
    let Some(recorded) = &model.recording else {
        assert!(log.snapshot().is_none() && !log.is_on());
        return;
    };
    let snapshot = log.snapshot().expect("the log is recording");
    assert_eq!(snapshot.entries(), recorded.entries.len() as u64);
    assert_eq!(snapshot.next_entry, recorded.written);
    assert_eq!(snapshot.lost, recorded.lost);
    assert_eq!(snapshot.cyclic, recorded.cyclic);
    assert_eq!(snapshot.idle_ticks, model.idle(now));
    assert!(read(log).iter().eq(&recorded.entries));
}

fn stop(log: &SwitchLog<SpinLock, ManualClock>, model: &mut Model) {
    let expected = model.recording.take();
    let recording = log.stop();
    assert_eq!(recording.is_some(), expected.is_some());
    if let (Some(recording), Some(expected)) = (recording, expected) {
        let (older, newer) = recording.entries();
        assert!(older.iter().chain(newer).eq(&expected.entries));
        assert!(read(&recording).iter().eq(&expected.entries));
        let mut memory = recording.memory().to_vec();
        memory.rotate_left(recording.oldest_index());
        assert!(memory.iter().eq(&expected.entries));
        return_buffer(recording.into_buffer());
    }
}

pub(crate) fn run(data: &[u8]) {
    let clock = ManualClock::default();
    let log = SwitchLog::new(SpinLock::new(), clock.clone());
    let atomic = AtomicSwitchLog::<ManualClock, SLOTS>::new(clock.clone());
    let mut model = Model::default();
    // The lock-free log keeps its entries when it is stopped.
    let mut shadow = None::<ModelSession>;
    let mut runs = false;
    for operation in data.chunks_exact(2) {
        let (operation_code, detail) = (operation[0], operation[1]);
        let now = clock
            .0
            .get()
            .wrapping_add(u32::from(detail) << (operation_code >> 4 << 1));
        clock.0.set(now);
        let address = usize::from(detail);
        let name = Name::from_ptr(std::ptr::without_provenance(usize::from(detail >> 4)));
        let kind = match operation_code & 0xF {
            0 => {
                log.sleep(address, name);
                atomic.sleep(address, name);
                model.asleep_since = Some(now);
                EntryKind::Sleep as u32
            }
            1 => {
                log.wake(address, name);
                atomic.wake(address, name);
                model.idle = model.idle(now);
                model.asleep_since = None;
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
                let recorded = |slots| ModelSession {
                    slots,
                    cyclic,
                    ..ModelSession::default()
                };
                if model.recording.is_none() {
                    assert!(log.start(take_buffer(slots), mode));
                    model.recording = Some(recorded(slots));
                    model.idle = 0;
                    model.asleep_since = model.asleep_since.map(|_| now);
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
            assert!(read(&atomic).iter().eq(&shadow.entries));
            assert_eq!(u64::from(atomic.lost()), shadow.lost);
        }
    }
    stop(&log, &mut model);
}
