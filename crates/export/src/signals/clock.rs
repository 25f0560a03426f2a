//! A common clock for several recordings.

use rtoscope_analysis::AnalyzedRecording;
use rtoscope_trace::Ticks;
use rtoscope_trace::timescale::UnitScale;

/// Counts in a unit for all recordings: a tenth of a second, a hundredth, and so on
/// down to a femtosecond. All recordings start at 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CommonClock {
    /// The number of units per second, as a power of ten.
    exponent: u32,
    sources: Vec<SourceScale>,
}

/// A tick that is not a whole number of units has at least this many, so that
/// distinct ticks stay distinct, and durations are accurate to a hundredth of a
/// tick.
const MIN_UNITS_PER_TICK: u64 = 100;
/// Picoseconds: a clock that is exact only in finer units is rounded.
const MAX_EXACT_EXPONENT: u32 = 12;
const MAX_EXPONENT: u32 = 15;
/// Readers may parse times as signed.
const MAX_TIME: u64 = i64::MAX as u64;

/// The conversion of a recording's times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SourceScale {
    /// Ticks per second.
    hertz: u64,
    scale: UnitScale,
}

impl SourceScale {
    fn units(&self, time: Ticks) -> u64 {
        self.scale.units(time).min(MAX_TIME)
    }
}

impl CommonClock {
    /// Chooses the coarsest unit that is exact for all recordings; otherwise one
    /// fine enough to keep distinct ticks distinct, if the times then fit into 63
    /// bits.
    pub(crate) fn for_sources(sources: &[&AnalyzedRecording]) -> Self {
        let hertz = |source: &&AnalyzedRecording| source.trace.timescale().written_hertz();
        let frequencies: Vec<_> = sources.iter().map(hertz).collect();
        let fits = |exponent| {
            let clock = Self::with_exponent(sources, exponent);
            clock.end(sources) < MAX_TIME
        };
        let exact = |exponent: &u32| {
            let units = 10_u64.pow(*exponent);
            frequencies.iter().all(|each| units.is_multiple_of(*each))
        };
        let fine = |exponent: &u32| {
            let units = 10_u64.pow(*exponent);
            let is_fine_enough = |each: &u64| each.saturating_mul(MIN_UNITS_PER_TICK) <= units;
            frequencies.iter().all(is_fine_enough)
        };
        let exponent = (0..=MAX_EXACT_EXPONENT)
            .find(exact)
            .filter(|exponent| fits(*exponent))
            .unwrap_or_else(|| {
                let wanted = (0..=MAX_EXPONENT).find(fine).unwrap_or(MAX_EXPONENT);
                (0..=wanted).rev().find(|each| fits(*each)).unwrap_or(0)
            });
        Self::with_exponent(sources, exponent)
    }

    fn with_exponent(sources: &[&AnalyzedRecording], exponent: u32) -> Self {
        let units = 10_u64.pow(exponent);
        let scale = |source: &&AnalyzedRecording| {
            let scale = source.trace.timescale();
            SourceScale {
                hertz: scale.written_hertz(),
                scale: scale.in_units(units),
            }
        };
        Self {
            exponent,
            sources: sources.iter().map(scale).collect(),
        }
    }

    /// Converts a time of the `source`-th recording into units.
    #[inline]
    pub(crate) fn units(&self, source: usize, time: Ticks) -> u64 {
        self.sources
            .get(source)
            .map_or(time.0, |scale| scale.units(time))
    }

    /// The units of a tick of the `source`-th recording, if they are a whole number.
    pub(crate) fn units_per_tick(&self, source: usize) -> Option<u64> {
        self.sources.get(source)?.scale.units_per_tick()
    }

    /// The start of the first recording in units: above 0 only if all traces are
    /// parts of longer recordings.
    pub(crate) fn start(&self) -> u64 {
        let starts = self.sources.iter().map(|scale| scale.units(Ticks(0)));
        starts.min().unwrap_or(0)
    }

    /// The end of the last recording in units.
    pub(crate) fn end(&self, sources: &[&AnalyzedRecording]) -> u64 {
        let ends = sources.iter().enumerate();
        let ends = ends.map(|(at, source)| self.units(at, source.trace.events.span()));
        ends.max().unwrap_or(0)
    }

    /// The number of units per second.
    pub(crate) fn units_per_second(&self) -> u64 {
        10_u64.pow(self.exponent)
    }

    /// The frequency in hertz that makes every tick of every recording a whole number.
    /// `None` if it exceeds that of the unit.
    pub(crate) fn ticks_per_second(&self) -> Option<u64> {
        let mut frequencies = self.sources.iter().map(|source| source.hertz);
        let common = frequencies.try_fold(1_u64, |common, each| {
            (common / gcd(common, each)).checked_mul(each)
        })?;
        (common <= self.units_per_second()).then_some(common)
    }

    /// The unit, such as `10 ns`.
    pub(crate) fn unit(&self) -> String {
        let names = ["s", "ms", "us", "ns", "ps", "fs"];
        let thousandths = self.exponent.div_ceil(3);
        let name = names.get(thousandths as usize).copied().unwrap_or("fs");
        format!("{} {name}", 10_u64.pow(thousandths * 3 - self.exponent))
    }
}

pub(crate) fn gcd(one: u64, other: u64) -> u64 {
    if other == 0 {
        one
    } else {
        gcd(other, one % other)
    }
}
