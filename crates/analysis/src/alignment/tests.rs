use super::*;
use crate::fixture;
use proptest::prelude::*;
use rtoscope_trace::Clock;
use rtoscope_trace::clock::ClockDirection;
use rtoscope_trace::events::WordColumn;

const CLOCK: u64 = 25_000_000;
const OTHER_CLOCK: u64 = 240_000_000;
const PS: i128 = 1_000_000_000_000;

/// Two clocks: the other one starts at another time, and drifts.
#[derive(Debug, Clone, Copy)]
struct Clocks {
    /// When the other recording starts, in picoseconds.
    start_ps: i128,
    /// In parts per 10^12.
    drift: i64,
}

impl Clocks {
    fn first(time_ps: i128) -> Ticks {
        Ticks(u64::try_from(time_ps * i128::from(CLOCK) / PS).unwrap())
    }

    fn other(self, time_ps: i128) -> Ticks {
        let hertz = i128::from(OTHER_CLOCK) * (PS + i128::from(self.drift));
        let ticks = (time_ps - self.start_ps) / 1000 * hertz / PS / (PS / 1000);
        Ticks(u64::try_from(ticks).unwrap())
    }

    /// What the first clock shows, unrounded, when the other one shows `time`.
    fn first_at(self, time: Ticks) -> f64 {
        let seconds = time.0 as f64 / (OTHER_CLOCK as f64 * (1.0 + self.drift as f64 / 1e12));
        (seconds + self.start_ps as f64 / 1e12) * CLOCK as f64
    }
}

/// Messages: when each is sent, its latency, and whether the first recording sends it.
type Messages = Vec<(u64, u64, bool)>;

fn pairs(clocks: Clocks, messages: &Messages) -> Vec<Pair> {
    let pairs = (0..)
        .zip(messages)
        .map(|(number, (at_us, latency_ns, from_first))| {
            let sent = 2 * PS + i128::from(*at_us) * 1_000_000;
            let received = sent + i128::from(*latency_ns) * 1000;
            let (times, direction) = match from_first {
                true => (
                    [Clocks::first(sent), clocks.other(received)],
                    Direction::FromFirst,
                ),
                false => (
                    [Clocks::first(received), clocks.other(sent)],
                    Direction::FromOther,
                ),
            };
            Pair {
                first: EventIndex(number),
                other: EventIndex(number),
                times,
                direction,
            }
        });
    pairs.collect()
}

fn frequencies() -> [Frequency; 2] {
    [CLOCK, OTHER_CLOCK].map(|hertz| Frequency::from_hertz(hertz).unwrap())
}

fn map_of(alignment: &Alignment) -> TimeMap {
    let rate = alignment.drift.rate(CLOCK, frequencies()[1]);
    TimeMap::new(alignment.offset, rate).unwrap()
}

/// The difference of a map from the truth at a time.
fn error_at(clocks: Clocks, alignment: &Alignment, time: Ticks) -> f64 {
    let estimated = map_of(alignment).axis_time(time).0 as f64;
    (estimated - clocks.first_at(time)).abs()
}

fn both_directions() -> (Clocks, Messages) {
    let clocks = Clocks {
        start_ps: PS / 2,
        drift: 80_000_000,
    };
    let messages = (0..1000).map(|number| {
        let latency = 20_000 + number * 7919 % 50_000;
        (number * 10_000, latency, number % 2 == 0)
    });
    (clocks, messages.collect())
}

#[test]
fn drift_and_offset_are_found() {
    let (clocks, messages) = both_directions();
    let range = [Ticks(0), clocks.other(12 * PS)];
    let found = fit(&pairs(clocks, &messages), frequencies(), range, None).unwrap();
    assert!((found.drift.ppm() - 80.0).abs() < found.drift_uncertainty_ppm.unwrap());
    assert!(found.drift_uncertainty_ppm.unwrap() < 5.0, "{found:?}");
    // 25 MHz: half a round trip of at least 40 µs is 500 ticks.
    for (time, uncertainty) in range.into_iter().zip(found.uncertainty) {
        let uncertainty = uncertainty.unwrap().0;
        assert!((450..800).contains(&uncertainty), "{found:?}");
        assert!(error_at(clocks, &found, time) <= uncertainty as f64);
    }
    assert_eq!(found.problems, []);
    // A limit makes it more certain.
    let limited = fit(
        &pairs(clocks, &messages),
        frequencies(),
        range,
        Drift::from_ppm(80.5),
    );
    let limited = limited.unwrap().drift_uncertainty_ppm.unwrap();
    assert!(limited < found.drift_uncertainty_ppm.unwrap());
}

#[test]
fn one_direction_is_a_bound_on_one_side() {
    let (clocks, mut messages) = both_directions();
    for from_first in [true, false] {
        messages
            .iter_mut()
            .for_each(|message| message.2 = from_first);
        let range = [Ticks(0), clocks.other(12 * PS)];
        let found = fit(&pairs(clocks, &messages), frequencies(), range, None).unwrap();
        assert_eq!(
            (found.uncertainty, found.drift_uncertainty_ppm),
            ([None; 2], None)
        );
        assert!((found.drift.ppm() - 80.0).abs() < 1.0, "{found:?}");
        let kinds: Vec<_> = found.problems.iter().map(|problem| problem.kind).collect();
        let expected = [
            AlignmentProblemKind::OneDirection,
            AlignmentProblemKind::UnknownDrift,
        ];
        assert_eq!(kinds, expected);
    }
}

#[test]
fn few_pairs_need_a_limit() {
    let (clocks, mut messages) = both_directions();
    messages.truncate(2);
    let range = [Ticks(0), clocks.other(3 * PS)];
    let found = fit(&pairs(clocks, &messages), frequencies(), range, None).unwrap();
    assert_eq!(found.problems.len(), 1);
    assert_eq!(found.problems[0].kind, AlignmentProblemKind::UnknownDrift);
    assert!(found.uncertainty.contains(&None), "{found:?}");
    let limit = Drift::from_ppm(100.0);
    let found = fit(&pairs(clocks, &messages), frequencies(), range, limit).unwrap();
    assert_eq!(found.problems, []);
    for (time, uncertainty) in range.into_iter().zip(found.uncertainty) {
        assert!(error_at(clocks, &found, time) <= uncertainty.unwrap().0 as f64);
    }
}

#[test]
fn effects_before_causes_are_refused() {
    let (clocks, messages) = both_directions();
    let mut pairs = pairs(clocks, &messages);
    let range = [Ticks(0), clocks.other(12 * PS)];
    let middle = &mut pairs[501];
    // Received 2 ms before it was sent.
    middle.times[0].0 -= 2 * CLOCK / 1000;
    let found = fit(&pairs, frequencies(), range, None);
    let Err(AlignmentError::Contradiction {
        events,
        is_limited: false,
    }) = found
    else {
        panic!("{found:?}");
    };
    assert!(
        events.contains(&(EventIndex(501), EventIndex(501))),
        "{events:?}"
    );
    // Causes and effects interchanged.
    let (clocks, messages) = both_directions();
    let mut swapped = self::pairs(clocks, &messages);
    for pair in &mut swapped {
        pair.direction = match pair.direction {
            Direction::FromFirst => Direction::FromOther,
            Direction::FromOther => Direction::FromFirst,
        };
    }
    let found = fit(&swapped, frequencies(), range, None);
    assert!(
        matches!(found, Err(AlignmentError::Contradiction { .. })),
        "{found:?}"
    );
}

/// A trace of two events, whose counter repeats after `period` ticks.
fn counted(start: u32, span: u64, period: Option<u64>, direction: ClockDirection) -> Trace {
    let mut trace = fixture::trace([0, span].into_iter(), 0);
    let end = match direction {
        ClockDirection::Up => start.wrapping_add(span as u32),
        ClockDirection::Down => start.wrapping_sub(span as u32),
    };
    trace
        .events
        .edit(|columns| columns.timestamp = WordColumn::Narrow(vec![start, end]));
    trace.clock = Clock::new(0xFFFF_FFFF, direction);
    trace.clock.period = period;
    trace
}

#[test]
fn first_events_without_a_timestamp_move_no_recording() {
    let first = counted(100, 500, None, ClockDirection::Up);
    let mut other = counted(0, 200, None, ClockDirection::Up);
    other
        .events
        .edit(|columns| columns.timestamp = WordColumn::Narrow(vec![0, 350]));
    assert_eq!(counter::offset(&first, &other), Ok(50));
}

#[test]
fn a_counter_that_wraps_needs_one_overlap() {
    let offset = |first: [u64; 2], other: [u64; 2], period, direction| {
        let [first, other] =
            [first, other].map(|[start, span]| counted(start as u32, span, period, direction));
        counter::offset(&first, &other)
    };
    let wrapping = |first, other| offset(first, other, Some(1 << 16), ClockDirection::Up);
    assert_eq!(wrapping([65_000, 2000], [100, 500]), Ok(636));
    assert_eq!(wrapping([100, 2000], [65_000, 1000]), Ok(-636));
    assert_eq!(
        wrapping([0, 100], [1000, 100]),
        Err(AlignmentError::NoOverlap)
    );
    let several = wrapping([0, 200_000], [10, 200_000]);
    assert_eq!(several, Err(AlignmentError::CounterWraps { places: 7 }));
    let down = offset([50, 20], [40, 20], Some(1 << 16), ClockDirection::Down);
    assert_eq!(down, Ok(10));
    let endless = offset([50, 20], [4_000_000, 20], None, ClockDirection::Up);
    assert_eq!(endless, Ok(3_999_950));
    let up = counted(0, 10, Some(1000), ClockDirection::Up);
    let other = counted(0, 10, Some(700), ClockDirection::Up);
    assert_eq!(
        counter::offset(&up, &other),
        Err(AlignmentError::OtherPeriod)
    );
    let down = counted(0, 10, Some(1000), ClockDirection::Down);
    assert_eq!(
        counter::offset(&up, &down),
        Err(AlignmentError::OtherDirection)
    );
}

#[test]
fn an_axis_keeps_all_ticks_apart() {
    let [clock, other] = frequencies();
    let at = |clock, offset, drift| AxisPosition {
        clock,
        offset: SignedTicks(offset),
        drift: Drift(drift),
    };
    let axis = TimeAxis::new(&[at(clock, 0, 0), at(other, -50, 0)]).unwrap();
    assert_eq!(axis.frequency.hertz(), 250_000_000);
    assert_eq!(axis.maps[0].axis_time(Ticks(3)), SignedTicks(530));
    assert_eq!(axis.maps[1].axis_time(Ticks(24)), SignedTicks(25));
    // Equal clocks: the axis is exact. A faster one needs a finer axis.
    let axis = TimeAxis::new(&[at(clock, 0, 0), at(clock, 7, 0)]).unwrap();
    assert_eq!(axis.frequency, clock);
    assert_eq!(axis.maps[1].axis_time(Ticks(1)), SignedTicks(8));
    let axis = TimeAxis::new(&[at(clock, 0, 0), at(clock, 0, 80_000_000)]).unwrap();
    assert_eq!(axis.frequency.hertz(), 2 * CLOCK);
    let fast = Frequency::from_hertz(u64::MAX).unwrap();
    assert_eq!(
        TimeAxis::new(&[at(clock, 0, 0), at(fast, 0, 0)]),
        Err(AxisError)
    );
    assert_eq!(TimeAxis::new(&[]), Err(AxisError));
}

#[test]
fn rules_name_two_events() {
    for text in [
        "a(info1) -> b(info1)",
        "can send(id) <- can receive (item2)",
    ] {
        assert_eq!(MatchRule::parse(text).unwrap().text, text);
    }
    for text in [
        "a(info1)",
        "a -> b",
        "a(info1) -> b..c(info1)",
        "(x) <- b(x)",
        "->",
    ] {
        assert!(MatchRule::parse(text).is_err(), "{text}");
    }
}

/// The lowest and highest value of all lines through two points that fit all points.
fn values_at((floor, ceiling): &(Vec<Constraint>, Vec<Constraint>), time: i128) -> [f64; 2] {
    let all: Vec<_> = floor.iter().chain(ceiling).collect();
    let mut range = [f64::INFINITY, f64::NEG_INFINITY];
    for (one, two) in all
        .iter()
        .flat_map(|one| all.iter().map(move |two| (one, two)))
    {
        let (rise, run) = (two.bound - one.bound, two.time - one.time);
        if run <= 0 {
            continue;
        }
        // How far a point is above the line, times `run`.
        let above = |it: &Constraint| (it.bound - one.bound) * run - rise * (it.time - one.time);
        if floor.iter().all(|it| above(it) <= 0) && ceiling.iter().all(|it| above(it) >= 0) {
            let value = one.bound as f64 + (rise * (time - one.time)) as f64 / run as f64;
            // A whole number is not rounded up to the next one.
            let value = (value * 1e6).round() / 1e6;
            range = [range[0].min(value), range[1].max(value)];
        }
    }
    range
}

proptest! {
    /// Whatever the clocks and latencies are: the true map is within the bounds.
    #[test]
    fn the_true_map_is_within_the_bounds(
        start_us in 0..1_000_000_u64,
        drift_ppb in -200_000..200_000_i64,
        messages in prop::collection::vec((0..5_000_000_u64, 0..200_000_u64, any::<bool>()), 1..60),
        limited in any::<bool>(),
    ) {
        let clocks = Clocks {
            start_ps: i128::from(start_us) * 1_000_000,
            drift: drift_ppb * 1000,
        };
        let range = [Ticks(0), clocks.other(8 * PS)];
        let limit = limited.then(|| Drift::from_ppm(200.0).unwrap());
        let found = fit(&pairs(clocks, &messages), frequencies(), range, limit).unwrap();
        for (time, uncertainty) in range.into_iter().zip(found.uncertainty) {
            if let Some(Ticks(uncertainty)) = uncertainty {
                let error = error_at(clocks, &found, time);
                prop_assert!(error <= uncertainty as f64 + 0.01, "{error} > {uncertainty}");
            }
        }
        if let Some(uncertainty) = found.drift_uncertainty_ppm {
            prop_assert!((found.drift.ppm() - drift_ppb as f64 / 1000.0).abs() <= uncertainty + 1e-5);
        }
        let directions = [true, false].map(|from| messages.iter().any(|it| it.2 == from));
        let has_one = found.problems.iter().any(|it| it.kind == AlignmentProblemKind::OneDirection);
        prop_assert_eq!(has_one, directions != [true, true]);
    }

    /// The hulls bound what all points together bound.
    #[test]
    fn hulls_agree_with_all_points(
        floor in prop::collection::vec((0..50_i128, 0..50_i128), 0..12),
        ceiling in prop::collection::vec((0..50_i128, 30..80_i128), 0..12),
    ) {
        let points = |points: &[(i128, i128)]| -> Vec<Constraint> {
            let points = points.iter().enumerate();
            points.map(|(pair, (time, bound))| Constraint { time: *time, bound: *bound, pair }).collect()
        };
        let (floor, ceiling) = (points(&floor), points(&ceiling));
        // Slopes between points of both kinds bound those of all maps.
        let mut slopes = [0.0, f64::INFINITY];
        let mut excluded = false;
        for low in &floor {
            for high in &ceiling {
                let slope = (high.bound - low.bound) as f64 / (high.time - low.time) as f64;
                match high.time.cmp(&low.time) {
                    std::cmp::Ordering::Equal => excluded |= low.bound > high.bound,
                    std::cmp::Ordering::Greater => slopes[1] = f64::min(slopes[1], slope),
                    std::cmp::Ordering::Less => slopes[0] = f64::max(slopes[0], slope),
                }
            }
        }
        let all = (floor.clone(), ceiling.clone());
        let maps = FeasibleMaps::new(floor, ceiling, None);
        let is_empty = excluded || slopes[1] <= 0.0 || slopes[0] > slopes[1] + 1e-9;
        match maps {
            Err(Contradiction(_)) => prop_assert!(is_empty || slopes[0] > slopes[1] - 1e-9),
            Ok(maps) => {
                prop_assert!(!is_empty);
                let [low, high] = maps.slopes();
                prop_assert!((low.unwrap_or(0.0).max(0.0) - slopes[0]).abs() < 1e-9);
                prop_assert_eq!(high.is_some(), slopes[1].is_finite());
                prop_assert!(high.is_none_or(|high| (high - slopes[1]).abs() < 1e-9));
                if low.is_some() && high.is_some() {
                    for time in [0, 25, 60] {
                        let [least, most] = values_at(&all, time);
                        let expected = [least.floor(), most.ceil()].map(|value| Some(value as i128));
                        prop_assert_eq!(maps.range(time), expected);
                    }
                }
            }
        }
    }
}
