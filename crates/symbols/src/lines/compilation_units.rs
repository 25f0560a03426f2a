use super::debug_sections::DwarfSlice;
use super::line_program::ProgramLocation;
use super::section_starts::{SectionStarts, truncate};
use super::unit_root::{CodeRanges, UnitRoot, roots};
use gimli::{
    DebugRanges, DebugRngLists, Dwarf, RangeLists, RangeListsOffset, RngListIter, Section,
};
use std::collections::{HashMap, HashSet};

/// Maximum number of ranges before an address to examine: ranges of units
/// overlap only by mistake.
const MAX_OVERLAPPING_RANGES: usize = 8;

/// The compilation units of a program.
#[derive(Debug)]
pub(super) struct CompilationUnits {
    /// By start.
    ranges: Vec<UnitRange>,
    /// The line number programs, each used by one or more units.
    pub(super) programs: Vec<ProgramLocation>,
}

/// A code range of one unit.
#[derive(Debug)]
struct UnitRange {
    start: u64,
    end: u64,
    /// The index of its line number program.
    program: usize,
}

impl CompilationUnits {
    pub(super) fn read(dwarf: &Dwarf<DwarfSlice<'_>>, zero_is_code: bool) -> Self {
        let roots = roots(dwarf);
        let ends = SectionStarts::new(roots.iter().map(|root| root.lines));
        let mut lists = RangeListReader::new(dwarf, &roots);
        let (mut ranges, mut programs) = (Vec::new(), Vec::new());
        let mut numbers = HashMap::new();
        for root in &roots {
            let program = *numbers.entry(root.lines).or_insert_with(|| {
                programs.push(ProgramLocation {
                    start: root.lines,
                    end: ends.end(root.lines),
                    folder: root.folder,
                    address_size: root.encoding.address_size,
                    zero_is_code,
                });
                programs.len() - 1
            });
            let mut add = |start: u64, end: u64| {
                if start < end && (start != 0 || zero_is_code) {
                    ranges.push(UnitRange {
                        start,
                        end,
                        program,
                    });
                }
            };
            match root.code {
                CodeRanges::Range(start, end) => add(start, end),
                CodeRanges::List(offset) => {
                    let mut list = lists.take(root, offset);
                    while let Some(Ok(Some(range))) = list.as_mut().map(RngListIter::next) {
                        add(range.begin, range.end);
                    }
                }
            }
        }
        ranges.sort_by_key(|range| range.start);
        Self { ranges, programs }
    }

    /// The indices of the line number programs for the code at `address`, best
    /// first.
    pub(super) fn covering(&self, address: u64) -> impl Iterator<Item = usize> {
        let following = self.ranges.partition_point(|it| it.start <= address);
        let before = self.ranges.get(..following).unwrap_or_default();
        let near = before.iter().rev().take(MAX_OVERLAPPING_RANGES);
        near.filter(move |it| address < it.end).map(|it| it.program)
    }
}

/// The range lists.
struct RangeListReader<'a, 'b> {
    dwarf: &'b Dwarf<DwarfSlice<'a>>,
    old: SectionStarts,
    new: SectionStarts,
    taken: HashSet<(bool, usize)>,
}

impl<'a, 'b> RangeListReader<'a, 'b> {
    fn new(dwarf: &'b Dwarf<DwarfSlice<'a>>, roots: &[UnitRoot]) -> Self {
        let starts = |wanted: bool| {
            SectionStarts::new(roots.iter().filter_map(|root| match root.code {
                CodeRanges::List(offset) if is_dwarf5(root) == wanted => Some(offset.0),
                _ => None,
            }))
        };
        Self {
            dwarf,
            old: starts(false),
            new: starts(true),
            taken: HashSet::new(),
        }
    }

    /// Returns the list at `offset`, once.
    fn take(
        &mut self,
        root: &UnitRoot,
        offset: RangeListsOffset,
    ) -> Option<RngListIter<DwarfSlice<'a>>> {
        if !self.taken.insert((is_dwarf5(root), offset.0)) {
            return None;
        }
        let (old, new) = (self.old.end(offset.0), self.new.end(offset.0));
        let ranges = &self.dwarf.ranges;
        let lists = RangeLists::new(
            DebugRanges::from(truncate(*ranges.debug_ranges().reader(), old)),
            DebugRngLists::from(truncate(*ranges.debug_rnglists().reader(), new)),
        );
        let addresses = &self.dwarf.debug_addr;
        lists
            .ranges(offset, root.encoding, root.base, addresses, root.addresses)
            .ok()
    }
}

/// Whether it is a DWARF 5 range list.
fn is_dwarf5(root: &UnitRoot) -> bool {
    root.encoding.version >= 5
}
