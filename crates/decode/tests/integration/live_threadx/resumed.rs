//! A recording that is resumed in the middle.

use super::event_listener::{EventListener, settings};
use super::target::Target;
use proptest::prelude::*;
use rtoscope_decode::live::LiveDecoder;
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
        let wanted = from % (listener.received.len() as u64 + 1);
        let Some(mark) = listener.live.checkpoint_before(wanted) else {
            return Ok(());
        };
        let mut again = EventListener::with(LiveDecoder::resume(settings(), mark));
        let mut offset = 0;
        for (bytes, at) in &recorded {
            let skipped = mark.offset().saturating_sub(offset).min(bytes.len() as u64);
            offset += bytes.len() as u64;
            if skipped < bytes.len() as u64 {
                again.push(&bytes[skipped as usize..], *at);
            }
        }
        // The checkpoint includes its own event; the events after it are received again.
        let expected: Vec<_> = listener.received.iter().filter(|it| it.number > mark.event).collect();
        let received: Vec<_> = again.received.iter().filter(|it| it.number > mark.event).collect();
        prop_assert_eq!(received, expected);
        prop_assert_eq!(again.live.stats().events, listener.live.stats().events);
    }
}
