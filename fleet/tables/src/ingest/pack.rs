//! Packs: the bytes of recordings as they were, each compressed on its own, one after the other
//! in one object. A recording is a range of a pack, which its row in `recordings` names.

use crate::store::Location;
use anyhow::Context as _;
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{Seek as _, Write as _};
use std::ops::Range;
use uuid::Uuid;

/// The folder of packs, below the root of the tables; Delta Lake ignores names that start with `_`.
pub(crate) const FOLDER: &str = "_raw";

/// Number of hexadecimal digits of a recording's id: 128 bits of its SHA-256 sum.
const ID_DIGITS: usize = 32;

/// The id of a recording: the start of the SHA-256 sum of its bytes.
pub(crate) fn recording_id(bytes: &[u8]) -> String {
    let sum = Sha256::digest(bytes);
    let digits: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.chars().take(ID_DIGITS).collect()
}

/// Compresses a recording for a pack.
pub(crate) fn compress(recording: &[u8]) -> anyhow::Result<Vec<u8>> {
    Ok(zstd::bulk::compress(recording, 3)?)
}

/// Writes a pack.
pub(crate) struct PackWriter {
    /// Relative to the root of the tables.
    pub(crate) path: String,
    file: File,
    length: u64,
}

impl PackWriter {
    pub(crate) fn new() -> anyhow::Result<Self> {
        Ok(Self {
            path: format!("{FOLDER}/{}.zst", Uuid::new_v4().simple()),
            file: tempfile::tempfile().context("cannot create a temporary file")?,
            length: 0,
        })
    }

    /// Adds a [compressed](compress) recording; returns its range in the pack.
    pub(crate) fn add(&mut self, compressed: &[u8]) -> anyhow::Result<Range<u64>> {
        self.file
            .write_all(compressed)
            .context("a temporary file")?;
        let start = self.length;
        self.length += compressed.len() as u64;
        Ok(start..self.length)
    }

    /// Uploads the pack; returns its length.
    pub(crate) async fn finish(mut self, root: &Location) -> anyhow::Result<u64> {
        self.file.rewind()?;
        if self.length > 0 {
            root.join(&self.path).write(self.file).await?;
        }
        Ok(self.length)
    }
}

/// Unpacks a recording.
///
/// # Errors
///
/// If the bytes are damaged, or are not those of the id.
pub(crate) fn unpack(bytes: &[u8], id: &str) -> anyhow::Result<Vec<u8>> {
    let recording = zstd::stream::decode_all(bytes).context("damaged pack")?;
    let found = recording_id(&recording);
    anyhow::ensure!(
        found == id,
        "the pack has recording {found} in place of {id}"
    );
    Ok(recording)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recordings_are_ranges_of_a_pack() {
        let mut pack = PackWriter::new().unwrap();
        let recordings: [&[u8]; 3] = [b"one", b"", &[7; 100_000]];
        let ranges: Vec<_> = recordings
            .iter()
            .map(|it| pack.add(&compress(it).unwrap()).unwrap())
            .collect();
        pack.file.rewind().unwrap();
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut pack.file, &mut bytes).unwrap();
        for (recording, range) in recordings.iter().zip(ranges) {
            let packed = &bytes[range.start as usize..range.end as usize];
            assert_eq!(
                unpack(packed, &recording_id(recording)).unwrap(),
                *recording
            );
            assert!(unpack(packed, &recording_id(b"other")).is_err());
        }
        // sha256sum of "one"
        assert_eq!(recording_id(b"one"), "7692c3ad3540bb803c020b3aee66cd88");
    }
}
