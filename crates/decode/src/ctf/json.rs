//! Parses the metadata of CTF 2: a sequence of JSON texts.

use super::field_class::{
    ClockClass, EventClass, FieldClass, FieldRole, IntegerClass, Length, Location, Mapping,
    Metadata, MetadataError, Range, Scope, StreamClass, StructClass, VariantOption,
};
use rtoscope_wire::ByteOrder;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// The separator of the texts.
const RECORD_SEPARATOR: char = '\u{1E}';

/// Maximum depth of field classes.
const MAX_DEPTH: usize = 64;

type Parsed<T> = Result<T, String>;

/// Parses metadata.
pub(super) fn parse(text: &str) -> Result<Metadata, MetadataError> {
    let mut parser = Parser {
        aliases: HashMap::new(),
        metadata: Metadata {
            version: "2",
            ..Metadata::default()
        },
    };
    let mut line = 1;
    for fragment in text.split(RECORD_SEPARATOR) {
        let error = |problem: String| MetadataError { line, problem };
        if !fragment.trim().is_empty() {
            let value = serde_json::from_str(fragment).map_err(|it| error(it.to_string()))?;
            parser.fragment(&value).map_err(error)?;
        }
        line += fragment.matches('\n').count();
    }
    Ok(parser.metadata)
}

struct Parser {
    aliases: HashMap<String, Arc<FieldClass>>,
    metadata: Metadata,
}

fn number(value: &Value, key: &str) -> Option<u64> {
    value.get(key)?.as_u64()
}

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}

impl Parser {
    fn fragment(&mut self, value: &Value) -> Parsed<()> {
        let class = |key: &str| value.get(key).map(|it| self.class(it, 0)).transpose();
        match text(value, "type") {
            Some("preamble") => {
                let uuid = value.get("uuid").and_then(Value::as_array);
                self.metadata.uuid = uuid.and_then(|bytes| uuid_bytes(bytes));
            }
            Some("trace-class") => {
                let header = class("packet-header-field-class")?;
                self.metadata.packet_header = header;
                let environment = value.get("environment").and_then(Value::as_object);
                let entries = environment.into_iter().flatten().map(|(key, value)| {
                    let value = value
                        .as_str()
                        .map_or_else(|| value.to_string(), str::to_owned);
                    (key.clone(), value)
                });
                self.metadata.environment.extend(entries);
            }
            Some("clock-class") => {
                let offset = value.get("offset-from-origin");
                let signed = |key: &str| offset.and_then(|it| it.get(key)?.as_i64()).unwrap_or(0);
                let hertz = match value.get("frequency") {
                    Some(hertz) => hertz.as_u64().unwrap_or(0),
                    None => ClockClass::DEFAULT_HERTZ,
                };
                let name = text(value, "id")
                    .or(text(value, "name"))
                    .unwrap_or_default();
                self.metadata.clocks.push(ClockClass {
                    name: name.to_owned(),
                    hertz,
                    offset_seconds: signed("seconds"),
                    offset: signed("cycles"),
                });
            }
            Some("data-stream-class") => {
                let clock = text(value, "default-clock-class-id");
                let clock = clock.or(text(value, "default-clock-class-name"));
                let stream = StreamClass {
                    id: number(value, "id").unwrap_or(0),
                    packet_context: class("packet-context-field-class")?,
                    event_header: class("event-record-header-field-class")?,
                    event_context: class("event-record-common-context-field-class")?,
                    clock: clock.map(str::to_owned),
                };
                self.metadata.streams.push(stream);
            }
            Some("event-record-class") => {
                let id = number(value, "id").unwrap_or(0);
                let name = text(value, "name").map(str::to_owned);
                let event = EventClass {
                    id,
                    stream_id: Some(number(value, "data-stream-class-id").unwrap_or(0)),
                    name: name.unwrap_or_else(|| format!("event {id}")),
                    context: class("specific-context-field-class")?,
                    fields: class("payload-field-class")?,
                };
                self.metadata.events.push(event);
            }
            Some("field-class-alias") => {
                let name = text(value, "name").ok_or("a field class alias needs a name")?;
                let class = class("field-class")?.ok_or("a field class alias needs a class")?;
                self.aliases.insert(name.to_owned(), class);
            }
            Some(other) => return Err(format!("no fragment type `{other}`")),
            None => return Err("a fragment needs a type".to_owned()),
        }
        Ok(())
    }

    fn class(&self, value: &Value, depth: usize) -> Parsed<Arc<FieldClass>> {
        if depth > MAX_DEPTH {
            return Err(format!("field classes are nested deeper than {MAX_DEPTH}"));
        }
        if let Some(alias) = value.as_str() {
            let known = self.aliases.get(alias).cloned();
            return known.ok_or_else(|| format!("there is no field class alias `{alias}`"));
        }
        let kind = text(value, "type").ok_or("a field class needs a type")?;
        let nested = |key: &str| match value.get(key) {
            Some(class) => self.class(class, depth + 1),
            None => Err(format!("field class {kind} needs `{key}`")),
        };
        let align = alignment(value, "minimum-alignment")?;
        let order = byte_order(value)?;
        let class = match kind {
            // Enumerations: in drafts of version 2.
            "fixed-length-unsigned-integer"
            | "fixed-length-signed-integer"
            | "fixed-length-unsigned-enumeration"
            | "fixed-length-signed-enumeration"
            | "fixed-length-bit-array"
            | "fixed-length-bit-map"
            | "fixed-length-boolean" => {
                let bits = number(value, "length").and_then(|it| u8::try_from(it).ok());
                let bits = bits.filter(|bits| (1..=64).contains(bits));
                let bits = bits.ok_or_else(|| format!("{kind} needs a length of 1 to 64"))?;
                let base = number(value, "preferred-display-base");
                FieldClass::Integer(IntegerClass {
                    signed: kind.starts_with("fixed-length-signed"),
                    order,
                    is_hex: base == Some(16) || kind == "fixed-length-bit-array",
                    mappings: mappings(value)?,
                    role: role(value),
                    ..IntegerClass::unsigned(bits, alignment(value, "alignment")?)
                })
            }
            "variable-length-unsigned-integer"
            | "variable-length-signed-integer"
            | "variable-length-unsigned-enumeration"
            | "variable-length-signed-enumeration" => FieldClass::Varint {
                signed: kind.starts_with("variable-length-signed"),
                mappings: mappings(value)?,
                role: role(value),
            },
            "fixed-length-floating-point-number" => FieldClass::Float {
                bits: match number(value, "length") {
                    Some(32) => 32,
                    Some(64) => 64,
                    _ => return Err("a floating-point number has 32 or 64 bits".to_owned()),
                },
                align: alignment(value, "alignment")?,
                order,
            },
            "null-terminated-string" => FieldClass::Text,
            "static-length-string" | "static-length-blob" => bytes_class(
                kind,
                Length::Fixed(number(value, "length").unwrap_or(0)),
                value,
            ),
            "dynamic-length-string" | "dynamic-length-blob" => bytes_class(
                kind,
                Length::Field(location(value, "length-field-location")?),
                value,
            ),
            "structure" => {
                let members = value.get("member-classes").and_then(Value::as_array);
                let mut fields = Vec::new();
                for member in members.into_iter().flatten() {
                    let name = text(member, "name").ok_or("a member needs a name")?;
                    let class = member
                        .get("field-class")
                        .ok_or("a member needs a field class")?;
                    fields.push((name.to_owned(), self.class(class, depth + 1)?));
                }
                FieldClass::Struct(StructClass { fields, align })
            }
            "static-length-array" | "dynamic-length-array" => FieldClass::Array {
                element: nested("element-field-class")?,
                length: match kind {
                    "static-length-array" => Length::Fixed(number(value, "length").unwrap_or(0)),
                    _ => Length::Field(location(value, "length-field-location")?),
                },
                align,
                is_text: false,
                role: None,
            },
            "optional" => FieldClass::Optional {
                selector: location(value, "selector-field-location")?,
                ranges: value.get("selector-field-ranges").map(ranges).transpose()?,
                class: nested("field-class")?,
            },
            "variant" => {
                let options = value.get("options").and_then(Value::as_array);
                let options = options.into_iter().flatten().map(|option| {
                    let class = option
                        .get("field-class")
                        .ok_or("an option needs a field class")?;
                    let selected = option.get("selector-field-ranges");
                    let selected = selected.ok_or("an option needs selector-field-ranges")?;
                    Ok(VariantOption {
                        name: text(option, "name").unwrap_or_default().to_owned(),
                        ranges: Some(ranges(selected)?),
                        class: self.class(class, depth + 1)?,
                    })
                });
                FieldClass::Variant {
                    selector: location(value, "selector-field-location")?,
                    options: options.collect::<Parsed<_>>()?,
                }
            }
            other => return Err(format!("no field class `{other}`")),
        };
        Ok(Arc::new(class))
    }
}

/// Bytes, which are a text or, as a blob, an array of numbers.
fn bytes_class(kind: &str, length: Length, value: &Value) -> FieldClass {
    FieldClass::Array {
        element: Arc::new(FieldClass::Integer(IntegerClass {
            is_hex: true,
            ..IntegerClass::unsigned(8, 8)
        })),
        length,
        align: 8,
        is_text: kind.ends_with("string"),
        role: has_role(value, "metadata-stream-uuid").then_some(FieldRole::Uuid),
    }
}

fn uuid_bytes(bytes: &[Value]) -> Option<[u8; 16]> {
    let bytes = bytes.iter().map(|byte| u8::try_from(byte.as_u64()?).ok());
    bytes.collect::<Option<Vec<_>>>()?.try_into().ok()
}

fn alignment(value: &Value, key: &str) -> Parsed<u32> {
    match number(value, key).unwrap_or(1) {
        align if align.is_power_of_two() && align <= 1 << 16 => Ok(align as u32),
        align => Err(format!("an alignment is a power of two, not {align}")),
    }
}

fn byte_order(value: &Value) -> Parsed<Option<ByteOrder>> {
    match text(value, "byte-order") {
        None => Ok(None),
        Some("little-endian") => Ok(Some(ByteOrder::Little)),
        Some("big-endian") => Ok(Some(ByteOrder::Big)),
        Some(other) => Err(format!("no byte order: `{other}`")),
    }
}

fn has_role(value: &Value, wanted: &str) -> bool {
    let roles = value.get("roles").and_then(Value::as_array);
    roles
        .into_iter()
        .flatten()
        .any(|role| role.as_str() == Some(wanted))
}

fn role(value: &Value) -> Option<FieldRole> {
    let roles = [
        ("packet-magic-number", FieldRole::Magic),
        ("data-stream-class-id", FieldRole::StreamId),
        ("packet-total-length", FieldRole::PacketSize),
        ("packet-content-length", FieldRole::ContentSize),
        ("default-clock-timestamp", FieldRole::Timestamp),
        (
            "discarded-event-record-counter-snapshot",
            FieldRole::EventsDiscarded,
        ),
        ("packet-sequence-number", FieldRole::PacketNumber),
        ("event-record-class-id", FieldRole::EventId),
    ];
    let found = roles.iter().find(|(name, _)| has_role(value, name));
    found.map(|(_, role)| *role)
}

fn ranges(value: &Value) -> Parsed<Vec<Range>> {
    let pair = |range: &Value| {
        let number = |place: usize| {
            let number = range.get(place)?;
            let signed = number.as_i64().map(i128::from);
            signed.or_else(|| number.as_u64().map(i128::from))
        };
        Some(Range(number(0)?, number(1)?))
    };
    let all = value.as_array().into_iter().flatten().map(pair);
    let all: Option<Vec<_>> = all.collect();
    all.ok_or_else(|| "a range is a pair of integers".to_owned())
}

fn mappings(value: &Value) -> Parsed<Arc<[Mapping]>> {
    let named = value.get("mappings").and_then(Value::as_object);
    let mut all = Vec::new();
    for (name, value) in named.into_iter().flatten() {
        all.extend(ranges(value)?.into_iter().map(|range| Mapping {
            name: name.clone(),
            range,
        }));
    }
    Ok(all.into())
}

fn location(value: &Value, key: &str) -> Parsed<Location> {
    let location = value
        .get(key)
        .ok_or_else(|| format!("`{key}` is missing"))?;
    let path = location
        .get("path")
        .or(Some(location))
        .and_then(Value::as_array);
    // A null goes one structure outwards, which a search from the inside does, too.
    let path = path.into_iter().flatten().filter_map(Value::as_str);
    let mut path: Vec<_> = path.map(str::to_owned).collect();
    // In drafts of version 2, the origin is the first element of the path.
    let scope = match (text(location, "origin"), path.first()) {
        (Some(origin), _) => {
            Some(origin_scope(origin).ok_or_else(|| format!("no origin `{origin}`"))?)
        }
        (None, Some(first)) if location.is_array() => origin_scope(first),
        (None, _) => None,
    };
    if location.is_array() && scope.is_some() {
        path.remove(0);
    }
    Ok(Location { scope, path })
}

fn origin_scope(origin: &str) -> Option<Scope> {
    Some(match origin {
        "packet-header" => Scope::PacketHeader,
        "packet-context" => Scope::PacketContext,
        "event-record-header" => Scope::EventHeader,
        "event-record-common-context" => Scope::StreamEventContext,
        "event-record-specific-context" => Scope::EventContext,
        "event-record-payload" => Scope::EventFields,
        _ => return None,
    })
}
