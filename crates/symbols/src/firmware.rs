use crate::SymbolError;
use crate::code_location::{Function, SourceLine, Variable};
use crate::demangle::demangle;
use crate::elf::{self, ElfLayout};
use crate::entry::{SymbolEntry, SymbolKind};
use crate::extents::FunctionExtents;
use crate::file_bytes::FileBytes;
use crate::lines::LineTable;
use crate::nm::NmFormat;
use crate::target::TargetInfo;
use crate::unwind::{StackSample, UnwindTables, UnwoundFrame};
use rtoscope_trace::{Address, Diagnostics, Name, StackStop};
use std::cmp::Reverse;
use std::ops::Range;
use std::sync::OnceLock;

/// The program of a target, from its ELF file or from the output of `nm`.
///
/// It owns the file. It reads names and source lines only when
/// they are requested.
#[derive(Debug)]
pub struct Firmware {
    file: FileBytes,
    entries: Vec<SymbolEntry>,
    extents: FunctionExtents,
    /// Disjoint data ranges, in order.
    data_ranges: Vec<Range<u64>>,
    /// The layout of an ELF file.
    layout: Option<ElfLayout>,
    lines: OnceLock<LineTable>,
    /// `None` if the stacks of the processor are not unwound.
    unwind: OnceLock<Option<UnwindTables>>,
    /// The indices of the variables among the symbols, by address; the best name of
    /// an address comes first.
    variables: OnceLock<Vec<usize>>,
    diagnostics: Diagnostics,
}

impl Firmware {
    /// Reads an ELF file of either class and byte order, or the output of `nm`
    /// (plain, with `-n`, `-S` or `-C`, or in POSIX format with `-P`).
    ///
    /// # Errors
    ///
    /// The file is neither; the headers of the ELF file are damaged; it is not
    /// linked, so that its addresses are not those of the target.
    pub fn read(file: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Self, SymbolError> {
        let file = FileBytes::new(file);
        let bytes = file.get();
        let mut diagnostics = Diagnostics::default();
        let (entries, layout) = if bytes.starts_with(elf::MAGIC) {
            let (entries, layout) = elf::read(bytes)?;
            if !layout.is_linked {
                return Err(SymbolError::NotLinked);
            }
            (entries, Some(layout))
        } else if let Some(style) = NmFormat::detect(bytes) {
            (style.read(bytes, &mut diagnostics), None)
        } else {
            return Err(SymbolError::UnknownFormat);
        };
        let mask = layout.as_ref().map_or(u64::MAX, |it| it.target.code_mask());
        Ok(Self {
            extents: FunctionExtents::new(&entries, mask),
            data_ranges: data_ranges(&entries, layout.as_ref()),
            entries,
            layout,
            lines: OnceLock::new(),
            unwind: OnceLock::new(),
            variables: OnceLock::new(),
            diagnostics,
            file,
        })
    }

    /// The processor of the program; `None` for the output of `nm`.
    pub fn target(&self) -> Option<TargetInfo> {
        self.layout.as_ref().map(|layout| layout.target)
    }

    /// Problems with the file: lines of `nm` that are unreadable.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// The function that contains `address`, with or without the Thumb bit.
    ///
    /// It is the function in the linked program: code inlined into it is part
    /// of it. A function of unknown size ends at the start of the next symbol,
    /// at the end of its section, or after 64 KiB if the section is unknown.
    ///
    /// A return address may be just after the end of the calling function if
    /// the called function never returns: look up the address before it.
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

    /// Whether data is at `address`: in a writable, non-executable section of
    /// an ELF file; for the output of `nm`, in a variable or constant.
    pub fn is_data(&self, address: Address) -> bool {
        let following = self
            .data_ranges
            .partition_point(|range| range.start <= address.0);
        let before = following
            .checked_sub(1)
            .and_then(|location| self.data_ranges.get(location));
        before.is_some_and(|range| range.contains(&address.0))
    }

    /// The source line of the instruction at `address`: for inlined code its
    /// own line, not that of the call. `None` without DWARF information.
    pub fn line(&self, address: Address) -> Option<SourceLine> {
        let layout = self.layout.as_ref()?;
        let bytes = self.file.get();
        let lines = self.lines.get_or_init(|| {
            let zero_is_code = self.extents.start_at(0);
            LineTable::new(bytes, &layout.debug, layout.target.byte_order, zero_is_code)
        });
        lines.at(bytes, self.code_address(address))
    }

    /// The frames of a recorded stack, innermost first, and why there are no more: by
    /// DWARF's call frame information, or ARM's exception handling tables. The stacks of
    /// ARM, and of RISC-V and MIPS with 32 bits, can be unwound.
    pub fn unwind(&self, sample: &StackSample<'_>) -> (Vec<UnwoundFrame>, StackStop) {
        let bytes = self.file.get();
        let Some(layout) = &self.layout else {
            return (Vec::new(), StackStop::NoUnwindInfo);
        };
        let tables = self.unwind.get_or_init(|| UnwindTables::new(bytes, layout));
        let Some(tables) = tables else {
            return (Vec::new(), StackStop::NoUnwindInfo);
        };
        let is_code = |address: u32| {
            let address = Address(address.into());
            self.extents.at(address.0).is_some()
                || layout.contents_at(address.0).is_some() && !self.is_data(address)
        };
        tables.unwind(bytes, layout, sample, is_code)
    }

    /// The bytes of the file at `address`, at most `limit`; empty if it has
    /// none there. For a variable they are its initial value.
    pub fn bytes(&self, address: Address, limit: usize) -> &[u8] {
        let location = self
            .layout
            .as_ref()
            .and_then(|it| it.contents_at(address.0));
        let bytes = location.and_then(|location| self.file.get().get(location));
        let bytes = bytes.unwrap_or_default();
        bytes.get(..limit).unwrap_or(bytes)
    }

    /// The text at `address` up to its NUL, which must be within `limit` bytes
    /// (including the NUL).
    pub fn text(&self, address: Address, limit: usize) -> Option<&[u8]> {
        let bytes = self.bytes(address, limit);
        bytes.get(..memchr::memchr(0, bytes)?)
    }

    /// The address and the bytes of the section with that name; `None` if there is no
    /// such section in an ELF file.
    pub fn section(&self, name: &str) -> Option<(u64, &[u8])> {
        self.layout.as_ref()?;
        elf::section(self.file.get(), name)
    }

    /// The variable with that name, mangled or demangled (`app::switch_log`):
    /// the only global one, or otherwise the only local one. `None` if there is
    /// none, or it is ambiguous.
    pub fn variable(&self, name: &str) -> Option<Variable> {
        let all = self.data_entries(name);
        let (global, local): (Vec<&SymbolEntry>, Vec<_>) = all.iter().partition(|it| it.is_global);
        match (global.as_slice(), local.as_slice()) {
            ([one], _) | ([], [one]) => Some(variable(one)),
            _ => None,
        }
    }

    /// All variables with that name, by address: each source file may have one.
    pub fn variables(&self, name: &str) -> Vec<Variable> {
        self.data_entries(name).into_iter().map(variable).collect()
    }

    /// The name of the variable that contains `address`, demangled; inside the
    /// variable, e.g. in an array, with the offset: `sensors+0x38`. A variable of
    /// unknown size contains only its first byte.
    pub fn data_name(&self, address: Address) -> Option<Name> {
        let Address(address) = address;
        let variables = self.variables.get_or_init(|| variables(&self.entries));
        let start = |index: &usize| self.entries.get(*index).map(|entry| entry.address);
        let following = variables.partition_point(|it| start(it) <= Some(address));
        let last = start(variables.get(following.checked_sub(1)?)?)?;
        let first = variables.partition_point(|it| start(it) < Some(last));
        let entry = self.entries.get(*variables.get(first)?)?;
        match address - entry.address {
            0 => Some(self.name(entry)),
            offset if offset < entry.size => {
                let name = format!("{}+{offset:#x}", self.name(entry));
                Some(Name::new(name.as_bytes()))
            }
            _ => None,
        }
    }

    /// The data with that name.
    fn data_entries(&self, name: &str) -> Vec<&SymbolEntry> {
        let data = || self.entries.iter().filter(|it| !it.kind.is_code());
        let bytes = self.file.get();
        let spelt = |entry: &&SymbolEntry| bytes.get(entry.name.clone()) == Some(name.as_bytes());
        let mut found: Vec<&SymbolEntry> = data().filter(spelt).collect();
        if found.is_empty() {
            // Only symbols that contain the last part of the name can match.
            let last = name.rsplit("::").next().unwrap_or(name);
            let last = memchr::memmem::Finder::new(last);
            let reads = |entry: &&SymbolEntry| {
                let spelling = bytes.get(entry.name.clone()).unwrap_or_default();
                last.find(spelling).is_some() && demangle(spelling).as_bytes() == name.as_bytes()
            };
            found = data().filter(reads).collect();
        }
        // Both symbol tables may contain it.
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
        demangle(self.file.get().get(entry.name.clone()).unwrap_or_default())
    }

    fn code_address(&self, address: Address) -> u64 {
        let mask = self.target().map_or(u64::MAX, TargetInfo::code_mask);
        address.0 & mask
    }
}

/// The variables by address: of several at the same address the global ones first,
/// then the largest.
fn variables(entries: &[SymbolEntry]) -> Vec<usize> {
    let numbered = (0..).zip(entries);
    let mut all: Vec<(usize, &SymbolEntry)> = numbered
        .filter(|(_, entry)| entry.kind == SymbolKind::Object)
        .collect();
    all.sort_by_key(|(_, entry)| (entry.address, !entry.is_global, Reverse(entry.size)));
    all.into_iter().map(|(index, _)| index).collect()
}

/// The data ranges.
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
