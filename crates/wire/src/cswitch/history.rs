use crate::{ByteOrder, WireError, Word};

/// Bytes of a [`CoreHistory`].
pub const CORE_HISTORY_BYTES: usize = 16;

/// A [`Tag::PAST`](super::Tag::PAST) section: which of a core's entries stand in
/// the container, so that a later container can be put behind it.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 2 | the core's number |
/// | 2 | 2 | 0 |
/// | 4 | 4 | which recording of the core's log it is |
/// | 8 | 8 | entries that were written before the oldest of the container |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CoreHistory {
    /// The core's number.
    pub core: u16,
    /// Which recording of the core's log it is: another number than that of
    /// the one before.
    pub session: u32,
    /// Entries that this recording had written before the oldest one that is
    /// in the container.
    pub preceding_entries: u64,
}

impl CoreHistory {
    /// Reads what is at the start of `bytes`.
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
            what: "what a core had written before",
            needed: CORE_HISTORY_BYTES,
            available: bytes.len(),
        })
    }

    /// Its bytes.
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
