//! The memory image of a ring buffer as a stream.

use super::stream_format::StreamFormat;
use memchr::memmem;
use rtoscope_wire::percepio::{EventHeader, MAX_EVENT_BYTES, RingArea, RingImage, START_MARKERS};

/// A ring buffer as the stream that it would have been.
#[derive(Debug)]
pub(super) struct RingStream {
    pub(super) bytes: Vec<u8>,
    /// Number of events that did not fit.
    pub(super) dropped: u64,
    /// Number of events before the first one that the image has.
    pub(super) overwritten: Option<u64>,
    /// Number of bytes of the image that are cut off.
    pub(super) missing_bytes: u64,
    /// Number of bytes between the newest event and the oldest one, where events are.
    pub(super) skipped_bytes: u64,
}

impl RingStream {
    /// Finds the images of ring buffers in memory, and their offsets.
    pub(super) fn images(memory: &[u8]) -> impl Iterator<Item = (usize, RingImage<'_>)> {
        memmem::find_iter(memory, &START_MARKERS).filter_map(|place| {
            let image = memory.get(place + START_MARKERS.len()..)?;
            let image = RingImage::read(image).ok()?;
            image.areas().next()?;
            Some((place, image))
        })
    }

    pub(super) fn new(image: &RingImage<'_>) -> Self {
        let stream = StreamFormat::new(&image.header);
        let mut bytes = image.start().to_vec();
        let mut cores: Vec<_> = image.areas().map(CoreEvents::new).collect();
        let first = match cores.as_slice() {
            [only] => only.header(&stream),
            _ => None,
        };
        let mut last: Option<u32> = None;
        loop {
            // The core whose next event is the first one after the last.
            let next = cores.iter().enumerate().filter_map(|(place, core)| {
                let timestamp = core.header(&stream)?.timestamp;
                let ticks = stream.counter.ticks(last.unwrap_or(timestamp), timestamp);
                Some((ticks.unwrap_or(0), place))
            });
            let Some((_, place)) = next.min() else { break };
            let Some(core) = cores.get_mut(place) else {
                break;
            };
            last = core.header(&stream).map(|event| event.timestamp);
            core.take_event(&stream, &mut bytes);
        }
        let overwritten = first.map(|event| u64::from(event.count));
        let mut ring = Self {
            bytes,
            dropped: 0,
            overwritten,
            missing_bytes: image.missing_bytes() as u64,
            skipped_bytes: 0,
        };
        for area in image.areas() {
            ring.dropped += u64::from(area.dropped);
            ring.missing_bytes = ring.missing_bytes.max(area.missing as u64);
            // What was not written after the start is 0. If the ring has not wrapped, but events
            // precede the first one, its start was overwritten.
            let has_events = area.unused.len() > MAX_EVENT_BYTES
                && area.unused.iter().any(|byte| *byte != 0)
                && (area.is_wrapped || overwritten.is_some_and(|count| count > 1));
            if has_events {
                ring.skipped_bytes += area.unused.len() as u64;
            }
        }
        ring
    }
}

/// The events of a core that are not taken yet, oldest first.
struct CoreEvents<'a> {
    parts: [&'a [u8]; 2],
}

impl<'a> CoreEvents<'a> {
    fn new(area: RingArea<'a>) -> Self {
        let [older, newer] = area.parts;
        Self {
            parts: if older.len() < EventHeader::BYTES {
                [newer, &[]]
            } else {
                [older, newer]
            },
        }
    }

    fn header(&self, stream: &StreamFormat) -> Option<EventHeader> {
        EventHeader::read(self.parts[0], stream.layout)
    }

    /// Moves an event; the bytes of one that is cut off are moved as they are.
    fn take_event(&mut self, stream: &StreamFormat, bytes: &mut Vec<u8>) {
        let [older, newer] = self.parts;
        let length = self
            .header(stream)
            .map_or(0, |it| it.event_bytes(stream.layout));
        let (event, rest) = older.split_at(length.min(older.len()));
        bytes.extend_from_slice(event);
        self.parts = match rest.len() < EventHeader::BYTES {
            // An event does not cross the end of the ring.
            true => [newer, &[]],
            false => [rest, newer],
        };
    }
}
