//! The facts of a trace buffer.

use super::format::{BufferInfo, FORMAT, ListedBuffer};
use crate::black_box::{BlackBox, BlackBoxMembers};
use crate::format::facts::members;
use crate::format::{FactColumn, FactSection, FactTable, FormatFacts};
use rtoscope_trace::Address;
use schemars::JsonSchema;
use serde::Serialize;

/// The members of `info` that only a trace buffer has.
#[derive(Serialize, JsonSchema)]
pub(super) struct BufferMembers {
    /// Byte order: `little` or `big`.
    endianness: &'static str,
    /// 4 or 8.
    ulong_bytes: usize,
    black_box: Option<BlackBoxMembers>,
    /// All buffers in the input; empty for a recording of a capture.
    buffers: Vec<ListedBufferMembers>,
    header: HeaderMembers,
    ring: RingMembers,
}

#[derive(Serialize, JsonSchema)]
struct ListedBufferMembers {
    /// For `--buffer`.
    number: usize,
    /// The base address in the header.
    address: String,
    /// Position in the decompressed input; `None` if the container does not hold its bytes
    /// verbatim.
    offset: Option<u64>,
    /// From the header to the end of the ring.
    bytes: u64,
    event_slots: u64,
    /// Whether this document describes it.
    chosen: bool,
    /// Place among the buffers that this document describes as one trace, from 0; `None` if
    /// it is none of them.
    position: Option<usize>,
}

/// The control header. Addresses are `None` for packets, which contain none.
#[derive(Serialize, JsonSchema)]
struct HeaderMembers {
    base: Option<String>,
    timer_mask: String,
    registry_start: Option<String>,
    registry_end: Option<String>,
    name_size: u16,
    buffer_start: Option<String>,
    buffer_end: Option<String>,
    current: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct RingMembers {
    event_slots: u64,
    registry_slots: u64,
    /// `None` for packets, and if the pointer does not point to a slot.
    current_slot: Option<u64>,
    wrapped: bool,
}

pub(super) fn facts(info: &BufferInfo) -> FormatFacts {
    let BufferInfo {
        buffer, buffers, ..
    } = info;
    let layout = buffer.layout;
    let description = format!(
        "{}, {} endian, {}-byte ULONG",
        FORMAT.title(),
        layout.order.name(),
        layout.ulong.bytes()
    );
    let location = if info.is_sent {
        "sent while it was recorded".to_owned()
    } else {
        format!("at {}", hex(buffer.header.base_address))
    };
    let location = format!(
        "{location}, names of {} bytes, {} registry slots, {} event slots",
        buffer.header.name_size, buffer.registry_slots, buffer.event_slots
    );
    let mut lines = vec![("buffer", location)];
    if !buffers.is_empty() {
        // The ring of a capture wraps during the recording.
        lines.push(("ring", ring_text(info)));
    }
    lines.extend(info.black_box.iter().flat_map(BlackBox::lines));
    let mut sections: Vec<_> = buffer_section(buffers).into_iter().collect();
    sections.extend(info.black_box.as_ref().and_then(BlackBox::section));
    let buffer_members = BufferMembers {
        endianness: layout.order.name(),
        ulong_bytes: layout.ulong.bytes(),
        black_box: info.black_box.as_ref().map(BlackBox::members),
        buffers: buffers.iter().enumerate().map(listed_members).collect(),
        header: header_members(info),
        ring: RingMembers {
            event_slots: buffer.event_slots,
            registry_slots: buffer.registry_slots,
            current_slot: buffer.current_slot().filter(|_| !info.is_sent),
            wrapped: info.is_wrapped,
        },
    };
    FormatFacts {
        description,
        lines,
        sections,
        members: members(&buffer_members),
    }
}

fn hex(value: u64) -> String {
    Address(value).to_string()
}

fn ring_text(info: &BufferInfo) -> String {
    let slot = match info.buffer.current_slot() {
        Some(slot) => format!("next slot {slot}"),
        None => "next slot unknown".to_owned(),
    };
    let filled = if info.is_wrapped {
        "full"
    } else {
        "partly filled"
    };
    format!("{filled}, {slot}")
}

fn buffer_section(buffers: &[ListedBuffer]) -> Option<FactSection> {
    let parts = buffers.iter().filter(|it| it.position.is_some()).count();
    let row = |(number, it): (usize, &ListedBuffer)| {
        vec![
            number.to_string(),
            hex(it.buffer.header.base_address),
            it.offset
                .map(|offset| offset.to_string())
                .unwrap_or_default(),
            it.buffer.bytes().to_string(),
            it.buffer.event_slots.to_string(),
            match it.position {
                Some(_) if parts == 1 => "shown here".to_owned(),
                Some(position) => format!("part {} of {parts}", position + 1),
                None => String::new(),
            },
        ]
    };
    (buffers.len() > 1).then(|| FactSection {
        title: "Buffers".to_owned(),
        table: FactTable::Rows {
            columns: vec![
                FactColumn::number("number"),
                FactColumn::text("address"),
                FactColumn::number("offset"),
                FactColumn::number("bytes"),
                FactColumn::number("event slots"),
                FactColumn::text(""),
            ],
            rows: buffers.iter().enumerate().map(row).collect(),
        },
    })
}

fn listed_members((number, it): (usize, &ListedBuffer)) -> ListedBufferMembers {
    ListedBufferMembers {
        number,
        address: hex(it.buffer.header.base_address),
        offset: it.offset,
        bytes: it.buffer.bytes(),
        event_slots: it.buffer.event_slots,
        chosen: it.position.is_some(),
        position: it.position,
    }
}

fn header_members(info: &BufferInfo) -> HeaderMembers {
    let header = &info.buffer.header;
    let pointer = |address| (!info.is_sent).then(|| hex(address));
    HeaderMembers {
        base: pointer(header.base_address),
        timer_mask: hex(header.timer_mask),
        registry_start: pointer(header.registry_start),
        registry_end: pointer(header.registry_end),
        name_size: header.name_size,
        buffer_start: pointer(header.buffer_start),
        buffer_end: pointer(header.buffer_end),
        current: pointer(header.current),
    }
}
