//! Metadata as a tree that is read field by field: references are resolved, names are those of
//! leaves.

use super::enum_names::intern_names;
use super::field_class::{
    ClockClass, FieldClass, FieldRole, IntegerClass, Length, Location, Mapping, Metadata, Range,
    Scope,
};
use crate::mapping::{FieldDef, FieldType};
use rtoscope_wire::ByteOrder;
use std::collections::HashSet;
use std::sync::Arc;

/// The number of an integer to which other fields can refer.
pub(super) type Leaf = u32;

/// A field to read.
#[derive(Debug)]
pub(super) enum Node {
    Integer(IntegerNode),
    Varint {
        signed: bool,
        leaf: Leaf,
        role: Option<FieldRole>,
        value: Option<u16>,
    },
    Float {
        bits: u8,
        align: u32,
        order: ByteOrder,
        value: Option<u16>,
    },
    Text {
        value: Option<u16>,
    },
    Struct {
        align: u32,
        /// Names for what is shown as text.
        fields: Vec<(String, Node)>,
    },
    Array {
        align: u32,
        element: Box<Node>,
        length: NodeLength,
        is_text: bool,
        role: Option<FieldRole>,
        value: Option<u16>,
    },
    Variant {
        selector: Leaf,
        options: Vec<(Vec<Range>, Node)>,
        /// `None` where it is part of something else, or only has fields for the reader.
        value: Option<u16>,
    },
    Optional {
        selector: Leaf,
        ranges: Option<Vec<Range>>,
        node: Box<Node>,
        value: Option<u16>,
    },
}

#[derive(Debug)]
pub(super) struct IntegerNode {
    pub(super) bits: u8,
    pub(super) align: u32,
    pub(super) signed: bool,
    pub(super) order: ByteOrder,
    /// The names of values, for what is shown as text.
    pub(super) mappings: Arc<[Mapping]>,
    pub(super) leaf: Leaf,
    pub(super) role: Option<FieldRole>,
    /// The place among the values of an event.
    pub(super) value: Option<u16>,
}

#[derive(Debug)]
pub(super) enum NodeLength {
    Fixed(u64),
    Leaf(Leaf),
}

/// The layout of a trace's streams.
#[derive(Debug)]
pub(super) struct TraceLayout {
    pub(super) packet_header: Option<Node>,
    pub(super) streams: Vec<StreamLayout>,
    /// Maximum number of integers of a record.
    pub(super) leaves: u32,
}

#[derive(Debug)]
pub(super) struct StreamLayout {
    pub(super) id: u64,
    pub(super) packet_context: Option<Node>,
    pub(super) event_header: Option<Node>,
    /// The clock of its timestamps.
    pub(super) clock: Option<ClockClass>,
    /// The events, by id.
    pub(super) events: Vec<EventLayout>,
}

#[derive(Debug)]
pub(super) struct EventLayout {
    pub(super) id: u64,
    pub(super) name: String,
    /// What precedes the fields of the event, in this order, then the fields.
    pub(super) parts: Vec<Node>,
    /// The fields with values: those of the event first, then those of its contexts.
    pub(super) fields: Vec<FieldDef>,
}

impl StreamLayout {
    /// The event with an id.
    pub(super) fn event(&self, id: u64) -> Option<usize> {
        self.events.binary_search_by_key(&id, |event| event.id).ok()
    }
}

/// Maximum number of fields of all events, and how deep they are nested.
const MAX_NODES: u32 = 1 << 20;
const MAX_DEPTH: usize = 64;
/// Maximum number of integers, and of values, of an event.
const MAX_LEAVES: usize = 1 << 14;
const MAX_VALUES: usize = 1 << 12;

/// Resolves metadata; the error is the problem in words.
pub(super) fn resolve(metadata: &Metadata) -> Result<TraceLayout, String> {
    let mut resolver = Resolver {
        default_order: metadata.order.unwrap_or(ByteOrder::Little),
        nodes: 0,
        leaves: 0,
        known: Vec::new(),
        clock: None,
        path: Vec::new(),
        values: None,
    };
    let packet_header = resolver.scope(metadata.packet_header.as_deref(), Scope::PacketHeader)?;
    let header_end = resolver.known.len();
    let mut declared = metadata.streams.clone();
    if declared.is_empty() {
        declared.push(Default::default());
    }
    let mut streams = Vec::new();
    for stream in &declared {
        resolver.known.truncate(header_end);
        resolver.clock = None;
        let context = stream.packet_context.as_deref();
        let packet_context = resolver.scope(context, Scope::PacketContext)?;
        let header = stream.event_header.as_deref();
        let event_header = resolver.scope(header, Scope::EventHeader)?;
        let stream_end = resolver.known.len();
        let mut events = Vec::new();
        let own = metadata.events.iter();
        let own = own.filter(|event| event.stream_id.is_none_or(|id| id == stream.id));
        for event in own {
            resolver.known.truncate(stream_end);
            resolver.values = Some(ValueFields::default());
            let mut parts = Vec::new();
            let contexts = [
                (stream.event_context.as_deref(), Scope::StreamEventContext),
                (event.context.as_deref(), Scope::EventContext),
                (event.fields.as_deref(), Scope::EventFields),
            ];
            for (class, scope) in contexts {
                parts.extend(resolver.scope(class, scope)?);
            }
            let values = resolver.values.take().unwrap_or_default();
            events.push(EventLayout {
                id: event.id,
                name: event.name.clone(),
                parts,
                fields: values.named(),
            });
        }
        events.sort_by_key(|event| event.id);
        events.dedup_by_key(|event| event.id);
        let clock = stream.clock.as_ref().or(resolver.clock.as_ref());
        let clock = clock.and_then(|name| metadata.clocks.iter().find(|it| it.name == *name));
        streams.push(StreamLayout {
            id: stream.id,
            packet_context,
            event_header,
            // A timestamp that names no clock has the only one.
            clock: clock.or(metadata.clocks.first()).cloned(),
            events,
        });
    }
    Ok(TraceLayout {
        packet_header,
        streams,
        leaves: resolver.leaves,
    })
}

/// The fields of an event that have values.
#[derive(Debug, Default)]
struct ValueFields {
    fields: Vec<(Scope, FieldDef)>,
}

impl ValueFields {
    /// The fields, with unique names: those of contexts get their scope's name if necessary.
    fn named(self) -> Vec<FieldDef> {
        let of_event = self
            .fields
            .iter()
            .filter(|(scope, _)| *scope == Scope::EventFields);
        let of_event: HashSet<_> = of_event.map(|(_, field)| field.name.clone()).collect();
        let mut taken = HashSet::new();
        let named = self.fields.into_iter().map(|(scope, mut field)| {
            let is_context = scope != Scope::EventFields;
            let is_taken = taken.contains(&field.name);
            if is_context && (is_taken || of_event.contains(&field.name)) {
                field.name = format!("context.{}", field.name);
            }
            let stem = field.name.clone();
            let mut number = 2;
            while !taken.insert(field.name.clone()) {
                field.name = format!("{stem}_{number}");
                number += 1;
            }
            field
        });
        named.collect()
    }
}

/// An integer that was read before.
struct KnownLeaf {
    scope: Scope,
    path: Vec<String>,
    leaf: Leaf,
    mappings: Arc<[Mapping]>,
}

struct Resolver {
    default_order: ByteOrder,
    nodes: u32,
    leaves: u32,
    known: Vec<KnownLeaf>,
    /// The first clock of a timestamp.
    clock: Option<String>,
    /// The names of the fields around the current one.
    path: Vec<String>,
    /// The values of the current event.
    values: Option<ValueFields>,
}

impl Resolver {
    fn scope(&mut self, class: Option<&FieldClass>, scope: Scope) -> Result<Option<Node>, String> {
        self.path.clear();
        let is_part = !matches!(
            scope,
            Scope::StreamEventContext | Scope::EventContext | Scope::EventFields
        );
        class
            .map(|class| self.node(class, scope, is_part, 0))
            .transpose()
    }

    /// Resolves a field; `is_part` if it has no value of its own.
    fn node(
        &mut self,
        class: &FieldClass,
        scope: Scope,
        is_part: bool,
        depth: usize,
    ) -> Result<Node, String> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(format!("events have more than {MAX_NODES} fields"));
        }
        if depth > MAX_DEPTH {
            return Err(format!("fields are nested deeper than {MAX_DEPTH}"));
        }
        Ok(match class {
            FieldClass::Integer(class) => {
                let role = class.role.or_else(|| self.role(scope, class));
                if role == Some(FieldRole::Timestamp) && self.clock.is_none() {
                    self.clock.clone_from(&class.clock);
                }
                let leaf = self.remember(scope, &class.mappings)?;
                let value = self.integer_value(scope, class, is_part)?;
                Node::Integer(IntegerNode {
                    bits: class.bits,
                    align: class.align.max(1),
                    signed: class.signed,
                    order: class.order.unwrap_or(self.default_order),
                    mappings: Arc::clone(&class.mappings),
                    leaf,
                    role,
                    value,
                })
            }
            FieldClass::Varint {
                signed,
                mappings,
                role,
            } => {
                let leaf = self.remember(scope, mappings)?;
                let class = IntegerClass {
                    signed: *signed,
                    mappings: Arc::clone(mappings),
                    ..IntegerClass::unsigned(64, 8)
                };
                let value = self.integer_value(scope, &class, is_part)?;
                Node::Varint {
                    signed: *signed,
                    leaf,
                    role: *role,
                    value,
                }
            }
            FieldClass::Float { bits, align, order } => Node::Float {
                bits: *bits,
                align: (*align).max(1),
                order: order.unwrap_or(self.default_order),
                value: self.text_value(scope, is_part)?,
            },
            FieldClass::Text => Node::Text {
                value: self.text_value(scope, is_part)?,
            },
            FieldClass::Struct(class) => {
                let mut fields = Vec::with_capacity(class.fields.len());
                let mut align = class.align.max(1);
                for (name, field) in &class.fields {
                    self.path.push(name.clone());
                    let node = self.node(field, scope, is_part, depth + 1);
                    self.path.pop();
                    let node = node?;
                    align = align.max(node.alignment());
                    fields.push((name.clone(), node));
                }
                Node::Struct { align, fields }
            }
            FieldClass::Array {
                element,
                length,
                align,
                is_text,
                role,
            } => {
                let length = match length {
                    Length::Fixed(length) => NodeLength::Fixed(*length),
                    Length::Field(location) => NodeLength::Leaf(self.find(location, scope)?.leaf),
                };
                let value = self.text_value(scope, is_part)?;
                let element = self.node(element, scope, true, depth + 1)?;
                let is_uuid = scope == Scope::PacketHeader
                    && self.path.last().is_some_and(|name| name == "uuid");
                Node::Array {
                    align: (*align).max(element.alignment()),
                    element: Box::new(element),
                    length,
                    is_text: *is_text,
                    role: role.or_else(|| is_uuid.then_some(FieldRole::Uuid)),
                    value,
                }
            }
            FieldClass::Variant { selector, options } => {
                let found = self.find(selector, scope)?;
                let (selector, mappings) = (found.leaf, Arc::clone(&found.mappings));
                let value = self.text_value(scope, is_part)?;
                let mut nodes = Vec::new();
                for option in options {
                    let ranges = option.ranges.clone().unwrap_or_else(|| {
                        let named = mappings.iter();
                        let named = named.filter(|it| {
                            it.name.trim_start_matches('_') == option.name.trim_start_matches('_')
                        });
                        named.map(|mapping| mapping.range).collect()
                    });
                    self.path.push(option.name.clone());
                    let node = self.node(&option.class, scope, true, depth + 1);
                    self.path.pop();
                    nodes.push((ranges, node?));
                }
                Node::Variant {
                    selector,
                    options: nodes,
                    value,
                }
            }
            FieldClass::Optional {
                selector,
                ranges,
                class,
            } => Node::Optional {
                selector: self.find(selector, scope)?.leaf,
                ranges: ranges.clone(),
                value: self.text_value(scope, is_part)?,
                node: Box::new(self.node(class, scope, true, depth + 1)?),
            },
        })
    }

    /// What a field is for the reader, by its name.
    fn role(&self, scope: Scope, class: &IntegerClass) -> Option<FieldRole> {
        let name = self.path.last()?.as_str();
        Some(match (scope, name) {
            (Scope::PacketHeader, "magic") => FieldRole::Magic,
            (Scope::PacketHeader, "stream_id") => FieldRole::StreamId,
            (Scope::PacketContext, "timestamp_begin") => FieldRole::Timestamp,
            (Scope::PacketContext, "timestamp_end") => FieldRole::TimestampEnd,
            (Scope::PacketContext, "packet_size") => FieldRole::PacketSize,
            (Scope::PacketContext, "content_size") => FieldRole::ContentSize,
            (Scope::PacketContext, "events_discarded") => FieldRole::EventsDiscarded,
            (Scope::PacketContext, "packet_seq_num") => FieldRole::PacketNumber,
            (Scope::PacketContext, "cpu_id") => FieldRole::Core,
            (Scope::EventHeader, "id") => FieldRole::EventId,
            (Scope::EventHeader, "timestamp") => FieldRole::Timestamp,
            (Scope::EventHeader, _) if class.clock.is_some() => FieldRole::Timestamp,
            _ => return None,
        })
    }

    /// Makes an integer one to which later fields can refer.
    fn remember(&mut self, scope: Scope, mappings: &Arc<[Mapping]>) -> Result<Leaf, String> {
        let leaf = self.known.len();
        if leaf >= MAX_LEAVES {
            return Err(format!("an event has more than {MAX_LEAVES} integers"));
        }
        self.known.push(KnownLeaf {
            scope,
            path: self.path.clone(),
            leaf: leaf as Leaf,
            mappings: Arc::clone(mappings),
        });
        self.leaves = self.leaves.max(leaf as u32 + 1);
        Ok(leaf as Leaf)
    }

    /// The integer to which a field at the current path refers.
    fn find(&self, location: &Location, scope: Scope) -> Result<&KnownLeaf, String> {
        let missing = || {
            let path = location.path.join(".");
            let field = self.path.join(".");
            format!("field `{field}` refers to `{path}`, which is no integer before it")
        };
        let known = || self.known.iter().rev();
        if let Some(scope) = location.scope {
            let found = known().find(|it| it.scope == scope && it.path == location.path);
            return found.ok_or_else(missing);
        }
        // From the innermost structure outwards.
        for depth in (0..self.path.len().max(1)).rev() {
            let around = self.path.get(..depth).unwrap_or_default();
            let is_it = |it: &&KnownLeaf| {
                it.scope == scope
                    && it.path.len() == depth + location.path.len()
                    && it.path.starts_with(around)
                    && it.path.ends_with(&location.path)
            };
            if let Some(found) = known().find(is_it) {
                return Ok(found);
            }
        }
        // Then the scopes before.
        let found = known().find(|it| it.scope < scope && it.path == location.path);
        found.ok_or_else(missing)
    }

    fn integer_value(
        &mut self,
        scope: Scope,
        class: &IntegerClass,
        is_part: bool,
    ) -> Result<Option<u16>, String> {
        let field_type = || match class {
            IntegerClass { mappings, .. } if !mappings.is_empty() => {
                let name = self.path.last().map_or("", String::as_str);
                match intern_names(name, mappings) {
                    Some(names) => FieldType::Named(names),
                    None if class.signed => FieldType::Signed,
                    None => FieldType::Unsigned,
                }
            }
            IntegerClass { signed: true, .. } => FieldType::Signed,
            IntegerClass { is_hex: true, .. } => FieldType::Hex,
            _ => FieldType::Unsigned,
        };
        let field_type = match is_part {
            true => FieldType::Text,
            false => field_type(),
        };
        self.value(scope, field_type, class.bits, is_part)
    }

    fn text_value(&mut self, scope: Scope, is_part: bool) -> Result<Option<u16>, String> {
        self.value(scope, FieldType::Text, 0, is_part)
    }

    fn value(
        &mut self,
        scope: Scope,
        field_type: FieldType,
        bits: u8,
        is_part: bool,
    ) -> Result<Option<u16>, String> {
        let name = self.path.join(".");
        let Some(values) = self.values.as_mut().filter(|_| !is_part) else {
            return Ok(None);
        };
        let number = values.fields.len();
        if number >= MAX_VALUES {
            return Err(format!("an event has more than {MAX_VALUES} fields"));
        }
        values.fields.push((
            scope,
            FieldDef {
                name,
                field_type,
                bits,
            },
        ));
        Ok(Some(number as u16))
    }
}

impl Node {
    /// The alignment in bits.
    pub(super) fn alignment(&self) -> u32 {
        match self {
            Self::Integer(IntegerNode { align, .. })
            | Self::Float { align, .. }
            | Self::Struct { align, .. }
            | Self::Array { align, .. } => *align,
            Self::Text { .. } | Self::Varint { .. } => 8,
            Self::Variant { .. } | Self::Optional { .. } => 1,
        }
    }
}
