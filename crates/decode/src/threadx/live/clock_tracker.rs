//! Tracks the clock properties over many entries.

use super::core_bits_detector::CoreBitsDetector;
use crate::clock::{self, ClockModulus, StepCounts};
use crate::live::{HostTime, missed_wraps};
use crate::threadx::entry_gaps::ElapsedTime;
use crate::threadx::entry_header::EntryHeader;
use crate::threadx::{ThreadXOptions, TraceBuffer};
use rtoscope_trace::clock::ClockDirection;
use rtoscope_trace::{Catalogue, Frequency, Nanoseconds, Ticks};

/// The clock properties known from the entries so far.
#[derive(Debug, Clone)]
pub(super) struct ClockTracker {
    /// The direction of the clock, if the user set it or enough entries
    /// determine it.
    pub(super) direction: Option<ClockDirection>,
    modulus: Option<ClockModulus>,
    steps: StepCounts,
    /// Steps since the last gap, and the arrival time of their first buffer.
    since_gap: Option<(StepCounts, HostTime)>,
    rate: Option<ClockRate>,
    newest: Option<NewestEntry>,
    /// The arrival time of the last buffer.
    last: Option<HostTime>,
    pub(super) cores: CoreBitsDetector,
}

/// The clock's frequency.
#[derive(Debug, Clone, Copy)]
struct ClockRate {
    /// `None` below 1 Hz.
    frequency: Option<Frequency>,
    /// Duration of the measurement in nanoseconds; the maximum if the user set
    /// the frequency.
    measured_ns: u64,
}

impl ClockRate {
    /// Ticks in a time on the host's clock, in nanoseconds.
    fn ticks(&self, host: u64) -> Ticks {
        let ticks = |frequency: Frequency| frequency.ticks_in(Nanoseconds(host));
        self.frequency.map_or(Ticks(0), ticks)
    }
}

/// The newest entry.
#[derive(Debug, Clone, Copy)]
struct NewestEntry {
    timestamp: u64,
    /// The arrival time of the buffer with this entry.
    received_at: HostTime,
    /// The arrival time of the last buffer without this entry.
    absent_at: Option<HostTime>,
}

/// Minimum duration of a measurement of the clock's frequency: 1 s.
const MIN_MEASUREMENT_NS: u64 = 1_000_000_000;

/// Number of single-tick steps that indicate a clock that counts events.
const MIN_SINGLE_TICK_STEPS: u64 = 64;

/// Minimum period of timestamps that distinguish entries: with fewer bits they
/// repeat too soon.
const MIN_DISTINCT_PERIOD: u64 = 1 << 24;

/// A clock with at least this period does not wrap between two reads.
const MIN_UNAMBIGUOUS_PERIOD: u64 = 1 << 32;

impl ClockTracker {
    pub(super) fn new(options: &ThreadXOptions) -> Self {
        let given = |frequency| ClockRate {
            frequency: Some(frequency),
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

    /// Sets the direction of the clock.
    pub(super) fn set_direction(&mut self, direction: ClockDirection) {
        self.direction.get_or_insert(direction);
    }

    /// Whether two entries rarely have the same timestamp.
    pub(super) fn is_distinct(&self) -> bool {
        let period = self.modulus.and_then(ClockModulus::period);
        period.is_none_or(|period| period >= MIN_DISTINCT_PERIOD)
            && self.steps.zero < self.steps.count
    }

    /// Prepares for the entries of a buffer.
    pub(super) fn prepare(&mut self, buffer: &TraceBuffer, options: &ThreadXOptions) {
        let bits = 8 * buffer.layout.ulong.bytes() as u32;
        let mask = buffer.header.timer_mask;
        self.modulus = Some(clock::modulus(bits, mask, &options.clock));
    }

    /// Adds the next entry, possibly after a gap.
    pub(super) fn push_entry(
        &mut self,
        header: EntryHeader,
        is_after_gap: bool,
        catalogue: &Catalogue,
        at: HostTime,
    ) {
        if is_after_gap {
            self.since_gap = None;
        } else if let (Some(modulus), Some(newest)) = (self.modulus, self.newest) {
            let since_gap = self.since_gap.as_mut().map(|(steps, _)| steps);
            for steps in [&mut self.steps].into_iter().chain(since_gap) {
                steps.add(modulus, newest.timestamp, header.timestamp);
            }
        }
        self.newest = Some(NewestEntry {
            timestamp: header.timestamp,
            received_at: at,
            absent_at: self.last,
        });
        self.cores.push_id(header.id as u32, catalogue);
    }

    /// Call after all entries of a buffer.
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
            let ticks = Ticks(steps.ticks(self.likely_direction()));
            self.rate = Some(ClockRate {
                frequency: Frequency::measured(ticks, Nanoseconds(elapsed)),
                measured_ns: elapsed,
            });
        }
    }

    fn likely_direction(&self) -> ClockDirection {
        match self.direction {
            Some(direction) => direction,
            None if self.steps.count < 2 => ClockDirection::Up,
            None => self.steps.direction(),
        }
    }

    /// The number of events missing before a timestamp according to a clock
    /// that counts events; `None` for any other clock.
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

    /// Ticks between two consecutive timestamps.
    pub(super) fn step(&self, from: u64, to: u64) -> u64 {
        let direction = self.likely_direction();
        let step = |modulus: ClockModulus| modulus.step(direction, from, to);
        self.modulus.map_or(0, step)
    }

    /// The time elapsed across a gap before entries that arrived at `at`: the
    /// first of them has `stamp`, and the last of them is `span` ticks later.
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
        let periods = |host| missed_wraps(seen, period, pace.ticks(host));
        // The newest entry of a buffer was written after the previous buffer
        // arrived.
        let min = self.last.map_or(0, |last| last.since(newest.received_at));
        let max = newest.absent_at.map(|since| at.since(since));
        // The precision of a measured frequency depends on the duration of the
        // measurement.
        let doubt = |host: u64| host / 64;
        let is_certain = max.is_some_and(|max| {
            periods(min.saturating_sub(doubt(min))) == periods(max.saturating_add(doubt(max)))
        });
        ElapsedTime::FromTimestamps {
            periods: periods(at.since(newest.received_at)),
            is_certain,
        }
    }

    /// The time elapsed across a restart of tracing.
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
        let ticks = |host| pace.ticks(host).0;
        let elapsed = at.since(newest.received_at);
        let seen = self.step(newest.timestamp, stamp).saturating_add(span);
        let max = at.since(newest.absent_at.unwrap_or(newest.received_at));
        let min = self.last.map_or(0, |last| last.since(newest.received_at));
        let doubt = max / 64;
        // The clock continued if its timestamps match the host's time.
        if (ticks(min.saturating_sub(doubt))..=ticks(max.saturating_add(doubt))).contains(&seen) {
            return ElapsedTime::FromTimestamps {
                periods: 0,
                is_certain: false,
            };
        }
        ElapsedTime::Ticks(ticks(elapsed).saturating_sub(span))
    }

    /// Whether the clock is static or counts events.
    fn counts_no_time(&self) -> bool {
        self.steps.is_static() || self.steps.ones == self.steps.count
    }
}
