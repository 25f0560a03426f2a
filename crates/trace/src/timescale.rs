//! Ticks into time, and time into ticks: the only place that converts them.
//!
//! Ticks become whole nanoseconds, **rounded down**. So a time of *n* ns covers the
//! ticks from the [first](Timescale::first_tick) that is not before it up to the
//! first that is not before *n* + 1 ns; a duration of at most *n* ns has at most
//! as many ticks as the [last](Timescale::last_tick) that is not after it. All
//! conversions are exact before they are rounded, and saturate.

use crate::diagnostic::pluralise;
use crate::{Nanoseconds, Ticks};
use std::fmt;
use std::num::NonZeroU64;
use std::ops::Range;

const NS_PER_SECOND: u64 = 1_000_000_000;
const PS_PER_NS: u64 = 1000;

/// A frequency in hertz, at least 1. Only a [`Timescale`] converts a trace's ticks
/// with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Frequency(NonZeroU64);

impl Frequency {
    /// A frequency of at least 1 Hz; `None` for 0.
    pub fn from_hertz(hertz: u64) -> Option<Self> {
        NonZeroU64::new(hertz).map(Self)
    }

    /// The frequency of a clock that advances by `ticks` in a time, in whole hertz;
    /// `None` if it is below 1 Hz or no time passes.
    pub fn measured(ticks: Ticks, elapsed: Nanoseconds) -> Option<Self> {
        let ticks = u128::from(ticks.0) * u128::from(NS_PER_SECOND);
        let hertz = ticks.checked_div(elapsed.0.into())?;
        Self::from_hertz(saturated(hertz))
    }

    /// The frequency in hertz.
    pub fn hertz(self) -> u64 {
        self.0.get()
    }

    /// The duration of a tick, in picoseconds, rounded down.
    pub fn tick_picoseconds(self) -> u64 {
        NS_PER_SECOND * PS_PER_NS / self.hertz()
    }

    /// The duration of a tick as text, e.g. `4.166 ns`: rounded down to a
    /// thousandth of its unit.
    pub fn tick_text(self) -> String {
        let picoseconds = self.tick_picoseconds();
        let whole = Nanoseconds(picoseconds / PS_PER_NS);
        match picoseconds % PS_PER_NS {
            rest if rest > 0 && whole.0 < 1_000 => format!("{}.{rest:03} ns", whole.0),
            _ => whole.to_string(),
        }
    }

    /// The whole ticks that pass in a time on another clock.
    pub fn ticks_in(self, elapsed: Nanoseconds) -> Ticks {
        Ticks(saturated(self.exact(elapsed) / u128::from(NS_PER_SECOND)))
    }

    fn first_tick(self, time: Nanoseconds) -> u128 {
        self.exact(time).div_ceil(NS_PER_SECOND.into())
    }

    /// A number of ticks as a time, rounded down; saturates.
    pub fn nanoseconds(self, ticks: Ticks) -> Nanoseconds {
        // Half the width, if it suffices, is several times as fast.
        Nanoseconds(match ticks.0.checked_mul(NS_PER_SECOND) {
            Some(exact) => exact / self.hertz(),
            None => {
                let exact = u128::from(ticks.0) * u128::from(NS_PER_SECOND);
                saturated(exact / u128::from(self.hertz()))
            }
        })
    }

    /// Ticks in a time, in billionths.
    fn exact(self, time: Nanoseconds) -> u128 {
        u128::from(time.0) * u128::from(self.hertz())
    }
}

fn saturated(value: u128) -> u64 {
    u64::try_from(value).unwrap_or(u64::MAX)
}

/// Shows it in the largest unit in which it is a whole number.
impl fmt::Display for Frequency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1_000_000_000, "GHz"), (1_000_000, "MHz"), (1_000, "kHz")];
        let unit = units
            .iter()
            .find(|(unit, _)| self.hertz().is_multiple_of(*unit));
        let (unit, name) = unit.copied().unwrap_or((1, "Hz"));
        write!(f, "{} {name}", self.hertz() / unit)
    }
}

/// Why the times of a trace are not known in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoTime {
    /// The clock stood still.
    StaticClock,
    /// The clock counts events.
    EventCounter,
    /// The clock measures only part of the time.
    LossyClock,
    /// The ticks of the clock are not of equal length.
    UnevenClock,
    /// The clock measures time, but its frequency is not known.
    UnknownFrequency,
}

impl NoTime {
    /// The reason as a sentence.
    pub const fn text(self) -> &'static str {
        match self {
            Self::StaticClock => "the clock stood still: only the order of events is known",
            Self::EventCounter => "the clock counts events: only the order of events is known",
            Self::LossyClock => "the clock measures only part of the time",
            Self::UnevenClock => "the ticks of the clock are not of equal length",
            Self::UnknownFrequency => "the clock frequency is unknown",
        }
    }
}

impl fmt::Display for NoTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

/// Converts between the ticks of a trace and time. It knows the trace's origin,
/// the clock's frequency, and whether the clock measures time: a clock that does
/// not has no nanoseconds, whatever its nominal frequency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timescale {
    origin: Ticks,
    frequency: Result<Frequency, NoTime>,
}

impl Timescale {
    pub(crate) fn new(origin: Ticks, frequency: Result<Frequency, NoTime>) -> Self {
        Self { origin, frequency }
    }

    /// The clock's frequency, if it is known and the clock measures time.
    pub fn frequency(&self) -> Option<Frequency> {
        self.frequency.ok()
    }

    /// Why times are not known in nanoseconds, if they are not.
    pub fn no_time(&self) -> Option<NoTime> {
        self.frequency.err()
    }

    /// A time of the trace in ticks since the first event of the recording.
    pub fn recording_time(&self, time: Ticks) -> Ticks {
        Ticks(self.origin.0.saturating_add(time.0))
    }

    /// A time of the trace since the first event of the recording, rounded down.
    pub fn time(&self, time: Ticks) -> Option<Nanoseconds> {
        self.duration(self.recording_time(time))
    }

    /// A duration, rounded down; saturates after 584 years.
    pub fn duration(&self, ticks: Ticks) -> Option<Nanoseconds> {
        let frequency = self.frequency.ok()?;
        Some(frequency.nanoseconds(ticks))
    }

    /// A duration as text: a time if the clock's frequency is known, else ticks.
    pub fn duration_text(&self, ticks: Ticks) -> String {
        match self.duration(ticks) {
            Some(time) => time.to_string(),
            None => pluralise(ticks.0, "tick", "ticks"),
        }
    }

    /// The first tick at or after a time; saturates.
    ///
    /// # Errors
    ///
    /// If times are not known in nanoseconds.
    pub fn first_tick(&self, time: Nanoseconds) -> Result<Ticks, NoTime> {
        Ok(Ticks(saturated(self.frequency?.first_tick(time))))
    }

    /// The last tick at or before a time, which is also the number of whole ticks
    /// of a duration; saturates.
    ///
    /// # Errors
    ///
    /// If times are not known in nanoseconds.
    pub fn last_tick(&self, time: Nanoseconds) -> Result<Ticks, NoTime> {
        Ok(self.frequency?.ticks_in(time))
    }

    /// The ticks that are this time when rounded down; its end may exceed 2^64, and
    /// it may be empty.
    ///
    /// # Errors
    ///
    /// If times are not known in nanoseconds.
    pub fn ticks_at(&self, time: Nanoseconds) -> Result<Range<u128>, NoTime> {
        let frequency = self.frequency?;
        let first = frequency.first_tick(time);
        let after = match time.0.checked_add(1) {
            Some(next) => frequency.first_tick(Nanoseconds(next)),
            // The conversion saturates there.
            None => u128::MAX,
        };
        Ok(first..after)
    }

    /// Occurrences per second, if `count` of them are spread over some ticks.
    /// `None` if times are not known in nanoseconds, or no time passes.
    pub fn per_second(&self, count: u64, span: Ticks) -> Option<f64> {
        let frequency = self.frequency.ok()?;
        (span.0 > 0).then(|| count as f64 * frequency.hertz() as f64 / span.0 as f64)
    }

    /// A time of the trace as exports write it, which have no other unit: in
    /// nanoseconds since the first event of the recording, or in ticks if
    /// [`no_time`](Self::no_time) is known.
    #[inline]
    pub fn written_time(&self, time: Ticks) -> u64 {
        let ticks = self.recording_time(time);
        self.duration(ticks).map_or(ticks.0, |time| time.0)
    }

    /// The ticks per second of [written times](Self::written_time): a tick of
    /// unknown duration is written as a nanosecond.
    pub fn written_hertz(&self) -> u64 {
        self.frequency.map_or(NS_PER_SECOND, Frequency::hertz)
    }

    /// The conversion of times into other units than nanoseconds: fractions of a
    /// second. A tick of unknown duration is written as a nanosecond.
    pub fn in_units(&self, units_per_second: u64) -> UnitScale {
        let hertz = self.written_hertz();
        let common = gcd(units_per_second, hertz).max(1);
        UnitScale {
            origin: self.origin,
            multiplier: units_per_second / common,
            divisor: hertz / common,
        }
    }
}

/// Converts times of a trace into a fraction of a second, rounded down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnitScale {
    origin: Ticks,
    multiplier: u64,
    divisor: u64,
}

impl UnitScale {
    /// A time of the trace in units since the first event of the recording;
    /// saturates.
    #[inline]
    pub fn units(&self, time: Ticks) -> u64 {
        let ticks = self.origin.0.saturating_add(time.0);
        if self.divisor == 1
            && let Some(units) = ticks.checked_mul(self.multiplier)
        {
            return units;
        }
        let units = u128::from(ticks) * u128::from(self.multiplier);
        saturated(units / u128::from(self.divisor.max(1)))
    }

    /// The units of a tick, if they are a whole number.
    pub fn units_per_tick(&self) -> Option<u64> {
        (self.divisor == 1).then_some(self.multiplier)
    }
}

fn gcd(one: u64, other: u64) -> u64 {
    if other == 0 {
        one
    } else {
        gcd(other, one % other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clock, ClockDirection, ClockQuality};
    use proptest::prelude::*;

    #[test]
    fn frequencies_are_shown_exactly() {
        let shown = [25_000_000, 1_000, 32_768, 12_500_000, 3_000_000_000]
            .map(|hertz| Frequency::from_hertz(hertz).unwrap().to_string());
        let expected = ["25 MHz", "1 kHz", "32768 Hz", "12500 kHz", "3 GHz"];
        assert_eq!(shown, expected);
    }

    fn clock(quality: ClockQuality, hertz: u64) -> Clock {
        let mut clock = Clock::new(u64::MAX, ClockDirection::Up);
        clock.quality = quality;
        clock.with_frequency(Frequency::from_hertz(hertz))
    }

    fn timescale(hertz: u64) -> Timescale {
        clock(ClockQuality::Good, hertz).timescale(Ticks(0))
    }

    #[test]
    fn ticks_convert_without_overflow() {
        let scale = timescale(25_000_000);
        assert_eq!(scale.duration(Ticks(3)), Some(Nanoseconds(120)));
        assert_eq!(scale.first_tick(Nanoseconds(81)), Ok(Ticks(3)));
        assert_eq!(scale.last_tick(Nanoseconds(119)), Ok(Ticks(2)));
        assert_eq!(scale.duration_text(Ticks(3)), "120 ns");
        let longest = timescale(1).duration(Ticks(u64::MAX));
        assert_eq!(longest, Some(Nanoseconds(u64::MAX)));
        let fastest = timescale(u64::MAX);
        assert_eq!(
            fastest.first_tick(Nanoseconds(u64::MAX)),
            Ok(Ticks(u64::MAX))
        );
        assert_eq!(
            fastest.last_tick(Nanoseconds(u64::MAX)),
            Ok(Ticks(u64::MAX))
        );
    }

    #[test]
    fn a_tick_has_a_duration() {
        let text = |hertz| Frequency::from_hertz(hertz).unwrap().tick_text();
        assert_eq!(text(240_000_000), "4.166 ns");
        assert_eq!(text(3_000_000_000), "0.333 ns");
        assert_eq!(text(1_000_000_000), "1 ns");
        assert_eq!(text(32_768), "30.517 µs");
        assert_eq!(text(1000), "1.000 ms");
        assert_eq!(text(1), "1.000 s");
        assert_eq!(text(u64::MAX), "0 ns");
        let mut clock = clock(ClockQuality::Good, 240_000_000);
        assert_eq!(clock.period_time(), None);
        clock.period = Some(1 << 32);
        assert_eq!(clock.period_time(), Some(Nanoseconds(17_895_697_066)));
        clock.quality = ClockQuality::Static;
        assert_eq!(clock.period_time(), None);
    }

    #[test]
    fn parts_of_a_recording_have_its_times() {
        let scale = clock(ClockQuality::Good, 1_000_000).timescale(Ticks(500));
        assert_eq!(scale.time(Ticks(3)), Some(Nanoseconds(503_000)));
        assert_eq!(scale.duration(Ticks(3)), Some(Nanoseconds(3000)));
        assert_eq!(scale.written_time(Ticks(3)), 503_000);
        assert_eq!(scale.in_units(10_000_000).units(Ticks(3)), 5030);
        let end = clock(ClockQuality::Good, 1_000_000).timescale(Ticks(u64::MAX));
        assert_eq!(end.recording_time(Ticks(1)), Ticks(u64::MAX));
    }

    #[test]
    fn clocks_that_do_not_measure_time_have_no_nanoseconds() {
        for (quality, hertz, why) in [
            (ClockQuality::Static, 1_000_000, NoTime::StaticClock),
            (ClockQuality::EventCounter, 1_000_000, NoTime::EventCounter),
            (ClockQuality::EventCounter, 0, NoTime::EventCounter),
            (ClockQuality::Uneven, 1_000_000, NoTime::UnevenClock),
            (ClockQuality::Good, 0, NoTime::UnknownFrequency),
        ] {
            let scale = clock(quality, hertz).timescale(Ticks(7));
            assert_eq!(scale.no_time(), Some(why));
            assert_eq!((scale.frequency(), scale.time(Ticks(3))), (None, None));
            assert_eq!(scale.duration_text(Ticks(1)), "1 tick");
            assert_eq!(scale.first_tick(Nanoseconds(1)), Err(why));
            assert_eq!(scale.last_tick(Nanoseconds(1)), Err(why));
            assert_eq!(scale.ticks_at(Nanoseconds(1)), Err(why));
            assert_eq!(scale.per_second(1, Ticks(1)), None);
            assert_eq!(scale.written_time(Ticks(3)), 10);
            assert_eq!(scale.in_units(NS_PER_SECOND).units(Ticks(3)), 10);
        }
        for quality in ClockQuality::ALL {
            assert_eq!(ClockQuality::from_name(quality.name()), Some(quality));
        }
    }

    #[test]
    fn frequencies_can_be_measured() {
        let second = Nanoseconds(NS_PER_SECOND);
        assert_eq!(
            Frequency::measured(Ticks(7), second),
            Frequency::from_hertz(7)
        );
        assert_eq!(Frequency::measured(Ticks(0), second), None);
        assert_eq!(Frequency::measured(Ticks(7), Nanoseconds(0)), None);
        let fastest = Frequency::measured(Ticks(u64::MAX), Nanoseconds(1));
        assert_eq!(fastest, Frequency::from_hertz(u64::MAX));
        assert_eq!(timescale(3).per_second(4, Ticks(6)), Some(2.0));
        assert_eq!(timescale(3).per_second(4, Ticks(0)), None);
    }

    proptest! {
        /// Converting back gives exactly the ticks that have this time.
        #[test]
        fn both_directions_agree(hertz in 1..=u64::MAX, time in any::<u64>(), near in 0..3_u64) {
            let scale = timescale(hertz);
            let at = |tick| scale.duration(Ticks(tick)).unwrap();
            let ticks = scale.ticks_at(Nanoseconds(time)).unwrap();
            let first = scale.first_tick(Nanoseconds(time)).unwrap();
            prop_assert_eq!(u128::from(first.0), ticks.start.min(u64::MAX.into()));
            if let Ok(tick) = u64::try_from(ticks.start) {
                prop_assert!(at(tick) >= Nanoseconds(time));
                if let Some(before) = tick.checked_sub(1) {
                    prop_assert!(at(before) < Nanoseconds(time));
                }
            }
            for tick in [first.0.saturating_sub(near), first.0.saturating_add(near)] {
                let is_at = at(tick) == Nanoseconds(time);
                prop_assert_eq!(ticks.contains(&tick.into()), is_at);
            }
            let last = scale.last_tick(Nanoseconds(time)).unwrap();
            prop_assert!(at(last.0) <= Nanoseconds(time));
            if let Some(next) = last.0.checked_add(1) {
                let elapsed = u128::from(next) * u128::from(NS_PER_SECOND);
                prop_assert!(elapsed > u128::from(time) * u128::from(hertz));
            }
        }

        #[test]
        fn nanoseconds_are_a_unit(hertz in 1..=u64::MAX, time in any::<u64>()) {
            let scale = timescale(hertz);
            let units = scale.in_units(NS_PER_SECOND).units(Ticks(time));
            prop_assert_eq!(units, scale.written_time(Ticks(time)));
        }
    }
}
