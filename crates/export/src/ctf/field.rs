//! Fields of events, their types and TSDL declarations.

use super::labels::LabelSet;
use super::tsdl_text::{self, IdentifierScope};
use rtoscope_trace::catalogue::Meaning;
use rtoscope_trace::extras::{self, ItemValue};
use rtoscope_trace::{ObjectClass, Trace};
use std::io::Write as _;

/// A field of an event or a context.
#[derive(Debug)]
pub(super) struct CtfField {
    /// The TSDL name.
    pub(super) name: String,
    /// The type of its values.
    pub(super) field_type: FieldType,
    /// For bytes, the name of the preceding field with their length.
    pub(super) length_field: Option<String>,
}

/// Creates fields from arbitrary names, which become valid and unique identifiers.
pub(super) fn unique_fields<'n>(
    fields: impl IntoIterator<Item = (&'n str, FieldType)>,
) -> Vec<CtfField> {
    let mut identifiers = IdentifierScope::default();
    let fields = fields.into_iter().map(|(name, form)| {
        let name = identifiers.unique(name);
        let length = (form == FieldType::Bytes).then(|| {
            let stem = name.strip_prefix('_').unwrap_or(&name);
            identifiers.unique(&format!("{stem}_length"))
        });
        CtfField {
            name,
            field_type: form,
            length_field: length,
        }
    });
    fields.collect()
}

/// The type of a field. Numbers have 8, 16, 32 or 64 bits and are little-endian,
/// whatever the byte order of the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum FieldType {
    /// A number, displayed in decimal.
    Unsigned(u8),
    /// A number, displayed in hexadecimal.
    Hexadecimal(u8),
    /// A signed number.
    Signed(u8),
    /// A number with labels for some values.
    Labelled(LabelSet, u8),
    /// A NUL-terminated string.
    Text,
    /// An IPv4 address in dotted notation, as a string.
    Ipv4,
    /// Bytes, preceded by their number.
    Bytes,
}

/// The basic types.
pub(super) const TSDL_TYPES: &str = "\
typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
typealias integer { size = 8; align = 8; signed = true; } := int8_t;
typealias integer { size = 16; align = 8; signed = true; } := int16_t;
typealias integer { size = 32; align = 8; signed = true; } := int32_t;
typealias integer { size = 64; align = 8; signed = true; } := int64_t;
typealias integer { size = 8; align = 8; signed = false; base = 16; } := hex8_t;
typealias integer { size = 32; align = 8; signed = false; base = 16; } := hex32_t;
typealias integer { size = 64; align = 8; signed = false; base = 16; } := hex64_t;
typealias string { encoding = UTF8; } := text_t;
";

impl FieldType {
    /// The type for a word of `bits` bits with a meaning.
    pub(super) fn for_meaning(meaning: Meaning, bits: u8) -> Self {
        match meaning {
            Meaning::Object(class) => Self::Labelled(LabelSet::Objects(class), bits),
            Meaning::AnyObject => Self::Labelled(LabelSet::AnyObjects, bits),
            Meaning::ContextName => Self::Labelled(LabelSet::ContextNames, bits),
            Meaning::EventPool => Self::Labelled(LabelSet::EventPools, bits),
            Meaning::Named(names) => Self::Labelled(LabelSet::Names(names), bits),
            Meaning::Code => Self::Labelled(LabelSet::Code, bits),
            Meaning::Text => Self::Text,
            Meaning::Signed => Self::Signed(bits),
            Meaning::Count
            | Meaning::Bytes
            | Meaning::Ticks
            | Meaning::Priority
            | Meaning::IsrNumber
            | Meaning::SystemState
            | Meaning::Port
            | Meaning::Number => Self::Unsigned(bits),
            Meaning::Address | Meaning::StackPointer | Meaning::Flags | Meaning::Hex => {
                Self::Hexadecimal(bits)
            }
            Meaning::Ipv4 => Self::Ipv4,
        }
    }

    /// The type for an item that describes itself.
    pub(super) fn for_item(form: extras::ItemType) -> Self {
        match form {
            extras::ItemType::I8 => Self::Signed(8),
            extras::ItemType::U8 => Self::Unsigned(8),
            extras::ItemType::I16 => Self::Signed(16),
            extras::ItemType::U16 => Self::Unsigned(16),
            extras::ItemType::I32 => Self::Signed(32),
            extras::ItemType::U32 => Self::Unsigned(32),
            extras::ItemType::X32 => Self::Hexadecimal(32),
            extras::ItemType::Text => Self::Text,
            extras::ItemType::Memory => Self::Bytes,
            extras::ItemType::Object => Self::Labelled(LabelSet::AnyObjects, 32),
            extras::ItemType::Function => {
                Self::Labelled(LabelSet::Objects(ObjectClass::Function), 32)
            }
            extras::ItemType::Signal => Self::Labelled(LabelSet::Objects(ObjectClass::Signal), 32),
        }
    }

    /// Appends a word of the trace.
    #[inline]
    pub(super) fn append(self, to: &mut Vec<u8>, trace: &Trace, word: u64) {
        match self {
            Self::Unsigned(bits) | Self::Hexadecimal(bits) | Self::Labelled(_, bits) => {
                append_number(to, word, bits);
            }
            Self::Signed(bits) => {
                // The target's compiler stores 32-bit numbers in 64-bit words
                // without sign extension.
                let narrow = u32::try_from(word).map(|word| i64::from(word.cast_signed()));
                append_number(to, narrow.map_or(word, i64::cast_unsigned), bits);
            }
            Self::Text => tsdl_text::append_text(to, trace.events.extras().text(word)),
            Self::Ipv4 => {
                // Writing to a `Vec` cannot fail.
                let _ = write!(to, "{:#}\0", trace.value(Meaning::Ipv4, word));
            }
            Self::Bytes => append_bytes(to, &[]),
        }
    }

    /// Appends an item of the trace.
    pub(super) fn append_item(self, to: &mut Vec<u8>, trace: &Trace, value: ItemValue<'_>) {
        match value {
            ItemValue::Number(number) => self.append(to, trace, number.into()),
            ItemValue::Signed(signed) => self.append(to, trace, signed.cast_unsigned().into()),
            ItemValue::Text(text) => tsdl_text::append_text(to, text),
            ItemValue::Memory(block) => append_bytes(to, block),
        }
    }

    /// The TSDL type of an unlabelled number, or string for anything else.
    pub(super) fn tsdl_type(self) -> &'static str {
        match self {
            Self::Unsigned(8) => "uint8_t",
            Self::Unsigned(16) => "uint16_t",
            Self::Unsigned(32) => "uint32_t",
            Self::Unsigned(_) => "uint64_t",
            Self::Signed(8) => "int8_t",
            Self::Signed(16) => "int16_t",
            Self::Signed(32) => "int32_t",
            Self::Signed(_) => "int64_t",
            Self::Hexadecimal(8) | Self::Bytes => "hex8_t",
            Self::Hexadecimal(32) => "hex32_t",
            Self::Hexadecimal(_) => "hex64_t",
            Self::Labelled(labels, bits) if labels.are_addresses() => {
                Self::Hexadecimal(bits).tsdl_type()
            }
            Self::Labelled(_, bits) => Self::Unsigned(bits).tsdl_type(),
            Self::Text | Self::Ipv4 => "text_t",
        }
    }
}

#[inline]
fn append_number(to: &mut Vec<u8>, value: u64, bits: u8) {
    match bits {
        8 => to.push(value as u8),
        16 => to.extend_from_slice(&(value as u16).to_le_bytes()),
        32 => to.extend_from_slice(&(value as u32).to_le_bytes()),
        _ => to.extend_from_slice(&value.to_le_bytes()),
    }
}

fn append_bytes(to: &mut Vec<u8>, block: &[u8]) {
    let length = u32::try_from(block.len()).unwrap_or(u32::MAX);
    to.extend_from_slice(&length.to_le_bytes());
    to.extend_from_slice(block);
}
