//! Finds stamps that contradict those around them: far ones between others that agree, as one
//! bit that changes in a transfer leaves them, and falls, as a block that is saved twice does.

use super::ClockModulus;

/// What the stamps of consecutive entries show together.
pub(crate) struct OutlierScan {
    /// The bits of the counter.
    mask: u64,
    /// The longest near step.
    near: u64,
    /// The stamps of the last two entries, and the position of the last one.
    before: Option<u64>,
    last: Option<(u64, u64)>,
    steps: u64,
    near_steps: u64,
    /// Near steps by which the counter increases.
    near_increases: u64,
    near_sum: u128,
    outliers: Vec<Outlier>,
    /// Positions after steps up, and after steps down.
    turns: [Turns; 2],
}

/// Steps in one direction.
#[derive(Default)]
struct Turns {
    count: u64,
    /// The positions after the first of them.
    first: Vec<u64>,
}

/// An entry with a stamp far from those around it.
struct Outlier {
    position: u64,
    distance: u64,
    /// Whether its stamp is the higher one.
    is_above: bool,
}

/// Fewer entries show only a stamp that is further from the others than a near step.
const MIN_ENTRIES: u64 = 256;

/// Fewer entries show too little.
const MIN_FEW_ENTRIES: u64 = 16;

/// A step of at most this part of the counter's period is near: two long pauses of a system that
/// end where a narrow counter began are more likely than of a wide one.
const NEAR_PART: u64 = 1 << 12;
const NEAR_PART_OF_WIDE: u64 = 1 << 8;

/// All near steps together are at most this part of the period: where one entry is far from
/// its neighbours, a whole period would have passed between these.
const SPAN_PART: u128 = 8;

/// An outlier is this many times further from the stamps around it than these from each
/// other, and than the mean step.
const MIN_RATIO: [u64; 2] = [8, 16];

/// There are at least this many entries for each outlier; else the clock is the cause.
const ENTRIES_PER_OUTLIER: u64 = 64;

/// More outliers in a part of a ring are not kept, so that a hostile ring takes no memory.
const MAX_OUTLIERS: usize = 1 << 12;

/// With more falls, the clock is the cause.
const MAX_FALLS: usize = 64;

/// A repeated block is at most this many entries after the first one.
const MAX_REPEAT_DISTANCE: u64 = 1 << 12;

/// Fewer entries may be equal in a coarse clock.
const MIN_REPEATS: u64 = 4;

impl Turns {
    fn add(&mut self, position: u64) {
        self.count += 1;
        if self.first.len() < MAX_FALLS {
            self.first.push(position);
        }
    }
}

impl OutlierScan {
    /// `mask` is that of the counter.
    pub(crate) fn new(mask: u64) -> Self {
        let is_counter = mask.wrapping_add(1).is_power_of_two() || mask == u64::MAX;
        let mask = if is_counter { mask } else { 0 };
        let near_part = match ClockModulus::Mask(mask).is_wide() {
            true => NEAR_PART_OF_WIDE,
            false => NEAR_PART,
        };
        Self {
            mask,
            near: mask / near_part,
            before: None,
            last: None,
            steps: 0,
            near_steps: 0,
            near_increases: 0,
            near_sum: 0,
            outliers: Vec::new(),
            turns: Default::default(),
        }
    }

    /// Takes the last entries of an earlier part, which has added them itself.
    pub(crate) fn follow(&mut self, position: u64, stamp: u64) {
        self.before = self.last.map(|(_, stamp)| stamp);
        self.last = Some((position, stamp & self.mask));
    }

    /// Adds the stamp of the next entry.
    #[inline]
    pub(crate) fn add(&mut self, position: u64, stamp: u64) {
        let stamp = stamp & self.mask;
        if let Some((middle_position, middle)) = self.last {
            let step = self.distance(middle, stamp);
            let is_up = self.is_above(stamp, middle);
            self.steps += 1;
            let [up, down] = &mut self.turns;
            if is_up { up } else { down }.add(position);
            if step <= self.near {
                self.near_steps += 1;
                self.near_increases += u64::from(is_up);
                self.near_sum += u128::from(step);
            }
            if let Some(before) = self.before {
                let around = self.distance(before, stamp);
                let distance = self.distance(before, middle).min(step);
                let is_far = distance / MIN_RATIO[0] > around;
                let is_kept = self.outliers.len() < MAX_OUTLIERS;
                if is_far && is_kept && around <= self.near {
                    self.outliers.push(Outlier {
                        position: middle_position,
                        distance,
                        is_above: self.is_above(middle, before),
                    });
                }
            }
        }
        self.follow(position, stamp);
    }

    /// Adds what a later part shows.
    pub(crate) fn append(&mut self, later: Self) {
        self.steps += later.steps;
        self.near_steps += later.near_steps;
        self.near_increases += later.near_increases;
        self.near_sum += later.near_sum;
        self.outliers.extend(later.outliers);
        for (turns, later) in self.turns.iter_mut().zip(later.turns) {
            turns.count += later.count;
            let room = MAX_FALLS.saturating_sub(turns.first.len());
            turns.first.extend(later.first.into_iter().take(room));
        }
    }

    /// The positions of entries that repeat earlier ones from a fall on, in order; `entry`
    /// returns the bytes of an entry.
    pub(crate) fn repeats<'b>(&self, entry: impl Fn(u64) -> Option<&'b [u8]>) -> Vec<u64> {
        let [up, down] = &self.turns;
        let falls = if down.count < up.count { down } else { up };
        let mut repeats: Vec<u64> = Vec::new();
        if falls.count > MAX_FALLS as u64 {
            return repeats;
        }
        let repeat_from = |fall: u64, start: u64| {
            let first = entry(start)?;
            let mut distances = 1..=start.min(MAX_REPEAT_DISTANCE);
            let distance = distances.find(|it| entry(start - it) == Some(first))?;
            let is_repeated =
                |at: &u64| entry(*at).is_some_and(|it| entry(at - distance) == Some(it));
            let count = (start..).take_while(is_repeated).count() as u64;
            (count >= MIN_REPEATS).then_some(fall..start + count)
        };
        // The block may begin within an entry.
        let repeat = |fall: u64| repeat_from(fall, fall).or_else(|| repeat_from(fall, fall + 1));
        for start in &falls.first {
            if repeats.last().is_none_or(|last| last < start) {
                repeats.extend(repeat(*start).into_iter().flatten());
            }
        }
        repeats
    }

    /// The positions of the outliers among `entries`, in order.
    pub(crate) fn positions(&self, entries: u64) -> Vec<u64> {
        self.outliers(entries).map(|it| it.position).collect()
    }

    /// As [`OutlierScan::positions`], without those that may be of an earlier lap of a ring,
    /// if the counter is so wide that its falls show this.
    pub(crate) fn positions_of_this_lap(&self, entries: u64) -> Vec<u64> {
        let is_wide = ClockModulus::Mask(self.mask).is_wide();
        let counts_up = self.near_increases * 2 >= self.near_steps;
        // Steps to an outlier and back are no part of a lap.
        let is_near = |it: &&Outlier| it.distance <= self.near;
        let aside = self.outliers.iter().filter(is_near);
        let aside: u128 = aside.map(|it| 2 * u128::from(it.distance)).sum();
        let near_sum = self.near_sum.saturating_sub(aside);
        let laps = near_sum / 8..=near_sum * 3;
        let is_earlier =
            |it: &&Outlier| it.is_above != counts_up && laps.contains(&u128::from(it.distance));
        let outliers = self.outliers(entries);
        let outliers = outliers.filter(|it| !(is_wide && is_earlier(it)));
        outliers.map(|it| it.position).collect()
    }

    fn outliers(&self, entries: u64) -> impl Iterator<Item = &Outlier> {
        let mean = self.near_sum / u128::from(self.near_steps.max(1));
        // One outlier has a far step on both sides.
        let far_steps = (self.steps / ENTRIES_PER_OUTLIER).max(2);
        let mostly_near = self.near_steps + far_steps >= self.steps;
        let is_short = self.near_sum <= u128::from(self.mask) / SPAN_PART;
        let far = u128::from(MIN_RATIO[1]) * mean;
        let far = match entries < MIN_ENTRIES {
            true => far.max(self.near.into()),
            false => far,
        };
        let is_far = move |it: &&Outlier| u128::from(it.distance) > far;
        let count = self.outliers.iter().filter(is_far).count() as u64;
        let is_evident = entries >= MIN_FEW_ENTRIES
            && mostly_near
            && is_short
            && count <= (entries / ENTRIES_PER_OUTLIER).max(1);
        let outliers = self.outliers.iter();
        outliers.filter(move |it| is_evident && is_far(it))
    }

    /// Whether a stamp is the higher one of two, by the shorter way around the counter.
    fn is_above(&self, stamp: u64, other: u64) -> bool {
        (stamp.wrapping_sub(other) & self.mask) <= self.mask / 2
    }

    /// The shorter way around the counter.
    fn distance(&self, one: u64, other: u64) -> u64 {
        let forward = other.wrapping_sub(one) & self.mask;
        forward.min((self.mask - forward).saturating_add(1))
    }
}
