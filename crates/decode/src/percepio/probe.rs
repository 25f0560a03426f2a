//! Recognises a recording.

use super::alignment::{self, follows};
use super::kernel::Role;
use super::stream_format::StreamFormat;
use crate::format::detection::ProbeWindow;
use crate::packet_stream::Alignment;
use memchr::memmem;
use rtoscope_wire::percepio::{EventHeader, StreamHeader};

/// Minimum number of events of a stream without a header.
const MIN_EVENTS: usize = 64;

/// Maximum number of bytes of an event that is cut off.
const MAX_CUT_BYTES: usize = rtoscope_wire::percepio::MAX_EVENT_BYTES;

/// Number of bytes up to the end of the header that proves a recording.
pub(super) fn probe(window: &ProbeWindow<'_>) -> Option<usize> {
    // Of both byte orders.
    let places = memmem::find_iter(window.bytes, b"FSP");
    let little = places.filter_map(|place| place.checked_sub(1));
    let big = memmem::find_iter(window.bytes, b"PSF\0");
    let ends = little.chain(big).filter_map(|start| {
        let header = StreamHeader::read_before_table(window.bytes.get(start..)?).ok()?;
        Some(start + header.bytes_before_table())
    });
    ends.min()
}

/// Whether the bytes are the events of a running target, without the header: nearly all bytes are
/// events, and task switches are among them.
pub(super) fn resembles(bytes: &[u8]) -> bool {
    let stream = StreamFormat::without_header();
    let Alignment::At(mut at) = alignment::find(bytes, None, None, true) else {
        return false;
    };
    if at > MAX_CUT_BYTES {
        return false;
    }
    let (mut events, mut switches) = (0, 0);
    let mut before: Option<EventHeader> = None;
    while let Some(rest) = bytes.get(at..)
        && let Some(event) = EventHeader::read(rest, stream.layout)
    {
        if before.is_some_and(|before| !follows(&stream, &before, &event)) {
            break;
        }
        events += 1;
        switches += usize::from(stream.kernel.shape(event.code).role == Role::Activate);
        before = Some(event);
        at += event.event_bytes(stream.layout);
    }
    at + MAX_CUT_BYTES >= bytes.len() && events >= MIN_EVENTS && switches >= 4
}
