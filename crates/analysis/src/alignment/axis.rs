//! The axis that recordings share.

use super::Drift;
use rtoscope_trace::text_log::SignedTicks;
use rtoscope_trace::{Frequency, Ticks, TimeMap, Trace};
use std::fmt;

/// Where a recording is on the axis of the first one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AxisPosition {
    /// The frequency that its clock claims.
    pub clock: Frequency,
    /// The time of its first event since that of the first recording, in ticks of the first
    /// recording's clock.
    pub offset: SignedTicks,
    /// The drift of its clock.
    pub drift: Drift,
}

/// The axis of several recordings. It begins with the first event of the earliest one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeAxis {
    /// The frequency of its ticks: that of the first recording's clock, or the lowest multiple
    /// at which no two ticks of a recording have the same time.
    pub frequency: Frequency,
    /// The maps of the recordings' ticks to its ticks.
    pub maps: Vec<TimeMap>,
}

/// The positions are too far apart for an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AxisError;

impl fmt::Display for AxisError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the axis exceeds 2^63 ticks, or the frequencies differ too much for one axis")
    }
}

impl std::error::Error for AxisError {}

impl TimeAxis {
    /// The axis of recordings. The first one is the reference.
    ///
    /// # Errors
    ///
    /// If times or the frequency of the axis exceed 63 bits.
    pub fn new(positions: &[AxisPosition]) -> Result<Self, AxisError> {
        let first = positions.first().ok_or(AxisError)?.clock.hertz();
        let fractions = positions.iter().map(|it| {
            let [ticks, own] = it.drift.rate(first, it.clock);
            own.div_ceil(ticks.max(1))
        });
        let multiple = fractions.max().unwrap_or(1).max(1);
        let hertz = u64::try_from(multiple * u128::from(first));
        let hertz = hertz.ok().filter(|it| *it < 1 << 63).ok_or(AxisError)?;
        let multiple = i128::try_from(multiple).map_err(|_| AxisError)?;
        let offsets = positions
            .iter()
            .map(|it| i128::from(it.offset.0).saturating_mul(multiple));
        let offsets: Vec<i128> = offsets.collect();
        let start = offsets.iter().copied().min().unwrap_or_default();
        let maps = positions.iter().zip(offsets).map(|(it, offset)| {
            let offset = i64::try_from(offset.saturating_sub(start)).ok()?;
            TimeMap::new(SignedTicks(offset), it.drift.rate(hertz, it.clock))
        });
        Ok(Self {
            frequency: Frequency::from_hertz(hertz).ok_or(AxisError)?,
            maps: maps.collect::<Option<_>>().ok_or(AxisError)?,
        })
    }

    /// Changes the times of a trace into times of the axis. Its clock then has the axis's
    /// frequency; timestamps stay as they are.
    pub fn place(&self, trace: &mut Trace, map: &TimeMap) {
        let axis_time = |time: u64| {
            let time = trace.origin.time.0.saturating_add(time);
            map.axis_time(Ticks(time)).in_trace().unwrap_or_default().0
        };
        let start = axis_time(0);
        trace.events.edit(|columns| {
            for time in &mut columns.time {
                *time = axis_time(*time).saturating_sub(start);
            }
        });
        trace.origin.time = Ticks(start);
        let [numerator, denominator] = map.rate().map(|part| u128::from(part.get()));
        trace.clock.period = trace.clock.period.map(|period| {
            let ticks = u128::from(period) * numerator / denominator;
            u64::try_from(ticks).unwrap_or(u64::MAX)
        });
        trace.clock.set_frequency(Some(self.frequency));
    }
}
