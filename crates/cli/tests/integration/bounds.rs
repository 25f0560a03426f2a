//! Inputs that expand without end stay within memory.

use crate::common::TestFolder;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use std::process::{Command, Output};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

const THREADX: TestFolder = TestFolder("threadx");

/// More than any input of this size may expand to.
const BOMB_BYTES: usize = 100 << 20;

/// The start of a frame of zstd without a size.
const ZSTD_HEAD: [u8; 6] = [0x28, 0xB5, 0x2F, 0xFD, 0, 0x60];
/// Bytes that a block of zstd repeats.
const ZSTD_BLOCK: usize = 128 << 10;

/// A frame of zstd of zeros: four bytes for each block.
fn zstd_of_zeros() -> Vec<u8> {
    let blocks = BOMB_BYTES / ZSTD_BLOCK;
    let block = |number: usize| {
        let is_last = usize::from(number + 1 == blocks);
        let head = ((ZSTD_BLOCK << 3) | (1 << 1) | is_last) as u32;
        let [low, middle, high, _] = head.to_le_bytes();
        [low, middle, high, 0]
    };
    let blocks: Vec<u8> = (0..blocks).flat_map(block).collect();
    [&ZSTD_HEAD[..], &blocks].concat()
}

/// Runs `info` on a file of these bytes with 512 MiB of address space.
fn info_in_little_memory(name: &str, bytes: &[u8]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), bytes).unwrap();
    let program = assert_cmd::cargo::cargo_bin("rtoscope");
    Command::new("sh")
        .args(["-c", "ulimit -v 524288; exec \"$0\" info \"$1\""])
        .arg(program)
        .arg(name)
        .current_dir(folder.path())
        // Threads take address space, too.
        .env("RAYON_NUM_THREADS", "2")
        .env("MALLOC_ARENA_MAX", "2")
        .output()
        .unwrap()
}

#[test]
fn layers_share_one_limit() {
    let zeros = vec![0; BOMB_BYTES];
    let dump = b"00000000: 0000 0000 0000 0000\n".repeat(BOMB_BYTES / 30);
    let bombs = [
        ("zeros", 2, gzip(&gzip(&zeros))),
        ("dump", 2, gzip(&gzip(&dump))),
        ("layers", 3, gzip(&gzip(&gzip(&zeros)))),
        ("frames", 1, zstd_of_zeros()),
        ("frames-in-gzip", 2, gzip(&zstd_of_zeros())),
    ];
    for (name, layer, bytes) in bombs {
        assert!(bytes.len() < 8 << 10, "{name}");
        let output = info_in_little_memory(name, &bytes);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}: {error}");
        let expected = format!("{name}: layer {layer} (");
        assert!(error.contains(&expected), "{error}");
        assert!(error.contains("the limit of 67108864 bytes"), "{error}");
    }
}

#[test]
fn a_recording_in_unused_memory_opens() {
    let recording = std::fs::read(THREADX.folder().join("cm3_short.trx")).unwrap();
    let mut memory = vec![0; 48 << 20];
    memory[..recording.len()].copy_from_slice(&recording);
    for (name, bytes) in [("one", gzip(&memory)), ("two", gzip(&gzip(&memory)))] {
        let output = info_in_little_memory(name, &bytes);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{name}: {error}");
    }
}
