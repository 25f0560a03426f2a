//! The affine maps that fit the order of causes and effects: the convex-hull method of Duda
//! et al. (1987), with the bounds of Ashton (1995).
//!
//! A map must not be below a point for each message in one direction, nor above a point for
//! each in the other one. Only the points on the convex hulls matter. The steepest and the
//! flattest of these maps touch one hull of each kind.

use std::cmp::Ordering;

/// A point that a map must not be below, or not above.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Constraint {
    /// The time on the other clock; less than [`MAX_TIME`].
    pub(super) time: i128,
    /// The bound on the first clock; less than [`MAX_TIME`].
    pub(super) bound: i128,
    /// The pair of events that it is from.
    pub(super) pair: usize,
}

/// Times from here on would overflow products of differences.
pub(super) const MAX_TIME: u64 = 1 << 61;

/// A slope: ticks of the first clock in ticks of the other one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slope {
    /// Of at most 63 bits.
    rise: i128,
    /// Of at most 63 bits, above 0.
    run: i128,
}

impl Slope {
    /// A fraction; of numbers with more than 62 bits, the last ones are dropped.
    pub(super) fn new(fraction: [u64; 2]) -> Self {
        let longest = fraction.into_iter().max().unwrap_or_default();
        let excess = 2_u32.saturating_sub(longest.leading_zeros());
        let [rise, run] = fraction.map(|part| i128::from(part >> excess));
        let run = run.max(1);
        Self { rise, run }
    }

    fn between(from: Constraint, to: Constraint) -> Self {
        Self {
            rise: to.bound - from.bound,
            run: (to.time - from.time).max(1),
        }
    }

    fn cmp(self, other: Self) -> Ordering {
        (self.rise * other.run).cmp(&(other.rise * self.run))
    }

    fn negated(self) -> Self {
        let rise = -self.rise;
        Self { rise, ..self }
    }

    pub(super) fn to_f64(self) -> f64 {
        self.rise as f64 / self.run as f64
    }

    /// The rise in a run, rounded up.
    fn rise_in(self, run: i128) -> i128 {
        -(-(self.rise * run)).div_euclid(self.run)
    }
}

/// The points that no affine map fits: causes and effects of two or of four events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Contradiction(pub(super) Vec<Constraint>);

/// The affine maps that fit all points.
#[derive(Debug)]
pub(super) struct FeasibleMaps {
    /// The maps are not below these points, which are on their upper hull.
    floor: Vec<Constraint>,
    /// The maps are not above these points, which are on their lower hull.
    ceiling: Vec<Constraint>,
    flattest: Option<Slope>,
    steepest: Option<Slope>,
}

impl FeasibleMaps {
    /// The maps that are not below the points of `floor`, nor above those of `ceiling`, with a
    /// slope in `limits` if given. O(n log n).
    ///
    /// # Errors
    ///
    /// If there is none.
    pub(super) fn new(
        mut floor: Vec<Constraint>,
        mut ceiling: Vec<Constraint>,
        limits: Option<[Slope; 2]>,
    ) -> Result<Self, Contradiction> {
        for points in [&mut floor, &mut ceiling] {
            points.sort_by_key(|point| (point.time, point.bound));
        }
        contradiction_at_once(&floor, &ceiling)?;
        let steep = flattest_line(&floor, &ceiling);
        let [mirrored_floor, mirrored_ceiling] = [&floor, &ceiling].map(|it| mirrored(it));
        let flat = flattest_line(&mirrored_ceiling, &mirrored_floor);
        let flat = flat.map(|line| line.map(mirror));
        let slope = |[from, to]: [Constraint; 2]| Slope::between(from, to);
        let lines = || [steep, flat].into_iter().flatten().flatten().collect();
        let limits = limits.map(|[low, high]| (low, high));
        let flattest = [flat.map(slope), limits.map(|(low, _)| low)];
        let flattest = flattest.into_iter().flatten().max_by(|a, b| a.cmp(*b));
        let steepest = [steep.map(slope), limits.map(|(_, high)| high)];
        let steepest = steepest.into_iter().flatten().min_by(|a, b| a.cmp(*b));
        let is_empty =
            matches!((flattest, steepest), (Some(low), Some(high)) if low.cmp(high).is_gt());
        if is_empty || steepest.is_some_and(|steepest| steepest.rise <= 0) {
            return Err(Contradiction(lines()));
        }
        Ok(Self {
            floor: upper_hull(&floor),
            ceiling: mirrored(&upper_hull(&mirrored_ceiling)),
            flattest,
            steepest,
        })
    }

    /// The slopes of the flattest and the steepest map, as far as the points bound them.
    pub(super) fn slopes(&self) -> [Option<f64>; 2] {
        [self.flattest, self.steepest].map(|slope| slope.map(Slope::to_f64))
    }

    /// The slope of the hull of the only points at a time: of the maps that touch it, this
    /// one has the smallest mean distance from points with this mean time. `None` if both kinds
    /// of points exist, or the hull is one point.
    pub(super) fn slope_of_envelope(&self, time: i128) -> Option<f64> {
        let hull = match (self.floor.as_slice(), self.ceiling.as_slice()) {
            (hull, []) | ([], hull) => hull,
            _ => return None,
        };
        let edge = hull.windows(2).find(|edge| time <= edge[1].time);
        let edge = edge.or_else(|| hull.windows(2).last())?;
        let slope = Slope::between(edge[0], edge[1]);
        (slope.rise > 0).then(|| slope.to_f64())
    }

    /// The lowest and highest value of the maps at a time, rounded outwards. `None` if the
    /// points do not bound it.
    pub(super) fn range(&self, time: i128) -> [Option<i128>; 2] {
        let high = highest(&self.ceiling, [self.flattest, self.steepest], time);
        let slopes = [self.steepest, self.flattest].map(|slope| slope.map(Slope::negated));
        let low = highest(&mirrored(&self.floor), slopes, time);
        [low.map(|low| -low), high]
    }

    /// The lowest and highest offset of a map whose rise in each time `rise` returns.
    pub(super) fn offsets(&self, rise: impl Fn(i128) -> i128) -> [Option<i128>; 2] {
        let offset = |point: &Constraint| point.bound - rise(point.time);
        [
            self.floor.iter().map(offset).max(),
            self.ceiling.iter().map(offset).min(),
        ]
    }
}

fn mirror(point: Constraint) -> Constraint {
    let bound = -point.bound;
    Constraint { bound, ..point }
}

fn mirrored(points: &[Constraint]) -> Vec<Constraint> {
    points.iter().map(|point| mirror(*point)).collect()
}

/// Twice the area of a triangle, above 0 if it turns to the left.
fn turn(a: Constraint, b: Constraint, c: Constraint) -> i128 {
    (b.time - a.time) * (c.bound - a.bound) - (b.bound - a.bound) * (c.time - a.time)
}

/// Whether points at the same time exclude each other.
fn contradiction_at_once(
    floor: &[Constraint],
    ceiling: &[Constraint],
) -> Result<(), Contradiction> {
    for high in ceiling {
        // The highest of the points at this time is the last one.
        let end = floor.partition_point(|low| low.time <= high.time);
        let low = end.checked_sub(1).and_then(|last| floor.get(last));
        if let Some(low) = low.filter(|low| low.time == high.time && low.bound > high.bound) {
            return Err(Contradiction(vec![*low, *high]));
        }
    }
    Ok(())
}

fn push_to_upper_hull(hull: &mut Vec<Constraint>, point: Constraint) {
    if let Some(last) = hull.last().filter(|last| last.time == point.time) {
        if last.bound >= point.bound {
            return;
        }
        hull.pop();
    }
    while let [.., before, last] = hull.as_slice()
        && turn(*before, *last, point) >= 0
    {
        hull.pop();
    }
    hull.push(point);
}

fn upper_hull(sorted: &[Constraint]) -> Vec<Constraint> {
    let mut hull = Vec::new();
    for point in sorted {
        push_to_upper_hull(&mut hull, *point);
    }
    hull
}

/// The flattest of the lines from a point of `from` to a later one of `to`. Both are in order.
fn flattest_line(from: &[Constraint], to: &[Constraint]) -> Option<[Constraint; 2]> {
    let mut rest = from.iter().peekable();
    let mut hull: Vec<Constraint> = Vec::new();
    let mut flattest: Option<[Constraint; 2]> = None;
    for end in to {
        while let Some(point) = rest.next_if(|point| point.time < end.time) {
            push_to_upper_hull(&mut hull, *point);
        }
        // The line touches the hull where its edges begin to be flatter.
        let (mut low, mut high) = (0, hull.len().saturating_sub(1));
        while low < high {
            let middle = usize::midpoint(low, high);
            let is_before = match hull.get(middle..) {
                Some([one, next, ..]) => turn(*one, *next, *end) < 0,
                _ => false,
            };
            match is_before {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        let Some(start) = hull.get(low) else {
            continue;
        };
        let slope = Slope::between(*start, *end);
        let is_flatter = |[from, to]: [Constraint; 2]| slope.cmp(Slope::between(from, to)).is_lt();
        if flattest.is_none_or(is_flatter) {
            flattest = Some([*start, *end]);
        }
    }
    flattest
}

/// The highest value at a time, rounded up, of maps that are not above the points of a lower hull.
fn highest(ceiling: &[Constraint], slopes: [Option<Slope>; 2], time: i128) -> Option<i128> {
    let [flattest, steepest] = slopes;
    let (first, last) = (ceiling.first()?, ceiling.last()?);
    let slope = match () {
        () if time < first.time => flattest?,
        () if time > last.time => steepest?,
        () => {
            let edge = ceiling.windows(2).find(|edge| time <= edge[1].time);
            match edge {
                None => return Some(first.bound),
                Some(edge) => {
                    let edge = Slope::between(edge[0], edge[1]);
                    let too_flat = flattest.filter(|flattest| edge.cmp(*flattest).is_lt());
                    let too_steep = steepest.filter(|steepest| edge.cmp(*steepest).is_gt());
                    too_flat.or(too_steep).unwrap_or(edge)
                }
            }
        }
    };
    let values = ceiling
        .iter()
        .map(|point| point.bound.saturating_add(slope.rise_in(time - point.time)));
    values.min()
}
