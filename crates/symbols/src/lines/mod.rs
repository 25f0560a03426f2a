//! Source lines by address, from DWARF's `.debug_line`.
//!
//! Nothing is read before the first request, and each request reads only the
//! lines of one compilation unit. No file makes this slow: the data that units
//! refer to is consecutive, so each part is read no further than the start of
//! the next one, and only once.

mod compilation_units;
mod debug_sections;
mod dwarf_text;
mod line_program;
mod section_starts;
mod unit_root;

pub(crate) use debug_sections::{
    DebugSection, DebugSections, DwarfSlice, LINE_SECTIONS, MACRO_SECTIONS,
};

use crate::code_location::SourceLine;
use compilation_units::CompilationUnits;
use line_program::LineProgram;
use rtoscope_wire::ByteOrder;
use std::sync::OnceLock;

/// The source lines of a program.
#[derive(Debug)]
pub(crate) struct LineTable {
    sections: DebugSections,
    units: CompilationUnits,
    /// One for each line program of the units, read on first use.
    programs: Vec<OnceLock<LineProgram>>,
}

impl LineTable {
    /// Creates the table of a file's `bytes`. A linker places removed code at
    /// address 0: its lines are used only if `zero_is_code`.
    pub(crate) fn new(
        bytes: &[u8],
        debug: &[DebugSection],
        order: ByteOrder,
        zero_is_code: bool,
    ) -> Self {
        let sections = DebugSections::load(bytes, debug, order);
        let units = CompilationUnits::read(&sections.dwarf(bytes), zero_is_code);
        let programs = units.programs.iter().map(|_| OnceLock::new()).collect();
        Self {
            sections,
            units,
            programs,
        }
    }

    /// The source line of the code at `address`: for inlined code, the line of
    /// the inlined function.
    pub(crate) fn at(&self, bytes: &[u8], address: u64) -> Option<SourceLine> {
        let dwarf = self.sections.dwarf(bytes);
        self.units.covering(address).find_map(|number| {
            let location = self.units.programs.get(number)?;
            let cell = self.programs.get(number)?;
            let program = cell.get_or_init(|| LineProgram::read(&dwarf, location));
            program.at(&dwarf, address)
        })
    }
}
