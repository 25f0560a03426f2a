//! The ThreadX event trace buffer ("TXTB").
//!
//! It has three parts, in this order: a [`ControlHeader`], an object registry of
//! [`RegistryEntry`]s and a ring of [`EventEntry`]s. All of them are C structures of
//! `ULONG`s, so that a [`BufferLayout`] determines their sizes: the target's byte order
//! and the size of its `ULONG`.
//!
//! All facts come from `common/inc/tx_trace.h` and `common/src/tx_trace_*.c` of Eclipse
//! ThreadX 6.4, and from chapter 11 of the TraceX user guide.
//!
//! A target that sends its trace while it records sends packets ("TXTS"): a
//! [`PacketHeader`], changed slots of the registry and the new entries. This format is
//! rtoscope's own; the chapter "The ThreadX trace stream" of the book specifies each byte.

mod entry;
mod header;
mod layout;
mod packet;
mod packet_writer;
mod registry;
mod swap;

pub use entry::{
    CONTEXT_INITIALIZE, CONTEXT_INTERRUPT, CONTEXT_UNUSED, EventEntry, FIRST_USER_EVENT,
    LAST_USER_EVENT, PRIORITY_VALID, STACK_BEGIN_EVENT, STACK_END_EVENT, STACK_END_MARK,
    STACK_WORDS_EVENT, TIMER_MASK_32,
};
pub use header::{ControlHeader, MARKERS, TXTB_ID};
pub use layout::{BufferLayout, UlongSize};
pub use packet::{
    OBJECTS_FIXED_BYTES, OBJECTS_SECTION, PACKET_HEADER_BYTES, PACKET_MAGIC, PACKET_VERSION,
    PacketHeader, RING_POSITION_BYTES, RING_SECTION, RingPosition,
};
pub use packet_writer::{MIN_PACKET_BYTES, PacketWriter};
pub use registry::{
    DEFAULT_NAME_SIZE, ObjectType, RegistryEntry, SLOT_AVAILABLE, THREAD_PRIORITY_VALID,
};
pub use swap::{swap_entry, swap_header, swap_registry_entry};
