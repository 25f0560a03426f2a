//! A reader of Perfetto traces, packet by packet.

use flate2::read::ZlibDecoder;
use std::collections::HashMap;
use std::io::Read;

/// The value of a field.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Number(u64),
    Fixed(u64),
    Bytes(Vec<u8>),
}

/// A message: its fields in order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Message(pub(crate) Vec<(u32, Value)>);

impl Message {
    fn read(mut bytes: &[u8]) -> Self {
        let mut fields = Vec::new();
        while !bytes.is_empty() {
            let key = varint(&mut bytes);
            let value = match key & 7 {
                0 => Value::Number(varint(&mut bytes)),
                1 => Value::Fixed(u64::from_le_bytes(take(&mut bytes, 8).try_into().unwrap())),
                2 => {
                    let length = varint(&mut bytes);
                    Value::Bytes(take(&mut bytes, length as usize).to_vec())
                }
                wire => panic!("wire type {wire}"),
            };
            fields.push(((key >> 3) as u32, value));
        }
        Self(fields)
    }

    pub(crate) fn all(&self, field: u32) -> impl Iterator<Item = &Value> {
        let fields = self.0.iter().filter(move |(number, _)| *number == field);
        fields.map(|(_, value)| value)
    }

    pub(crate) fn number(&self, field: u32) -> Option<u64> {
        self.all(field).next().map(|value| match value {
            Value::Number(number) | Value::Fixed(number) => *number,
            Value::Bytes(_) => panic!("field {field} is no number"),
        })
    }

    pub(crate) fn messages(&self, field: u32) -> Vec<Self> {
        let bytes = self.all(field).map(|value| match value {
            Value::Bytes(bytes) => Self::read(bytes),
            _ => panic!("field {field} is no message"),
        });
        bytes.collect()
    }

    pub(crate) fn text(&self, field: u32) -> Option<String> {
        self.all(field).next().map(|value| match value {
            Value::Bytes(bytes) => String::from_utf8(bytes.clone()).unwrap(),
            _ => panic!("field {field} is no text"),
        })
    }
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..70).step_by(7) {
        let (first, rest) = bytes.split_first().unwrap();
        *bytes = rest;
        value |= u64::from(first & 0x7F) << shift;
        if *first < 0x80 {
            return value;
        }
    }
    panic!("a number without end")
}

fn take<'b>(bytes: &mut &'b [u8], length: usize) -> &'b [u8] {
    let (taken, rest) = bytes.split_at(length);
    *bytes = rest;
    taken
}

/// The packets of a trace, and the time of each, as the format defines it.
pub(crate) fn packets(trace: &[u8]) -> Vec<(u64, Message)> {
    let mut all = Vec::new();
    for block in Message::read(trace).messages(1) {
        let Some(Value::Bytes(compressed)) = block.all(50).next() else {
            panic!("a packet that is not compressed");
        };
        let mut plain = Vec::new();
        ZlibDecoder::new(compressed.as_slice())
            .read_to_end(&mut plain)
            .unwrap();
        all.extend(Message::read(&plain).messages(1));
    }
    let mut clocks: HashMap<u64, u64> = HashMap::new();
    let timed = all.into_iter().map(|packet| {
        let clock = clocks.entry(packet.number(10).unwrap()).or_default();
        let time = match (packet.number(8), packet.number(58)) {
            (None, _) => 0,
            (Some(time), Some(6)) => time,
            (Some(step), None) => {
                *clock += step;
                *clock
            }
            (_, clock) => panic!("clock {clock:?}"),
        };
        (time, packet)
    });
    timed.collect()
}
