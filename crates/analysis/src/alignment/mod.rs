//! Alignment of recordings: where the times of one are on the axis of another.

mod axis;
mod counter;
mod document;
mod error;
mod hull;
mod problem;
mod rule;
#[cfg(test)]
mod tests;

pub use axis::{AxisError, AxisPosition, TimeAxis};
pub use document::{AlignedRecording, MergeDocument, RefusedAlignment};
pub use error::AlignmentError;
pub use problem::{AlignmentProblem, AlignmentProblemKind};
pub use rule::{MatchCounts, MatchRule};

use hull::{Constraint, Contradiction, FeasibleMaps, MAX_TIME, Slope};
use rtoscope_trace::text_log::SignedTicks;
use rtoscope_trace::{EventIndex, Frequency, Ticks, TimeMap, Trace};
use rule::Direction;
use std::fmt;
use std::num::NonZeroU64;

/// How recordings are aligned.
#[derive(Debug, Clone, PartialEq)]
pub enum AlignmentMethod {
    /// Their timestamps are from the same counter.
    CommonCounter,
    /// By the times at which their bytes arrived at the host.
    Absolute,
    /// By pairs of causes and effects.
    Match {
        /// The rules that match them.
        rules: Vec<MatchRule>,
        /// The maximum drift, if the user knows one.
        max_drift: Option<Drift>,
    },
}

impl AlignmentMethod {
    /// The name in output.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::CommonCounter => "common-counter",
            Self::Absolute => "absolute",
            Self::Match { .. } => "match",
        }
    }
}

/// How much faster a clock runs than it claims, measured by another one, in parts per 10^12.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Drift(pub i64);

impl Drift {
    const ONE: i64 = 1_000_000_000_000;
    const PER_PPM: f64 = 1e6;

    /// The drift in parts per million.
    pub fn ppm(self) -> f64 {
        self.0 as f64 / Self::PER_PPM
    }

    /// A drift in parts per million; `None` unless it is between -1000000 and 1000000.
    pub fn from_ppm(ppm: f64) -> Option<Self> {
        let parts = (ppm * Self::PER_PPM).round();
        (parts.abs() < Self::ONE as f64).then_some(Self(parts as i64))
    }

    /// The ticks of a clock with a frequency in hertz that pass in a tick of another clock,
    /// which has this drift, as a fraction.
    fn rate(self, clock: u64, other: Frequency) -> [u128; 2] {
        let factor = Self::ONE.saturating_add(self.0).max(1).unsigned_abs();
        [
            u128::from(clock) * u128::from(Self::ONE.unsigned_abs()),
            u128::from(other.hertz()) * u128::from(factor),
        ]
    }
}

/// In parts per million, without rounding.
impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let parts = self.0.unsigned_abs();
        write!(
            f,
            "{sign}{}.{:06} ppm",
            parts / 1_000_000,
            parts % 1_000_000
        )
    }
}

/// A recording with what its alignment needs.
#[derive(Debug, Clone, Copy)]
pub struct AlignmentInput<'t> {
    /// Its trace.
    pub trace: &'t Trace,
    /// A time by the host's clock, in nanoseconds since 1970, before which its first event was
    /// recorded, if its bytes arrived at a known time.
    pub host_start: Option<i128>,
}

/// Where a recording is on the axis of the first one.
#[derive(Debug, Clone, PartialEq)]
pub struct Alignment {
    /// The time of its first event since that of the first recording, in ticks of the first
    /// recording's clock.
    pub offset: SignedTicks,
    /// The drift of its clock.
    pub drift: Drift,
    /// By how much the drift may differ, in parts per million; `None` if unknown.
    pub drift_uncertainty_ppm: Option<f64>,
    /// By how much times may differ at its first and at its last event, in ticks of the first
    /// recording's clock; `None` if unknown.
    pub uncertainty: [Option<Ticks>; 2],
    /// What each rule matched.
    pub matches: Vec<MatchCounts>,
    /// What limits the evidence.
    pub problems: Vec<AlignmentProblem>,
}

/// A cause and its effect in two recordings.
#[derive(Debug, Clone, Copy)]
struct Pair {
    first: EventIndex,
    other: EventIndex,
    /// The times of the two events, each by its own clock.
    times: [Ticks; 2],
    direction: Direction,
}

/// Aligns a recording with the first one.
///
/// # Errors
///
/// If times of a recording are unknown, or nothing places one on the other.
pub fn align(
    first: AlignmentInput<'_>,
    other: AlignmentInput<'_>,
    method: &AlignmentMethod,
) -> Result<Alignment, AlignmentError> {
    let clock = frequency(first.trace, "the first recording")?;
    let other_clock = frequency(other.trace, "the recording")?;
    let mut alignment = match method {
        AlignmentMethod::CommonCounter if clock != other_clock => {
            return Err(AlignmentError::OtherFrequency(clock, other_clock));
        }
        AlignmentMethod::CommonCounter => {
            let offset = counter::offset(first.trace, other.trace)?;
            Alignment {
                drift_uncertainty_ppm: Some(0.0),
                uncertainty: [Some(Ticks(0)); 2],
                ..Alignment::at(signed(offset))
            }
        }
        AlignmentMethod::Absolute => {
            let (Some(first_start), Some(start)) = (first.host_start, other.host_start) else {
                return Err(AlignmentError::NoArrival);
            };
            let distance = (start - first_start).clamp(i64::MIN.into(), i64::MAX.into());
            let offset = distance * i128::from(clock.hertz()) / 1_000_000_000;
            let mut alignment = Alignment::at(signed(offset));
            let latency = AlignmentProblem::new(AlignmentProblemKind::UnknownLatency);
            alignment.problems.push(latency);
            alignment
        }
        AlignmentMethod::Match { rules, max_drift } => {
            let mut pairs = Vec::new();
            let matches = rules
                .iter()
                .map(|rule| rule.match_events(first.trace, other.trace, &mut pairs));
            let matches: Result<Vec<_>, _> = matches.collect();
            let matches = matches.map_err(AlignmentError::Rule)?;
            if pairs.is_empty() {
                return Err(AlignmentError::NoPairs(matches));
            }
            let last = other.trace.events.span();
            let range = [Ticks(0), last].map(|time| other.trace.recording_time(time));
            Alignment {
                matches,
                ..fit(&pairs, [clock, other_clock], range, *max_drift)?
            }
        }
    };
    for trace in [first.trace, other.trace] {
        if trace.timescale().no_time().is_none() && !trace.clock.quality.measures_shares() {
            let problem = AlignmentProblem::new(AlignmentProblemKind::LossyClock);
            alignment.problems.push(problem);
        }
    }
    // Offsets are those of the first events of the whole recordings.
    let origins = [first.trace, other.trace].map(|trace| i128::from(trace.origin.time.0));
    if matches!(method, AlignmentMethod::CommonCounter) {
        let [first_origin, origin] = origins;
        let offset = i128::from(alignment.offset.0) + first_origin - origin;
        alignment.offset = signed(offset);
    }
    Ok(alignment)
}

fn signed(ticks: i128) -> SignedTicks {
    let saturated = ticks.clamp(i64::MIN.into(), i64::MAX.into());
    SignedTicks(i64::try_from(saturated).unwrap_or_default())
}

fn frequency(trace: &Trace, whose: &'static str) -> Result<Frequency, AlignmentError> {
    let scale = trace.timescale();
    scale
        .frequency()
        .ok_or_else(|| AlignmentError::NoTime(whose, scale.no_time()))
}

impl Alignment {
    fn at(offset: SignedTicks) -> Self {
        Self {
            offset,
            drift: Drift::default(),
            drift_uncertainty_ppm: None,
            uncertainty: [None; 2],
            matches: Vec::new(),
            problems: Vec::new(),
        }
    }
}

/// The map that fits pairs of events. `clocks` are the frequencies that the first and the other
/// clock claim, `range` the times of the other recording's first and last event.
fn fit(
    pairs: &[Pair],
    clocks: [Frequency; 2],
    range: [Ticks; 2],
    max_drift: Option<Drift>,
) -> Result<Alignment, AlignmentError> {
    let [clock, other_clock] = clocks;
    let (floor, ceiling) = constraints(pairs)?;
    let counts = [floor.len(), ceiling.len()];
    let mean = floor.iter().chain(&ceiling).map(|it| it.time).sum::<i128>();
    let mean = mean / i128::try_from(pairs.len()).unwrap_or(i128::MAX);
    let slope_of = |drift: Drift| {
        let map = TimeMap::new(SignedTicks(0), drift.rate(clock.hertz(), other_clock));
        map.map(|map| Slope::new(map.rate().map(NonZeroU64::get)))
    };
    let limits =
        max_drift.and_then(|Drift(max)| Some([slope_of(Drift(max))?, slope_of(Drift(-max))?]));
    let maps = FeasibleMaps::new(floor, ceiling, limits).map_err(|Contradiction(points)| {
        let events = points.iter().filter_map(|point| pairs.get(point.pair));
        let mut events: Vec<_> = events.map(|pair| (pair.first, pair.other)).collect();
        events.sort_unstable();
        events.dedup();
        AlignmentError::Contradiction {
            events,
            is_limited: max_drift.is_some(),
        }
    })?;
    let nominal = clock.hertz() as f64 / other_clock.hertz() as f64;
    let ppm = |slope: f64| (nominal / slope - 1.0) * 1e6;
    let mut problems = Vec::new();
    let mut problem = |kind| problems.push(AlignmentProblem::new(kind));
    if counts.contains(&0) {
        problem(AlignmentProblemKind::OneDirection);
    }
    let slopes = maps.slopes();
    let slope = match slopes {
        [Some(low), Some(high)] => f64::midpoint(low, high),
        [low, high] => {
            problem(AlignmentProblemKind::UnknownDrift);
            let free = maps.slope_of_envelope(mean).unwrap_or(nominal);
            free.max(low.unwrap_or(free)).min(high.unwrap_or(f64::MAX))
        }
    };
    let estimate = ppm(slope);
    let drift = Drift::from_ppm(estimate).ok_or(AlignmentError::Drift(estimate))?;
    let rate = drift.rate(clock.hertz(), other_clock);
    let map = |offset| TimeMap::new(offset, rate).ok_or(AlignmentError::Drift(estimate));
    let without_offset = map(SignedTicks(0))?;
    let rise = |time: i128| {
        let time = u64::try_from(time).unwrap_or(0);
        i128::from(without_offset.axis_time(Ticks(time)).0)
    };
    let offset = match maps.offsets(rise) {
        [Some(low), Some(high)] => i128::midpoint(low, high),
        // The fastest message took no time.
        [Some(bound), None] | [None, Some(bound)] => bound,
        [None, None] => return Err(AlignmentError::NoPairs(Vec::new())),
    };
    let map = map(signed(offset))?;
    let uncertainty = range.map(|Ticks(time)| {
        let estimated = i128::from(map.axis_time(Ticks(time)).0);
        let [low, high] = maps.range(time.into());
        let most = (high? - estimated).max(estimated - low?).max(0);
        // The map is rounded down.
        Some(Ticks(u64::try_from(most + 1).unwrap_or(u64::MAX)))
    });
    Ok(Alignment {
        drift,
        drift_uncertainty_ppm: match slopes {
            [Some(low), Some(high)] => Some((ppm(low) - ppm(high)).max(0.0) / 2.0),
            _ => None,
        },
        uncertainty,
        problems,
        ..Alignment::at(map.offset())
    })
}

/// The points that a map must not be below, and those that it must not be above. A timestamp
/// is the time up to one tick before the event.
fn constraints(pairs: &[Pair]) -> Result<(Vec<Constraint>, Vec<Constraint>), AlignmentError> {
    let (mut floor, mut ceiling) = (Vec::new(), Vec::new());
    for (number, pair) in pairs.iter().enumerate() {
        if pair.times.iter().any(|time| time.0 >= MAX_TIME - 1) {
            return Err(AlignmentError::LongTime);
        }
        let [first, other] = pair.times.map(|time| i128::from(time.0));
        match pair.direction {
            Direction::FromFirst => floor.push(Constraint {
                time: other + 1,
                bound: first,
                pair: number,
            }),
            Direction::FromOther => ceiling.push(Constraint {
                time: other,
                bound: first + 1,
                pair: number,
            }),
        }
    }
    Ok((floor, ceiling))
}
