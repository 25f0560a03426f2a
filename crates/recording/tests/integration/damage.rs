//! Truncated and damaged recordings.

use super::common::*;
use rtoscope_recording::{DamagedBlock, Recording, RecordingError, RecordingProblem};
use std::fs;
use std::path::Path;

const INDEX: &str = "000001.index";

/// Ten chunks of 100 bytes, one per second, with an interruption after the fifth.
fn recorded(folder: &Path) -> Vec<ReadItem> {
    let mut recorder = begin(folder);
    for piece in 0..10 {
        let at = after(piece * 1000 * MILLISECOND);
        recorder.write(&bytes(piece * 100, 100), at).unwrap();
        if piece == 4 {
            recorder.interrupt("unplugged", at).unwrap();
        }
    }
    drop(recorder);
    read(folder, 0)
}

fn problems(folder: &Path) -> Vec<RecordingProblem> {
    Recording::open(folder).unwrap().problems().unwrap()
}

#[test]
fn truncated_indexes_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let whole = recorded(folder.path());
    let path = folder.path().join(INDEX);
    let index = fs::read(&path).unwrap();
    for length in (0..index.len()).rev() {
        fs::write(&path, &index[..length]).unwrap();
        let gave = read(folder.path(), 0);
        assert_eq!(check_bytes(&gave), 1000, "{length}");
        if length < 32 {
            assert_eq!(
                problems(folder.path()),
                [RecordingProblem::Index { segment: 1 }]
            );
            // Only the start time is known.
            assert_eq!(gave, [ReadItem::Bytes(0, bytes(0, 1000), after(0))]);
        } else {
            // As if killed: the rest has the last known time.
            assert_eq!(problems(folder.path()), [RecordingProblem::Unfinished]);
            let (last, known) = gave.split_last().unwrap();
            let known = match known.split_last() {
                // As much of the reason as exists.
                Some((ReadItem::Broke(_, reason, _), known)) => {
                    assert!("unplugged".starts_with(reason), "{length}");
                    known
                }
                _ => known,
            };
            assert_eq!(*known, whole[..known.len()], "{length}");
            assert!(matches!(last, ReadItem::Bytes(..)), "{length}");
        }
    }
    fs::remove_file(&path).unwrap();
    assert_eq!(check_bytes(&read(folder.path(), 0)), 1000);
}

#[test]
fn damaged_entries_are_skipped() {
    let folder = tempfile::tempdir().unwrap();
    recorded(folder.path());
    let path = folder.path().join(INDEX);
    let index = fs::read(&path).unwrap();
    for at in 0..index.len() {
        let mut damaged = index.clone();
        damaged[at] ^= 0x40;
        fs::write(&path, &damaged).unwrap();
        assert_eq!(check_bytes(&read(folder.path(), 0)), 1000, "{at}");
        assert_eq!(check_bytes(&read(folder.path(), 333)), 667, "{at}");
        let mut expected = vec![if at < 32 {
            RecordingProblem::Index { segment: 1 }
        } else {
            RecordingProblem::Entries {
                segment: 1,
                count: 1,
            }
        }];
        let last_entry = index.len() - 24;
        expected.extend((at >= last_entry).then_some(RecordingProblem::Unfinished));
        assert_eq!(problems(folder.path()), expected, "{at}");
    }
}

#[test]
fn lost_bytes_are_not_invented() {
    let folder = tempfile::tempdir().unwrap();
    recorded(folder.path());
    let path = folder.path().join("000001.bin");
    for length in [999, 900, 499, 1, 0] {
        let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
        file.set_len(length).unwrap();
        let gave = read(folder.path(), 0);
        assert_eq!(check_bytes(&gave), length);
        let breaks = gave
            .iter()
            .filter(|gave| matches!(gave, ReadItem::Broke(..)));
        assert_eq!(breaks.count(), usize::from(length >= 500));
        let missing = RecordingProblem::Missing {
            offset: length,
            bytes: 1000 - length,
        };
        assert_eq!(problems(folder.path()), [missing]);
    }
}

fn damaged_blocks(folder: &Path) -> Vec<DamagedBlock> {
    Recording::open(folder).unwrap().damaged_blocks().unwrap()
}

/// Bytes of the first segment.
fn damaged(offset: u64, bytes: u64) -> DamagedBlock {
    DamagedBlock {
        segment: 1,
        file_offset: offset,
        offset,
        bytes,
    }
}

#[test]
fn changed_bytes_are_reported_with_their_block() {
    let folder = tempfile::tempdir().unwrap();
    recorded(folder.path());
    assert_eq!(damaged_blocks(folder.path()), []);
    let path = folder.path().join("000001.bin");
    let whole = fs::read(&path).unwrap();
    for at in (0..1000).step_by(33) {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        fs::write(&path, changed).unwrap();
        let block = damaged(at as u64 / 100 * 100, 100);
        assert_eq!(damaged_blocks(folder.path()), [block]);
        assert_eq!(problems(folder.path()), []);
    }
    // What a power failure leaves: zeros, in several blocks.
    let mut zeros = whole.clone();
    zeros[350..720].fill(0);
    fs::write(&path, zeros).unwrap();
    assert_eq!(damaged_blocks(folder.path()), [damaged(300, 500)]);
    // A block that is read in part is not judged, nor is one without its index.
    let found = |from| {
        let items = read(folder.path(), from).into_iter();
        items
            .filter(|it| matches!(it, ReadItem::Damaged(_)))
            .count()
    };
    assert_eq!([300, 310, 790, 800].map(found), [5, 4, 0, 0]);
    fs::remove_file(folder.path().join(INDEX)).unwrap();
    assert_eq!(damaged_blocks(folder.path()), []);
}

#[test]
fn bytes_are_protected_while_the_line_is_silent() {
    let folder = tempfile::tempdir().unwrap();
    let mut recorder = begin(folder.path());
    recorder.write(&bytes(0, 100), after(0)).unwrap();
    let path = folder.path().join("000001.bin");
    fs::write(&path, [0; 100]).unwrap();
    assert_eq!(damaged_blocks(folder.path()), []);
    recorder.check(after(200 * MILLISECOND)).unwrap();
    assert_eq!(damaged_blocks(folder.path()), [damaged(0, 100)]);
}

#[test]
fn overlapping_segments_keep_their_position() {
    let folder = tempfile::tempdir().unwrap();
    recorded(folder.path());
    for kind in ["bin", "index"] {
        let name = |number: u32| folder.path().join(format!("{number:06}.{kind}"));
        fs::copy(name(1), name(2)).unwrap();
    }
    let recording = Recording::open(folder.path()).unwrap();
    assert_eq!(recording.segments()[1].offset, 1000);
    assert_eq!(
        recording.problems().unwrap(),
        [RecordingProblem::Index { segment: 2 }]
    );
    let mut end = 0;
    for gave in read(folder.path(), 0) {
        if let ReadItem::Bytes(offset, bytes, _) = gave {
            assert_eq!(offset, end);
            end += bytes.len() as u64;
        }
    }
    assert_eq!(end, 2000);
}

#[test]
fn damaged_manifests_keep_the_bytes() {
    let folder = tempfile::tempdir().unwrap();
    recorded(folder.path());
    let path = folder.path().join("rtoscope.json");
    for text in [
        "",
        "{",
        "[]",
        "{\"schema\":\"rtoscope/recording/1\"}",
        "\u{0}",
    ] {
        fs::write(&path, text).unwrap();
        let recording = Recording::open(folder.path()).unwrap();
        assert!(recording.facts().is_none());
        let problems = recording.problems().unwrap();
        assert!(
            matches!(problems[..], [RecordingProblem::Manifest { .. }]),
            "{problems:?}"
        );
        assert_eq!(check_bytes(&read(folder.path(), 0)), 1000);
    }
    fs::write(&path, vec![b' '; 1 << 20]).unwrap();
    assert!(Recording::open(folder.path()).unwrap().facts().is_none());
    fs::remove_file(&path).unwrap();
    assert!(Recording::is_one(folder.path()));
    assert_eq!(check_bytes(&read(folder.path(), 0)), 1000);
    fs::write(&path, "{\"schema\":\"rtoscope/recording/2\"}").unwrap();
    let error = Recording::open(folder.path()).unwrap_err();
    assert!(
        matches!(error, RecordingError::UnsupportedSchema { .. }),
        "{error}"
    );
    assert!(error.to_string().contains("rtoscope/recording/2"));
}

#[test]
fn damaged_metadata_is_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let options = rtoscope_recording::RecorderOptions {
        segment_bytes: Some(1),
        max_segments: Some(1),
        ..settings(folder.path())
    };
    let mut recorder = rtoscope_recording::Recorder::create(options, after(0)).unwrap();
    recorder.write(&bytes(0, 10), after(0)).unwrap();
    recorder.write(&bytes(10, 10), after(1)).unwrap();
    let keeper = recorder.keeper();
    keeper.store_metadata(u64::MAX, rtoscope_decode::cswitch::FORMAT, b"names");
    drop(recorder);
    let path = folder.path().join("000002.preface");
    let preface = fs::read(&path).unwrap();
    let expected = ReadItem::Preface(rtoscope_decode::cswitch::FORMAT, b"names".to_vec());
    assert_eq!(read(folder.path(), 0)[0], expected);
    for at in 0..preface.len() {
        let mut damaged = preface.clone();
        damaged[at] ^= 0x10;
        fs::write(&path, &damaged).unwrap();
        assert!(matches!(
            read(folder.path(), 0)[..],
            [ReadItem::Bytes(10, ..)]
        ));
        let problems = problems(folder.path());
        assert_eq!(
            problems,
            [RecordingProblem::Metadata { segment: 2 }],
            "{at}"
        );
    }
}
