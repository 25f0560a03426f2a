//! Written items are read back.

use super::common::*;
use rtoscope_recording::{Recorder, RecorderOptions, Recording, RecordingError, Unread};
use std::fs;
use std::ops::ControlFlow;

#[test]
fn bytes_are_read_with_their_timestamps() {
    let folder = tempfile::tempdir().unwrap();
    let mut recorder = begin(folder.path());
    recorder.write(&bytes(0, 10), after(5)).unwrap();
    recorder.write(&[], after(6)).unwrap();
    recorder
        .write(&bytes(10, 20), after(500 * MILLISECOND))
        .unwrap();
    assert_eq!(recorder.bytes(), 30);
    assert_eq!(recorder.folder(), folder.path());
    let expected = vec![
        ReadItem::Bytes(0, bytes(0, 10), after(5)),
        ReadItem::Bytes(10, bytes(10, 20), after(500 * MILLISECOND)),
    ];
    // While it is written, and when it is finished.
    assert_eq!(read(folder.path(), 0), expected);
    drop(recorder);
    assert_eq!(read(folder.path(), 0), expected);
    assert_eq!(
        read(folder.path(), 12),
        [ReadItem::Bytes(12, bytes(12, 18), after(500 * MILLISECOND))]
    );
    assert_eq!(read(folder.path(), 30), []);
    assert_eq!(read(folder.path(), u64::MAX), []);
    let recording = Recording::open(folder.path()).unwrap();
    let facts = recording.facts().unwrap();
    assert_eq!((facts.source.as_str(), facts.started), ("a test", after(0)));
    assert_eq!(recording.bytes(), 30);
    assert_eq!(recording.problems().unwrap(), []);
    assert!(Recording::is_one(folder.path()));
}

#[test]
fn interruptions_have_a_position_and_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let long = "\u{e4}".repeat(1000);
    let mut recorder = begin(folder.path());
    recorder.interrupt("before the first", after(1)).unwrap();
    recorder.write(&bytes(0, 7), after(2)).unwrap();
    recorder.interrupt("", after(3)).unwrap();
    recorder.interrupt(&long, after(4)).unwrap();
    recorder.write(&bytes(7, 3), after(5)).unwrap();
    recorder.interrupt("after the last", after(6)).unwrap();
    drop(recorder);
    let gave = read(folder.path(), 0);
    assert_eq!(
        gave,
        [
            ReadItem::Broke(after(1), "before the first".to_owned(), 0),
            ReadItem::Bytes(0, bytes(0, 7), after(2)),
            ReadItem::Broke(after(3), String::new(), 0),
            ReadItem::Broke(after(4), "\u{e4}".repeat(120), 0),
            ReadItem::Bytes(7, bytes(7, 3), after(5)),
            ReadItem::Broke(after(6), "after the last".to_owned(), 0),
        ]
    );
    // An interruption at the first offset is included.
    assert_eq!(read(folder.path(), 7), gave[2..]);
    assert_eq!(read(folder.path(), 10), gave[5..]);
    // From the middle on, earlier items are not visited.
    assert_eq!(
        read(folder.path(), 8),
        [
            ReadItem::Bytes(8, bytes(8, 2), after(5)),
            ReadItem::Broke(after(6), "after the last".to_owned(), 0),
        ]
    );
}

#[test]
fn refusals_do_not_interrupt_the_stream() {
    let folder = tempfile::tempdir().unwrap();
    let mut recorder = begin(folder.path());
    recorder.write(&bytes(0, 7), after(1)).unwrap();
    recorder.refuse("refused one", after(2)).unwrap();
    recorder.write(&bytes(7, 3), after(3)).unwrap();
    recorder.interrupt("unplugged", after(4)).unwrap();
    recorder.refuse("refused another", after(5)).unwrap();
    drop(recorder);
    let expected = [
        ReadItem::Bytes(0, bytes(0, 7), after(1)),
        ReadItem::Refused(after(2), "refused one".to_owned()),
        ReadItem::Bytes(7, bytes(7, 3), after(3)),
        ReadItem::Broke(after(4), "unplugged".to_owned(), 0),
        ReadItem::Refused(after(5), "refused another".to_owned()),
    ];
    assert_eq!(read(folder.path(), 0), expected);
    assert_eq!(
        read(folder.path(), 8)[0],
        ReadItem::Bytes(8, bytes(8, 2), after(3))
    );
    let recording = Recording::open(folder.path()).unwrap();
    assert_eq!(recording.problems().unwrap(), []);
}

#[test]
fn interruptions_at_a_segment_end_are_read_from_there() {
    let folder = tempfile::tempdir().unwrap();
    let settings = RecorderOptions {
        segment_bytes: Some(10),
        ..settings(folder.path())
    };
    let mut recorder = Recorder::create(settings, after(0)).unwrap();
    recorder.write(&bytes(0, 5), after(1)).unwrap();
    recorder.write(&bytes(5, 5), after(2)).unwrap();
    recorder.write(&bytes(10, 5), after(3)).unwrap();
    recorder.interrupt("unplugged", after(4)).unwrap();
    recorder.write(&bytes(15, 5), after(5)).unwrap();
    recorder.write(&bytes(20, 5), after(6)).unwrap();
    drop(recorder);
    let gave = read(folder.path(), 15);
    let unplugged = ReadItem::Broke(after(4), "unplugged".to_owned(), 0);
    assert_eq!(gave[0], unplugged);
    assert_eq!(check_bytes(&gave), 10);
    // The interruption is at the end of the first segment.
    let folder = tempfile::tempdir().unwrap();
    let settings = RecorderOptions {
        segment_bytes: Some(10),
        segment_time: Some(std::time::Duration::from_nanos(10)),
        ..super::common::settings(folder.path())
    };
    let mut recorder = Recorder::create(settings, after(0)).unwrap();
    recorder.write(&bytes(0, 5), after(1)).unwrap();
    recorder.interrupt("unplugged", after(4)).unwrap();
    recorder.write(&bytes(5, 5), after(30)).unwrap();
    assert_eq!(Recording::open(folder.path()).unwrap().segments().len(), 2);
    assert_eq!(
        read(folder.path(), 5),
        [unplugged, ReadItem::Bytes(5, bytes(5, 5), after(30))]
    );
}

#[test]
fn reading_can_stop_early() {
    let folder = tempfile::tempdir().unwrap();
    let mut recorder = begin(folder.path());
    recorder.write(&bytes(0, 3 << 20), after(0)).unwrap();
    let mut pieces = Vec::new();
    let recording = Recording::open(folder.path()).unwrap();
    let read = recording.read(0, |part| {
        pieces.push(match part {
            rtoscope_recording::RecordingItem::Bytes { bytes, .. } => bytes.len(),
            _ => 0,
        });
        match pieces.len() {
            2 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    });
    read.unwrap();
    assert_eq!(pieces.len(), 2);
    assert!(pieces.iter().all(|bytes| (1..=1 << 20).contains(bytes)));
}

#[test]
fn indexes_are_small_and_correct() {
    for (piece, every, precise) in [
        // 100 MB/s in small chunks, 1 MB/s, and a serial line's 100 kB/s.
        (100, 1_000, MILLISECOND),
        (1000, MILLISECOND, 3 * MILLISECOND),
        (20, 200_000, 100 * MILLISECOND),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut recorder = begin(folder.path());
        let (mut offset, mut now) = (0, 0);
        while offset < 400_000 {
            recorder.write(&bytes(offset, piece), after(now)).unwrap();
            offset += piece as u64;
            now += every;
        }
        drop(recorder);
        let index = fs::metadata(folder.path().join("000001.index")).unwrap();
        assert!(index.len() * 40 < offset, "{} of {offset}", index.len());
        for gave in read(folder.path(), 0) {
            let ReadItem::Bytes(start, bytes, at) = gave else {
                panic!("{gave:?}");
            };
            let came = |offset: u64| after(offset / piece as u64 * every);
            assert_eq!(at, came(start));
            let last = came(start + bytes.len() as u64 - 1);
            assert!(last.since(at) <= precise, "{piece}: {}", last.since(at));
        }
    }
}

#[test]
fn existing_files_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    let error = Recorder::create(settings(folder.path()), after(0))
        .err()
        .unwrap();
    assert!(matches!(error, RecordingError::NotEmpty { .. }), "{error}");
    assert!(error.to_string().contains("is not empty"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    // A folder in a new one, with a recording.
    let inner = folder.path().join("a/b");
    drop(begin(&inner));
    assert!(Recorder::create(settings(&inner), after(0)).is_err());
    // A file is not a folder.
    let file = folder.path().join("notes.txt");
    let error = Recorder::create(settings(&file), after(0)).err().unwrap();
    assert!(error.to_string().contains("notes.txt"), "{error}");
}

#[test]
fn other_folders_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    assert!(!Recording::is_one(folder.path()));
    let error = Recording::open(folder.path()).unwrap_err();
    assert!(
        matches!(error, RecordingError::NoRecording { .. }),
        "{error}"
    );
    let missing = folder.path().join("missing");
    assert!(!Recording::is_one(&missing));
    let error = Recording::open(&missing).unwrap_err();
    assert!(error.to_string().contains("missing"), "{error}");
    fs::write(folder.path().join("file"), "").unwrap();
    assert!(!Recording::is_one(&folder.path().join("file")));
}

#[test]
fn unread_data_are_recorded_at_their_position() {
    let folder = tempfile::tempdir().unwrap();
    let mut recorder = begin(folder.path());
    recorder.write(&bytes(0, 10), after(1)).unwrap();
    let (dropped, left) = (Unread::Datagrams(3), Unread::Bytes(9));
    recorder.mark_unread(dropped, after(2)).unwrap();
    recorder.write(&bytes(10, 10), after(3)).unwrap();
    recorder.mark_unread(left, after(4)).unwrap();
    drop(recorder);
    let received = |offset, count, at| ReadItem::Bytes(offset, bytes(offset, count), after(at));
    let [dropped, left] = [dropped, left].map(ReadItem::Unread);
    let all = [
        received(0, 10, 1),
        dropped.clone(),
        received(10, 10, 3),
        left.clone(),
    ];
    assert_eq!(read(folder.path(), 0), all);
    assert_eq!(read(folder.path(), 10), all[1..]);
    assert_eq!(read(folder.path(), 15), [received(15, 5, 3), left]);
}
