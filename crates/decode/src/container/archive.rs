//! Files that contain other files, or that need another program.
//!
//! A folder of traces, such as those of CTF, is a tar archive for the formats, whose first file is
//! the metadata. So is a ZIP archive.

use super::budget::ExpansionBudget;
use crate::DecodeError;
use crate::source::Input;
use rtoscope_trace::printable::Printable;
use std::io::{Cursor, Read};
use std::ops::Range;

/// The file that makes a folder one with a trace.
pub(crate) const METADATA: &str = "metadata";

/// A file in an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ArchivedFile {
    /// Its path, with `/`.
    pub(crate) path: String,
    /// Where its content is in the archive.
    pub(crate) range: Range<usize>,
}

/// Maximum number of files of an archive.
const MAX_FILES: usize = 1 << 14;

/// The regular files of a tar archive, and the offset of what is damaged: it ends the archive.
pub(crate) fn tar_files(bytes: &[u8]) -> (Vec<ArchivedFile>, Option<usize>) {
    let mut archive = tar::Archive::new(bytes);
    let mut files = Vec::new();
    let mut end = 0;
    for entry in archive.entries().into_iter().flatten().take(MAX_FILES) {
        let Ok(entry) = entry else {
            return (files, Some(end));
        };
        let start = usize::try_from(entry.raw_file_position()).unwrap_or(usize::MAX);
        let length = usize::try_from(entry.size()).unwrap_or(usize::MAX);
        end = start.saturating_add(length);
        let Ok(path) = entry.path() else {
            return (files, Some(start));
        };
        if entry.header().entry_type().is_file() {
            let path = path.to_string_lossy().trim_start_matches("./").to_owned();
            let range = start.min(bytes.len())..end.min(bytes.len());
            files.push(ArchivedFile { path, range });
        }
        if end > bytes.len() {
            return (files, Some(bytes.len()));
        }
    }
    (files, None)
}

/// Whether bytes are a tar archive whose first file is the metadata of a trace: the end of its
/// name.
pub(crate) fn metadata_first(bytes: &[u8]) -> Option<usize> {
    const MAGIC: Range<usize> = 257..262;
    const NAME: usize = 100;
    let name = bytes.get(..NAME)?;
    let end = name.iter().position(|byte| *byte == 0).unwrap_or(NAME);
    let name = std::str::from_utf8(name.get(..end)?).ok()?;
    let is_tar = bytes.get(MAGIC) == Some(b"ustar");
    (is_tar && is_metadata(name)).then_some(MAGIC.end)
}

fn is_metadata(path: &str) -> bool {
    path.rsplit('/').next() == Some(METADATA)
}

/// A tar archive of files, those with metadata first.
pub(crate) fn to_tar<'f>(
    files: impl IntoIterator<Item = (&'f str, &'f [u8])>,
) -> std::io::Result<Vec<u8>> {
    let mut files: Vec<_> = files.into_iter().collect();
    files.sort_by_key(|(path, _)| (!is_metadata(path), *path));
    let mut builder = tar::Builder::new(Vec::new());
    for (path, bytes) in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_mtime(0);
        builder.append_data(&mut header, path, bytes)?;
    }
    builder.into_inner()
}

/// The files of an archive with metadata of traces as a tar archive that begins with them; `None`
/// for anything else.
pub(super) fn with_traces(
    input: &Input<'_>,
    budget: &mut ExpansionBudget,
) -> Result<Option<Input<'static>>, DecodeError> {
    let bytes = input.bytes();
    let failed = |problem: &dyn std::fmt::Display| DecodeError::Decompression {
        compression: "zip",
        offset: 0,
        problem: problem.to_string(),
    };
    let tar = if bytes.starts_with(b"PK\x03\x04") {
        let files = zip_files(bytes, budget).map_err(|problem| failed(&problem))?;
        let has_metadata = files.iter().any(|(path, _)| is_metadata(path));
        let files = files
            .iter()
            .map(|(path, bytes)| (path.as_str(), bytes.as_slice()));
        has_metadata.then(|| to_tar(files))
    } else if bytes.get(257..262) == Some(b"ustar") && metadata_first(bytes).is_none() {
        let (files, _) = tar_files(bytes);
        let has_metadata = files.iter().any(|file| is_metadata(&file.path));
        let files = files.iter().map(|file| {
            let content = bytes.get(file.range.clone()).unwrap_or_default();
            (file.path.as_str(), content)
        });
        has_metadata.then(|| to_tar(files))
    } else {
        None
    };
    let tar = tar.transpose().map_err(|problem| failed(&problem))?;
    Ok(tar.map(Input::new))
}

/// The files of a ZIP archive, as far as the budget allows.
fn zip_files(bytes: &[u8], budget: &mut ExpansionBudget) -> Result<Vec<(String, Vec<u8>)>, String> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(|it| it.to_string())?;
    let mut files = Vec::new();
    for number in 0..archive.len().min(MAX_FILES) {
        let file = archive.by_index(number).map_err(|it| it.to_string())?;
        if !file.is_file() {
            continue;
        }
        let path = file.name().replace('\\', "/");
        let left = budget.left();
        let mut content = Vec::new();
        let read = file.take(left.saturating_add(1)).read_to_end(&mut content);
        let shown = Printable::text(&path);
        read.map_err(|problem| format!("`{shown}`: {problem}"))?;
        let reserved = budget.reserve(&mut Vec::new(), content.len());
        reserved.map_err(|_| format!("`{shown}` expands beyond the limit"))?;
        files.push((path, content));
    }
    Ok(files)
}

/// The kind of an archive or a compressed file that is not unpacked, with its article.
pub(super) fn detect(bytes: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 8] = [
        (b"PK\x03\x04", "a ZIP archive"),
        (b"PK\x05\x06", "an empty ZIP archive"),
        (b"\xFD7zXZ\x00", "a file compressed with xz"),
        (b"7z\xBC\xAF\x27\x1C", "a 7z archive"),
        (b"Rar!\x1A\x07", "a RAR archive"),
        (b"\x04\x22\x4D\x18", "a file compressed with lz4"),
        (b"%PDF-", "a PDF document"),
        (b"\x89PNG\r\n\x1A\n", "a picture"),
    ];
    let known = KINDS.iter().find(|(magic, _)| bytes.starts_with(magic));
    known
        .map(|(_, name)| *name)
        .or_else(|| is_bzip2(bytes).then_some("a file compressed with bzip2"))
}

/// The level and the start of the first block, or of the end, follow the id.
fn is_bzip2(bytes: &[u8]) -> bool {
    let Some([b'B', b'Z', b'h', b'1'..=b'9', block @ ..]) = bytes.first_chunk::<10>() else {
        return false;
    };
    *block == [0x31, 0x41, 0x59, 0x26, 0x53, 0x59] || *block == [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_named() {
        assert_eq!(detect(b"PK\x03\x04\x14\0"), Some("a ZIP archive"));
        assert_eq!(detect(b"\xFD7zXZ\0\0"), Some("a file compressed with xz"));
        let bzip2 = b"BZh91AY&SY\x01";
        assert_eq!(detect(bzip2), Some("a file compressed with bzip2"));
        assert_eq!(detect(b"BZh9 is text"), None);
        assert_eq!(detect(b"BTXT"), None);
    }
}
