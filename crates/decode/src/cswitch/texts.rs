//! The names of threads, read where their pointers lead.

use super::space::Space;
use rtoscope_trace::Name;
use std::collections::HashMap;

/// Bytes of a name at most: longer ones are no names.
pub(super) const LONGEST: usize = 128;

/// Where names are read.
#[derive(Debug, Clone, Default)]
pub(super) struct Texts<'a> {
    /// What a container brings, by the pointer.
    pub(super) brought: HashMap<u64, &'a [u8]>,
    /// The memory that the log lay in.
    pub(super) memory: Option<Space<'a>>,
}

/// Why a pointer gives no name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// Nothing that is known lies there.
    Outside,
    /// What lies there is no printable text.
    Unprintable,
}

impl Texts<'_> {
    /// The name at `pointer`: what the container brings, else the text in the
    /// memory of the log, else the text in the firmware, whose bytes there are
    /// given.
    pub(super) fn read(&self, pointer: u64, firmware: &[u8]) -> Result<Name, Unreadable> {
        let brought = self.brought.get(&pointer).copied();
        let memory = self.memory.as_ref();
        let recorded = memory.map(|memory| memory.available_from(pointer));
        let in_memory = |bytes: &[u8]| (!bytes.is_empty()).then(|| terminated(bytes));
        let texts = [
            brought.map(printable),
            recorded.and_then(in_memory),
            in_memory(firmware),
        ];
        let mut found = Err(Unreadable::Outside);
        for text in texts.into_iter().flatten() {
            found = text;
            if found.is_ok() {
                break;
            }
        }
        found
    }
}

impl Texts<'_> {
    /// Whether the recording itself has a text for that pointer.
    pub(super) fn is_recorded(&self, pointer: u64) -> bool {
        let memory = self.memory.as_ref();
        self.brought.contains_key(&pointer)
            || memory.is_some_and(|memory| !memory.available_from(pointer).is_empty())
    }
}

/// Whether bytes are a name and its NUL.
pub(super) fn is_at(name: &Name, bytes: &[u8]) -> bool {
    let rest = bytes.strip_prefix(name.as_bytes());
    rest.is_some_and(|rest| rest.first() == Some(&0))
}

/// The text up to its NUL.
fn terminated(bytes: &[u8]) -> Result<Name, Unreadable> {
    let start = bytes.get(..=LONGEST).unwrap_or(bytes);
    let end = start.iter().position(|byte| *byte == 0);
    let text = end.and_then(|end| start.get(..end));
    printable(text.ok_or(Unreadable::Unprintable)?)
}

/// A text with at least one character and none that controls.
fn printable(bytes: &[u8]) -> Result<Name, Unreadable> {
    let text = std::str::from_utf8(bytes).map_err(|_| Unreadable::Unprintable)?;
    if text.is_empty() || text.len() > LONGEST || text.chars().any(char::is_control) {
        return Err(Unreadable::Unprintable);
    }
    Ok(Name::new(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Memory;

    #[test]
    fn the_first_readable_text_counts() {
        let ram = Memory::unaddressed(&b"ram\0\xFF\xFF"[..]);
        let texts = Texts {
            brought: HashMap::from([(0x1000, &b"brought"[..]), (0x2000, &b"\n"[..])]),
            memory: Some(Space::new(&ram, Some(0x2000))),
        };
        let is = |text: &str| Ok(Name::new(text.as_bytes()));
        let unprintable = Err(Unreadable::Unprintable);
        assert_eq!(texts.read(0x1000, b"flash\0"), is("brought"));
        assert_eq!(texts.read(0x1001, b"flash\0"), is("flash"));
        assert_eq!(texts.read(0x2000, b""), is("ram"));
        assert_eq!(texts.read(0x2004, b""), unprintable, "no end");
        assert_eq!(texts.read(0x2004, b"flash\0"), is("flash"));
        assert_eq!(texts.read(0x3000, b"\x01bad\0"), unprintable);
        assert_eq!(texts.read(0x3000, b"\0"), unprintable, "empty");
        assert_eq!(texts.read(0x3000, b""), Err(Unreadable::Outside));
    }

    #[test]
    fn a_name_has_a_limit() {
        let long = [&[b'x'; LONGEST][..], b"\0"].concat();
        assert!(Texts::default().read(0, &long).is_ok());
        let longer = [&[b'x'; LONGEST + 1][..], b"\0"].concat();
        let unprintable = Err(Unreadable::Unprintable);
        assert_eq!(Texts::default().read(0, &longer), unprintable);
    }
}
