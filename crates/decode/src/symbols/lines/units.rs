use super::cut::{Starts, cut};
use super::program::Place;
use super::root::{Code, Root, roots};
use super::section::Slice;
use gimli::{
    DebugRanges, DebugRngLists, Dwarf, RangeLists, RangeListsOffset, RngListIter, Section,
};
use std::collections::{HashMap, HashSet};

/// How many stretches before an address are looked at: those of units overlap
/// by mistake only.
const OVERLAPPING: usize = 8;

/// The units of compilation of a program.
#[derive(Debug)]
pub(super) struct Units {
    /// By start.
    stretches: Vec<Stretch>,
    /// The line number programs, each of one unit or of several.
    pub(super) programs: Vec<Place>,
}

/// Code of one unit.
#[derive(Debug)]
struct Stretch {
    start: u64,
    end: u64,
    /// The number of its line number program.
    program: usize,
}

impl Units {
    pub(super) fn read(dwarf: &Dwarf<Slice<'_>>, zero_is_code: bool) -> Self {
        let roots = roots(dwarf);
        let ends = Starts::new(roots.iter().map(|root| root.lines));
        let mut lists = Lists::new(dwarf, &roots);
        let (mut stretches, mut programs) = (Vec::new(), Vec::new());
        let mut numbers = HashMap::new();
        for root in &roots {
            let program = *numbers.entry(root.lines).or_insert_with(|| {
                programs.push(Place {
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
                    stretches.push(Stretch {
                        start,
                        end,
                        program,
                    });
                }
            };
            match root.code {
                Code::Stretch(start, end) => add(start, end),
                Code::List(offset) => {
                    let mut list = lists.take(root, offset);
                    while let Some(Ok(Some(range))) = list.as_mut().map(RngListIter::next) {
                        add(range.begin, range.end);
                    }
                }
            }
        }
        stretches.sort_by_key(|stretch| stretch.start);
        Self {
            stretches,
            programs,
        }
    }

    /// The numbers of the line number programs of the code at `address`, best first.
    pub(super) fn covering(&self, address: u64) -> impl Iterator<Item = usize> {
        let behind = self.stretches.partition_point(|it| it.start <= address);
        let before = self.stretches.get(..behind).unwrap_or_default();
        let near = before.iter().rev().take(OVERLAPPING);
        near.filter(move |it| address < it.end).map(|it| it.program)
    }
}

/// The lists of stretches of code.
struct Lists<'a, 'b> {
    dwarf: &'b Dwarf<Slice<'a>>,
    old: Starts,
    new: Starts,
    taken: HashSet<(bool, usize)>,
}

impl<'a, 'b> Lists<'a, 'b> {
    fn new(dwarf: &'b Dwarf<Slice<'a>>, roots: &[Root]) -> Self {
        let starts = |wanted: bool| {
            Starts::new(roots.iter().filter_map(|root| match root.code {
                Code::List(offset) if is_new(root) == wanted => Some(offset.0),
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

    /// The list that starts at `offset`, once.
    fn take(&mut self, root: &Root, offset: RangeListsOffset) -> Option<RngListIter<Slice<'a>>> {
        if !self.taken.insert((is_new(root), offset.0)) {
            return None;
        }
        let (old, new) = (self.old.end(offset.0), self.new.end(offset.0));
        let ranges = &self.dwarf.ranges;
        let lists = RangeLists::new(
            DebugRanges::from(cut(*ranges.debug_ranges().reader(), old)),
            DebugRngLists::from(cut(*ranges.debug_rnglists().reader(), new)),
        );
        let addresses = &self.dwarf.debug_addr;
        lists
            .ranges(offset, root.encoding, root.base, addresses, root.addresses)
            .ok()
    }
}

/// Whether its list is one of DWARF 5.
fn is_new(root: &Root) -> bool {
    root.encoding.version >= 5
}
