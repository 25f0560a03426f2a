//! Recordings of several segments, with and without a limit.

use super::common::*;
use rtoscope_recording::{Recorder, RecorderOptions, Recording};
use std::fs;
use std::path::Path;
use std::time::Duration;

fn names(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Chunks of 100 bytes, one per millisecond.
fn write(recorder: &mut Recorder, pieces: std::ops::Range<u64>) {
    for piece in pieces {
        let at = after(piece * MILLISECOND);
        recorder.write(&bytes(piece * 100, 100), at).unwrap();
    }
}

#[test]
fn segments_end_by_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let options = RecorderOptions {
        segment_bytes: Some(250),
        ..settings(folder.path())
    };
    let mut recorder = Recorder::create(options, after(0)).unwrap();
    write(&mut recorder, 0..10);
    drop(recorder);
    let recording = Recording::open(folder.path()).unwrap();
    let segments = recording.segments().iter();
    let segments: Vec<_> = segments
        .map(|it| (it.number, it.offset, it.bytes))
        .collect();
    // Whole chunks.
    assert_eq!(
        segments,
        [(1, 0, 300), (2, 300, 300), (3, 600, 300), (4, 900, 100)]
    );
    let gave = read(folder.path(), 0);
    assert_eq!(check_bytes(&gave), 1000);
    assert!(gave.iter().all(|gave| matches!(gave, ReadItem::Bytes(..))));
    assert_eq!(recording.problems().unwrap(), []);
    for from in 0..=1000 {
        let gave = read(folder.path(), from);
        assert_eq!(check_bytes(&gave), 1000 - from);
        if let Some(first) = gave.first() {
            assert!(matches!(first, ReadItem::Bytes(offset, ..) if *offset == from));
        }
    }
}

#[test]
fn segments_end_by_time() {
    let folder = tempfile::tempdir().unwrap();
    let options = RecorderOptions {
        segment_time: Some(Duration::from_millis(4)),
        ..settings(folder.path())
    };
    let mut recorder = Recorder::create(options, after(0)).unwrap();
    write(&mut recorder, 0..10);
    let recording = Recording::open(folder.path()).unwrap();
    let segments = recording.segments().iter();
    let segments: Vec<_> = segments.map(|it| (it.begun, it.bytes)).collect();
    let begun = |milliseconds| after(milliseconds * MILLISECOND);
    assert_eq!(
        segments,
        [(begun(0), 400), (begun(4), 400), (begun(8), 200)]
    );
    assert_eq!(check_bytes(&read(folder.path(), 0)), 1000);
}

#[test]
fn last_segments_are_kept_with_their_metadata() {
    let folder = tempfile::tempdir().unwrap();
    let options = RecorderOptions {
        segment_bytes: Some(100),
        max_segments: Some(3),
        ..settings(folder.path())
    };
    let mut recorder = Recorder::create(options, after(0)).unwrap();
    let keeper = recorder.keeper();
    write(&mut recorder, 0..9);
    // The metadata of the first segments is not stored yet.
    let mut expected: Vec<_> = (1..=9)
        .flat_map(|number| ["bin", "index"].map(|kind| format!("{number:06}.{kind}")))
        .collect();
    expected.extend(["rtoscope.json", "rtoscope.loss"].map(str::to_owned));
    assert_eq!(names(folder.path()), expected);
    // A frame that started before 700 may be incomplete.
    keeper.store_metadata(700 + 511, rtoscope_decode::rkh::FORMAT, b"old");
    assert_eq!(names(folder.path())[0], "000007.bin");
    assert!(!keeper.needs_metadata(700 + 511));
    assert!(keeper.needs_metadata(700 + 512));
    keeper.store_metadata(u64::MAX, rtoscope_decode::rkh::FORMAT, b"new");
    let mut expected: Vec<_> = (7..=9)
        .flat_map(|number| ["bin", "index", "preface"].map(|kind| format!("{number:06}.{kind}")))
        .collect();
    expected.remove(5);
    expected.extend(["rtoscope.json", "rtoscope.loss"].map(str::to_owned));
    assert_eq!(names(folder.path()), expected);
    let gave = read(folder.path(), 0);
    assert_eq!(
        gave[0],
        ReadItem::Preface(rtoscope_decode::rkh::FORMAT, b"old".to_vec())
    );
    assert_eq!(
        gave[1],
        ReadItem::Bytes(600, bytes(600, 100), after(6 * MILLISECOND))
    );
    assert_eq!(check_bytes(&gave), 300);
    assert_eq!(gave.len(), 4);
    // A decoder that has read earlier segments needs none.
    assert!(matches!(
        read(folder.path(), 650)[0],
        ReadItem::Bytes(650, ..)
    ));
    assert!(matches!(
        read(folder.path(), 700)[0],
        ReadItem::Bytes(700, ..)
    ));
    assert!(matches!(read(folder.path(), 400)[0], ReadItem::Preface(..)));
    drop(recorder);
    assert_eq!(
        Recording::open(folder.path()).unwrap().problems().unwrap(),
        []
    );
    // The nearest one suffices.
    fs::remove_file(folder.path().join("000007.preface")).unwrap();
    let gave = read(folder.path(), 0);
    assert_eq!(
        gave[0],
        ReadItem::Preface(rtoscope_decode::rkh::FORMAT, b"new".to_vec())
    );
    assert_eq!(check_bytes(&gave), 300);
}

#[test]
fn rings_of_one_segment_work() {
    let folder = tempfile::tempdir().unwrap();
    for segments in [0, 1] {
        let folder = folder.path().join(segments.to_string());
        let options = RecorderOptions {
            segment_bytes: Some(1),
            max_segments: Some(segments),
            ..settings(&folder)
        };
        let mut recorder = Recorder::create(options, after(0)).unwrap();
        write(&mut recorder, 0..20);
        // It is self-contained.
        recorder
            .keeper()
            .store_metadata(u64::MAX, rtoscope_decode::threadx::FORMAT, b"");
        assert_eq!(
            names(&folder),
            [
                "000020.bin",
                "000020.index",
                "rtoscope.json",
                "rtoscope.loss"
            ]
        );
        assert_eq!(check_bytes(&read(&folder, 0)), 100);
    }
}

#[test]
fn missing_segments_are_interruptions() {
    let folder = tempfile::tempdir().unwrap();
    let options = RecorderOptions {
        segment_bytes: Some(100),
        ..settings(folder.path())
    };
    let mut recorder = Recorder::create(options, after(0)).unwrap();
    write(&mut recorder, 0..5);
    drop(recorder);
    let opened = Recording::open(folder.path()).unwrap();
    fs::remove_file(folder.path().join("000002.bin")).unwrap();
    fs::remove_file(folder.path().join("000003.bin")).unwrap();
    let expected = |gave: &[ReadItem]| {
        assert_eq!(check_bytes(gave), 300);
        assert!(
            matches!(&gave[1], ReadItem::Broke(at, reason, 200)
                if *at == after(3 * MILLISECOND) && reason.contains("no longer exist")),
            "{gave:?}"
        );
    };
    expected(&read(folder.path(), 0));
    // It existed when the recording was opened.
    let mut missing = 0;
    let read = opened.read(0, |part| {
        if let rtoscope_recording::RecordingItem::Interrupted {
            missing_bytes: bytes,
            ..
        } = part
        {
            missing += bytes;
        }
        std::ops::ControlFlow::Continue(())
    });
    read.unwrap();
    assert_eq!(missing, 200);
    let problems = Recording::open(folder.path()).unwrap().problems().unwrap();
    assert_eq!(problems.len(), 1);
    assert!(problems[0].to_string().contains("200 bytes after byte 100"));
}
