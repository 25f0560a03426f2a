//! The log of a context-switch logger: 16-byte entries, and the CSWL container that makes
//! a log self-contained.
//!
//! The entry is that of the article "Debugging Threading issues in ThreadX circa 2011".
//! The container is rtoscope's own format; the chapter "The CSWL container" of the book
//! specifies each byte.

pub mod command;
mod container;
mod crc;
mod entry;
pub mod packed;
mod section;
#[cfg(test)]
mod tests;
mod word_sum;

pub use container::{
    CSWL_HEADER_BYTES, CswlHeader, MAGIC, ORDER_MARK, PACKED_VERSION, SUMMED_VERSION, VERSION,
};
pub use crc::Crc32;
pub use entry::{EntryKind, LogEntry, PREVIOUSLY_DISABLED, PointerSize, STACK_IS_COMPLETE};
pub use section::{
    CORE_HEADER_BYTES, CORE_HISTORY_BYTES, CoreHeader, CoreHistory, SECTION_HEADER_BYTES,
    SYMBOL_FIXED_BYTES, SectionHeader, SectionTag, UnknownFields,
};
pub use word_sum::{WordSum, checksum_bytes};
