//! Lines of source code by address, from DWARF's `.debug_line`.
//!
//! Nothing is read before the first question, and of each question only the
//! lines of the one file that was compiled there. No file makes this take long:
//! what units refer to lies one behind the other, so each is read no further
//! than to where the next one's begins, and each is read once.

mod cut;
mod program;
mod root;
mod section;
mod text;
mod units;

pub(super) use section::DebugSection;

use super::code::SourceLine;
use program::Program;
use rtoscope_wire::ByteOrder;
use section::Sections;
use std::sync::OnceLock;
use units::Units;

/// Where each place of a program comes from.
#[derive(Debug)]
pub(super) struct Lines {
    sections: Sections,
    units: Units,
    /// One for each of the units' programs, as far as somebody asked for them.
    programs: Vec<OnceLock<Program>>,
}

impl Lines {
    /// Those of a file's `bytes`. A linker leaves code out by putting it at
    /// address 0: what is said of that counts only if `zero_is_code`.
    pub(super) fn new(
        bytes: &[u8],
        debug: &[DebugSection],
        order: ByteOrder,
        zero_is_code: bool,
    ) -> Self {
        let sections = Sections::load(bytes, debug, order);
        let units = Units::read(&sections.dwarf(bytes), zero_is_code);
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
            let program = cell.get_or_init(|| Program::read(&dwarf, place));
            program.at(&dwarf, address)
        })
    }
}
