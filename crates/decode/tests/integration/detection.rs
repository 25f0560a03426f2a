//! A file and the same bytes from a live source have the same format, damaged or
//! not.

use rtoscope_decode::container::{self, Container};
use rtoscope_decode::live::{HostTime, LiveDecoder, LiveOptions};
use rtoscope_decode::source::Input;
use rtoscope_decode::{
    BufferChoice, DecodeError, DecodeOptions, Format, UnpackedInput, cswitch, rkh, threadx,
};
use rtoscope_fixtures::{shared_traces, testdata};
use rtoscope_generate::cswitch::{CswitchOptions, OutputForm, write};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Number of damaged files.
const MUTATIONS: u64 = 250;

/// The format of a file; `Err` if it cannot be unpacked.
fn file_format(bytes: &[u8]) -> Result<Option<Format>, DecodeError> {
    match UnpackedInput::open(Input::new(bytes), BufferChoice::First, None) {
        Ok(content) => Ok(Some(content.format())),
        Err(DecodeError::NoBuffer { .. }) => Ok(None),
        // The header of a recognised buffer is damaged.
        Err(
            DecodeError::NoHeader { .. }
            | DecodeError::HeaderTooShort { .. }
            | DecodeError::HeaderPointer { .. }
            | DecodeError::NothingAfterHeader { .. },
        ) => Ok(Some(threadx::FORMAT)),
        Err(error) => Err(error),
    }
}

/// The format of bytes that arrive in chunks of random sizes.
fn live_format(bytes: &[u8], random: &mut fastrand::Rng) -> Option<Format> {
    let mut live = LiveDecoder::new(LiveOptions {
        options: DecodeOptions::default(),
        format: None,
        max_events: 1,
    });
    let mut rest = bytes;
    while !rest.is_empty() && live.format().is_none() {
        let size = 1 << random.u32(4..18);
        let (chunk, following) = rest.split_at(random.usize(1..=size).min(rest.len()));
        live.push(chunk, HostTime(0));
        rest = following;
    }
    live.connection_lost();
    live.format()
}

/// What a live source would send of a file: its bytes without container.
fn sent_bytes(bytes: &[u8]) -> Option<Vec<u8>> {
    let image = container::read(Input::new(bytes)).ok()?;
    // A live source sends no text, whose damage leaves gaps, other addresses and half a header.
    let is_damaged = image.memory.segments().len() > 1 || !image.diagnostics.is_empty();
    match image.container {
        Container::HexText => return None,
        Container::IntelHex | Container::SRecord if is_damaged => return None,
        _ => {}
    }
    let segments = image.memory.segments().iter();
    let segments: Vec<&[u8]> = segments.map(|segment| segment.bytes.as_ref()).collect();
    Some(segments.concat())
}

/// Returns the format, if the file can be unpacked.
fn check(bytes: &[u8], random: &mut fastrand::Rng, what: &str) -> Option<Option<Format>> {
    let sent = sent_bytes(bytes)?;
    let expected = file_format(bytes).unwrap();
    assert_eq!(live_format(&sent, random), expected, "{what}");
    Some(expected)
}

fn collect_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect_files(&path, files);
        } else {
            files.push(path);
        }
    }
    files.sort();
}

fn generated_log(form: OutputForm) -> Vec<u8> {
    let options = CswitchOptions {
        entries: 5000,
        form,
        ..CswitchOptions::default()
    };
    let mut bytes = Vec::new();
    write(&options, &mut bytes, &mut |_| ()).unwrap();
    bytes
}

/// The test data, generated logs, and more recordings if they are beside the checkout;
/// each content once.
fn all_files() -> Vec<(String, Vec<u8>)> {
    let mut paths = Vec::new();
    collect_files(&testdata(""), &mut paths);
    collect_files(&shared_traces(""), &mut paths);
    let generated = [
        ("generated.cswl", generated_log(OutputForm::Container)),
        ("generated.bin", generated_log(OutputForm::Raw)),
    ];
    let generated = generated.map(|(name, bytes)| (name.to_owned(), bytes));
    let mut known = HashSet::new();
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).unwrap();
        let is_new = known.insert(bytes.clone());
        is_new.then(|| (path.display().to_string(), bytes))
    };
    paths
        .into_iter()
        .filter_map(read)
        .chain(generated)
        .collect()
}

/// Damages a recording as storage, connections and other programs do.
fn mutate(bytes: &mut Vec<u8>, other: &[u8], random: &mut fastrand::Rng) {
    for _ in 0..random.u32(1..6) {
        if bytes.is_empty() {
            return;
        }
        let at = random.usize(..bytes.len());
        let end = (at + random.usize(1..=256)).min(bytes.len());
        match random.u32(..9) {
            0 => bytes[at] ^= 1 << random.u32(..8),
            1 => bytes[at..end].fill_with(|| random.u8(..)),
            2 => bytes[at..end].fill(0),
            3 => drop(bytes.drain(at..end)),
            4 => bytes.truncate(at),
            5 => drop(bytes.drain(..at)),
            // What starts another format.
            6 => {
                let ids = [
                    &b"BTXT"[..],
                    b"TXTB",
                    b"CSWL",
                    b"CSWL\x04\x03\x02\x01",
                    b"\x7E\x7E",
                ];
                let id = ids[random.usize(..ids.len())];
                bytes.splice(at..at, id.iter().copied());
            }
            7 if !other.is_empty() => {
                let start = random.usize(..other.len());
                bytes.splice(at..end, other[start..].iter().take(4096).copied());
            }
            _ => drop(bytes.splice(0..0, (0..random.u32(..300)).map(|_| 0x55))),
        }
    }
}

#[test]
fn files_and_live_sources_agree() {
    let mut random = fastrand::Rng::with_seed(17);
    let files = all_files();
    let mut found: Vec<Option<Format>> = Vec::new();
    for (name, bytes) in &files {
        found.extend(check(bytes, &mut random, name));
    }
    for format in [threadx::FORMAT, rkh::FORMAT, cswitch::FORMAT] {
        let recordings = found.iter().filter(|found| **found == Some(format));
        assert!(recordings.count() > 0, "{format:?}");
    }
}

#[test]
fn damaged_files_and_live_sources_agree() {
    let files = all_files();
    let recordings: Vec<_> = files
        .iter()
        .filter(|(_, bytes)| sent_bytes(bytes).is_some())
        .filter(|(_, bytes)| matches!(file_format(bytes), Ok(Some(_))))
        .collect();
    let mut unpacked = 0;
    for seed in 0..MUTATIONS {
        let mut random = fastrand::Rng::with_seed(seed);
        let (name, bytes) = recordings[random.usize(..recordings.len())];
        let (_, other) = recordings[random.usize(..recordings.len())];
        let mut bytes = bytes.clone();
        mutate(&mut bytes, other, &mut random);
        let format = check(&bytes, &mut random, &format!("{name}, seed {seed}"));
        unpacked += u64::from(format.is_some());
    }
    assert!(unpacked > MUTATIONS * 9 / 10, "{unpacked}");
}
