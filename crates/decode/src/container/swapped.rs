//! Memory whose bytes were saved in another order than that of the target.

use crate::memory::Memory;
use crate::threadx::header_scan;
use rtoscope_wire::threadx::{BufferLayout, ControlHeader};

/// Whether some control header has its 16-bit fields in the right places: in
/// the wrong byte order, words are correct but these fields are swapped.
pub(super) fn has_plausible_header(memory: &Memory<'_>) -> bool {
    let whole = 0..memory.total_bytes();
    header_scan::find_headers(memory, &[whole])
        .into_iter()
        .any(|address| is_plausible(memory.available_from(address)))
}

fn is_plausible(bytes: &[u8]) -> bool {
    let header =
        BufferLayout::detect(bytes).and_then(|layout| ControlHeader::read(layout, bytes).ok());
    header.is_some_and(|header| header.reserved1 == 0 && header.name_size != 0)
}
