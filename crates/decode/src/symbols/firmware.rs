use super::code_place::{Function, SourceLine, Variable};
use super::demangle::demangle;
use super::elf::{self, ElfLayout};
use super::entry::{SymbolEntry, SymbolKind};
use super::extents::FunctionExtents;
use super::lines::LineTable;
use super::nm::NmFormat;
use super::target::TargetInfo;
use crate::DecodeError;
use crate::source::Source;
use rtoscope_trace::{Address, Diagnostics, Name};
use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

/// What is known of the program that a target runs: from its ELF file, or from
/// what `nm` prints of that.
///
/// It owns the file, which is mapped into memory; names stay there until
/// somebody asks for one, and lines of source code are not looked at before.
#[derive(Debug)]
pub struct Firmware {
    source: Source,
    entries: Vec<SymbolEntry>,
    extents: FunctionExtents,
    /// Where data lies: apart from each other, in order.
    data_ranges: Vec<Range<u64>>,
    /// Of an ELF file.
    layout: Option<ElfLayout>,
    lines: OnceLock<LineTable>,
    diagnostics: Diagnostics,
}

impl Firmware {
    /// Opens a file: see [`Firmware::read`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, DecodeError> {
        Self::read(Source::open(path)?)
    }

    /// Reads an ELF file of either class and byte order, or the output of `nm`
    /// (as it is, with `-n`, `-S` or `-C`, in POSIX format with `-P`).
    ///
    /// # Errors
    /// It is neither; the headers of the ELF file are damaged; it is not linked,
    /// so that its addresses are not those of the target.
    pub fn read(source: Source) -> Result<Self, DecodeError> {
        let bytes = source.bytes();
        let mut diagnostics = Diagnostics::default();
        let (entries, layout) = if bytes.starts_with(elf::MAGIC) {
            let (entries, layout) = elf::read(bytes)?;
            if !layout.is_linked {
                return Err(DecodeError::OtherFormat {
                    found: "an object file that is not linked",
                    expected: "the ELF file that runs on the target",
                });
            }
            (entries, Some(layout))
        } else if let Some(style) = NmFormat::detect(bytes) {
            (style.read(bytes, &mut diagnostics), None)
        } else {
            return Err(DecodeError::OtherFormat {
                found: "neither an ELF file nor the output of nm",
                expected: "one of them",
            });
        };
        let mask = layout.as_ref().map_or(u64::MAX, |it| it.target.code_mask());
        Ok(Self {
            source,
            extents: FunctionExtents::new(&entries, mask),
            data_ranges: data_ranges(&entries, layout.as_ref()),
            entries,
            layout,
            lines: OnceLock::new(),
            diagnostics,
        })
    }

    /// What the file says about the processor; `None` of the output of `nm`.
    pub fn target(&self) -> Option<TargetInfo> {
        self.layout.as_ref().map(|layout| layout.target)
    }

    /// What is wrong with the file: the lines of `nm` that cannot be read.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// The function that `address` lies in, with or without the Thumb bit.
    ///
    /// It is the one that the linker put there: what was inlined into it is part
    /// of it. A function whose size nobody says ends where the next symbol starts,
    /// at the end of its section, or after 64 KiB if the section is not known.
    ///
    /// A return address may lie just behind the function that called, if the
    /// function called never returns: ask for one less.
    pub fn function(&self, address: Address) -> Option<Function> {
        let address = self.code_address(address);
        let extent = self.extents.at(address)?;
        let entry = self.entries.get(extent.entry)?;
        Some(Function {
            name: self.name(entry),
            start: Address(extent.start),
            size: entry.size,
            offset: address - extent.start,
        })
    }

    /// Whether data lies at `address`: in a section of an ELF file that is written
    /// and not executed; of the output of `nm`, in a variable or constant.
    pub fn is_data(&self, address: Address) -> bool {
        let behind = self
            .data_ranges
            .partition_point(|range| range.start <= address.0);
        let before = behind
            .checked_sub(1)
            .and_then(|place| self.data_ranges.get(place));
        before.is_some_and(|range| range.contains(&address.0))
    }

    /// The line of source code that the instruction at `address` comes from: of
    /// code that was inlined its own line, not that of the call. `None` without
    /// DWARF that speaks of it.
    pub fn line(&self, address: Address) -> Option<SourceLine> {
        let layout = self.layout.as_ref()?;
        let bytes = self.source.bytes();
        let lines = self.lines.get_or_init(|| {
            let zero_is_code = self.extents.start_at(0);
            LineTable::new(bytes, &layout.debug, layout.target.byte_order, zero_is_code)
        });
        lines.at(bytes, self.code_address(address))
    }

    /// The bytes that the file puts at `address`, at most `limit`, none if it
    /// puts none there. Of a variable they are those it starts with.
    pub fn bytes(&self, address: Address, limit: usize) -> &[u8] {
        let place = self
            .layout
            .as_ref()
            .and_then(|it| it.contents_at(address.0));
        let bytes = place.and_then(|place| self.source.bytes().get(place));
        let bytes = bytes.unwrap_or_default();
        bytes.get(..limit).unwrap_or(bytes)
    }

    /// The text at `address` up to its NUL, which must come within `limit`
    /// bytes (the NUL among them).
    pub fn text(&self, address: Address, limit: usize) -> Option<&[u8]> {
        let bytes = self.bytes(address, limit);
        bytes.get(..memchr::memchr(0, bytes)?)
    }

    /// The variable of that name, as the linker spells it or as it reads in C++
    /// or Rust (`app::switch_log`): the only one that the whole program knows,
    /// else the only one that a file keeps for itself. `None` if there is none, or
    /// no way to tell which.
    pub fn variable(&self, name: &str) -> Option<Variable> {
        let all = self.data_entries(name);
        let (global, local): (Vec<&SymbolEntry>, Vec<_>) = all.iter().partition(|it| it.is_global);
        match (global.as_slice(), local.as_slice()) {
            ([one], _) | ([], [one]) => Some(variable(one)),
            _ => None,
        }
    }

    /// All variables of that name, by address: files may have one each.
    pub fn variables(&self, name: &str) -> Vec<Variable> {
        self.data_entries(name).into_iter().map(variable).collect()
    }

    /// The data of that name.
    fn data_entries(&self, name: &str) -> Vec<&SymbolEntry> {
        let data = || self.entries.iter().filter(|it| !it.kind.is_code());
        let bytes = self.source.bytes();
        let spelt = |entry: &&SymbolEntry| bytes.get(entry.name.clone()) == Some(name.as_bytes());
        let mut found: Vec<&SymbolEntry> = data().filter(spelt).collect();
        if found.is_empty() {
            // Only what has the last part of the name in its spelling can be it.
            let last = name.rsplit("::").next().unwrap_or(name);
            let last = memchr::memmem::Finder::new(last);
            let reads = |entry: &&SymbolEntry| {
                let spelling = bytes.get(entry.name.clone()).unwrap_or_default();
                last.find(spelling).is_some() && demangle(spelling).as_bytes() == name.as_bytes()
            };
            found = data().filter(reads).collect();
        }
        // Of the two tables both may have it.
        found.sort_by_key(|entry| {
            (
                entry.address,
                !entry.is_global,
                entry.kind == SymbolKind::DataLabel,
            )
        });
        found.dedup_by_key(|entry| entry.address);
        found
    }

    fn name(&self, entry: &SymbolEntry) -> Name {
        demangle(
            self.source
                .bytes()
                .get(entry.name.clone())
                .unwrap_or_default(),
        )
    }

    fn code_address(&self, address: Address) -> u64 {
        let mask = self.target().map_or(u64::MAX, TargetInfo::code_mask);
        address.0 & mask
    }
}

/// Where data lies.
fn data_ranges(entries: &[SymbolEntry], layout: Option<&ElfLayout>) -> Vec<Range<u64>> {
    let mut all: Vec<Range<u64>> = match layout {
        Some(layout) => layout.data_ranges.clone(),
        None => {
            let variables = entries.iter().filter(|it| it.kind == SymbolKind::Object);
            let range = |it: &SymbolEntry| it.address..it.address.saturating_add(it.size.max(1));
            variables.map(range).collect()
        }
    };
    all.sort_by_key(|range| range.start);
    all.dedup_by(|next, before| {
        let overlaps = next.start <= before.end;
        if overlaps {
            before.end = before.end.max(next.end);
        }
        overlaps
    });
    all
}

fn variable(entry: &SymbolEntry) -> Variable {
    Variable {
        address: Address(entry.address),
        size: entry.size,
    }
}
