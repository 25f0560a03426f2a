//! How often a second a session is sampled.

use crate::signals::{Board, Clock, SignalId, Sink, Value, gcd, merge};
use rtoscope_tables::Source;
use std::io;

/// The most bytes of samples: readers hold them all.
const MOST_BYTES: u64 = 1 << 26;

/// When samples are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rate {
    hertz: u64,
    units_per_second: u64,
    /// The time of the first sample, and of the last, in units of the clock.
    start: u64,
    end: u64,
}

impl Rate {
    /// For samples of `unit` bytes: one a tick if these are not too many; else
    /// as few as lose nothing, if these are not too many; else as many as may be.
    pub(super) fn of(
        sources: &[Source<'_>],
        board: &Board,
        clock: &Clock,
        unit: usize,
    ) -> io::Result<Self> {
        let rate = |hertz| Self {
            hertz,
            units_per_second: clock.units_per_second(),
            start: clock.start(),
            end: clock.end(sources),
        };
        let most = (MOST_BYTES / unit as u64).max(1);
        let fits = |rate: &Self| rate.count() <= most;
        let ticks = clock.ticks_per_second();
        let ticks = rate(ticks.unwrap_or(clock.units_per_second()));
        if fits(&ticks) {
            return Ok(ticks);
        }
        let mut common = Common {
            rate: ticks,
            // So that the rate is a whole number.
            divisor: ticks.hertz,
        };
        common.take(ticks.end);
        merge(sources, board, clock, &mut common, &mut |_| ())?;
        let lossless = rate(ticks.hertz / common.divisor);
        if fits(&lossless) {
            return Ok(lossless);
        }
        let powers = (0..=18).rev().map(|exponent| 10_u64.pow(exponent));
        let mut rounded = powers.flat_map(|power| [5, 2, 1].map(|digit| power * digit));
        let rounded = rounded.find(|hertz| *hertz < lossless.hertz && fits(&rate(*hertz)));
        rounded.map(rate).ok_or_else(|| {
            let seconds = (ticks.end - ticks.start) / ticks.units_per_second;
            let text = format!(
                "a session of {seconds} s has more than {most} samples even at 1 Hz; \
                 a part of the trace may fit"
            );
            io::Error::new(io::ErrorKind::InvalidInput, text)
        })
    }

    pub(super) fn hertz(&self) -> u64 {
        self.hertz
    }

    /// The sample that is nearest to a time.
    pub(super) fn sample(&self, time: u64) -> u64 {
        let since = u128::from(time.saturating_sub(self.start));
        let second = u128::from(self.units_per_second);
        let sample = (since * u128::from(self.hertz) + second / 2) / second;
        u64::try_from(sample).unwrap_or(u64::MAX)
    }

    /// How many samples there are: what happens at the end has one as well.
    pub(super) fn count(&self) -> u64 {
        self.sample(self.end).saturating_add(1)
    }
}

/// Finds what all times are multiples of.
struct Common {
    rate: Rate,
    divisor: u64,
}

impl Common {
    fn take(&mut self, time: u64) {
        if self.divisor > 1 {
            self.divisor = gcd(self.divisor, self.rate.sample(time));
        }
    }
}

impl Sink for Common {
    fn at(&mut self, time: u64) -> io::Result<()> {
        self.take(time);
        Ok(())
    }

    fn set(&mut self, _: SignalId, _: Value) -> io::Result<()> {
        Ok(())
    }
}
