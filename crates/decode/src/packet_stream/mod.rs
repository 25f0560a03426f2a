//! Streams of packets, one event each: what their formats share.
//!
//! ```text
//! bytes ──decoder (alignment, damage)──▶ PacketReader ──▶ open page ──seal──▶ sealed pages ──▶ build
//! ```

mod decoder;
mod event_page;
mod losses;
mod raw_input;
mod reader;

pub(crate) use decoder::StreamDecoder;
pub(crate) use event_page::{EventPage, GapCause, StoredEvent, StreamGap};
pub(crate) use losses::{StreamStatus, gap_diagnostics, stream_diagnostics};
pub(crate) use raw_input::RawInput;
pub(crate) use reader::{Alignment, PacketError, PacketReader, UnreadBytes};
