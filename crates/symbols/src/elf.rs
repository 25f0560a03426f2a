//! Reads a firmware's ELF file, except its source lines.

use crate::SymbolError;
use crate::entry::{SymbolEntry, SymbolKind, is_name};
use crate::lines::{DebugSection, LINE_SECTIONS};
use crate::target::TargetInfo;
use crate::unwind::FRAME_SECTIONS;
use gimli::SectionId;
use object::elf::{self, FileHeader32, FileHeader64};
use object::read::elf::{ElfFile, FileHeader, ProgramHeader as _, SectionHeader, Sym as _};
use object::{Endian as _, Endianness, Object as _, ObjectSection as _};
use rtoscope_wire::{ByteOrder, PointerSize};
use std::ops::Range;

/// The first bytes of an ELF file.
pub(crate) const MAGIC: &[u8] = b"\x7FELF";

/// Offset of the byte that distinguishes addresses of 4 and 8 bytes.
const CLASS_OFFSET: usize = 4;
/// Maximum length of a name: a damaged name table may have names without an
/// end.
const MAX_NAME_BYTES: usize = 16 << 10;
/// Maximum number of sections before an address to examine: sections of a
/// program do not overlap.
const MAX_OVERLAPPING_SECTIONS: usize = 8;

/// The layout of an ELF file.
#[derive(Debug)]
pub(crate) struct ElfLayout {
    pub(crate) target: TargetInfo,
    /// Whether its addresses are those of the running target.
    pub(crate) is_linked: bool,
    /// Initial contents of memory, by address.
    pub(crate) contents: Vec<SectionContents>,
    /// Writable, non-executable memory, with or without contents.
    pub(crate) data_ranges: Vec<Range<u64>>,
    pub(crate) debug: Vec<DebugSection>,
    /// The debug sections with call frame information.
    pub(crate) frames: Vec<DebugSection>,
    /// Call frame information in memory (`.eh_frame`).
    pub(crate) eh_frame: Option<SectionContents>,
    /// ARM's index of unwind information (`.ARM.exidx`).
    pub(crate) exception_index: Option<SectionContents>,
}

impl ElfLayout {
    /// The file range of the bytes from `address` on.
    pub(crate) fn contents_at(&self, address: u64) -> Option<Range<usize>> {
        let following = self.contents.partition_point(|it| it.address <= address);
        let before = self.contents.get(..following)?.iter().rev();
        before.take(MAX_OVERLAPPING_SECTIONS).find_map(|contents| {
            let skipped = usize::try_from(address - contents.address).ok()?;
            let start = contents.file_range.start.checked_add(skipped)?;
            (start < contents.file_range.end).then_some(start..contents.file_range.end)
        })
    }
}

/// The contents of a memory range in the file.
#[derive(Debug, Clone)]
pub(crate) struct SectionContents {
    pub(crate) address: u64,
    /// Their range in the file.
    pub(crate) file_range: Range<usize>,
}

pub(crate) fn read(bytes: &[u8]) -> Result<(Vec<SymbolEntry>, ElfLayout), SymbolError> {
    match bytes.get(CLASS_OFFSET) {
        Some(2) => read_class::<FileHeader64<Endianness>>(bytes, PointerSize::Eight),
        _ => read_class::<FileHeader32<Endianness>>(bytes, PointerSize::Four),
    }
}

fn read_class<Elf: FileHeader<Endian = Endianness>>(
    bytes: &[u8],
    pointer: PointerSize,
) -> Result<(Vec<SymbolEntry>, ElfLayout), SymbolError> {
    let file = parse::<Elf>(bytes)?;
    let (header, endian) = (file.elf_header(), file.endian());
    let layout = ElfLayout {
        target: TargetInfo {
            pointer_size: pointer,
            byte_order: byte_order(endian),
            machine: header.e_machine(endian).0,
        },
        is_linked: header.e_type(endian) != elf::ET_REL,
        contents: contents(&file, bytes),
        data_ranges: data_ranges(&file),
        debug: DebugSection::all(&file, &LINE_SECTIONS),
        frames: DebugSection::all(&file, &FRAME_SECTIONS),
        eh_frame: named_section(&file, bytes, b".eh_frame"),
        exception_index: named_section(&file, bytes, b".ARM.exidx"),
    };
    Ok((entries(&file, bytes), layout))
}

/// The address and the bytes of the first section with that name.
pub(crate) fn section<'a>(bytes: &'a [u8], name: &str) -> Option<(u64, &'a [u8])> {
    let file = object::File::parse(bytes).ok()?;
    let section = file.section_by_name(name)?;
    Some((section.address(), section.data().ok()?))
}

/// The debug sections of a file with these names.
pub(crate) fn debug_sections(
    bytes: &[u8],
    ids: &[SectionId],
) -> Result<(ByteOrder, Vec<DebugSection>), SymbolError> {
    fn of_class<Elf: FileHeader<Endian = Endianness>>(
        bytes: &[u8],
        ids: &[SectionId],
    ) -> Result<(ByteOrder, Vec<DebugSection>), SymbolError> {
        let file = parse::<Elf>(bytes)?;
        Ok((byte_order(file.endian()), DebugSection::all(&file, ids)))
    }
    match bytes.get(CLASS_OFFSET) {
        Some(2) => of_class::<FileHeader64<Endianness>>(bytes, ids),
        _ => of_class::<FileHeader32<Endianness>>(bytes, ids),
    }
}

fn parse<Elf: FileHeader<Endian = Endianness>>(
    bytes: &[u8],
) -> Result<ElfFile<'_, Elf>, SymbolError> {
    ElfFile::<Elf>::parse(bytes).map_err(|error| SymbolError::ElfDamaged {
        problem: format!("{error} (of {} bytes)", bytes.len()),
    })
}

fn byte_order(endian: Endianness) -> ByteOrder {
    match endian.is_big_endian() {
        true => ByteOrder::Big,
        false => ByteOrder::Little,
    }
}

/// Named code and data, in the order of the symbol tables.
fn entries<Elf: FileHeader<Endian = Endianness>>(
    file: &ElfFile<'_, Elf>,
    bytes: &[u8],
) -> Vec<SymbolEntry> {
    let endian = file.endian();
    let sections = file.elf_section_table();
    let mut all = Vec::new();
    for table in [file.elf_symbol_table(), file.elf_dynamic_symbol_table()] {
        let Some(names) = sections
            .section(table.string_section())
            .ok()
            .and_then(|section| file_range(section.file_range(endian)?, bytes))
        else {
            continue;
        };
        for symbol in table.iter() {
            let section = sections.iter().nth(symbol.st_shndx(endian).0.into());
            let flags = section.map(|section| section.sh_flags(endian));
            let executable = flags.is_some_and(|flags| flags.contains(elf::SHF_EXECINSTR));
            let kind = match symbol.st_type() {
                elf::STT_FUNC | elf::STT_GNU_IFUNC => SymbolKind::Function,
                elf::STT_OBJECT | elf::STT_COMMON => SymbolKind::Object,
                elf::STT_NOTYPE if executable => SymbolKind::Label,
                elf::STT_NOTYPE => SymbolKind::DataLabel,
                _ => continue,
            };
            // A number named by the linker script has no address.
            let is_number = kind == SymbolKind::DataLabel && section.is_none();
            if symbol.st_shndx(endian) == elf::SHN_UNDEF || is_number {
                continue;
            }
            let start = names.start.saturating_add(symbol.st_name(endian) as usize);
            let rest = bytes.get(start..names.end).unwrap_or_default();
            let window = rest.get(..MAX_NAME_BYTES).unwrap_or(rest);
            let Some(length) = memchr::memchr(0, window) else {
                continue;
            };
            if !is_name(window.get(..length).unwrap_or_default()) {
                continue;
            }
            all.push(SymbolEntry {
                kind,
                address: symbol.st_value(endian).into(),
                size: symbol.st_size(endian).into(),
                max_end: section.map_or(u64::MAX, |section| {
                    let start: u64 = section.sh_addr(endian).into();
                    start.saturating_add(section.sh_size(endian).into())
                }),
                is_global: symbol.st_bind() != elf::STB_LOCAL,
                name: start..start + length,
            });
        }
    }
    all
}

/// The memory contents in the file: its sections, or its segments if the
/// sections were stripped.
fn contents<Elf: FileHeader<Endian = Endianness>>(
    file: &ElfFile<'_, Elf>,
    bytes: &[u8],
) -> Vec<SectionContents> {
    let endian = file.endian();
    let known = |address: u64, range: Option<(u64, u64)>| {
        let location = file_range(range?, bytes)?;
        (!location.is_empty()).then_some(SectionContents {
            address,
            file_range: location,
        })
    };
    let sections = file.elf_section_table().iter();
    let allocated = sections.filter(|it| it.sh_flags(endian).contains(elf::SHF_ALLOC));
    let mut all: Vec<SectionContents> = allocated
        .filter_map(|it| known(it.sh_addr(endian).into(), it.file_range(endian)))
        .collect();
    if all.is_empty() {
        let segments = file.elf_program_headers().iter();
        let loaded = segments.filter(|it| it.p_type(endian) == elf::PT_LOAD);
        all = loaded
            .filter_map(|it| known(it.p_vaddr(endian).into(), Some(it.file_range(endian))))
            .collect();
    }
    all.sort_by_key(|contents| contents.address);
    all
}

/// A section with contents in memory, by its name.
fn named_section<Elf: FileHeader<Endian = Endianness>>(
    file: &ElfFile<'_, Elf>,
    bytes: &[u8],
    name: &[u8],
) -> Option<SectionContents> {
    let endian = file.endian();
    let (_, section) = file.elf_section_table().section_by_name(endian, name)?;
    Some(SectionContents {
        address: section.sh_addr(endian).into(),
        file_range: file_range(section.file_range(endian)?, bytes)?,
    })
}

/// The ranges of sections with variables, or of segments in a stripped file.
fn data_ranges<Elf: FileHeader<Endian = Endianness>>(file: &ElfFile<'_, Elf>) -> Vec<Range<u64>> {
    let endian = file.endian();
    let range = |start: u64, size: u64| start..start.saturating_add(size);
    let sections = file.elf_section_table().iter();
    let allocated = sections.filter(|it| it.sh_flags(endian).contains(elf::SHF_ALLOC));
    let mut is_stripped = true;
    let mut all = Vec::new();
    for section in allocated {
        is_stripped = false;
        let flags = section.sh_flags(endian);
        if flags.contains(elf::SHF_WRITE) && !flags.contains(elf::SHF_EXECINSTR) {
            all.push(range(
                section.sh_addr(endian).into(),
                section.sh_size(endian).into(),
            ));
        }
    }
    if is_stripped {
        let segments = file.elf_program_headers().iter();
        let loaded = segments.filter(|it| it.p_type(endian) == elf::PT_LOAD);
        let data = loaded.filter(|it| {
            let flags = it.p_flags(endian);
            flags.contains(elf::PF_W) && !flags.contains(elf::PF_X)
        });
        all.extend(data.map(|it| range(it.p_vaddr(endian).into(), it.p_memsz(endian).into())));
    }
    all.retain(|range| !range.is_empty());
    all
}

/// Converts an offset and a length to a range, truncated to the file.
fn file_range((offset, length): (u64, u64), bytes: &[u8]) -> Option<Range<usize>> {
    let end = offset.saturating_add(length).min(bytes.len() as u64);
    (offset <= end).then_some(offset as usize..end as usize)
}
