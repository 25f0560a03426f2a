use crate::{ByteOrder, WireError, Word};

/// Length of a [`CoreHistory`].
pub const CORE_HISTORY_BYTES: usize = 16;

/// The content of a [`SectionTag::PAST`](super::SectionTag::PAST) section: the position
/// of the container's entries in the session of a core, so that a reader can append a
/// later container.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 2 | core number |
/// | 2 | 2 | 0 |
/// | 4 | 4 | session |
/// | 8 | 8 | number of entries written before the oldest one of the container |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CoreHistory {
    /// The core's number.
    pub core: u16,
    /// The session: a number that changes each time the core's log is started.
    pub session: u32,
    /// Number of entries that the session wrote before the oldest one in the container.
    pub preceding_entries: u64,
}

impl CoreHistory {
    /// Reads the section's content at the start of `bytes`.
    ///
    /// # Errors
    /// [`WireError::TooShort`]
    pub fn read(bytes: &[u8], order: ByteOrder) -> Result<Self, WireError> {
        let fields = || {
            Some(Self {
                core: u16::read(bytes, order)?,
                session: u32::read(bytes.get(4..)?, order)?,
                preceding_entries: u64::read(bytes.get(8..)?, order)?,
            })
        };
        fields().ok_or(WireError::TooShort {
            structure: "the history of a core",
            needed: CORE_HISTORY_BYTES,
            available: bytes.len(),
        })
    }

    /// The section's content as bytes.
    pub fn to_bytes(self, order: ByteOrder) -> [u8; CORE_HISTORY_BYTES] {
        let mut bytes = [0; CORE_HISTORY_BYTES];
        let mut words = bytes.chunks_exact_mut(4);
        let mut next = || words.next().unwrap_or_default();
        let _ = self.core.write(next(), order);
        let _ = self.session.write(next(), order);
        if let Some(before) = bytes.get_mut(8..) {
            let _ = self.preceding_entries.write(before, order);
        }
        bytes
    }
}
