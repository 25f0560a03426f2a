//! The sample rate of a session.

use crate::signals::{CommonClock, SignalTable, change_times, gcd};
use rtoscope_analysis::AnalyzedRecording;
use std::io;

/// The maximum size of the samples, which readers keep in memory.
const MAX_BYTES: u64 = 1 << 26;

/// The times of the samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SampleRate {
    hertz: u64,
    units_per_second: u64,
    /// The times of the first and the last sample, in units of the clock.
    start: u64,
    end: u64,
}

impl SampleRate {
    /// Chooses the rate for samples of `unit` bytes: one sample per tick if that is
    /// not too many; else the lowest rate that loses nothing, if that is not too
    /// many; else the highest possible rate.
    pub(super) fn of(
        sources: &[&AnalyzedRecording],
        table: &SignalTable,
        clock: &CommonClock,
        unit: usize,
    ) -> io::Result<Self> {
        let rate = |hertz| Self {
            hertz,
            units_per_second: clock.units_per_second(),
            start: clock.start(),
            end: clock.end(sources),
        };
        let max = (MAX_BYTES / unit as u64).max(1);
        let fits = |rate: &Self| rate.count() <= max;
        let ticks = clock.ticks_per_second();
        let ticks = rate(ticks.unwrap_or(clock.units_per_second()));
        if fits(&ticks) {
            return Ok(ticks);
        }
        let lossless = ticks.without_common_divisor(change_times(sources, table, clock));
        if fits(&lossless) {
            return Ok(lossless);
        }
        let powers = (0..=18).rev().map(|exponent| 10_u64.pow(exponent));
        let mut rounded = powers.flat_map(|power| [5, 2, 1].map(|digit| power * digit));
        let rounded = rounded.find(|hertz| *hertz < lossless.hertz && fits(&rate(*hertz)));
        rounded.map(rate).ok_or_else(|| {
            let longest = longest_recording(sources, clock);
            let count = rate(1).count();
            let lines = table.signals.len();
            let text = format!(
                "{longest} is too long for a session: {count} samples even at 1 Hz, and {lines} channels allow at most {max}; use VCD, which takes any length, or set the frequency with --clock if the clock is faster"
            );
            io::Error::new(io::ErrorKind::InvalidInput, text)
        })
    }

    /// The lowest rate at which these times are samples.
    fn without_common_divisor(self, mut times: impl Iterator<Item = u64>) -> Self {
        // Makes the rate a whole number.
        let hertz = gcd(self.hertz, self.sample(self.end));
        let divisor = times.try_fold(hertz, |divisor, time| {
            // No later time changes 1.
            (divisor > 1).then(|| gcd(divisor, self.sample(time)))
        });
        Self {
            hertz: self.hertz / divisor.unwrap_or(1),
            ..self
        }
    }

    pub(super) fn hertz(&self) -> u64 {
        self.hertz
    }

    /// The sample nearest to a time.
    pub(super) fn sample(&self, time: u64) -> u64 {
        let since = u128::from(time.saturating_sub(self.start));
        let second = u128::from(self.units_per_second);
        let sample = (since * u128::from(self.hertz) + second / 2) / second;
        u64::try_from(sample).unwrap_or(u64::MAX)
    }

    /// The number of samples, including one for the end.
    pub(super) fn count(&self) -> u64 {
        self.sample(self.end).saturating_add(1)
    }
}

/// The name of the recording that ends last.
fn longest_recording<'s>(sources: &[&'s AnalyzedRecording], clock: &CommonClock) -> &'s str {
    let end = |(at, source): &(usize, &&AnalyzedRecording)| {
        let span = source.trace.events.span();
        clock.units(*at, span)
    };
    let last = sources.iter().enumerate().max_by_key(end);
    last.map_or("", |(_, source)| source.info.name.as_str())
}
