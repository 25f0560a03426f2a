//! A target with real recorders whose logs are saved repeatedly, and the events
//! that it recorded.

use rtoscope_decode::DecodeOptions;
use rtoscope_decode::live::{HostTime, LiveDecoder, LiveOptions, LiveUpdate};
use rtoscope_record::cswitch::{BufferMode, CswlWriter, LogEntry, ReadableMemory, SwitchLog};
use rtoscope_record::name;
use rtoscope_record::port::{Clock, SpinLock};
use rtoscope_trace::clock::ClockDirection;
use rtoscope_trace::{Frequency, Trace};
use std::cell::Cell;
use std::mem::MaybeUninit;
use std::rc::Rc;

/// Ticks per second.
pub(crate) const FREQUENCY_HZ: u64 = 1_000_000;

/// A counter that all cores share.
pub(crate) struct Counter {
    now: Rc<Cell<u64>>,
    bits: u8,
    direction: ClockDirection,
}

impl Clock for Counter {
    fn now(&self) -> u32 {
        let now = self.now.get();
        let count = match self.direction {
            ClockDirection::Up => now,
            ClockDirection::Down => u64::MAX - now,
        };
        (count & (u64::MAX >> (64 - u32::from(self.bits)))) as u32
    }
}

/// An event: `number` counts the events of its core, and is its address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ExpectedEvent {
    pub(crate) time: u64,
    pub(crate) core: u8,
    pub(crate) number: u64,
}

pub(crate) struct Target {
    pub(crate) now: Rc<Cell<u64>>,
    pub(crate) logs: Vec<SwitchLog<SpinLock, Counter>>,
    pub(crate) bits: u8,
    pub(crate) truth: Vec<ExpectedEvent>,
    entries: usize,
    written: Vec<u64>,
}

impl Target {
    pub(crate) fn new(cores: usize, entries: usize, bits: u8, mode: BufferMode) -> Self {
        Self::counting(ClockDirection::Up, cores, entries, bits, mode)
    }

    pub(crate) fn counting(
        direction: ClockDirection,
        cores: usize,
        entries: usize,
        bits: u8,
        mode: BufferMode,
    ) -> Self {
        let now = Rc::new(Cell::new(1_000));
        let log = |_| {
            let now = Rc::clone(&now);
            SwitchLog::new(
                SpinLock::new(),
                Counter {
                    now,
                    bits,
                    direction,
                },
            )
        };
        let mut target = Self {
            logs: (0..cores).map(log).collect(),
            now,
            bits,
            truth: Vec::new(),
            entries,
            written: vec![0; cores],
        };
        target.start(mode);
        target
    }

    /// Starts recordings, after ending those in progress.
    pub(crate) fn start(&mut self, mode: BufferMode) {
        for log in &self.logs {
            let buffer: &'static mut [MaybeUninit<LogEntry>] =
                Box::leak(vec![MaybeUninit::uninit(); self.entries].into_boxed_slice());
            log.stop();
            assert!(log.start(buffer, mode));
        }
    }

    /// Lets `ticks` ticks pass.
    pub(crate) fn wait(&self, ticks: u64) {
        self.now.set(self.now.get() + ticks);
    }

    /// A core records an event.
    pub(crate) fn record(&mut self, core: usize) {
        let number = self.written[core];
        self.written[core] += 1;
        let (log, address) = (&self.logs[core], number as usize);
        match number % 4 {
            3 => log.marker(name!("worker"), number as u32),
            0 => log.sync_resume(address, name!("worker")),
            1 => log.isr_enter(address),
            _ => log.isr_exit(address),
        }
        self.truth.push(ExpectedEvent {
            time: self.now.get(),
            core: core as u8,
            number,
        });
    }

    /// The current logs.
    pub(crate) fn save(&self) -> Vec<u8> {
        self.save_cores(0..self.logs.len())
    }

    pub(crate) fn save_cores(&self, cores: impl ExactSizeIterator<Item = usize>) -> Vec<u8> {
        let mut bytes = Vec::new();
        let sink = |part: &[u8]| bytes.extend_from_slice(part);
        let mut container = CswlWriter::new(sink, FREQUENCY_HZ, self.bits, cores.len() as u16);
        container.write_name(name!("worker"), "worker");
        for core in cores {
            container.write_core(core as u16, &self.logs[core], ReadableMemory::EMPTY);
        }
        let _ = container.finish();
        bytes
    }

    /// The host time of the target's current time.
    pub(crate) fn moment(&self) -> HostTime {
        HostTime(self.now.get() * (1_000_000_000 / FREQUENCY_HZ))
    }
}

pub(crate) fn settings() -> LiveOptions {
    let mut options = DecodeOptions::default();
    options.cswitch.clock.frequency = Frequency::from_hertz(FREQUENCY_HZ);
    LiveOptions {
        options,
        format: Some(rtoscope_decode::cswitch::FORMAT),
        max_events: 1 << 20,
    }
}

/// What a stream delivered, by the numbers of the recording.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ReceivedTrace {
    pub(crate) events: Vec<ExpectedEvent>,
    /// The event after each gap, and the number of missing events before it.
    pub(crate) gaps: Vec<(u64, Option<u64>)>,
}

impl ReceivedTrace {
    /// Adds what is new, which must follow what was added before.
    pub(crate) fn push(&mut self, news: &LiveUpdate) {
        let trace = &news.recording.trace;
        let base = trace.origin;
        let old = self.events.len() as u64 - base.event;
        assert_eq!(old, u64::from(news.overlaps));
        let new = expected_events(trace);
        for (event, before) in new.iter().zip(self.events.iter().skip(base.event as usize)) {
            assert_eq!(event, before, "what overlaps is the same");
        }
        self.events.extend(&new[old as usize..]);
        for gap in &trace.gaps {
            let (before, rest) = new.split_at(gap.next_event.index());
            let is_own = |event: &ExpectedEvent| gap.core.is_none_or(|core| event.core == core);
            assert!(is_own(&rest[0]));
            // A single core is the whole trace.
            assert!(gap.core.is_some() || trace.cores.len() == 1);
            let last = before.iter().rposition(is_own);
            assert_eq!(
                trace
                    .last_event_before(gap)
                    .map(rtoscope_trace::EventIndex::index),
                last
            );
        }
        let gaps = trace.gaps.iter();
        let gaps = gaps.map(|gap| (u64::from(gap.next_event.0) + base.event, gap.missing));
        self.gaps
            .extend(gaps.filter(|(before, _)| *before >= base.event + old));
    }

    /// Adds all updates.
    pub(crate) fn drain_updates(&mut self, live: &mut LiveDecoder) {
        while let Some(news) = live.next_update().unwrap() {
            self.push(&news);
        }
    }
}

/// The events of a trace at their times in the recording.
pub(crate) fn expected_events(trace: &Trace) -> Vec<ExpectedEvent> {
    let truth = |event: rtoscope_trace::Event| ExpectedEvent {
        time: event.time.0 + trace.origin.time.0,
        core: event.core,
        number: match event.kind.0 {
            18 => event.arguments[1],
            _ => event.arguments[0],
        },
    };
    trace.events.iter().map(truth).collect()
}

/// Events with times relative to the first of them.
pub(crate) fn from_first(events: &[ExpectedEvent]) -> Vec<ExpectedEvent> {
    let first = events.first().map_or(0, |first| first.time);
    let moved = |event: &ExpectedEvent| ExpectedEvent {
        time: event.time - first,
        ..*event
    };
    events.iter().map(moved).collect()
}
