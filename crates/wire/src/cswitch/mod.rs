//! The log of a context-switch logger: 16-byte entries, and the CSWL container
//! that makes a log self-contained.
//!
//! The entry is that of the article "Debugging Threading issues in ThreadX
//! circa 2011"; the container is rtoscope's own and specified byte by byte in
//! the book's chapter "The CSWL container".

mod container;
mod crc;
mod entry;
mod past;
mod section;
#[cfg(test)]
mod tests;

pub use container::{CswlHeader, HEADER_BYTES, MAGIC, ORDER_MARK, VERSION};
pub use crc::Crc32;
pub use entry::{Entry, EntryKind, PREVIOUSLY_DISABLED, PointerSize};
pub use past::{CorePast, PAST_BYTES};
pub use section::{
    CORE_BYTES, CoreHeader, SECTION_BYTES, SYMBOL_BYTES, SectionHeader, Tag, Unknown,
};
