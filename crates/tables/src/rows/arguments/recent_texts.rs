//! Texts of arguments that were formatted before.

use crate::StringTable;
use rtoscope_trace::EventKindId;

/// Appends texts of arguments. Most equal a recent one, which is copied instead of being formatted
/// again.
pub(in crate::rows) struct RecentTexts(Vec<RecentText>);

/// The number of texts that are remembered: they stay in the processor's cache.
const RECENT_TEXTS: usize = 1 << 13;

/// The text of an argument, in one line of the processor's cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct RecentText {
    argument: ArgumentKey,
    /// 0 if there is no text.
    len: u8,
    bytes: [u8; Self::MAX_BYTES],
}

/// What decides on the text of an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::rows) struct ArgumentKey {
    pub(in crate::rows) value: u64,
    pub(in crate::rows) kind: EventKindId,
    pub(in crate::rows) position: u8,
}

impl RecentText {
    /// Longer texts are not remembered.
    const MAX_BYTES: usize = 47;

    const NONE: Self = Self {
        argument: ArgumentKey {
            value: 0,
            kind: EventKindId(0),
            position: 0,
        },
        len: 0,
        bytes: [0; Self::MAX_BYTES],
    };
}

impl RecentTexts {
    pub(in crate::rows) fn new() -> Self {
        Self(vec![RecentText::NONE; RECENT_TEXTS])
    }

    /// Appends the text of an argument, which `format` appends if it is no recent one.
    #[inline]
    pub(in crate::rows) fn write(
        &mut self,
        argument: ArgumentKey,
        texts: &mut StringTable,
        format: impl FnOnce(&mut StringTable),
    ) {
        let recent = &mut self.0[argument.place()];
        if recent.argument == argument && recent.len > 0 {
            return texts.write_prefix(&recent.bytes, recent.len.into());
        }
        let start = texts.bytes().len();
        format(texts);
        let text = texts.bytes().get(start..).unwrap_or_default();
        if let Some(bytes) = recent.bytes.get_mut(..text.len()) {
            bytes.copy_from_slice(text);
            recent.argument = argument;
            recent.len = text.len() as u8;
        }
    }
}

impl ArgumentKey {
    /// Its place among the recent ones.
    #[inline]
    fn place(self) -> usize {
        let argument = u64::from(self.kind.0) << 8 | u64::from(self.position);
        let hash = (self.value ^ argument.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (hash >> 32) as usize % RECENT_TEXTS
    }
}
