//! Swaps the byte order in place. Padding and names keep their bytes, so that swapping
//! twice restores the buffer exactly.

use super::BufferLayout;
use crate::{WireError, Word};

/// Swaps the byte order of a control header.
pub fn swap_header(layout: BufferLayout, bytes: &mut [u8]) -> Result<(), WireError> {
    let size = layout.header_bytes();
    BufferLayout::check_len("a control header", size, bytes.len())?;
    let word = layout.ulong.bytes();
    for (index, chunk) in bytes.chunks_exact_mut(word).take(size / word).enumerate() {
        if index == 4 {
            let halves = chunk.chunks_exact_mut(u16::BYTES).take(2);
            halves.for_each(<[u8]>::reverse);
        } else {
            chunk.reverse();
        }
    }
    Ok(())
}

/// Swaps the byte order of a registry entry's pointer and parameters.
pub fn swap_registry_entry(layout: BufferLayout, bytes: &mut [u8]) -> Result<(), WireError> {
    let word = layout.ulong.bytes();
    BufferLayout::check_len("a registry entry", 4 * word, bytes.len())?;
    let words = bytes.chunks_exact_mut(word).skip(1).take(3);
    words.for_each(<[u8]>::reverse);
    Ok(())
}

/// Swaps the byte order of an event entry.
pub fn swap_entry(layout: BufferLayout, bytes: &mut [u8]) -> Result<(), WireError> {
    let size = layout.entry_bytes();
    BufferLayout::check_len("an event entry", size, bytes.len())?;
    let word = layout.ulong.bytes();
    let words = bytes.chunks_exact_mut(word).take(size / word);
    words.for_each(<[u8]>::reverse);
    Ok(())
}
