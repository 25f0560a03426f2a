//! Converts entries of targets with different word sizes to a common layout.

use crate::live::EventSlice;
use rtoscope_wire::Word;
use rtoscope_wire::threadx::{BufferLayout, UlongSize};
use std::borrow::Cow;

/// The bytes of all slices in one layout: that of the first, unless another
/// target replaced it meanwhile.
pub(super) fn common_layout(
    parts: &[EventSlice<u8, BufferLayout>],
) -> (BufferLayout, Vec<Cow<'_, [u8]>>) {
    let first = parts
        .first()
        .map_or(BufferLayout::ALL[0], |part| part.layout);
    let is_wide = |part: &EventSlice<_, BufferLayout>| part.layout.ulong == UlongSize::Eight;
    let ulong = match parts.iter().any(is_wide) {
        true => UlongSize::Eight,
        false => UlongSize::Four,
    };
    let common = BufferLayout::new(first.order, ulong);
    let bytes = parts.iter().map(|part| match part.layout == common {
        true => Cow::Borrowed(part.items()),
        false => Cow::Owned(convert_words(part, common)),
    });
    (common, bytes.collect())
}

/// Converts entries, which consist of words.
fn convert_words(part: &EventSlice<u8, BufferLayout>, to: BufferLayout) -> Vec<u8> {
    let from = part.layout;
    let words = part.items().chunks_exact(from.ulong.bytes());
    let mut bytes = vec![0; words.len() * to.ulong.bytes()];
    for (word, place) in words.zip(bytes.chunks_exact_mut(to.ulong.bytes())) {
        let value = match from.ulong {
            UlongSize::Four => u32::read(word, from.order).map(u64::from),
            UlongSize::Eight => u64::read(word, from.order),
        };
        let value = value.unwrap_or_default();
        // Words are narrow only if all were narrow before.
        let _ = match to.ulong {
            UlongSize::Four => (value as u32).write(place, to.order),
            UlongSize::Eight => value.write(place, to.order),
        };
    }
    bytes
}
