//! Times of blocks of timestamps, before the timestamps are unwrapped.

use super::modulus::ClockModulus;
use rtoscope_trace::clock::ClockDirection;
use rtoscope_trace::progress::EventDensity;

/// Consecutive timestamps, summed up while they are scanned.
#[derive(Debug, Default)]
pub(crate) struct StampBlock {
    ends: Option<(u64, u64)>,
    events: u64,
    /// Ticks from the first timestamp to the last, and the steps that are shorter, of a
    /// clock that counts up and of one that counts down.
    up: BlockSteps,
    down: BlockSteps,
}

#[derive(Debug, Default, Clone, Copy)]
struct BlockSteps {
    ticks: u64,
    shorter: u64,
}

impl StampBlock {
    /// Adds the next timestamp.
    #[inline(always)]
    pub(crate) fn push(&mut self, modulus: ClockModulus, timestamp: u64) {
        self.events += 1;
        let (first, last) = self.ends.unwrap_or((timestamp, timestamp));
        let step = modulus.forward(last, timestamp);
        let (up, down) = forward_only(modulus, step);
        self.up.add(up, step != 0 && step < modulus.half());
        self.down.add(down, step > modulus.half());
        self.ends = Some((first, timestamp));
    }
}

impl BlockSteps {
    #[inline(always)]
    fn add(&mut self, ticks: u64, is_shorter: bool) {
        self.ticks = self.ticks.saturating_add(ticks);
        self.shorter += u64::from(is_shorter);
    }
}

/// An upward step as ticks of a clock that counts up, and of one that counts down; small
/// backward steps take no time.
#[inline(always)]
fn forward_only(modulus: ClockModulus, step: u64) -> (u64, u64) {
    let max_step = modulus.max_step();
    let ticks = |step| if step > max_step { 0 } else { step };
    (ticks(step), ticks(modulus.reversed(step)))
}

/// The density of the events of consecutive blocks. It is preliminary: the events of
/// a block are spread evenly over its time, and a clock that jumped back runs on at
/// once.
pub(crate) fn density(
    blocks: &[StampBlock],
    modulus: ClockModulus,
    direction: Option<ClockDirection>,
) -> EventDensity {
    let shorter = |of: fn(&StampBlock) -> BlockSteps| -> u64 {
        blocks.iter().map(|block| of(block).shorter).sum()
    };
    let direction = direction.unwrap_or_else(|| {
        if shorter(|block| block.down) > shorter(|block| block.up) {
            ClockDirection::Down
        } else {
            ClockDirection::Up
        }
    });
    let mut end = 0_u64;
    let mut before = None;
    let mut parts = Vec::with_capacity(blocks.len());
    for block in blocks {
        let Some((first, last)) = block.ends else {
            continue;
        };
        let step = modulus.forward(before.unwrap_or(first), first);
        let (up, down) = forward_only(modulus, step);
        let (step, ticks) = match direction {
            ClockDirection::Up => (up, block.up.ticks),
            ClockDirection::Down => (down, block.down.ticks),
        };
        let start = end.saturating_add(step);
        end = start.saturating_add(ticks);
        parts.push((start..end, block.events));
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
