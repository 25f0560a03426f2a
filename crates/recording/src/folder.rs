//! Files of a recording.

use super::RecordingError;
use rtoscope_decode::files::{self, FileReader};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The file that describes the recording.
pub(super) const MANIFEST_FILE_NAME: &str = "rtoscope.json";

/// The files of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SegmentFileKind {
    /// The bytes.
    Bytes,
    /// Times of arrival and interruptions.
    Index,
    /// Metadata needed to start at this segment.
    Metadata,
}

impl SegmentFileKind {
    /// In the order of removal: while a file exists, the files needed to interpret it
    /// do too.
    pub(super) const ALL: [Self; 3] = [Self::Bytes, Self::Metadata, Self::Index];

    const fn extension(self) -> &'static str {
        match self {
            Self::Bytes => "bin",
            Self::Index => "index",
            Self::Metadata => "preface",
        }
    }
}

/// The path of a file of a segment.
pub(super) fn path(folder: &Path, segment: u64, kind: SegmentFileKind) -> PathBuf {
    folder.join(format!("{segment:06}.{}", kind.extension()))
}

/// Opens a file for reading; `None` if it does not exist.
pub(super) fn open(path: &Path) -> Result<Option<FileReader>, RecordingError> {
    match files::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(RecordingError::io("cannot read", path, error)),
    }
}

/// Removes the existing files of a segment.
pub(super) fn remove(folder: &Path, segment: u64) -> Result<(), RecordingError> {
    let mut result = Ok(());
    for kind in SegmentFileKind::ALL {
        let path = path(folder, segment, kind);
        if let Err(error) = fs::remove_file(&path)
            && error.kind() != ErrorKind::NotFound
        {
            result = Err(RecordingError::io("cannot remove", path, error));
        }
    }
    result
}

/// The segments with bytes in a folder and their sizes at one moment, while a recorder
/// may write the newest segment, start others and remove the oldest. `pause` is called
/// wherever the folder can change.
pub(super) fn segments(
    folder: &Path,
    pause: &mut dyn FnMut(),
) -> Result<BTreeMap<u64, u64>, RecordingError> {
    let mut segments = BTreeMap::new();
    for _ in 0..MAX_LISTINGS {
        let listed = segment_numbers(folder, pause)?;
        let Some(&newest) = listed.last() else {
            break;
        };
        // A listing may miss a file created meanwhile. All segments before the newest
        // existed before the second listing started.
        let complete = segment_numbers(folder, pause)?;
        // Newest first: the others have their final size once it exists, and if one was
        // removed, so were those before it.
        for &number in complete.range(..=newest).rev() {
            pause();
            let path = path(folder, number, SegmentFileKind::Bytes);
            if let Ok(length) = files::length(&path) {
                segments.insert(number, length);
            }
        }
        // Otherwise all of them were removed meanwhile, and there are newer ones.
        if !segments.is_empty() {
            break;
        }
    }
    Ok(segments)
}

/// Maximum number of listings whose segments are all removed before they are opened.
const MAX_LISTINGS: usize = 10;

/// The numbers of the segments with bytes in a folder. `pause` is called between any
/// two files.
pub(super) fn segment_numbers(
    folder: &Path,
    pause: &mut dyn FnMut(),
) -> Result<BTreeSet<u64>, RecordingError> {
    let failed = |source| RecordingError::io("cannot read the folder", folder, source);
    let mut numbers = BTreeSet::new();
    for name in files::names_in(folder).map_err(failed)? {
        let name = name.map_err(failed)?;
        numbers.extend(name.to_str().and_then(parse_segment_number));
        pause();
    }
    Ok(numbers)
}

/// The segment number in a file name.
fn parse_segment_number(name: &str) -> Option<u64> {
    let digits = name.strip_suffix(".bin")?;
    let number = digits.parse().ok()?;
    (format!("{number:06}") == digits).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segment_names_round_trip() {
        assert_eq!(parse_segment_number("000001.bin"), Some(1));
        assert_eq!(parse_segment_number("1234567.bin"), Some(1_234_567));
        for other in ["1.bin", "0000001.bin", "000001.index", "+00001.bin", ".bin"] {
            assert_eq!(parse_segment_number(other), None, "{other}");
        }
    }
}
