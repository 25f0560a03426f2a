//! A target with real recorders whose logs are saved again and again, and what
//! really happened on it.

use rtoscope_decode::live::{Live, Moment, News, Settings};
use rtoscope_decode::{Format, Options};
use rtoscope_record::cswitch::{Cswl, Entry, Log, Mode, Readable};
use rtoscope_record::name;
use rtoscope_record::port::{Clock, Spin};
use rtoscope_trace::clock::Direction;
use rtoscope_trace::{Frequency, Trace};
use std::cell::Cell;
use std::mem::MaybeUninit;
use std::num::NonZeroU64;
use std::rc::Rc;

/// Ticks in a second.
pub(crate) const HERTZ: u64 = 1_000_000;

/// A counter that all cores share.
pub(crate) struct Counter {
    now: Rc<Cell<u64>>,
    bits: u8,
    direction: Direction,
}

impl Clock for Counter {
    fn now(&self) -> u32 {
        let now = self.now.get();
        let count = match self.direction {
            Direction::Up => now,
            Direction::Down => u64::MAX - now,
        };
        (count & (u64::MAX >> (64 - u32::from(self.bits)))) as u32
    }
}

/// What an event was: `number` counts the events of its core, and is its address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Truth {
    pub(crate) time: u64,
    pub(crate) core: u8,
    pub(crate) number: u64,
}

pub(crate) struct Target {
    pub(crate) now: Rc<Cell<u64>>,
    pub(crate) logs: Vec<Log<Spin, Counter>>,
    pub(crate) bits: u8,
    pub(crate) truth: Vec<Truth>,
    entries: usize,
    written: Vec<u64>,
}

impl Target {
    pub(crate) fn new(cores: usize, entries: usize, bits: u8, mode: Mode) -> Self {
        Self::counting(Direction::Up, cores, entries, bits, mode)
    }

    pub(crate) fn counting(
        direction: Direction,
        cores: usize,
        entries: usize,
        bits: u8,
        mode: Mode,
    ) -> Self {
        let now = Rc::new(Cell::new(1_000));
        let log = |_| {
            let now = Rc::clone(&now);
            Log::new(
                Spin::new(),
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

    /// Starts recordings, after ending those that run.
    pub(crate) fn start(&mut self, mode: Mode) {
        for log in &self.logs {
            let buffer: &'static mut [MaybeUninit<Entry>] =
                Box::leak(vec![MaybeUninit::uninit(); self.entries].into_boxed_slice());
            log.stop();
            assert!(log.start(buffer, mode));
        }
    }

    /// So many ticks go by.
    pub(crate) fn wait(&self, ticks: u64) {
        self.now.set(self.now.get() + ticks);
    }

    /// A core records an event.
    pub(crate) fn record(&mut self, core: usize) {
        let number = self.written[core];
        self.written[core] += 1;
        let (log, address) = (&self.logs[core], number as usize);
        match number % 3 {
            0 => log.sync_resume(address, name!("worker")),
            1 => log.isr_enter(address),
            _ => log.isr_exit(address),
        }
        self.truth.push(Truth {
            time: self.now.get(),
            core: core as u8,
            number,
        });
    }

    /// The logs as they are now.
    pub(crate) fn save(&self) -> Vec<u8> {
        self.save_cores(0..self.logs.len())
    }

    pub(crate) fn save_cores(&self, cores: impl ExactSizeIterator<Item = usize>) -> Vec<u8> {
        let mut bytes = Vec::new();
        let sink = |part: &[u8]| bytes.extend_from_slice(part);
        let mut container = Cswl::begin(sink, HERTZ, self.bits, cores.len() as u16);
        container.name(name!("worker"), "worker");
        for core in cores {
            container.core(core as u16, &self.logs[core], Readable::NOTHING);
        }
        let _ = container.end();
        bytes
    }

    /// The moment of the host at which it is now on the target.
    pub(crate) fn moment(&self) -> Moment {
        Moment(self.now.get() * (1_000_000_000 / HERTZ))
    }
}

pub(crate) fn settings() -> Settings {
    let mut options = Options::default();
    options.cswitch.clock.frequency = NonZeroU64::new(HERTZ).map(Frequency);
    Settings {
        options,
        format: Some(Format::Cswitch),
        most_events: 1 << 20,
    }
}

/// What a stream told, by the numbers of the recording.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) events: Vec<Truth>,
    /// The event behind each gap, and what is missing before it.
    pub(crate) gaps: Vec<(u64, Option<u64>)>,
}

impl Told {
    /// Adds what is new, which must follow what was told before.
    pub(crate) fn hear(&mut self, news: &News) {
        let trace = &news.recording.trace;
        let base = trace.base;
        let old = self.events.len() as u64 - base.event;
        assert_eq!(old, u64::from(news.overlaps));
        let new = truths(trace);
        for (event, before) in new.iter().zip(self.events.iter().skip(base.event as usize)) {
            assert_eq!(event, before, "what overlaps is the same");
        }
        self.events.extend(&new[old as usize..]);
        for gap in &trace.gaps {
            let (before, rest) = new.split_at(gap.before.index());
            let is_own = |event: &Truth| gap.core.is_none_or(|core| event.core == core);
            assert!(is_own(&rest[0]));
            // One core alone is all of them.
            assert!(gap.core.is_some() || trace.cores.len() == 1);
            let last = before.iter().rposition(is_own);
            assert_eq!(
                trace
                    .last_before(gap)
                    .map(rtoscope_trace::EventIndex::index),
                last
            );
        }
        let gaps = trace.gaps.iter();
        let gaps = gaps.map(|gap| (u64::from(gap.before.0) + base.event, gap.missing));
        self.gaps
            .extend(gaps.filter(|(before, _)| *before >= base.event + old));
    }

    /// Takes all that is new.
    pub(crate) fn follow(&mut self, live: &mut Live) {
        while let Some(news) = live.advance().unwrap() {
            self.hear(&news);
        }
    }
}

/// The events of a trace at their times in the recording.
pub(crate) fn truths(trace: &Trace) -> Vec<Truth> {
    let truth = |event: rtoscope_trace::Event| Truth {
        time: event.time.0 + trace.base.time.0,
        core: event.core,
        number: event.arguments[0],
    };
    trace.events.iter().map(truth).collect()
}

/// Events whose times count from the first of them.
pub(crate) fn from_first(events: &[Truth]) -> Vec<Truth> {
    let first = events.first().map_or(0, |first| first.time);
    let moved = |event: &Truth| Truth {
        time: event.time - first,
        ..*event
    };
    events.iter().map(moved).collect()
}
