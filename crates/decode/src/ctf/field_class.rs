//! The types of fields, as metadata declare them.

use rtoscope_wire::ByteOrder;
use std::sync::Arc;

/// The type of a field.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum FieldClass {
    Integer(IntegerClass),
    /// An integer of as many bytes as its value needs (LEB128).
    Varint {
        signed: bool,
        mappings: Arc<[Mapping]>,
        role: Option<FieldRole>,
    },
    Float {
        bits: u8,
        align: u32,
        order: Option<ByteOrder>,
    },
    /// A text that a NUL ends.
    Text,
    Struct(StructClass),
    Array {
        element: Arc<FieldClass>,
        length: Length,
        align: u32,
        /// Whether the elements are bytes of a text.
        is_text: bool,
        role: Option<FieldRole>,
    },
    Variant {
        selector: Location,
        options: Vec<VariantOption>,
    },
    Optional {
        selector: Location,
        /// `None`: it is there if the selector is not 0.
        ranges: Option<Vec<Range>>,
        class: Arc<FieldClass>,
    },
}

/// An integer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct IntegerClass {
    pub(super) bits: u8,
    /// In bits.
    pub(super) align: u32,
    pub(super) signed: bool,
    /// `None`: that of the trace.
    pub(super) order: Option<ByteOrder>,
    /// Whether it is displayed in hexadecimal.
    pub(super) is_hex: bool,
    /// Whether it is a byte of a text.
    pub(super) is_text: bool,
    /// The name of the clock.
    pub(super) clock: Option<String>,
    /// The names of values; empty for a plain integer.
    pub(super) mappings: Arc<[Mapping]>,
    pub(super) role: Option<FieldRole>,
}

impl IntegerClass {
    pub(super) fn unsigned(bits: u8, align: u32) -> Self {
        Self {
            bits,
            align,
            signed: false,
            order: None,
            is_hex: false,
            is_text: false,
            clock: None,
            mappings: Arc::default(),
            role: None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct StructClass {
    pub(super) fields: Vec<(String, Arc<FieldClass>)>,
    /// The minimum alignment in bits.
    pub(super) align: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct VariantOption {
    pub(super) name: String,
    /// The values that select it; `None`: those that the selector has for its name.
    pub(super) ranges: Option<Vec<Range>>,
    pub(super) class: Arc<FieldClass>,
}

/// The values with a name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mapping {
    pub(super) name: String,
    pub(super) range: Range,
}

/// The first and the last value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range(pub(super) i128, pub(super) i128);

impl Range {
    pub(super) fn contains(self, value: i128) -> bool {
        self.0 <= value && value <= self.1
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Length {
    Fixed(u64),
    Field(Location),
}

/// Where a field is: in a scope, or near the field that refers to it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Location {
    pub(super) scope: Option<Scope>,
    pub(super) path: Vec<String>,
}

/// The parts of a packet and of an event record, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Scope {
    PacketHeader,
    PacketContext,
    EventHeader,
    StreamEventContext,
    EventContext,
    EventFields,
}

/// What a field is for the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldRole {
    Magic,
    Uuid,
    StreamId,
    PacketSize,
    ContentSize,
    /// Of the packet's first event, or of an event.
    Timestamp,
    EventsDiscarded,
    PacketNumber,
    Core,
    EventId,
}

/// What the metadata declare.
#[derive(Debug, Clone, Default)]
pub(super) struct Metadata {
    pub(super) version: &'static str,
    pub(super) order: Option<ByteOrder>,
    pub(super) uuid: Option<[u8; 16]>,
    pub(super) environment: Vec<(String, String)>,
    pub(super) clocks: Vec<ClockClass>,
    pub(super) packet_header: Option<Arc<FieldClass>>,
    pub(super) streams: Vec<StreamClass>,
    pub(super) events: Vec<EventClass>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct ClockClass {
    pub(super) name: String,
    /// 0 if the metadata have no valid frequency.
    pub(super) hertz: u64,
    pub(super) offset_seconds: i64,
    pub(super) offset: i64,
}

impl ClockClass {
    /// The frequency if the metadata do not declare one, as the specification says.
    pub(super) const DEFAULT_HERTZ: u64 = 1_000_000_000;
}

#[derive(Debug, Clone, Default)]
pub(super) struct StreamClass {
    pub(super) id: u64,
    pub(super) packet_context: Option<Arc<FieldClass>>,
    pub(super) event_header: Option<Arc<FieldClass>>,
    pub(super) event_context: Option<Arc<FieldClass>>,
    /// The clock of its timestamps, if fields do not name it.
    pub(super) clock: Option<String>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct EventClass {
    pub(super) id: u64,
    pub(super) stream_id: Option<u64>,
    pub(super) name: String,
    pub(super) context: Option<Arc<FieldClass>>,
    pub(super) fields: Option<Arc<FieldClass>>,
}

/// Why metadata cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("metadata, line {line}: {problem}")]
pub(super) struct MetadataError {
    /// From 1.
    pub(super) line: usize,
    pub(super) problem: String,
}
