//! The files of a recording.

use super::RecordingError;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What says what the recording is.
pub(super) const MANIFEST_FILE_NAME: &str = "rtoscope.json";

/// A file of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SegmentFileKind {
    /// The bytes.
    Bytes,
    /// When they came.
    Index,
    /// What has to be known before.
    Metadata,
}

impl SegmentFileKind {
    /// In the order in which they are removed: while one is there, so is what
    /// is needed to make sense of it.
    pub(super) const ALL: [Self; 3] = [Self::Bytes, Self::Metadata, Self::Index];

    const fn extension(self) -> &'static str {
        match self {
            Self::Bytes => "bin",
            Self::Index => "index",
            Self::Metadata => "preface",
        }
    }
}

/// Where a file of a segment is.
pub(super) fn path(folder: &Path, segment: u64, kind: SegmentFileKind) -> PathBuf {
    folder.join(format!("{segment:06}.{}", kind.extension()))
}

/// Opens a file to read it; `None` if it is not there.
pub(super) fn open(path: &Path) -> Result<Option<File>, RecordingError> {
    match File::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(RecordingError::io("cannot read", path, error)),
    }
}

/// Removes the files of a segment, those of them that there are.
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

/// The segments of which the bytes are in a folder, and how many bytes each has, as
/// they were at one moment, while a recorder may write the newest segment, begin
/// others and remove the oldest ones. `pause` is called wherever that can happen.
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
        // A listing may lack a file that was created while it was made. All segments
        // before the newest were there before the second listing began.
        let complete = segment_numbers(folder, pause)?;
        // The newest first: all others have their final size once it is there, and
        // if one was removed, so were those before it.
        for &number in complete.range(..=newest).rev() {
            pause();
            let path = path(folder, number, SegmentFileKind::Bytes);
            if let Ok(metadata) = fs::metadata(path)
                && metadata.is_file()
            {
                segments.insert(number, metadata.len());
            }
        }
        // Else all of them were removed since, and there are newer ones.
        if !segments.is_empty() {
            break;
        }
    }
    Ok(segments)
}

/// Listings of a folder whose segments are all removed before they are looked at.
const MAX_LISTINGS: usize = 10;

/// The numbers of the segments of which the bytes are in a folder. `pause` is called
/// between any two files.
pub(super) fn segment_numbers(
    folder: &Path,
    pause: &mut dyn FnMut(),
) -> Result<BTreeSet<u64>, RecordingError> {
    let failed = |source| RecordingError::io("cannot read the folder", folder, source);
    let mut numbers = BTreeSet::new();
    for file in fs::read_dir(folder).map_err(failed)? {
        let name = file.map_err(failed)?.file_name();
        numbers.extend(name.to_str().and_then(parse_segment_number));
        pause();
    }
    Ok(numbers)
}

/// The segment whose bytes are in a file of that name.
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
