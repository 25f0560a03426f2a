//! Merges several cores.

use super::live_target::{
    ExpectedEvent, ReceivedTrace, Target, expected_events, from_first, settings,
};
use proptest::prelude::*;
use rtoscope_decode::live::LiveDecoder;
use rtoscope_record::cswitch::BufferMode;
use std::collections::HashMap;

/// What happens: a core records, time passes, or the host reads.
#[derive(Debug, Clone, Copy)]
enum CoreStep {
    Record(usize),
    Wait(u64),
    /// The cores record on while the host reads.
    Look {
        between: u32,
    },
}

fn steps(cores: usize) -> impl Strategy<Value = Vec<CoreStep>> {
    let step = prop_oneof![
        12 => (0..cores).prop_map(CoreStep::Record),
        2 => (1..5_000_u64).prop_map(CoreStep::Wait),
        1 => (0..4_u32).prop_map(|between| CoreStep::Look { between }),
    ];
    proptest::collection::vec(step, 1..400)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn cores_keep_their_order(
        steps in steps(3), ring in 4_usize..40, bits in 20_u8..33, seed in any::<u64>(),
    ) {
        let mut target = Target::new(3, ring, bits, BufferMode::Cyclic);
        let mut live = LiveDecoder::new(settings());
        let mut received = ReceivedTrace::default();
        let mut any = seed;
        for step in steps {
            target.wait(1 + any % 50);
            any = any.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1) >> 1;
            match step {
                CoreStep::Record(core) => target.record(core),
                CoreStep::Wait(ticks) => target.wait(ticks),
                CoreStep::Look { between } => {
                    // What is not halted is not the same for all cores.
                    let saved = running(&mut target, between);
                    live.push(&saved, target.moment());
                    received.drain_updates(&mut live);
                }
            }
        }
        live.push(&target.save(), target.moment());
        live.connection_lost();
        received.drain_updates(&mut live);
        check(&target, &received)?;
        let last = target.truth.iter().rev().take(ring / 3).rev();
        let end = received.events.len().saturating_sub(last.len());
        let ends: Vec<_> = last.map(|truth| (truth.core, truth.number)).collect();
        let received_ends: Vec<_> = received.events[end..].iter().map(|event| (event.core, event.number)).collect();
        prop_assert_eq!(received_ends, ends);
        if let Some(cut) = live.window(u64::MAX) {
            prop_assert_eq!(expected_events(&cut.decode().unwrap().trace), received.events);
        }
    }
}

/// A container of a running target: each core's log is saved at a different
/// time.
fn running(target: &mut Target, between: u32) -> Vec<u8> {
    let cores = target.logs.len();
    let parts: Vec<Vec<u8>> = (0..cores)
        .map(|core| {
            let part = target.save_cores(core..core + 1);
            for number in 0..between {
                target.wait(3);
                target.record(number as usize % cores);
            }
            part
        })
        .collect();
    super::live_damage::joined(&parts)
}

/// The events received are those of the truth, in its order, at its times, and the
/// gaps are where some are missing.
fn check(target: &Target, received: &ReceivedTrace) -> Result<(), TestCaseError> {
    let all: HashMap<(u8, u64), ExpectedEvent> = target
        .truth
        .iter()
        .map(|truth| ((truth.core, truth.number), *truth))
        .collect();
    let mut truth: Vec<ExpectedEvent> = Vec::new();
    for event in &received.events {
        let known = all.get(&(event.core, event.number));
        prop_assert!(known.is_some(), "{:?} never happened", event);
        truth.extend(known);
    }
    prop_assert!(
        truth.windows(2).all(|two| two[0].time < two[1].time),
        "their order"
    );
    prop_assert_eq!(&received.events, &from_first(&truth));
    let mut next: HashMap<u8, u64> = HashMap::new();
    let mut gaps = Vec::new();
    for (number, event) in (0..).zip(&received.events) {
        let expected = next.insert(event.core, event.number + 1);
        let missing = expected.map_or(0, |expected| event.number - expected);
        if missing > 0 {
            gaps.push((number, Some(missing)));
        }
    }
    prop_assert_eq!(&received.gaps, &gaps);
    Ok(())
}

#[test]
fn events_wait_until_nothing_can_go_before_them() {
    let mut target = Target::new(2, 64, 32, BufferMode::Cyclic);
    let mut live = LiveDecoder::new(settings());
    let mut received = ReceivedTrace::default();
    for core in [0, 1, 0, 0] {
        target.wait(10);
        target.record(core);
    }
    live.push(&target.save(), target.moment());
    received.drain_updates(&mut live);
    assert_eq!(received.events.len(), 2, "core 1 has not added more");
    live.push(&target.save(), target.moment());
    received.drain_updates(&mut live);
    assert_eq!(
        received.events.len(),
        4,
        "nor has it in a container that came later"
    );
}

#[test]
fn a_core_may_be_silent_for_longer_than_its_counter_turns() {
    let mut target = Target::new(2, 64, 16, BufferMode::Cyclic);
    let mut live = LiveDecoder::new(settings());
    let mut received = ReceivedTrace::default();
    target.record(1);
    for round in 0..100 {
        for _ in 0..5 {
            target.wait(2_000);
            target.record(0);
        }
        if round == 70 {
            target.wait(5);
            target.record(1);
        }
        live.push(&target.save(), target.moment());
        received.drain_updates(&mut live);
    }
    live.connection_lost();
    received.drain_updates(&mut live);
    assert_eq!(received.events, from_first(&target.truth));
    assert_eq!(received.gaps, []);
}

#[test]
fn containers_of_one_core_each_wait_for_the_others() {
    let mut target = Target::new(2, 64, 32, BufferMode::Cyclic);
    let mut live = LiveDecoder::new(settings());
    let mut received = ReceivedTrace::default();
    live.push(&target.save(), target.moment());
    for round in 0..30_usize {
        for number in 0..10 {
            target.wait(7);
            target.record(number % 2);
        }
        let core = round % 2;
        live.push(&target.save_cores(core..core + 1), target.moment());
        received.drain_updates(&mut live);
    }
    live.push(&target.save(), target.moment());
    live.connection_lost();
    received.drain_updates(&mut live);
    assert_eq!(received.events, from_first(&target.truth));
    assert_eq!(received.gaps, []);
}
