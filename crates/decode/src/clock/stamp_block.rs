//! Times of blocks of timestamps, before the timestamps are unwrapped.

use super::modulus::ClockModulus;
use super::step_counts::StepCounts;
use rtoscope_trace::clock::ClockDirection;
use rtoscope_trace::progress::EventDensity;

/// Consecutive timestamps, summed up while they are scanned.
#[derive(Debug, Default)]
pub(crate) struct StampBlock {
    ends: Option<(u64, u64)>,
    /// The first timestamp counts as a step of 0.
    steps: StepCounts,
}

impl StampBlock {
    /// Adds the next timestamp.
    #[inline(always)]
    pub(crate) fn push(&mut self, modulus: ClockModulus, timestamp: u64) {
        let (first, last) = self.ends.unwrap_or((timestamp, timestamp));
        self.steps.add(modulus, last, timestamp);
        self.ends = Some((first, timestamp));
    }
}

/// The density of the events of consecutive blocks. It is preliminary: the events of
/// a block are spread evenly over its time, and a clock that jumped back runs on at
/// once.
pub(crate) fn density(
    blocks: &[StampBlock],
    modulus: ClockModulus,
    direction: Option<ClockDirection>,
) -> EventDensity {
    let mut all = StepCounts::default();
    blocks
        .iter()
        .for_each(|block| all.add_directions(&block.steps));
    let direction = direction.unwrap_or(all.direction());
    let mut end = 0_u64;
    let mut before = None;
    let mut parts = Vec::with_capacity(blocks.len());
    for block in blocks {
        let Some((first, last)) = block.ends else {
            continue;
        };
        let mut between = StepCounts::default();
        between.add(modulus, before.unwrap_or(first), first);
        let start = end.saturating_add(between.ticks(direction));
        end = start.saturating_add(block.steps.ticks(direction));
        parts.push((start..end, block.steps.count));
        before = Some(last);
    }
    EventDensity::of_parts(&parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rtoscope_trace::Ticks;

    fn blocks_of(stamps: &[u64], size: usize, modulus: ClockModulus) -> Vec<StampBlock> {
        let block = |stamps: &[u64]| {
            let mut block = StampBlock::default();
            for stamp in stamps {
                block.push(modulus, *stamp);
            }
            block
        };
        stamps.chunks(size).map(block).collect()
    }

    #[test]
    fn a_clock_that_counts_down_is_recognised() {
        let modulus = ClockModulus::new(0xFFFF_FFFF, None);
        let stamps = [200, 100, 0xFFFF_FFFF, 0xFFFF_FFFE];
        let density = density(&blocks_of(&stamps, 3, modulus), modulus, None);
        assert_eq!(density.span, Ticks(202));
    }

    proptest! {
        #[test]
        fn no_event_and_no_tick_is_lost(
            steps in prop::collection::vec(0_u64..1 << 30, 1..200),
            first in any::<u32>(),
            size in 1_usize..20,
        ) {
            let modulus = ClockModulus::new(0xFFFF_FFFF, None);
            let mut time = 0;
            let mut stamps = vec![u64::from(first)];
            for step in &steps {
                time += step;
                stamps.push((u64::from(first) + time) & 0xFFFF_FFFF);
            }
            let found = density(
                &blocks_of(&stamps, size, modulus),
                modulus,
                Some(ClockDirection::Up),
            );
            prop_assert_eq!(found.span, Ticks(time));
            let sum: u64 = found.counts.iter().map(|count| u64::from(*count)).sum();
            prop_assert_eq!(sum, stamps.len() as u64);
        }
    }
}
