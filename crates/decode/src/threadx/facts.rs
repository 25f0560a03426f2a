//! The facts of a trace buffer.

use super::format::{BufferInfo, FORMAT, ListedBuffer};
use crate::black_box::BlackBox;
use crate::format::facts::members;
use crate::format::{FactColumn, FactSection, FactTable, FormatFacts};
use rtoscope_trace::Address;
use serde_json::{Map, Value, json};

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
    let current_slot = buffer.current_slot().filter(|_| !info.is_sent);
    let mut facts = members([
        ("endianness", json!(layout.order.name())),
        ("ulong_bytes", json!(layout.ulong.bytes())),
        (
            "black_box",
            json!(info.black_box.as_ref().map(BlackBox::members)),
        ),
        ("buffers", (0..).zip(buffers).map(buffer_members).collect()),
        ("header", Value::Object(header_members(info))),
        (
            "ring",
            Value::Object(members([
                ("event_slots", json!(buffer.event_slots)),
                ("registry_slots", json!(buffer.registry_slots)),
                ("current_slot", json!(current_slot)),
                ("wrapped", json!(info.is_wrapped)),
            ])),
        ),
    ]);
    if let Some(black_box) = &info.black_box {
        facts.insert("black_box".to_owned(), Value::Object(black_box.members()));
    }
    FormatFacts {
        description,
        lines,
        sections,
        members: facts,
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

fn buffer_members((number, it): (usize, &ListedBuffer)) -> Value {
    Value::Object(members([
        ("number", json!(number)),
        ("address", json!(hex(it.buffer.header.base_address))),
        ("offset", json!(it.offset)),
        ("bytes", json!(it.buffer.bytes())),
        ("event_slots", json!(it.buffer.event_slots)),
        ("chosen", json!(it.position.is_some())),
        ("position", json!(it.position)),
    ]))
}

fn header_members(info: &BufferInfo) -> Map<String, Value> {
    let header = &info.buffer.header;
    // Packets contain no addresses.
    let pointer = |address| json!((!info.is_sent).then(|| hex(address)));
    members([
        ("base", pointer(header.base_address)),
        ("timer_mask", json!(hex(header.timer_mask))),
        ("registry_start", pointer(header.registry_start)),
        ("registry_end", pointer(header.registry_end)),
        ("name_size", json!(header.name_size)),
        ("buffer_start", pointer(header.buffer_start)),
        ("buffer_end", pointer(header.buffer_end)),
        ("current", pointer(header.current)),
    ])
}
