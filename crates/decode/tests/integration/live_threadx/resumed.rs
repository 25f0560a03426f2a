//! A recording that is resumed in the middle.

use super::event_listener::{EventListener, read_again};
use super::target::Target;
use proptest::prelude::*;
use rtoscope_wire::threadx::BufferLayout;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn what_is_read_again_is_the_same(
        counts in proptest::collection::vec(0..60_u32, 2..30), from in 0..1000_u64,
        layout in proptest::sample::select(&BufferLayout::ALL[..]), slots in 1..50_usize,
    ) {
        let mut target = Target::new(layout, slots, 0xFFFF_FFFF);
        let mut listener = EventListener::new();
        let mut recorded = Vec::new();
        for (count, at) in counts.iter().zip(1..) {
            for _ in 0..*count {
                target.log(5);
            }
            recorded.push((target.dump(), at));
            listener.push(&target.dump(), at);
        }
        read_again(&listener, &recorded, from)?;
    }
}
