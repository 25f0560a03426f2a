use super::debug_sections::DwarfSlice;
use super::dwarf_text::TextLocation;
use super::section_starts::{SectionStarts, truncate};
use gimli::{
    Abbreviations, AttributeValue, DebugAbbrev, DebugAbbrevOffset, DebugAddrBase, DebugInfoOffset,
    Dwarf, Encoding, RangeListsOffset, Section, Unit, constants,
};
use std::sync::Arc;

/// Maximum number of attributes of a unit to examine; compilers write about a
/// dozen.
const MAX_ATTRIBUTES: usize = 64;
/// Maximum number of abbreviation bytes of a unit to examine.
const MAX_ABBREVIATION_BYTES: usize = 1 << 20;

/// The root entry of a compilation unit.
#[derive(Debug)]
pub(super) struct UnitRoot {
    /// The offset of its line number program.
    pub(super) lines: usize,
    /// The compilation directory.
    pub(super) folder: TextLocation,
    pub(super) encoding: Encoding,
    /// The base of the addresses in its range list.
    pub(super) base: u64,
    /// The offset of the addresses that its range list refers to by index.
    pub(super) addresses: DebugAddrBase,
    pub(super) code: CodeRanges,
}

/// The code ranges of a unit.
#[derive(Debug, Clone, Copy)]
pub(super) enum CodeRanges {
    /// From an address up to, but excluding, another.
    Range(u64, u64),
    /// In a range list.
    List(RangeListsOffset),
}

/// The roots of all units with code and lines, up to the first damaged unit.
pub(super) fn roots(dwarf: &Dwarf<DwarfSlice<'_>>) -> Vec<UnitRoot> {
    let mut units = Vec::new();
    let mut headers = dwarf.units();
    while let Ok(Some(header)) = headers.next() {
        if let Some(offset) = header.debug_info_offset() {
            units.push((header.debug_abbrev_offset().0, offset));
        }
    }
    units.sort_by_key(|(abbreviations, _)| *abbreviations);
    let starts = SectionStarts::new(units.iter().map(|(abbreviations, _)| *abbreviations));
    let described = units.chunk_by(|(one, _), (other, _)| one == other);
    let roots = described.flat_map(|units| {
        let start = units.first().map_or(0, |(start, _)| *start);
        let end = starts
            .end(start)
            .min(start.saturating_add(MAX_ABBREVIATION_BYTES));
        let section = DebugAbbrev::from(truncate(*dwarf.debug_abbrev.reader(), end));
        let known = section.abbreviations(DebugAbbrevOffset(start));
        let known = known.ok().map(Arc::new);
        let units = units.iter();
        units.filter_map(move |(_, offset)| root(dwarf, *offset, known.as_ref()?))
    });
    roots.collect()
}

fn root(
    dwarf: &Dwarf<DwarfSlice<'_>>,
    offset: DebugInfoOffset,
    abbreviations: &Arc<Abbreviations>,
) -> Option<UnitRoot> {
    let header = dwarf.debug_info.header_from_offset(offset).ok()?;
    let mut entries = header.entries_raw(abbreviations, None).ok()?;
    let specifications = entries.read_abbreviation().ok()??.attributes();
    let mut unit = empty_unit(dwarf, &header, abbreviations);
    let (mut low, mut high, mut ranges) = (None, None, None);
    let (mut lines, mut folder) = (None, None);
    for specification in specifications.iter().take(MAX_ATTRIBUTES) {
        let attribute = entries.read_attribute(*specification).ok()?;
        match (attribute.name(), attribute.value()) {
            (constants::DW_AT_low_pc, value) => low = Some(value),
            (constants::DW_AT_high_pc, value) => high = Some(value),
            (constants::DW_AT_ranges, value) => ranges = Some(value),
            (constants::DW_AT_comp_dir, value) => folder = Some(value),
            (constants::DW_AT_stmt_list, AttributeValue::DebugLineRef(at)) => lines = Some(at.0),
            (_, AttributeValue::DebugStrOffsetsBase(base)) => unit.str_offsets_base = base,
            (_, AttributeValue::DebugAddrBase(base)) => unit.addr_base = base,
            (_, AttributeValue::DebugRngListsBase(base)) => unit.rnglists_base = base,
            _ => {}
        }
    }
    let address = |value| dwarf.attr_address(&unit, value).ok().flatten();
    let low = low.and_then(address);
    unit.low_pc = low.unwrap_or(0);
    let list = |value| dwarf.attr_ranges_offset(&unit, value).ok().flatten();
    let code = match ranges.and_then(list) {
        Some(offset) => CodeRanges::List(offset),
        None => {
            let (low, high) = (low?, high?);
            let end = match high.udata_value() {
                Some(length) => low.checked_add(length)?,
                None => dwarf.attr_address(&unit, high).ok()??,
            };
            CodeRanges::Range(low, end)
        }
    };
    Some(UnitRoot {
        lines: lines?,
        folder: folder.map_or(TextLocation::Unknown, |value| {
            TextLocation::of_unit(dwarf, &unit, &value)
        }),
        encoding: unit.encoding(),
        base: unit.low_pc,
        addresses: unit.addr_base,
        code,
    })
}

/// A root with the unit's header only.
fn empty_unit<'a>(
    dwarf: &Dwarf<DwarfSlice<'a>>,
    header: &gimli::UnitHeader<DwarfSlice<'a>>,
    abbreviations: &Arc<Abbreviations>,
) -> Unit<DwarfSlice<'a>> {
    let (encoding, kind) = (header.encoding(), dwarf.file_type);
    Unit {
        header: *header,
        abbreviations: Arc::clone(abbreviations),
        name: None,
        comp_dir: None,
        low_pc: 0,
        str_offsets_base: gimli::DebugStrOffsetsBase::default_for_encoding_and_file(encoding, kind),
        addr_base: DebugAddrBase(0),
        loclists_base: gimli::DebugLocListsBase::default_for_encoding_and_file(encoding, kind),
        rnglists_base: gimli::DebugRngListsBase::default_for_encoding_and_file(encoding, kind),
        line_program: None,
        dwo_id: None,
    }
}
