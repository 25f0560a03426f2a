use super::debug_sections::DwarfSlice;
use gimli::{AttributeValue, Dwarf, Section, Unit};

/// Maximum length of a text: a damaged section may have texts without an end.
const MAX_TEXT_BYTES: usize = 4096;

/// The location of a file or folder name, as an offset in a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextLocation {
    Info(usize),
    Line(usize),
    LineStr(usize),
    Str(usize),
    /// Missing, or in a form that no compiler uses.
    Unknown,
}

impl TextLocation {
    /// Reads the location from an attribute of a unit.
    pub(super) fn of_unit(
        dwarf: &Dwarf<DwarfSlice<'_>>,
        unit: &Unit<DwarfSlice<'_>>,
        value: &AttributeValue<DwarfSlice<'_>>,
    ) -> Self {
        match value {
            AttributeValue::String(text) => {
                Self::Info(text.offset_from(*dwarf.debug_info.reader()))
            }
            AttributeValue::DebugStrOffsetsIndex(index) => {
                let offset = dwarf.string_offset(unit, *index);
                offset.map_or(Self::Unknown, |offset| Self::Str(offset.0))
            }
            other => Self::elsewhere(other),
        }
    }

    /// Reads the location from the header of a line number program.
    pub(super) fn of_line(
        dwarf: &Dwarf<DwarfSlice<'_>>,
        value: &AttributeValue<DwarfSlice<'_>>,
    ) -> Self {
        match value {
            AttributeValue::String(text) => {
                Self::Line(text.offset_from(*dwarf.debug_line.reader()))
            }
            other => Self::elsewhere(other),
        }
    }

    fn elsewhere(value: &AttributeValue<DwarfSlice<'_>>) -> Self {
        match value {
            AttributeValue::DebugStrRef(offset) => Self::Str(offset.0),
            AttributeValue::DebugLineStrRef(offset) => Self::LineStr(offset.0),
            _ => Self::Unknown,
        }
    }

    /// The text; `None` if it is missing or empty.
    pub(super) fn read<'a>(self, dwarf: &Dwarf<DwarfSlice<'a>>) -> Option<&'a [u8]> {
        let (section, start) = match self {
            Self::Info(start) => (dwarf.debug_info.reader(), start),
            Self::Line(start) => (dwarf.debug_line.reader(), start),
            Self::LineStr(start) => (dwarf.debug_line_str.reader(), start),
            Self::Str(start) => (dwarf.debug_str.reader(), start),
            Self::Unknown => return None,
        };
        let rest = section.slice().get(start..)?;
        let window = rest.get(..MAX_TEXT_BYTES).unwrap_or(rest);
        let text = window.get(..memchr::memchr(0, window)?)?;
        (!text.is_empty()).then_some(text)
    }
}
