//! Details of ThreadX trace buffers.

use super::hex;
use rtoscope_command::input::Packing;
use rtoscope_decode::BufferImage;
use rtoscope_decode::threadx::TraceBuffer;
use serde::Serialize;

#[derive(Serialize)]
pub(crate) struct ThreadXDocument {
    pub(crate) endianness: &'static str,
    pub(crate) ulong_bytes: usize,
    pub(crate) buffers: Vec<BufferDocument>,
    pub(crate) header: HeaderDocument,
    pub(crate) ring: RingDocument,
}

#[derive(Serialize)]
pub(crate) struct BufferDocument {
    pub(crate) number: usize,
    /// The address on the target.
    pub(crate) address: String,
    /// The offset in the (decompressed) input, if the buffer is contiguous there.
    pub(crate) offset: Option<u64>,
    pub(crate) bytes: u64,
    pub(crate) event_slots: u64,
    pub(crate) chosen: bool,
}

#[derive(Serialize)]
pub(crate) struct HeaderDocument {
    pub(crate) base: String,
    pub(crate) timer_mask: String,
    pub(crate) registry_start: String,
    pub(crate) registry_end: String,
    pub(crate) name_size: u16,
    pub(crate) buffer_start: String,
    pub(crate) buffer_end: String,
    pub(crate) current: String,
}

#[derive(Serialize)]
pub(crate) struct RingDocument {
    pub(crate) event_slots: u64,
    pub(crate) registry_slots: u64,
    pub(crate) current_slot: Option<u64>,
    pub(crate) wrapped: bool,
}

impl ThreadXDocument {
    pub(super) fn new(packing: &Packing<'_>, buffer: &TraceBuffer, wrapped: bool) -> Self {
        Self {
            endianness: buffer.layout.order.name(),
            ulong_bytes: buffer.layout.ulong.bytes(),
            buffers: match packing {
                Packing::File(content) => content.buffers().map(buffers).unwrap_or_default(),
                // Successive buffers of a capture form one trace.
                Packing::Folder(_) => Vec::new(),
            },
            header: header(buffer),
            ring: RingDocument {
                event_slots: buffer.event_slots,
                registry_slots: buffer.registry_slots,
                current_slot: buffer.current_slot(),
                wrapped,
            },
        }
    }
}

fn buffers(opened: &BufferImage<'_>) -> Vec<BufferDocument> {
    let numbered = opened.buffers.iter().enumerate();
    let document = |(number, buffer): (usize, &TraceBuffer)| BufferDocument {
        number,
        address: hex(buffer.header.base_address),
        offset: opened.memory.offset_of(buffer.address),
        bytes: buffer.bytes(),
        event_slots: buffer.event_slots,
        chosen: number == opened.chosen,
    };
    numbered.map(document).collect()
}

fn header(buffer: &TraceBuffer) -> HeaderDocument {
    let header = &buffer.header;
    HeaderDocument {
        base: hex(header.base_address),
        timer_mask: hex(header.timer_mask),
        registry_start: hex(header.registry_start),
        registry_end: hex(header.registry_end),
        name_size: header.name_size,
        buffer_start: hex(header.buffer_start),
        buffer_end: hex(header.buffer_end),
        current: hex(header.current),
    }
}
