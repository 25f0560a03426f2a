//! Timestamps as ticks since the start of a stream.

use rtoscope_trace::clock::ClockDirection;
use rtoscope_wire::percepio::{TimestampSource, timestamp_type};

/// The counter of a source of timestamps, in the order of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counter {
    is_down: bool,
    /// Ticks of a period of the operating system's timer: a timestamp has its counter in the lower
    /// 24 bits, and the number of the period in the others.
    tick_period: Option<u32>,
    /// Ticks after which the counter repeats.
    pub(super) modulus: u64,
    /// Ticks that a timestamp can be before the last one.
    backward: u64,
    /// Whether it can without damage.
    may_go_back: bool,
}

impl Counter {
    /// A counter of 32 bits.
    pub(super) const FREE_RUNNING: Self = Self {
        is_down: false,
        tick_period: None,
        modulus: 1 << 32,
        backward: 1 << 30,
        may_go_back: false,
    };

    pub(super) fn new(source: &TimestampSource, cores: usize) -> Self {
        use timestamp_type::{
            CUSTOM_DOWN, CUSTOM_UP, FREE_RUNNING_DOWN, OS_TIMER_DOWN, OS_TIMER_UP,
        };
        let period = Some(source.period).filter(|period| !matches!(*period, 0 | u32::MAX));
        let is_down = matches!(source.kind, FREE_RUNNING_DOWN | OS_TIMER_DOWN | CUSTOM_DOWN);
        let tick_period = period.filter(|_| matches!(source.kind, OS_TIMER_UP | OS_TIMER_DOWN));
        let modulus = match (tick_period, period, source.kind) {
            (Some(period), ..) => u64::from(period) << 8,
            (None, Some(period), CUSTOM_UP | CUSTOM_DOWN) => period.into(),
            _ => 1 << 32,
        };
        let backward = match tick_period {
            // The number of the period changes later than the counter starts again.
            Some(period) => 2 * u64::from(period),
            // The cores take their timestamps one by one. Or the last one was damaged.
            None if cores > 1 || modulus == 1 << 32 => modulus / 4,
            None => 0,
        };
        Self {
            is_down,
            tick_period,
            modulus,
            backward,
            may_go_back: tick_period.is_some() || cores > 1,
        }
    }

    pub(super) fn direction(&self) -> ClockDirection {
        match self.is_down && self.tick_period.is_none() {
            true => ClockDirection::Down,
            false => ClockDirection::Up,
        }
    }

    /// How often the counter starts again in these timestamps; 0 if they do not show it.
    pub(super) fn wraps(&self, timestamps: &[u32]) -> u64 {
        if self.may_go_back {
            return 0;
        }
        let pairs = timestamps.iter().zip(timestamps.iter().skip(1));
        let wraps = pairs.filter(|(from, to)| {
            self.position(**to) < self.position(**from) && self.ticks(**from, **to).is_some()
        });
        wraps.count() as u64
    }

    /// Whether timestamps may be earlier than the ones before, without damage.
    pub(super) const fn may_go_back(&self) -> bool {
        self.may_go_back
    }

    /// Whether a timestamp that is earlier than the one before is seen, and proves damage.
    pub(super) const fn shows_steps_back(&self) -> bool {
        self.backward > 0 && !self.may_go_back
    }

    fn position(&self, timestamp: u32) -> u64 {
        let Some(period) = self.tick_period else {
            let up = u64::from(timestamp) % self.modulus;
            return if self.is_down {
                self.modulus - 1 - up
            } else {
                up
            };
        };
        let counter = timestamp & 0xFF_FFFF;
        let within = match self.is_down {
            true => (period - 1).saturating_sub(counter),
            false => counter,
        };
        u64::from(timestamp >> 24) * u64::from(period) + u64::from(within)
    }

    /// Ticks from one timestamp to a later one; `None` if it is earlier.
    #[inline]
    pub(super) fn ticks(&self, from: u32, to: u32) -> Option<u64> {
        let (from, to) = (self.position(from), self.position(to));
        let ticks = if to >= from {
            to - from
        } else {
            (to + self.modulus).saturating_sub(from)
        };
        (self.backward == 0 || ticks < self.modulus.saturating_sub(self.backward)).then_some(ticks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counter(kind: u32, period: u32) -> Counter {
        let source = TimestampSource {
            kind,
            period,
            frequency: 1,
            os_tick_frequency: 1,
        };
        Counter::new(&source, 1)
    }

    #[test]
    fn counters_wrap() {
        assert_eq!(counter(1, 0).ticks(u32::MAX - 4, 5), Some(10));
        assert_eq!(counter(2, u32::MAX).ticks(5, u32::MAX - 4), Some(10));
        assert_eq!(counter(5, 100).ticks(95, 5), Some(10));
        assert_eq!(counter(6, 100).ticks(5, 95), Some(10));
    }

    #[test]
    fn ticks_of_the_system_count_periods() {
        let down = counter(4, 1000);
        assert_eq!(down.ticks(0xFF << 24 | 10, 990), Some(20));
        assert_eq!(down.ticks(3 << 24 | 500, 3 << 24 | 400), Some(100));
        // The period's number is still the old one.
        assert_eq!(down.ticks(3 << 24 | 5, 3 << 24 | 995), None);
        assert_eq!(
            counter(3, 1000).ticks(2 << 24 | 900, 3 << 24 | 100),
            Some(200)
        );
    }
}
