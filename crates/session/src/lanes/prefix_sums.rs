//! Prefix sums over the steps of a lane, so that any window is summed without visiting
//! all its steps.

use super::BarClass;
use super::galloping_search::partition_point_near;
use super::track::Track;
use crate::query::Axis;

/// Number of steps per stored row of sums: small enough that scanning between two rows
/// is cheap, large enough that the rows need little memory.
const STEPS_PER_SAMPLE: usize = 16;

/// The lengths of a lane's steps by class, accumulated up to every
/// [`STEPS_PER_SAMPLE`]th step.
#[derive(Debug)]
pub(crate) struct PrefixSums {
    /// The classes that occur.
    pub(crate) classes: Vec<BarClass>,
    /// The index of each class in `classes`.
    class_indices: [u8; BarClass::COUNT],
    /// A row of sums for every sample, in units of the axis.
    rows: Vec<u64>,
    positions: StepPositions,
    steps: usize,
    /// The end of the last step.
    end: u64,
}

/// The starts of steps.
#[derive(Debug)]
enum StepPositions {
    /// Every [`STEPS_PER_SAMPLE`]th start, in ticks: the track provides the others.
    Sampled(Vec<u64>),
    /// All starts, in events: computing them again is slow.
    All(Vec<u32>),
}

/// Lengths by class, in the order of [`PrefixSums::classes`].
pub(crate) type ClassLengths = [f64; BarClass::COUNT];

impl PrefixSums {
    /// Builds the sums of a lane; `end` is where its last step ends.
    pub(crate) fn of(track: &impl Track, axis: Axis, end: u64) -> Self {
        let steps = track.len();
        let mut places = [u8::MAX; BarClass::COUNT];
        let mut classes = Vec::new();
        for step in 0..steps {
            let class = track.class(step);
            if let Some(place) = places.get_mut(usize::from(class.0))
                && *place == u8::MAX
            {
                *place = classes.len() as u8;
                classes.push(class);
            }
        }
        let kept = steps.div_ceil(STEPS_PER_SAMPLE);
        let mut all = Self {
            rows: Vec::with_capacity(classes.len() * kept),
            positions: match axis {
                Axis::Time => StepPositions::Sampled(Vec::with_capacity(kept)),
                Axis::Index => StepPositions::All(Vec::with_capacity(steps)),
            },
            classes,
            class_indices: places,
            steps,
            end,
        };
        let mut sums = vec![0_u64; all.classes.len()];
        let mut start = if steps > 0 {
            track.position(axis, 0)
        } else {
            end
        };
        for step in 0..steps {
            let is_kept = step % STEPS_PER_SAMPLE == 0;
            if is_kept {
                all.rows.extend_from_slice(&sums);
            }
            match &mut all.positions {
                StepPositions::Sampled(kept) if is_kept => kept.push(start),
                StepPositions::Sampled(_) => (),
                StepPositions::All(each) => each.push(u32::try_from(start).unwrap_or(u32::MAX)),
            }
            let next = track.end_position(axis, step, end);
            if let Some(sum) = sums.get_mut(all.class_index(track.class(step))) {
                *sum += next.saturating_sub(start);
            }
            start = next;
        }
        all
    }

    fn class_index(&self, class: BarClass) -> usize {
        let place = self.class_indices.get(usize::from(class.0));
        place.map_or(usize::MAX, |place| usize::from(*place))
    }

    /// The start of a sampled step.
    #[inline]
    fn sampled_position(&self, kept: usize) -> Option<u64> {
        match &self.positions {
            StepPositions::Sampled(all) => all.get(kept).copied(),
            StepPositions::All(all) => all.get(kept * STEPS_PER_SAMPLE).copied().map(u64::from),
        }
    }

    #[inline]
    fn position(&self, track: &impl Track, step: usize) -> u64 {
        let known = match &self.positions {
            StepPositions::All(all) => all.get(step).copied().map(u64::from),
            StepPositions::Sampled(_) if step < self.steps => Some(track.time(step)),
            StepPositions::Sampled(_) => None,
        };
        known.unwrap_or(self.end)
    }

    /// The last sample at or before a position, not before `from`; fastest if it is
    /// near `guess`.
    #[inline]
    pub(crate) fn find_sample(&self, from: usize, guess: usize, at: f64) -> usize {
        let kept = self.steps.div_ceil(STEPS_PER_SAMPLE);
        let after = partition_point_near(from..kept, guess, |kept| {
            self.sampled_position(kept)
                .is_some_and(|start| start as f64 <= at)
        });
        after.saturating_sub(1).max(from)
    }

    /// The lengths of everything before a position in the section that starts at
    /// `sample`.
    #[inline]
    pub(crate) fn lengths_before(
        &self,
        track: &impl Track,
        kept: usize,
        at: f64,
        lengths: &mut ClassLengths,
    ) {
        let width = self.classes.len();
        let row = self.rows.get(kept * width..(kept + 1) * width);
        for (length, sum) in lengths.iter_mut().zip(row.unwrap_or_default()) {
            *length = *sum as f64;
        }
        let first = kept * STEPS_PER_SAMPLE;
        let mut start = self.position(track, first) as f64;
        for step in first..(first + STEPS_PER_SAMPLE).min(self.steps) {
            if start >= at {
                break;
            }
            let end = self.position(track, step + 1) as f64;
            if let Some(length) = lengths.get_mut(self.class_index(track.class(step))) {
                *length += end.min(at) - start;
            }
            start = end;
        }
    }
}
