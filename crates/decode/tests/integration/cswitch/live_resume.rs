//! A stream resumed at a checkpoint has the same events.

use super::live_target::{ReceivedTrace, Target, expected_events, settings};
use proptest::prelude::*;
use rtoscope_decode::live::{HostTime, LiveDecoder};
use rtoscope_record::cswitch::BufferMode;

/// A container and when it came, and whether the connection broke after it.
type Chunk = (Vec<u8>, HostTime, bool);

fn pieces(cores: usize) -> impl Strategy<Value = (Vec<Chunk>, usize)> {
    let step = (0..cores, 1..50_000_u64, 0..8_u32);
    let steps = proptest::collection::vec(step, 1..300);
    (steps, 4_usize..50, any::<u8>()).prop_map(move |(steps, ring, breaks)| {
        let mut target = Target::new(cores, ring, 20, BufferMode::Cyclic);
        let mut pieces = Vec::new();
        for (core, ticks, look) in steps {
            target.wait(ticks);
            target.record(core);
            if look == 0 {
                let breaks = pieces.len() % 8 == usize::from(breaks % 16);
                pieces.push((target.save(), target.moment(), breaks));
            }
        }
        (pieces, ring)
    })
}

fn push_pieces(live: &mut LiveDecoder, received: &mut ReceivedTrace, pieces: &[Chunk]) {
    for (bytes, at, breaks) in pieces {
        live.push(bytes, *at);
        received.drain_updates(live);
        if *breaks {
            live.connection_lost();
            received.drain_updates(live);
        }
    }
}

fn check(pieces: &[Chunk], place: prop::sample::Index) -> Result<(), TestCaseError> {
    let mut live = LiveDecoder::new(settings());
    let mut received = ReceivedTrace::default();
    push_pieces(&mut live, &mut received, pieces);
    if received.events.is_empty() {
        return Ok(());
    }
    let wanted = place.index(received.events.len()) as u64;
    let Some(mark) = live.checkpoint_before(wanted).cloned() else {
        return Ok(());
    };
    prop_assert!(mark.event <= wanted);
    prop_assert_eq!(received.events[mark.event as usize].time, mark.time.0);
    // The recording holds no breaks but the moments of its pieces.
    let mut start = 0;
    let first = pieces.iter().position(|(bytes, ..)| {
        let is_after = start >= mark.offset();
        start += bytes.len() as u64;
        is_after
    });
    let mut again = LiveDecoder::resume(settings(), &mark);
    let mut again_received = Vec::new();
    let mut gaps = Vec::new();
    let mut receive = |live: &mut LiveDecoder| {
        while let Some(news) = live.next_update().unwrap() {
            let trace = &news.recording.trace;
            let skipped = usize::from(news.overlaps);
            for gap in &trace.gaps {
                gaps.push((
                    u64::from(gap.next_event.0) + trace.origin.event,
                    gap.missing,
                ));
            }
            again_received.extend_from_slice(&expected_events(trace)[skipped..]);
        }
    };
    for (bytes, at, breaks) in &pieces[first.unwrap()..] {
        again.push(bytes, *at);
        receive(&mut again);
        if *breaks {
            again.connection_lost();
            receive(&mut again);
        }
    }
    prop_assert_eq!(&again_received[..], &received.events[mark.event as usize..]);
    let expected: Vec<_> = received
        .gaps
        .iter()
        .filter(|(before, _)| *before > mark.event)
        .copied()
        .collect();
    prop_assert_eq!(gaps, expected);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn one_core((pieces, _) in pieces(1), place in any::<prop::sample::Index>()) {
        check(&pieces, place)?;
    }

    #[test]
    fn three_cores((pieces, _) in pieces(3), place in any::<prop::sample::Index>()) {
        check(&pieces, place)?;
    }
}
