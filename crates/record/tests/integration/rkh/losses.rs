//! The records lost in a small buffer, and the gaps that the host sees.

use super::observed::{ObservedRecorder, RecordLength, RecorderStep, record};
use super::setups::*;
use proptest::prelude::*;
use rtoscope_decode::rkh::{RkhOptions, decode};
use rtoscope_record::rkh::StreamSetup;
use rtoscope_wire::rkh::frame::ESCAPE;

fn run_steps<S: StreamSetup>(bytes: usize, steps: &[RecorderStep]) {
    let mut observed = ObservedRecorder::<S>::new(bytes);
    for step in steps {
        observed.step(*step);
        assert!(observed.target.available() <= bytes + 2);
    }
    observed.finish();
}

fn any_steps() -> impl Strategy<Value = Vec<RecorderStep>> {
    let kind = prop_oneof![
        4 => Just(RecordLength::Plain),
        2 => Just(RecordLength::Escaped),
        1 => Just(RecordLength::Named),
        1 => Just(RecordLength::User)
    ];
    let length = prop_oneof![20 => 0..12_usize, 1 => 0..80_usize];
    let step = prop_oneof![
        3 => (kind, length).prop_map(|(kind, length)| RecorderStep::Record(kind, length)),
        2 => (0..50_usize).prop_map(RecorderStep::Take),
    ];
    proptest::collection::vec(step, 0..150)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_oldest_are_kept(steps in any_steps(), bytes in 64..200_usize) {
        run_steps::<Base>(bytes, &steps);
        run_steps::<Narrow>(bytes, &steps);
        run_steps::<Unnumbered>(bytes, &steps);
        run_steps::<Bare>(bytes, &steps);
    }

    #[test]
    fn the_oldest_are_overwritten(steps in any_steps(), bytes in 64..200_usize) {
        run_steps::<Flight>(bytes, &steps);
        run_steps::<FlightUnnumbered>(bytes, &steps);
        run_steps::<FlightBare>(bytes, &steps);
    }
}

#[test]
fn a_gap_without_a_jump_in_numbers_is_marked() {
    for many in [255, 256, 257, 512, 1000] {
        let fills = [RecorderStep::Record(RecordLength::Plain, 0); 20];
        let steps = [
            &fills[..],
            &vec![RecorderStep::Record(RecordLength::Plain, 0); many],
        ]
        .concat();
        run_steps::<Base>(64, &steps);
        run_steps::<Unnumbered>(64, &steps);
        run_steps::<Flight>(64, &steps);
        // Exactly 256 after the last record that had room.
        let mut observed = ObservedRecorder::<Base>::new(64);
        while observed.target.lost() < many as u32 {
            observed.step(RecorderStep::Record(RecordLength::Plain, 0));
        }
        observed.finish();
    }
}

#[test]
fn a_record_larger_than_the_buffer_is_lost() {
    let steps = [
        RecorderStep::Record(RecordLength::Plain, 0),
        RecorderStep::Record(RecordLength::User, 250),
        RecorderStep::Record(RecordLength::Plain, 0),
        RecorderStep::Record(RecordLength::Named, 64),
    ];
    run_steps::<Base>(64, &steps);
    run_steps::<Flight>(64, &steps);
    run_steps::<FlightBare>(64, &steps);
}

/// Nothing from before the restart is taken for a part of the new stream.
#[test]
fn a_restart_aborts_a_started_frame() {
    let (target, _) = started::<Base>(100);
    assert_eq!(target.available(), 17);
    let first = drain(&target, 64);
    record(RecordLength::Plain, 0, 1).record(&target);
    let mut head = [0; 3];
    assert_eq!(target.take(&mut head), 3);
    assert_eq!(head, [0xA9, 0, 0]);
    target.restart();
    let after_restart = drain(&target, 64);
    assert_eq!(after_restart, [&[ESCAPE][..], &first].concat());
    assert_eq!(target.lost(), 0);
    target.stop();
    record(RecordLength::Plain, 0, 2).record(&target);
    assert_eq!(target.available(), 0);
    target.restart();
    assert_eq!(drain(&target, 64), first);
}

/// A dump of a flight recorder that was never read begins with a flag.
#[test]
fn a_flight_recorder_keeps_its_last_records() {
    let (target, _) = started::<Flight>(64);
    for number in 0..100 {
        record(RecordLength::Plain, 0, number | 0x0100_0000).record(&target);
    }
    let lost = target.lost();
    let stream = drain(&target, 64);
    let options = RkhOptions {
        configuration: Some(Flight::CONFIGURATION),
        ..RkhOptions::default()
    };
    let recording = decode(&stream, &options).unwrap();
    assert_eq!(recording.stream_info.losses.total(), 0);
    let arrived = recording.stream_info.len() as u32;
    assert!((3..=5).contains(&arrived));
    // The target's configuration is lost too.
    assert_eq!(lost, 101 - arrived);
    assert_eq!(target.lost(), lost);
}

#[test]
fn a_buffer_that_is_too_small_is_rejected() {
    let target = TestRecorder::<Base>::new(
        rtoscope_record::port::SpinLock::new(),
        Box::leak(Box::new(ManualClock::new())),
    );
    target.restart();
    record(RecordLength::Plain, 0, 1).record(&target);
    target.fwk_tcfg();
    assert_eq!((target.available(), target.lost()), (0, 0));
    assert_eq!(target.take(&mut [0; 8]), 0);
    assert!(target.start(memory(63)).is_err());
    // SAFETY: null is rejected without an access.
    assert!(unsafe { target.start_raw(core::ptr::null_mut(), 100) }.is_err());
    assert_eq!(target.available(), 0);
    assert!(target.start(memory(64)).is_ok());
    assert_eq!(target.available(), 17);
}
