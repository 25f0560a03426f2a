//! The macros of a program, from DWARF's `.debug_macro` or `.debug_macinfo`
//! (compiler option `-g3`).

use crate::SymbolError;
use crate::elf;
use crate::lines::{DebugSections, MACRO_SECTIONS};
use gimli::{
    AttributeValue, DebugMacinfoOffset, DebugMacroOffset, Dwarf, EndianSlice, MacroEntry,
    MacroIter, RunTimeEndian, UnitRef, constants,
};
use std::collections::{BTreeMap, HashSet};

type Slice<'a> = EndianSlice<'a, RunTimeEndian>;

/// The definitions of a compilation unit's object-like macros at its end: texts
/// by name.
pub type UnitMacros = BTreeMap<String, String>;

/// Maximum number of macro entries to read: a firmware has fewer.
const MAX_ENTRIES: u32 = 1 << 24;

/// Calls `visit` with the macros of each compilation unit that has any. `None` if
/// the bytes are not an ELF file.
///
/// # Errors
///
/// If the ELF file is damaged.
pub fn for_each_unit(
    bytes: &[u8],
    mut visit: impl FnMut(&UnitMacros),
) -> Result<Option<()>, SymbolError> {
    if !bytes.starts_with(elf::MAGIC) {
        return Ok(None);
    }
    let (order, sections) = elf::debug_sections(bytes, &MACRO_SECTIONS)?;
    let sections = DebugSections::load(bytes, &sections, order);
    let dwarf = sections.dwarf(bytes);
    let mut entries_left = MAX_ENTRIES;
    let mut headers = dwarf.units();
    while let Ok(Some(header)) = headers.next() {
        let Ok(unit) = dwarf.unit(header) else {
            continue;
        };
        let mut macros = UnitMacros::new();
        let mut reader = MacroReader {
            unit: unit.unit_ref(&dwarf),
            seen: HashSet::new(),
            entries_left: &mut entries_left,
            macros: &mut macros,
        };
        reader.read_unit(&dwarf);
        if !macros.is_empty() {
            visit(&macros);
        }
    }
    Ok(Some(()))
}

struct MacroReader<'a, 'd> {
    unit: UnitRef<'a, Slice<'d>>,
    /// Imported parts that were read.
    seen: HashSet<usize>,
    entries_left: &'a mut u32,
    macros: &'a mut UnitMacros,
}

impl<'d> MacroReader<'_, 'd> {
    fn read_unit(&mut self, dwarf: &Dwarf<Slice<'d>>) -> Option<()> {
        let mut entries = self.unit.entries();
        let root = entries.next_dfs().ok()??;
        let value = |name| root.attr_value(name).and_then(offset_of);
        let parts = if let Some(offset) =
            value(constants::DW_AT_macros).or_else(|| value(constants::DW_AT_GNU_macros))
        {
            dwarf.debug_macro.get_macros(DebugMacroOffset(offset))
        } else {
            let offset = value(constants::DW_AT_macro_info)?;
            dwarf.debug_macinfo.get_macinfo(DebugMacinfoOffset(offset))
        };
        self.read_part(dwarf, parts.ok()?, 0)
    }

    fn read_part(
        &mut self,
        dwarf: &Dwarf<Slice<'d>>,
        mut part: MacroIter<Slice<'d>>,
        depth: u32,
    ) -> Option<()> {
        while let Ok(Some(entry)) = part.next() {
            *self.entries_left = self.entries_left.checked_sub(1)?;
            match entry {
                MacroEntry::Define { text, .. } => {
                    let text = text.string(self.unit).ok()?;
                    let text = text.to_string_lossy();
                    let (name, value) = text.split_once(' ').unwrap_or((&text, ""));
                    // Not with parameters.
                    if !name.contains('(') {
                        self.macros.insert(name.to_owned(), value.trim().to_owned());
                    }
                }
                MacroEntry::Undef { name, .. } => {
                    let name = name.string(self.unit).ok()?;
                    self.macros.remove(name.to_string_lossy().as_ref());
                }
                MacroEntry::Import { offset } if depth < MAX_IMPORT_DEPTH => {
                    if self.seen.insert(offset.0)
                        && let Ok(imported) = dwarf.debug_macro.get_macros(offset)
                    {
                        self.read_part(dwarf, imported, depth + 1)?;
                    }
                }
                _ => {}
            }
        }
        Some(())
    }
}

/// Maximum depth of imports; compilers nest them once.
const MAX_IMPORT_DEPTH: u32 = 16;

fn offset_of(value: AttributeValue<Slice<'_>>) -> Option<usize> {
    match value {
        AttributeValue::DebugMacroRef(offset) => Some(offset.0),
        AttributeValue::DebugMacinfoRef(offset) => Some(offset.0),
        AttributeValue::SecOffset(offset) => Some(offset),
        _ => None,
    }
}
