//! The course of the clock, as many entries together tell it.

use super::ids::Cores;
use crate::clock::{self, Modulus};
use crate::live::{Moment, extra_wraps};
use crate::threadx::glance::Glance;
use crate::threadx::{Buffer, Options};
use rtoscope_trace::Catalogue;
use rtoscope_trace::clock::Direction;

/// What entries told as they came.
#[derive(Debug, Clone)]
pub(super) struct Course {
    /// Which way the clock counts, if the user or enough entries say so.
    direction: Option<Direction>,
    modulus: Option<Modulus>,
    steps: Steps,
    /// Steps since the last gap, and when their first buffer came.
    stretch: Option<(Steps, Moment)>,
    pace: Option<Pace>,
    newest: Option<Newest>,
    /// When the last buffer came.
    last: Option<Moment>,
    pub(super) cores: Cores,
}

/// Steps between stamps, for both directions.
#[derive(Debug, Clone, Copy, Default)]
struct Steps {
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
struct Pace {
    /// Ticks a second.
    hertz: u64,
    /// Nanoseconds over which that was measured; all time if the user says it.
    measured: u64,
}

/// The newest entry.
#[derive(Debug, Clone, Copy)]
struct Newest {
    stamp: u64,
    /// When the buffer came that had it.
    came: Moment,
    /// When the buffer before that came, which had it not.
    not_yet: Option<Moment>,
}

/// How much time goes by between two entries with a gap between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Across {
    /// What the stamps say, and whole periods of the clock besides.
    Stamps {
        /// So many.
        periods: u64,
        /// Whether there cannot be more or fewer.
        is_certain: bool,
    },
    /// So many ticks, going by the clock of the host.
    Ticks(u64),
}

/// A stretch shorter than this does not tell a clock's frequency: 1 s.
const LEAST_STRETCH: u64 = 1_000_000_000;

/// Steps of one tick that tell a clock that counts events.
const TELLING_STEPS: u64 = 64;

/// Stamps of fewer bits come again too soon to tell entries apart.
const DISTINCT_PERIOD: u64 = 1 << 24;

/// A count of this many bits does not come round while nobody looks.
const ENDLESS_PERIOD: u64 = 1 << 32;

impl Course {
    pub(super) fn new(options: &Options) -> Self {
        let given = |hertz: rtoscope_trace::Frequency| Pace {
            hertz: hertz.0.get(),
            measured: u64::MAX,
        };
        Self {
            direction: options.clock.direction,
            modulus: None,
            steps: Steps::default(),
            stretch: None,
            pace: options.clock.frequency.map(given),
            newest: None,
            last: None,
            cores: Cores::new(options.cores),
        }
    }

    /// Which way the clock counts, if that is settled.
    pub(super) fn direction(&self) -> Option<Direction> {
        self.direction
    }

    /// Says which way it counts.
    pub(super) fn settle(&mut self, direction: Direction) {
        self.direction.get_or_insert(direction);
    }

    /// Whether stamps are such that two entries are hardly ever equal.
    pub(super) fn is_distinct(&self) -> bool {
        let period = self.modulus.and_then(Modulus::period);
        period.is_none_or(|period| period >= DISTINCT_PERIOD) && self.steps.zero < self.steps.count
    }

    /// Prepares for entries of a buffer.
    pub(super) fn meet(&mut self, buffer: &Buffer, options: &Options) {
        let bits = 8 * buffer.layout.ulong.bytes() as u32;
        let mask = buffer.header.timer_mask;
        self.modulus = Some(clock::modulus(bits, mask, &options.clock));
    }

    /// Takes an entry that follows the one before.
    pub(super) fn take(&mut self, glance: Glance, catalogue: &Catalogue, at: Moment) {
        let Some(modulus) = self.modulus else { return };
        if let Some(newest) = self.newest {
            self.steps.add(modulus, newest.stamp, glance.stamp);
            if let Some((steps, _)) = &mut self.stretch {
                steps.add(modulus, newest.stamp, glance.stamp);
            }
        }
        self.put(glance.stamp, at);
        self.cores.take(glance.id as u32, catalogue);
    }

    /// Takes an entry behind a gap.
    pub(super) fn take_apart(&mut self, glance: Glance, catalogue: &Catalogue, at: Moment) {
        self.stretch = None;
        self.put(glance.stamp, at);
        self.cores.take(glance.id as u32, catalogue);
    }

    fn put(&mut self, stamp: u64, at: Moment) {
        self.newest = Some(Newest {
            stamp,
            came: at,
            not_yet: self.last,
        });
    }

    /// Has taken all entries of a buffer.
    pub(super) fn pass(&mut self, at: Moment) {
        self.last = Some(at);
        let Some(newest) = self.newest.filter(|newest| newest.came == at) else {
            return;
        };
        let (steps, since) = *self.stretch.get_or_insert((Steps::default(), newest.came));
        let elapsed = at.since(since);
        let longer = self.pace.is_none_or(|pace| elapsed > pace.measured);
        if longer && elapsed >= LEAST_STRETCH {
            let ticks = u128::from(steps.ticks(self.likely_direction()));
            let hertz = ticks * 1_000_000_000 / u128::from(elapsed);
            self.pace = Some(Pace {
                hertz: u64::try_from(hertz).unwrap_or(u64::MAX),
                measured: elapsed,
            });
        }
    }

    fn likely_direction(&self) -> Direction {
        self.direction.unwrap_or(self.steps.direction())
    }

    /// How many events a clock that counts events says are missing before a
    /// stamp; `None` if it does not count them.
    pub(super) fn missing_before(&self, stamp: u64) -> Option<u64> {
        let (modulus, newest) = (self.modulus?, self.newest?);
        let counts = self.steps.count >= TELLING_STEPS && self.steps.ones == self.steps.count;
        let is_endless = modulus.period().is_none_or(|it| it >= ENDLESS_PERIOD);
        let step = modulus.forward(newest.stamp, stamp);
        (counts && is_endless)
            .then(|| step.checked_sub(1))
            .flatten()
    }

    /// Ticks between two stamps that follow each other.
    pub(super) fn step(&self, from: u64, to: u64) -> u64 {
        let direction = self.likely_direction();
        let step = |modulus: Modulus| modulus.step(direction, from, to);
        self.modulus.map_or(0, step)
    }

    /// Whether a step goes back, in a clock whose period is so long that no
    /// target is silent for half of it while its ring is overwritten.
    pub(super) fn goes_back(&self, from: u64, to: u64) -> bool {
        let period = self.modulus.map_or(Some(0), Modulus::period);
        let is_long = period.is_none_or(|period| period >= ENDLESS_PERIOD);
        let half = self.modulus.map_or(0, Modulus::half);
        is_long && !self.steps.is_static() && self.step(from, to) > half
    }

    /// How much time goes by across a gap before entries that came now: the
    /// first of them has that stamp, and the last of them is so many ticks later.
    pub(super) fn across(&self, stamp: u64, span: u64, at: Moment) -> Across {
        let unknown = Across::Stamps {
            periods: 0,
            is_certain: false,
        };
        let (Some(newest), Some(modulus)) = (self.newest, self.modulus) else {
            return unknown;
        };
        let Some(period) = modulus.period() else {
            return Across::Stamps {
                periods: 0,
                is_certain: true,
            };
        };
        let Some(pace) = self.pace.filter(|_| !self.counts_no_time()) else {
            return unknown;
        };
        let seen = self.step(newest.stamp, stamp).saturating_add(span);
        let periods = |host| extra_wraps(seen, period, host, pace.hertz);
        // The newest entry of a buffer was written since the buffer before came.
        let least = self.last.map_or(0, |last| last.since(newest.came));
        let most = newest.not_yet.map(|since| at.since(since));
        // A pace that was measured is as good as the stretch was long.
        let doubt = |host: u64| host / 64;
        let is_certain = most.is_some_and(|most| {
            periods(least.saturating_sub(doubt(least))) == periods(most.saturating_add(doubt(most)))
        });
        Across::Stamps {
            periods: periods(at.since(newest.came)),
            is_certain,
        }
    }

    /// How much time goes by while tracing is started again.
    pub(super) fn across_restart(&self, stamp: u64, span: u64, at: Moment) -> Across {
        let (Some(newest), Some(pace)) = (self.newest, self.pace) else {
            return Across::Ticks(0);
        };
        if self.counts_no_time() {
            return Across::Ticks(0);
        }
        let ticks = |host: u64| {
            let ticks = u128::from(host) * u128::from(pace.hertz) / 1_000_000_000;
            u64::try_from(ticks).unwrap_or(u64::MAX)
        };
        let elapsed = at.since(newest.came);
        let seen = self.step(newest.stamp, stamp).saturating_add(span);
        let most = at.since(newest.not_yet.unwrap_or(newest.came));
        let least = self.last.map_or(0, |last| last.since(newest.came));
        let doubt = most / 64;
        // The clock went on if what its stamps say fits the time of the host.
        if (ticks(least.saturating_sub(doubt))..=ticks(most.saturating_add(doubt))).contains(&seen)
        {
            return Across::Stamps {
                periods: 0,
                is_certain: false,
            };
        }
        Across::Ticks(ticks(elapsed).saturating_sub(span))
    }

    /// Whether the clock stands still or counts events.
    fn counts_no_time(&self) -> bool {
        self.steps.is_static() || self.steps.ones == self.steps.count
    }
}

impl Steps {
    fn add(&mut self, modulus: Modulus, from: u64, to: u64) {
        let up = modulus.forward(from, to);
        let down = modulus.reversed(up);
        self.count += 1;
        self.zero += u64::from(up == 0);
        self.ones += u64::from(up == 1);
        self.up += u64::from(up != 0 && up < modulus.half());
        self.down += u64::from(up > modulus.half());
        let longest = modulus.longest_step();
        let ticks = |step: u64| if step > longest { 0 } else { step };
        self.ticks_up = self.ticks_up.saturating_add(ticks(up));
        self.ticks_down = self.ticks_down.saturating_add(ticks(down));
    }

    fn direction(&self) -> Direction {
        if self.count >= 2 && self.down > self.up {
            Direction::Down
        } else {
            Direction::Up
        }
    }

    fn ticks(&self, direction: Direction) -> u64 {
        match direction {
            Direction::Up => self.ticks_up,
            Direction::Down => self.ticks_down,
        }
    }

    fn is_static(&self) -> bool {
        self.zero == self.count
    }
}
