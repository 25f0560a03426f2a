//! The course of the clock, as many entries together tell it.

use super::core_bits_detector::CoreBitsDetector;
use crate::clock::{self, ClockModulus};
use crate::live::{HostTime, missed_wraps};
use crate::threadx::entry_header::EntryHeader;
use crate::threadx::{ThreadXOptions, TraceBuffer};
use rtoscope_trace::Catalogue;
use rtoscope_trace::clock::ClockDirection;

/// What entries told as they came.
#[derive(Debug, Clone)]
pub(super) struct ClockTracker {
    /// Which way the clock counts, if the user or enough entries say so.
    direction: Option<ClockDirection>,
    modulus: Option<ClockModulus>,
    steps: StepCounts,
    /// Steps since the last gap, and when their first buffer came.
    since_gap: Option<(StepCounts, HostTime)>,
    rate: Option<ClockRate>,
    newest: Option<NewestEntry>,
    /// When the last buffer came.
    last: Option<HostTime>,
    pub(super) cores: CoreBitsDetector,
}

/// Steps between stamps, for both directions.
#[derive(Debug, Clone, Copy, Default)]
struct StepCounts {
    count: u64,
    /// Steps that are shorter for a clock that counts up.
    up: u64,
    /// And down.
    down: u64,
    zero: u64,
    /// Steps of one tick up.
    ones: u64,
    ticks_up: u64,
    ticks_down: u64,
}

/// How fast the clock runs.
#[derive(Debug, Clone, Copy)]
struct ClockRate {
    /// Ticks a second.
    frequency_hz: u64,
    /// Nanoseconds over which that was measured; all time if the user says it.
    measured_ns: u64,
}

/// The newest entry.
#[derive(Debug, Clone, Copy)]
struct NewestEntry {
    timestamp: u64,
    /// When the buffer came that had it.
    received_at: HostTime,
    /// When the buffer before that came, which had it not.
    absent_at: Option<HostTime>,
}

/// How much time goes by between two entries with a gap between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ElapsedTime {
    /// What the stamps say, and whole periods of the clock besides.
    FromTimestamps {
        /// So many.
        periods: u64,
        /// Whether there cannot be more or fewer.
        is_certain: bool,
    },
    /// So many ticks, going by the clock of the host.
    Ticks(u64),
}

/// A stretch shorter than this does not tell a clock's frequency: 1 s.
const MIN_MEASUREMENT_NS: u64 = 1_000_000_000;

/// Steps of one tick that tell a clock that counts events.
const MIN_SINGLE_TICK_STEPS: u64 = 64;

/// Stamps of fewer bits come again too soon to tell entries apart.
const MIN_DISTINCT_PERIOD: u64 = 1 << 24;

/// A count of this many bits does not come round while nobody looks.
const MIN_UNAMBIGUOUS_PERIOD: u64 = 1 << 32;

impl ClockTracker {
    pub(super) fn new(options: &ThreadXOptions) -> Self {
        let given = |hertz: rtoscope_trace::Frequency| ClockRate {
            frequency_hz: hertz.0.get(),
            measured_ns: u64::MAX,
        };
        Self {
            direction: options.clock.direction,
            modulus: None,
            steps: StepCounts::default(),
            since_gap: None,
            rate: options.clock.frequency.map(given),
            newest: None,
            last: None,
            cores: CoreBitsDetector::new(options.cores),
        }
    }

    /// Which way the clock counts, if that is settled.
    pub(super) fn direction(&self) -> Option<ClockDirection> {
        self.direction
    }

    /// Says which way it counts.
    pub(super) fn set_direction(&mut self, direction: ClockDirection) {
        self.direction.get_or_insert(direction);
    }

    /// Whether stamps are such that two entries are hardly ever equal.
    pub(super) fn is_distinct(&self) -> bool {
        let period = self.modulus.and_then(ClockModulus::period);
        period.is_none_or(|period| period >= MIN_DISTINCT_PERIOD)
            && self.steps.zero < self.steps.count
    }

    /// Prepares for entries of a buffer.
    pub(super) fn prepare(&mut self, buffer: &TraceBuffer, options: &ThreadXOptions) {
        let bits = 8 * buffer.layout.ulong.bytes() as u32;
        let mask = buffer.header.timer_mask;
        self.modulus = Some(clock::modulus(bits, mask, &options.clock));
    }

    /// Takes an entry that follows the one before.
    pub(super) fn push_entry(&mut self, glance: EntryHeader, catalogue: &Catalogue, at: HostTime) {
        let Some(modulus) = self.modulus else { return };
        if let Some(newest) = self.newest {
            self.steps.add(modulus, newest.timestamp, glance.timestamp);
            if let Some((steps, _)) = &mut self.since_gap {
                steps.add(modulus, newest.timestamp, glance.timestamp);
            }
        }
        self.set_newest(glance.timestamp, at);
        self.cores.push_id(glance.id as u32, catalogue);
    }

    /// Takes an entry behind a gap.
    pub(super) fn push_entry_after_gap(
        &mut self,
        glance: EntryHeader,
        catalogue: &Catalogue,
        at: HostTime,
    ) {
        self.since_gap = None;
        self.set_newest(glance.timestamp, at);
        self.cores.push_id(glance.id as u32, catalogue);
    }

    fn set_newest(&mut self, stamp: u64, at: HostTime) {
        self.newest = Some(NewestEntry {
            timestamp: stamp,
            received_at: at,
            absent_at: self.last,
        });
    }

    /// Has taken all entries of a buffer.
    pub(super) fn finish_buffer(&mut self, at: HostTime) {
        self.last = Some(at);
        let Some(newest) = self.newest.filter(|newest| newest.received_at == at) else {
            return;
        };
        let (steps, since) = *self
            .since_gap
            .get_or_insert((StepCounts::default(), newest.received_at));
        let elapsed = at.since(since);
        let longer = self.rate.is_none_or(|pace| elapsed > pace.measured_ns);
        if longer && elapsed >= MIN_MEASUREMENT_NS {
            let ticks = u128::from(steps.ticks(self.likely_direction()));
            let hertz = ticks * 1_000_000_000 / u128::from(elapsed);
            self.rate = Some(ClockRate {
                frequency_hz: u64::try_from(hertz).unwrap_or(u64::MAX),
                measured_ns: elapsed,
            });
        }
    }

    fn likely_direction(&self) -> ClockDirection {
        self.direction.unwrap_or(self.steps.direction())
    }

    /// How many events a clock that counts events says are missing before a
    /// stamp; `None` if it does not count them.
    pub(super) fn missing_before(&self, stamp: u64) -> Option<u64> {
        let (modulus, newest) = (self.modulus?, self.newest?);
        let counts =
            self.steps.count >= MIN_SINGLE_TICK_STEPS && self.steps.ones == self.steps.count;
        let is_endless = modulus
            .period()
            .is_none_or(|it| it >= MIN_UNAMBIGUOUS_PERIOD);
        let step = modulus.forward(newest.timestamp, stamp);
        (counts && is_endless)
            .then(|| step.checked_sub(1))
            .flatten()
    }

    /// Ticks between two stamps that follow each other.
    pub(super) fn step(&self, from: u64, to: u64) -> u64 {
        let direction = self.likely_direction();
        let step = |modulus: ClockModulus| modulus.step(direction, from, to);
        self.modulus.map_or(0, step)
    }

    /// Whether a step goes back, in a clock whose period is so long that no
    /// target is silent for half of it while its ring is overwritten.
    pub(super) fn goes_back(&self, from: u64, to: u64) -> bool {
        let period = self.modulus.map_or(Some(0), ClockModulus::period);
        let is_long = period.is_none_or(|period| period >= MIN_UNAMBIGUOUS_PERIOD);
        let half = self.modulus.map_or(0, ClockModulus::half);
        is_long && !self.steps.is_static() && self.step(from, to) > half
    }

    /// How much time goes by across a gap before entries that came now: the
    /// first of them has that stamp, and the last of them is so many ticks later.
    pub(super) fn elapsed(&self, stamp: u64, span: u64, at: HostTime) -> ElapsedTime {
        let unknown = ElapsedTime::FromTimestamps {
            periods: 0,
            is_certain: false,
        };
        let (Some(newest), Some(modulus)) = (self.newest, self.modulus) else {
            return unknown;
        };
        let Some(period) = modulus.period() else {
            return ElapsedTime::FromTimestamps {
                periods: 0,
                is_certain: true,
            };
        };
        let Some(pace) = self.rate.filter(|_| !self.counts_no_time()) else {
            return unknown;
        };
        let seen = self.step(newest.timestamp, stamp).saturating_add(span);
        let periods = |host| missed_wraps(seen, period, host, pace.frequency_hz);
        // The newest entry of a buffer was written since the buffer before came.
        let least = self.last.map_or(0, |last| last.since(newest.received_at));
        let most = newest.absent_at.map(|since| at.since(since));
        // A pace that was measured is as good as the stretch was long.
        let doubt = |host: u64| host / 64;
        let is_certain = most.is_some_and(|most| {
            periods(least.saturating_sub(doubt(least))) == periods(most.saturating_add(doubt(most)))
        });
        ElapsedTime::FromTimestamps {
            periods: periods(at.since(newest.received_at)),
            is_certain,
        }
    }

    /// How much time goes by while tracing is started again.
    pub(super) fn elapsed_across_restart(
        &self,
        stamp: u64,
        span: u64,
        at: HostTime,
    ) -> ElapsedTime {
        let (Some(newest), Some(pace)) = (self.newest, self.rate) else {
            return ElapsedTime::Ticks(0);
        };
        if self.counts_no_time() {
            return ElapsedTime::Ticks(0);
        }
        let ticks = |host: u64| {
            let ticks = u128::from(host) * u128::from(pace.frequency_hz) / 1_000_000_000;
            u64::try_from(ticks).unwrap_or(u64::MAX)
        };
        let elapsed = at.since(newest.received_at);
        let seen = self.step(newest.timestamp, stamp).saturating_add(span);
        let most = at.since(newest.absent_at.unwrap_or(newest.received_at));
        let least = self.last.map_or(0, |last| last.since(newest.received_at));
        let doubt = most / 64;
        // The clock went on if what its stamps say fits the time of the host.
        if (ticks(least.saturating_sub(doubt))..=ticks(most.saturating_add(doubt))).contains(&seen)
        {
            return ElapsedTime::FromTimestamps {
                periods: 0,
                is_certain: false,
            };
        }
        ElapsedTime::Ticks(ticks(elapsed).saturating_sub(span))
    }

    /// Whether the clock stands still or counts events.
    fn counts_no_time(&self) -> bool {
        self.steps.is_static() || self.steps.ones == self.steps.count
    }
}

impl StepCounts {
    fn add(&mut self, modulus: ClockModulus, from: u64, to: u64) {
        let up = modulus.forward(from, to);
        let down = modulus.reversed(up);
        self.count += 1;
        self.zero += u64::from(up == 0);
        self.ones += u64::from(up == 1);
        self.up += u64::from(up != 0 && up < modulus.half());
        self.down += u64::from(up > modulus.half());
        let longest = modulus.max_step();
        let ticks = |step: u64| if step > longest { 0 } else { step };
        self.ticks_up = self.ticks_up.saturating_add(ticks(up));
        self.ticks_down = self.ticks_down.saturating_add(ticks(down));
    }

    fn direction(&self) -> ClockDirection {
        if self.count >= 2 && self.down > self.up {
            ClockDirection::Down
        } else {
            ClockDirection::Up
        }
    }

    fn ticks(&self, direction: ClockDirection) -> u64 {
        match direction {
            ClockDirection::Up => self.ticks_up,
            ClockDirection::Down => self.ticks_down,
        }
    }

    fn is_static(&self) -> bool {
        self.zero == self.count
    }
}
