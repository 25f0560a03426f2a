//! Detects the format of a recording by its first bytes.

use crate::{Format, rkh};
use rtoscope_wire::cswitch::MAGIC;
use rtoscope_wire::threadx::TXTB_ID;

/// Detects the format of bytes from a source, at its start or in the middle.
pub(super) fn format(bytes: &[u8]) -> Option<Format> {
    let id = TXTB_ID as u32;
    let has = |needle: &[u8]| memchr::memmem::find(bytes, needle).is_some();
    if has(&MAGIC) {
        return Some(Format::Cswitch);
    }
    let buffer = [id.to_le_bytes(), id.to_be_bytes()];
    if buffer.iter().any(|id| has(id)) {
        return Some(Format::ThreadX);
    }
    rkh::is_stream(bytes).then_some(Format::Rkh)
}
