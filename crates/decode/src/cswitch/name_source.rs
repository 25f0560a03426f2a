//! Reads the names of threads at their pointers.

use super::address_space::AddressSpace;
use super::live::NameTable;
use rtoscope_trace::{Name, TextEncoding};
use std::collections::HashMap;

/// Maximum length of a name.
pub(super) const MAX_NAME_BYTES: usize = 128;

/// The sources of names.
#[derive(Debug, Clone, Default)]
pub(super) struct NameSource<'a> {
    /// The names in a container, by pointer.
    pub(super) container_names: HashMap<u64, &'a [u8]>,
    /// The names that numbers had at different times in a sequence of containers.
    pub(super) stream: Option<&'a NameTable>,
    /// The memory that contained the log.
    pub(super) memory: Option<AddressSpace<'a>>,
}

/// Why a pointer has no name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameError {
    /// It points to unknown memory.
    Unmapped,
    /// It points to text that is not printable.
    Unprintable,
    /// The recorder had no room for it.
    Refused,
}

impl<'a> NameSource<'a> {
    /// The text of the container for a thread in an epoch of [`NameTable`].
    pub(super) fn thread_text(&self, pointer: u64, epoch: u32) -> Option<&'a [u8]> {
        match self.stream {
            Some(names) => names.text(pointer, epoch),
            None => self.container_names.get(&pointer).copied(),
        }
    }

    /// Number of restarts of the target up to an epoch.
    pub(super) fn restarts_until(&self, epoch: u32) -> usize {
        self.stream.map_or(0, |names| names.restarts_until(epoch))
    }

    /// The name at `pointer`: `brought` by the container, or the text in the memory
    /// of the log, or the text in the firmware, whose bytes are `firmware`.
    pub(super) fn read(
        &self,
        pointer: u64,
        brought: Option<&[u8]>,
        firmware: &[u8],
        encoding: TextEncoding,
    ) -> Result<Name, NameError> {
        let memory = self.memory.as_ref();
        let recorded = memory.map(|memory| memory.available_from(pointer));
        let in_memory =
            |bytes: &[u8]| (!bytes.is_empty()).then(|| parse_terminated(bytes, encoding));
        let texts = [
            brought.map(|bytes| match bytes {
                [] => Err(NameError::Refused),
                bytes => parse_printable(bytes, encoding),
            }),
            recorded.and_then(in_memory),
            in_memory(firmware),
        ];
        let mut found = Err(NameError::Unmapped);
        for text in texts.into_iter().flatten() {
            found = text;
            if found.is_ok() {
                break;
            }
        }
        found
    }
}

impl NameSource<'_> {
    /// Whether the recording itself has a text for that pointer.
    pub(super) fn is_recorded(&self, pointer: u64) -> bool {
        let memory = self.memory.as_ref();
        self.container_names.contains_key(&pointer)
            || memory.is_some_and(|memory| !memory.available_from(pointer).is_empty())
    }
}

/// Whether `bytes` start with a name and its NUL.
pub(super) fn is_terminated_name(name: &Name, bytes: &[u8], encoding: TextEncoding) -> bool {
    parse_terminated(bytes, encoding).is_ok_and(|found| found == *name)
}

/// The text up to its NUL.
fn parse_terminated(bytes: &[u8], encoding: TextEncoding) -> Result<Name, NameError> {
    let start = bytes.get(..=MAX_NAME_BYTES).unwrap_or(bytes);
    let end = start.iter().position(|byte| *byte == 0);
    let text = end.and_then(|end| start.get(..end));
    parse_printable(text.ok_or(NameError::Unprintable)?, encoding)
}

/// A non-empty text without control characters.
fn parse_printable(bytes: &[u8], encoding: TextEncoding) -> Result<Name, NameError> {
    let text = encoding.text(bytes).ok_or(NameError::Unprintable)?;
    if text.is_empty() || text.len() > MAX_NAME_BYTES || text.chars().any(char::is_control) {
        return Err(NameError::Unprintable);
    }
    Ok(Name::new(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Memory;

    #[test]
    fn the_first_readable_text_counts() {
        let ram = Memory::from_file_bytes(&b"ram\0\xFF\xFF"[..]);
        let texts = NameSource {
            memory: Some(AddressSpace::new(&ram, Some(0x2000))),
            ..NameSource::default()
        };
        let is = |text: &str| Ok(Name::new(text.as_bytes()));
        let unprintable = Err(NameError::Unprintable);
        let plain = TextEncoding::default();
        assert_eq!(
            texts.read(0x1000, Some(b"brought"), b"flash\0", plain),
            is("brought")
        );
        assert_eq!(texts.read(0x1001, None, b"flash\0", plain), is("flash"));
        assert_eq!(texts.read(0x2000, Some(b"\n"), b"", plain), is("ram"));
        assert_eq!(texts.read(0x2004, None, b"", plain), unprintable, "no end");
        assert_eq!(texts.read(0x2004, None, b"flash\0", plain), is("flash"));
        assert_eq!(texts.read(0x3000, None, b"\x01bad\0", plain), unprintable);
        assert_eq!(texts.read(0x3000, None, b"\0", plain), unprintable, "empty");
        let gbk = "gbk".parse().unwrap();
        assert_eq!(texts.read(0x3000, None, b"\xD6\xF7\0", plain), unprintable);
        assert_eq!(texts.read(0x3000, None, b"\xD6\xF7\0", gbk), is("主"));
        assert_eq!(
            texts.read(0x3000, None, b"", plain),
            Err(NameError::Unmapped)
        );
    }

    #[test]
    fn a_name_has_a_limit() {
        let long = [&[b'x'; MAX_NAME_BYTES][..], b"\0"].concat();
        assert!(
            NameSource::default()
                .read(0, None, &long, TextEncoding::default())
                .is_ok()
        );
        let longer = [&[b'x'; MAX_NAME_BYTES + 1][..], b"\0"].concat();
        let unprintable = Err(NameError::Unprintable);
        assert_eq!(
            NameSource::default().read(0, None, &longer, TextEncoding::default()),
            unprintable
        );
    }
}
