//! Folders of recordings: regardless of the files beside the data, all data bytes are
//! returned unchanged, in order and once.

use rtoscope_recording::{Recording, RecordingItem};
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::LazyLock;

/// One folder per process.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let name = format!("rtoscope-fuzz-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    fs::create_dir_all(&folder).expect("a folder for the recordings");
    folder
});

/// The bytes of a segment.
const BYTES: [u8; 600] = [7; 600];

pub(crate) fn run(data: &[u8]) {
    // The first byte determines where the rest is divided into files.
    let Some((cut, rest)) = data.split_first() else {
        return;
    };
    let (index, rest) = rest.split_at(rest.len() * usize::from(*cut) / 255);
    let (other, rest) = rest.split_at(rest.len() / 2);
    let write = |name: &str, bytes: &[u8]| {
        fs::write(FOLDER.join(name), bytes).expect("a file of the recording");
    };
    write("000001.bin", &BYTES);
    write("000001.index", index);
    write("000001.preface", rest);
    write("000003.bin", &BYTES);
    write("000003.index", other);
    write("rtoscope.json", rest);
    write("rtoscope.loss", other);
    // A recording with another schema is rejected, which is correct.
    let Ok(recording) = Recording::open(&FOLDER) else {
        return;
    };
    let problems = recording.problems().expect("files that can be read");
    assert!(
        problems
            .iter()
            .all(|problem| !problem.to_string().is_empty())
    );
    for from in [0, 300, 700] {
        let (mut end, mut count) = (0, 0);
        let read = recording.read(from, |part| {
            match part {
                RecordingItem::Bytes { offset, bytes, .. } => {
                    assert!(offset >= end && offset >= from && !bytes.is_empty());
                    end = offset + bytes.len() as u64;
                    count += bytes.len();
                }
                RecordingItem::Metadata { bytes, .. } => assert!(bytes.len() <= rest.len()),
                RecordingItem::Interrupted { reason: text, .. }
                | RecordingItem::Refused { message: text, .. } => {
                    assert!(text.len() <= 3 * 248);
                }
                RecordingItem::Unread(unread) => assert!(!unread.to_string().is_empty()),
                RecordingItem::Damaged(block) => {
                    assert!(block.bytes > 0 && block.offset + block.bytes == end);
                }
            }
            ControlFlow::Continue(())
        });
        read.expect("files that can be read");
        if from == 0 {
            assert_eq!(count, 2 * BYTES.len());
        }
    }
}
