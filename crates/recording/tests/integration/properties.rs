//! Property tests: what is written is read back, and damage has bounded effects.

use super::common::*;
use proptest::prelude::*;
use rtoscope_recording::{Recorder, RecorderOptions, Recording, RecordingProblem};
use std::fs;

#[derive(Debug, Clone)]
enum RecorderStep {
    Write(usize),
    Break(String),
    Wait(u64),
}

fn steps() -> impl Strategy<Value = Vec<RecorderStep>> {
    let step = prop_oneof![
        (0_usize..3000).prop_map(RecorderStep::Write),
        "\\PC{0,20}".prop_map(RecorderStep::Break),
        (0_u64..300 * MILLISECOND).prop_map(RecorderStep::Wait),
    ];
    prop::collection::vec(step, 0..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn written_items_are_read_back(
        steps in steps(),
        segment_bytes in prop::option::of(1_u64..5000),
        from in 0.0..1.0,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let options = RecorderOptions { segment_bytes, ..settings(folder.path()) };
        let mut recorder = Recorder::create(options, after(0)).unwrap();
        let (mut offset, mut now) = (0, 0);
        let mut breaks = Vec::new();
        for step in steps {
            match step {
                RecorderStep::Write(count) => {
                    recorder.write(&bytes(offset, count), after(now)).unwrap();
                    offset += count as u64;
                }
                RecorderStep::Break(reason) => {
                    recorder.interrupt(&reason, after(now)).unwrap();
                    breaks.push((offset, ReadItem::Broke(after(now), reason, 0)));
                }
                RecorderStep::Wait(time) => now += time,
            }
        }
        prop_assert_eq!(recorder.bytes(), offset);
        let from = (offset as f64 * from) as u64;
        for from in [0, from] {
            let gave = read(folder.path(), from);
            prop_assert_eq!(check_bytes(&gave), offset - from);
            let read: Vec<_> = gave.into_iter().filter(|it| matches!(it, ReadItem::Broke(..))).collect();
            let wanted = breaks.iter().filter(|(at, _)| *at > from).map(|(_, it)| it.clone());
            let wanted: Vec<_> = wanted.collect();
            // An item exactly at the offset may or may not be visited.
            prop_assert!(read.ends_with(&wanted), "{:?} {:?}", read, wanted);
        }
        let problems = || Recording::open(folder.path()).unwrap().problems().unwrap();
        prop_assert_eq!(problems(), [RecordingProblem::Unfinished]);
        drop(recorder);
        prop_assert_eq!(problems(), []);
        let recording = Recording::open(folder.path()).unwrap();
        prop_assert_eq!(recording.damaged_blocks().unwrap(), []);
    }

    #[test]
    fn damaged_indexes_add_no_bytes(
        index in prop::collection::vec(any::<u8>(), 0..400),
        keep in 0_usize..200,
        from in 0_u64..1200,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut recorder = begin(folder.path());
        for piece in 0..4 {
            let at = after(piece * 1000 * MILLISECOND);
            recorder.write(&bytes(piece * 250, 250), at).unwrap();
        }
        drop(recorder);
        let path = folder.path().join("000001.index");
        let mut bytes = fs::read(&path).unwrap();
        bytes.truncate(keep);
        bytes.extend(index);
        fs::write(&path, &bytes).unwrap();
        prop_assert_eq!(check_bytes(&read(folder.path(), 0)), 1000);
        prop_assert_eq!(check_bytes(&read(folder.path(), from)), 1000_u64.saturating_sub(from));
        Recording::open(folder.path()).unwrap().problems().unwrap();
    }
}
