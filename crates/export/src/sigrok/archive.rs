//! Writes ZIP archives (APPNOTE 6.3) as far as a session needs them: few files, of
//! a few megabytes each.

use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::io::{self, Write};

/// A ZIP archive that is being written.
pub(super) struct ZipWriter<'o> {
    output: &'o mut dyn Write,
    /// The number of bytes written.
    written: u32,
    /// The central directory, which follows the files.
    directory: Vec<u8>,
    files: u16,
}

const LOCAL_FILE: u32 = 0x0403_4B50;
const DIRECTORY_ENTRY: u32 = 0x0201_4B50;
const DIRECTORY_END: u32 = 0x0605_4B50;
/// Version 2.0: deflate.
const ZIP_VERSION: u16 = 20;
const DEFLATED: u16 = 8;
/// January 1st 1980, the earliest date: equal recordings produce equal files.
const DOS_EPOCH_DATE: u16 = 1 << 5 | 1;

impl<'o> ZipWriter<'o> {
    pub(super) fn new(output: &'o mut dyn Write) -> Self {
        Self {
            output,
            written: 0,
            directory: Vec::new(),
            files: 0,
        }
    }

    /// Adds a file.
    pub(super) fn add(&mut self, name: &str, content: &[u8]) -> io::Result<()> {
        let mut packer = DeflateEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(content)?;
        let packed = packer.finish()?;
        // The common part of a local header and a directory entry.
        let mut common = Vec::new();
        for half in [ZIP_VERSION, 0, DEFLATED, 0, DOS_EPOCH_DATE] {
            common.extend_from_slice(&half.to_le_bytes());
        }
        for word in [
            crc32fast::hash(content),
            to_u32(packed.len())?,
            to_u32(content.len())?,
        ] {
            common.extend_from_slice(&word.to_le_bytes());
        }
        let length = u16::try_from(name.len()).map_err(too_large)?;
        for half in [length, 0] {
            common.extend_from_slice(&half.to_le_bytes());
        }
        let offset = self.written;
        self.write_bytes(&LOCAL_FILE.to_le_bytes())?;
        self.write_bytes(&common)?;
        self.write_bytes(name.as_bytes())?;
        self.write_bytes(&packed)?;

        let entry = &mut self.directory;
        entry.extend_from_slice(&DIRECTORY_ENTRY.to_le_bytes());
        entry.extend_from_slice(&ZIP_VERSION.to_le_bytes());
        entry.extend_from_slice(&common);
        // No comment, the first disk, and no attributes.
        entry.extend_from_slice(&[0; 10]);
        entry.extend_from_slice(&offset.to_le_bytes());
        entry.extend_from_slice(name.as_bytes());
        self.files = self.files.checked_add(1).ok_or_else(|| too_large(()))?;
        Ok(())
    }

    /// Writes the directory.
    pub(super) fn finish(mut self) -> io::Result<()> {
        let offset = self.written;
        let directory = std::mem::take(&mut self.directory);
        self.write_bytes(&directory)?;
        self.write_bytes(&DIRECTORY_END.to_le_bytes())?;
        for half in [0, 0, self.files, self.files] {
            self.write_bytes(&half.to_le_bytes())?;
        }
        for word in [to_u32(directory.len())?, offset] {
            self.write_bytes(&word.to_le_bytes())?;
        }
        // No comment.
        self.write_bytes(&[0; 2])?;
        self.output.flush()
    }

    fn write_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        let written = self.written.checked_add(to_u32(bytes.len())?);
        self.written = written.ok_or_else(|| too_large(()))?;
        self.output.write_all(bytes)
    }
}

fn to_u32(size: usize) -> io::Result<u32> {
    u32::try_from(size).map_err(too_large)
}

fn too_large<E>(_: E) -> io::Error {
    io::Error::new(
        io::ErrorKind::FileTooLarge,
        "a session is larger than 4 GiB",
    )
}
