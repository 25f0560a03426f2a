//! Lines of source code by address, from DWARF's `.debug_line`.
//!
//! Nothing is read before the first question, and of each question only the
//! lines of the one file that was compiled there. No file makes this take long:
//! what units refer to lies one behind the other, so each is read no further
//! than to where the next one's begins, and each is read once.

mod compilation_units;
mod debug_sections;
mod dwarf_text;
mod line_program;
mod section_starts;
mod unit_root;

pub(super) use debug_sections::DebugSection;

use super::code_place::SourceLine;
use compilation_units::CompilationUnits;
use debug_sections::DebugSections;
use line_program::LineProgram;
use rtoscope_wire::ByteOrder;
use std::sync::OnceLock;

/// Where each place of a program comes from.
#[derive(Debug)]
pub(super) struct LineTable {
    sections: DebugSections,
    units: CompilationUnits,
    /// One for each of the units' programs, as far as somebody asked for them.
    programs: Vec<OnceLock<LineProgram>>,
}

impl LineTable {
    /// Those of a file's `bytes`. A linker leaves code out by putting it at
    /// address 0: what is said of that counts only if `zero_is_code`.
    pub(super) fn new(
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

    /// The line that the code at `address` was compiled from: of code that was
    /// inlined, the line of the inlined function.
    pub(super) fn at(&self, bytes: &[u8], address: u64) -> Option<SourceLine> {
        let dwarf = self.sections.dwarf(bytes);
        self.units.covering(address).find_map(|number| {
            let place = self.units.programs.get(number)?;
            let cell = self.programs.get(number)?;
            let program = cell.get_or_init(|| LineProgram::read(&dwarf, place));
            program.at(&dwarf, address)
        })
    }
}
