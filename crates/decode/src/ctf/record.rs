//! Reads the fields of packets and events.

use super::bit_reader::{BitReader, ContentEnd, sign_extend};
use super::field_class::{FieldRole, Mapping, Range};
use super::layout::{IntegerNode, Leaf, Node, NodeLength};
use crate::mapping::FieldValue;
use rtoscope_wire::ByteOrder;
use std::io::Write as _;
use std::sync::Arc;

/// Why a field cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadError {
    /// The content of the packet ends before.
    End,
    /// A variant has nothing for this value.
    NoOption(i128),
    /// A number of bytes is not possible.
    Length,
}

impl From<ContentEnd> for ReadError {
    fn from(ContentEnd: ContentEnd) -> Self {
        Self::End
    }
}

/// A number and its width in bits.
pub(super) type SizedNumber = (u64, u8);

/// What fields say to the reader.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RoleValues {
    pub(super) magic: Option<u64>,
    pub(super) uuid: Option<[u8; 16]>,
    pub(super) stream_id: Option<u64>,
    pub(super) packet_size: Option<u64>,
    pub(super) content_size: Option<u64>,
    pub(super) timestamp: Option<SizedNumber>,
    pub(super) discarded: Option<SizedNumber>,
    pub(super) packet_number: Option<SizedNumber>,
    pub(super) core: Option<u64>,
    pub(super) event_id: Option<u64>,
}

impl RoleValues {
    fn set(&mut self, role: FieldRole, number: u64, bits: u8) {
        let sized = Some((number, bits));
        match role {
            FieldRole::Magic => self.magic = Some(number),
            FieldRole::StreamId => self.stream_id = Some(number),
            FieldRole::PacketSize => self.packet_size = Some(number),
            FieldRole::ContentSize => self.content_size = Some(number),
            FieldRole::Timestamp => self.timestamp = sized,
            FieldRole::EventsDiscarded => self.discarded = sized,
            FieldRole::PacketNumber => self.packet_number = sized,
            FieldRole::Core => self.core = Some(number),
            FieldRole::EventId => self.event_id = Some(number),
            FieldRole::Uuid => {}
        }
    }
}

/// The value of a field of the last event.
#[derive(Debug, Clone, Copy)]
enum StoredValue<'b> {
    Unsigned(u64),
    Signed(i64),
    Bytes(&'b [u8]),
    /// The start and the end among the rendered texts.
    Rendered(usize, usize),
}

/// Reads fields one after the other.
#[derive(Debug)]
pub(super) struct RecordReader<'b> {
    /// The integers that were read, by number.
    leaves: Vec<i128>,
    pub(super) roles: RoleValues,
    values: Vec<StoredValue<'b>>,
    /// What has no number, as text.
    rendered: Vec<u8>,
}

/// Maximum number of elements of an array to show.
const MAX_SHOWN_ELEMENTS: u64 = 64;

/// Whether the value of a field is stored, or becomes part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Store,
    Render,
    Skip,
}

impl<'b> RecordReader<'b> {
    pub(super) fn new(leaves: u32) -> Self {
        Self {
            leaves: vec![0; leaves as usize],
            roles: RoleValues::default(),
            values: Vec::new(),
            rendered: Vec::new(),
        }
    }

    /// Begins an event with this number of values.
    pub(super) fn begin(&mut self, values: usize) {
        self.rendered.clear();
        self.values.clear();
        self.values.resize(values, StoredValue::Unsigned(0));
    }

    /// The values of the event.
    pub(super) fn value(&self, place: usize) -> FieldValue<'_> {
        match self.values.get(place) {
            Some(StoredValue::Unsigned(number)) => FieldValue::Unsigned(*number),
            Some(StoredValue::Signed(number)) => FieldValue::Signed(*number),
            Some(StoredValue::Bytes(bytes)) => FieldValue::Text(bytes),
            Some(StoredValue::Rendered(start, end)) => {
                FieldValue::Text(self.rendered.get(*start..*end).unwrap_or_default())
            }
            None => FieldValue::Unsigned(0),
        }
    }

    pub(super) fn read(&mut self, node: &Node, bits: &mut BitReader<'b>) -> Result<(), ReadError> {
        self.field(node, bits, Mode::Store)
    }

    fn store(&mut self, place: Option<u16>, value: StoredValue<'b>) {
        let place = place.and_then(|place| self.values.get_mut(usize::from(place)));
        if let Some(place) = place {
            *place = value;
        }
    }

    fn field(
        &mut self,
        node: &Node,
        bits: &mut BitReader<'b>,
        mode: Mode,
    ) -> Result<(), ReadError> {
        match node {
            Node::Integer(integer) => self.integer(integer, bits, mode),
            Node::Varint {
                signed,
                leaf,
                role,
                value,
            } => {
                let number = varint(bits, *signed)?;
                self.number(number, 64, *leaf, *role);
                match mode {
                    Mode::Store if *signed => {
                        self.store(*value, StoredValue::Signed(number as i64));
                    }
                    Mode::Store => self.store(*value, StoredValue::Unsigned(number as u64)),
                    Mode::Render => self.render(format_args!("{number}")),
                    Mode::Skip => {}
                }
                Ok(())
            }
            Node::Float {
                bits: width,
                align,
                order,
                value,
            } => {
                bits.align(*align);
                let number = bits.unsigned(*width, *order)?;
                self.as_text(*value, mode, |reader, mode| {
                    if mode == Mode::Render {
                        match *width {
                            32 => {
                                let number = f32::from_bits(number as u32);
                                reader.render(format_args!("{number}"));
                            }
                            _ => reader.render(format_args!("{}", f64::from_bits(number))),
                        }
                    }
                    Ok(())
                })
            }
            Node::Text { value } => {
                let text = bits.text()?;
                self.bytes(text, *value, mode);
                Ok(())
            }
            Node::Struct { align, fields } => {
                bits.align(*align);
                let is_shown = mode == Mode::Render;
                let mut separator = "{";
                for (name, node) in fields {
                    if is_shown {
                        self.render(format_args!("{separator}{name}="));
                        separator = ", ";
                    }
                    self.field(node, bits, mode)?;
                }
                if is_shown {
                    let end = if fields.is_empty() { "{}" } else { "}" };
                    self.render(format_args!("{end}"));
                }
                Ok(())
            }
            Node::Array { .. } => self.array(node, bits, mode),
            Node::Variant {
                selector,
                options,
                value,
            } => {
                let selected = self.leaf(*selector);
                let is_it = |ranges: &[Range]| ranges.iter().any(|it| it.contains(selected));
                let option = options.iter().find(|(ranges, _)| is_it(ranges));
                let (_, node) = option.ok_or(ReadError::NoOption(selected))?;
                self.as_text(*value, mode, |reader, mode| reader.field(node, bits, mode))
            }
            Node::Optional {
                selector,
                ranges,
                node,
                value,
            } => {
                let selected = self.leaf(*selector);
                let is_there = match ranges {
                    Some(ranges) => ranges.iter().any(|it| it.contains(selected)),
                    None => selected != 0,
                };
                self.as_text(*value, mode, |reader, mode| match is_there {
                    true => reader.field(node, bits, mode),
                    false => Ok(()),
                })
            }
        }
    }

    /// Reads what is shown as text, if it has a value.
    fn as_text(
        &mut self,
        value: Option<u16>,
        mode: Mode,
        read: impl FnOnce(&mut Self, Mode) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        if mode != Mode::Store || value.is_none() {
            return read(self, mode);
        }
        let start = self.rendered.len();
        read(self, Mode::Render)?;
        let end = self.rendered.len();
        self.store(value, StoredValue::Rendered(start, end));
        Ok(())
    }

    fn bytes(&mut self, bytes: &'b [u8], value: Option<u16>, mode: Mode) {
        match mode {
            Mode::Store => self.store(value, StoredValue::Bytes(bytes)),
            Mode::Render => {
                let end = memchr::memchr(0, bytes).unwrap_or(bytes.len());
                self.rendered
                    .extend_from_slice(bytes.get(..end).unwrap_or_default());
            }
            Mode::Skip => {}
        }
    }

    fn leaf(&self, leaf: Leaf) -> i128 {
        self.leaves.get(leaf as usize).copied().unwrap_or(0)
    }

    fn number(&mut self, number: i128, bits: u8, leaf: Leaf, role: Option<FieldRole>) {
        if let Some(place) = self.leaves.get_mut(leaf as usize) {
            *place = number;
        }
        if let Some(role) = role {
            self.roles.set(role, number as u64, bits);
        }
    }

    #[inline]
    fn integer(
        &mut self,
        node: &IntegerNode,
        bits: &mut BitReader<'b>,
        mode: Mode,
    ) -> Result<(), ReadError> {
        bits.align(node.align);
        let word = bits.unsigned(node.bits, node.order)?;
        let signed = sign_extend(word, node.bits);
        let number = if node.signed {
            signed.into()
        } else {
            i128::from(word)
        };
        self.number(number, node.bits, node.leaf, node.role);
        match mode {
            Mode::Store if node.signed => self.store(node.value, StoredValue::Signed(signed)),
            Mode::Store => self.store(node.value, StoredValue::Unsigned(word)),
            Mode::Render => match label(&node.mappings, number) {
                Some(label) => self.render(format_args!("{label}")),
                None => self.render(format_args!("{number}")),
            },
            Mode::Skip => {}
        }
        Ok(())
    }

    fn array(
        &mut self,
        node: &Node,
        bits: &mut BitReader<'b>,
        mode: Mode,
    ) -> Result<(), ReadError> {
        let Node::Array {
            align,
            element,
            length,
            is_text,
            role,
            value,
        } = node
        else {
            return Ok(());
        };
        bits.align(*align);
        let count = match length {
            NodeLength::Fixed(count) => *count,
            NodeLength::Leaf(leaf) => {
                u64::try_from(self.leaf(*leaf)).map_err(|_| ReadError::Length)?
            }
        };
        let is_bytes = matches!(&**element, Node::Integer(IntegerNode { bits: 8, .. }));
        if *is_text && is_bytes {
            let text = bits.bytes(count)?;
            self.bytes(text, *value, mode);
            return Ok(());
        }
        if *role == Some(FieldRole::Uuid) && is_bytes {
            let uuid = bits.bytes(count)?;
            self.roles.uuid = uuid.try_into().ok();
            return Ok(());
        }
        self.as_text(*value, mode, |reader, mode| {
            let is_shown = mode == Mode::Render;
            for number in 0..count {
                let before = bits.position();
                let shown = match mode {
                    Mode::Render if number >= MAX_SHOWN_ELEMENTS => Mode::Skip,
                    mode => mode,
                };
                if is_shown && number == MAX_SHOWN_ELEMENTS {
                    reader.render(format_args!(", …"));
                } else if shown == Mode::Render {
                    let separator = if number == 0 { "[" } else { ", " };
                    reader.render(format_args!("{separator}"));
                }
                reader.field(element, bits, shown)?;
                // Elements without content.
                if bits.position() == before {
                    break;
                }
            }
            if is_shown {
                let end = if count == 0 { "[]" } else { "]" };
                reader.render(format_args!("{end}"));
            }
            Ok(())
        })
    }

    fn render(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a `Vec` cannot fail.
        let _ = self.rendered.write_fmt(text);
    }
}

/// The name of a value.
fn label(mappings: &Arc<[Mapping]>, number: i128) -> Option<&str> {
    let found = mappings
        .iter()
        .find(|mapping| mapping.range.contains(number));
    found.map(|mapping| mapping.name.as_str())
}

/// An integer of as many bytes as it needs.
fn varint(bits: &mut BitReader<'_>, signed: bool) -> Result<i128, ReadError> {
    bits.align(8);
    let mut number = 0_i128;
    for shift in (0..70).step_by(7) {
        let byte = bits.unsigned(8, ByteOrder::Little)?;
        number |= i128::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            let is_negative = signed && byte & 0x40 != 0;
            return Ok(if is_negative {
                number - (1 << (shift + 7))
            } else {
                number
            });
        }
    }
    Err(ReadError::Length)
}
