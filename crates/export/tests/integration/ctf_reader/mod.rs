//! A reader of the Common Trace Format, as far as the exports need it. It relies on
//! the metadata only.

mod grammar;

pub(crate) use grammar::{Field, Metadata, Type};

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A value of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    /// A number, and its label if it has one.
    Number(u64, Option<String>),
    /// A signed number.
    Signed(i64),
    /// A text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

/// Fields by name.
pub(crate) type FieldValues = Vec<(String, Value)>;

/// An event.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) name: String,
    pub(crate) time: u64,
    pub(crate) core: u64,
    pub(crate) common: FieldValues,
    pub(crate) context: FieldValues,
    pub(crate) fields: FieldValues,
}

/// A packet.
#[derive(Debug)]
pub(crate) struct Packet {
    pub(crate) begin: u64,
    pub(crate) end: u64,
    pub(crate) bytes: usize,
    pub(crate) discarded: u64,
    pub(crate) events: Vec<Event>,
}

/// A trace: the packets of each stream.
#[derive(Debug)]
pub(crate) struct CtfTrace {
    pub(crate) metadata: Metadata,
    pub(crate) streams: BTreeMap<String, Vec<Packet>>,
}

impl CtfTrace {
    /// The trace in a folder.
    pub(crate) fn new(folder: &Path) -> Self {
        let metadata = Metadata::parse(&fs::read_to_string(folder.join("metadata")).unwrap());
        let mut streams = BTreeMap::new();
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            if entry.file_type().unwrap().is_file() && name != "metadata" {
                let bytes = fs::read(entry.path()).unwrap();
                streams.insert(name, packets(&metadata, &bytes));
            }
        }
        Self { metadata, streams }
    }

    /// All events, in the order of their streams.
    pub(crate) fn events(&self) -> impl Iterator<Item = &Event> {
        self.streams.values().flatten().flat_map(|it| &it.events)
    }
}

/// The number in a field.
pub(crate) fn number(values: &FieldValues, name: &str) -> u64 {
    match get(values, name) {
        Value::Number(number, _) => *number,
        Value::Signed(number) => number.cast_unsigned(),
        other => panic!("{name} is {other:?}"),
    }
}

/// The field with this name.
pub(crate) fn get<'v>(values: &'v FieldValues, name: &str) -> &'v Value {
    let found = values.iter().find(|(known, _)| known == name);
    &found.unwrap_or_else(|| panic!("no {name}")).1
}

fn packets(metadata: &Metadata, bytes: &[u8]) -> Vec<Packet> {
    let mut packets: Vec<Packet> = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let mut cursor = Cursor { rest };
        let head = cursor.values(metadata, &metadata.packet_header);
        assert_eq!(number(&head, "magic"), 0xC1FC_1FC1);
        assert_eq!(number(&head, "stream_id"), 0);
        let context = cursor.values(metadata, &metadata.packet_context);
        let size = usize::try_from(number(&context, "packet_size")).unwrap() / 8;
        assert_eq!(number(&context, "content_size"), size as u64 * 8);
        let head_size = rest.len() - cursor.rest.len();
        let (body, following) = cursor.rest.split_at(size - head_size);
        let (begin, end) = (
            number(&context, "timestamp_begin"),
            number(&context, "timestamp_end"),
        );
        assert!(begin <= end);
        if let Some(before) = packets.last() {
            assert!(before.end <= begin);
            assert!(before.discarded <= number(&context, "events_discarded"));
        }
        let events = events(metadata, body, number(&context, "cpu_id"));
        let mut last = begin;
        for event in &events {
            assert!((last..=end).contains(&event.time));
            last = event.time;
        }
        packets.push(Packet {
            begin,
            end,
            bytes: size,
            discarded: number(&context, "events_discarded"),
            events,
        });
        rest = following;
    }
    packets
}

fn events(metadata: &Metadata, body: &[u8], core: u64) -> Vec<Event> {
    let mut events = Vec::new();
    let mut cursor = Cursor { rest: body };
    while !cursor.rest.is_empty() {
        let head = cursor.values(metadata, &metadata.event_header);
        let class = &metadata.events[&number(&head, "id")];
        events.push(Event {
            name: class.name.clone(),
            time: number(&head, "timestamp"),
            core,
            common: cursor.values(metadata, &metadata.event_context),
            context: cursor.values(metadata, &class.context),
            fields: cursor.values(metadata, &class.fields),
        });
    }
    events
}

struct Cursor<'b> {
    rest: &'b [u8],
}

impl Cursor<'_> {
    fn values(&mut self, metadata: &Metadata, fields: &[Field]) -> FieldValues {
        let mut values = FieldValues::new();
        for field in fields {
            let value = match &field.length {
                None => self.value(&metadata.types[&field.kind]),
                Some(length) => {
                    let length = number(&values, length);
                    // The number is part of the field.
                    values.pop();
                    let (block, rest) = self.rest.split_at(usize::try_from(length).unwrap());
                    self.rest = rest;
                    Value::Bytes(block.to_vec())
                }
            };
            assert!(values.iter().all(|(name, _)| *name != field.name));
            values.push((field.name.clone(), value));
        }
        values
    }

    fn value(&mut self, kind: &Type) -> Value {
        match kind {
            Type::Integer { bits, signed } => {
                let number = self.number(*bits);
                let shift = 64 - bits;
                match signed {
                    true => Value::Signed((number << shift).cast_signed() >> shift),
                    false => Value::Number(number, None),
                }
            }
            Type::Enumeration { bits, labels } => {
                let number = self.number(*bits);
                Value::Number(number, labels.get(&number).cloned())
            }
            Type::Text => {
                let end = self.rest.iter().position(|byte| *byte == 0).unwrap();
                let text = String::from_utf8(self.rest[..end].to_vec()).unwrap();
                self.rest = &self.rest[end + 1..];
                Value::Text(text)
            }
        }
    }

    fn number(&mut self, bits: u32) -> u64 {
        let (bytes, rest) = self.rest.split_at(bits as usize / 8);
        self.rest = rest;
        let bytes = bytes.iter().rev();
        bytes.fold(0, |number, byte| number << 8 | u64::from(*byte))
    }
}
