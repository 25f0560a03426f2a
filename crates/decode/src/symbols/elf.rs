//! What a firmware's ELF file says, apart from its lines of source code.

use super::entry::{Entry, EntryKind, is_name};
use super::lines::DebugSection;
use super::target::Target;
use crate::DecodeError;
use object::elf::{self, FileHeader32, FileHeader64};
use object::read::elf::{ElfFile, FileHeader, ProgramHeader as _, SectionHeader, Sym as _};
use object::{Endian as _, Endianness};
use rtoscope_wire::{ByteOrder, cswitch::PointerSize};
use std::ops::Range;

/// What an ELF file starts with.
pub(super) const MAGIC: &[u8] = b"\x7FELF";

/// Offset of the byte that says whether addresses have 4 or 8 bytes.
const CLASS: usize = 4;
/// Bytes of a name at most: a damaged table of names may have no end of one.
const LONGEST_NAME: usize = 16 << 10;
/// How many sections before an address are looked at: those of programs do not
/// overlap.
const OVERLAPPING: usize = 8;

/// What is where in an ELF file.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) target: Target,
    /// Whether its addresses are those of the running target.
    pub(super) linked: bool,
    /// Initial contents of memory, by address.
    pub(super) contents: Vec<Contents>,
    /// Memory that is written and not executed, with contents or without.
    pub(super) data: Vec<Range<u64>>,
    pub(super) debug: Vec<DebugSection>,
}

impl Layout {
    /// Where the bytes from `address` on lie in the file.
    pub(super) fn contents_at(&self, address: u64) -> Option<Range<usize>> {
        let behind = self.contents.partition_point(|it| it.address <= address);
        let before = self.contents.get(..behind)?.iter().rev();
        before.take(OVERLAPPING).find_map(|contents| {
            let skipped = usize::try_from(address - contents.address).ok()?;
            let start = contents.place.start.checked_add(skipped)?;
            (start < contents.place.end).then_some(start..contents.place.end)
        })
    }
}

/// Bytes that the file holds for some memory.
#[derive(Debug)]
pub(super) struct Contents {
    pub(super) address: u64,
    /// Where they lie in the file.
    pub(super) place: Range<usize>,
}

pub(super) fn read(bytes: &[u8]) -> Result<(Vec<Entry>, Layout), DecodeError> {
    match bytes.get(CLASS) {
        Some(2) => of_class::<FileHeader64<Endianness>>(bytes, PointerSize::Eight),
        _ => of_class::<FileHeader32<Endianness>>(bytes, PointerSize::Four),
    }
}

fn of_class<Elf: FileHeader<Endian = Endianness>>(
    bytes: &[u8],
    pointer: PointerSize,
) -> Result<(Vec<Entry>, Layout), DecodeError> {
    let file = ElfFile::<Elf>::parse(bytes).map_err(|error| DecodeError::ElfDamaged {
        problem: format!("{error} (of {} bytes)", bytes.len()),
    })?;
    let (header, endian) = (file.elf_header(), file.endian());
    let layout = Layout {
        target: Target {
            pointer,
            order: match endian.is_big_endian() {
                true => ByteOrder::Big,
                false => ByteOrder::Little,
            },
            machine: header.e_machine(endian).0,
        },
        linked: header.e_type(endian) != elf::ET_REL,
        contents: contents(&file, bytes),
        data: data(&file),
        debug: DebugSection::all(&file),
    };
    Ok((entries(&file, bytes), layout))
}

/// Code and data that have a name, in the order of the tables.
fn entries<Elf: FileHeader<Endian = Endianness>>(
    file: &ElfFile<'_, Elf>,
    bytes: &[u8],
) -> Vec<Entry> {
    let endian = file.endian();
    let sections = file.elf_section_table();
    let mut all = Vec::new();
    for table in [file.elf_symbol_table(), file.elf_dynamic_symbol_table()] {
        let Some(names) = sections
            .section(table.string_section())
            .ok()
            .and_then(|section| place(section.file_range(endian)?, bytes))
        else {
            continue;
        };
        for symbol in table.iter() {
            let section = sections.iter().nth(symbol.st_shndx(endian).0.into());
            let flags = section.map(|section| section.sh_flags(endian));
            let executable = flags.is_some_and(|flags| flags.contains(elf::SHF_EXECINSTR));
            let kind = match symbol.st_type() {
                elf::STT_FUNC | elf::STT_GNU_IFUNC => EntryKind::Function,
                elf::STT_OBJECT | elf::STT_COMMON => EntryKind::Object,
                elf::STT_NOTYPE if executable => EntryKind::Label,
                elf::STT_NOTYPE => EntryKind::Mark,
                _ => continue,
            };
            // A number that the linker script names has no place.
            let is_number = kind == EntryKind::Mark && section.is_none();
            if symbol.st_shndx(endian) == elf::SHN_UNDEF || is_number {
                continue;
            }
            let start = names.start.saturating_add(symbol.st_name(endian) as usize);
            let rest = bytes.get(start..names.end).unwrap_or_default();
            let window = rest.get(..LONGEST_NAME).unwrap_or(rest);
            let Some(length) = memchr::memchr(0, window) else {
                continue;
            };
            if !is_name(window.get(..length).unwrap_or_default()) {
                continue;
            }
            all.push(Entry {
                kind,
                address: symbol.st_value(endian).into(),
                size: symbol.st_size(endian).into(),
                limit: section.map_or(u64::MAX, |section| {
                    let start: u64 = section.sh_addr(endian).into();
                    start.saturating_add(section.sh_size(endian).into())
                }),
                global: symbol.st_bind() != elf::STB_LOCAL,
                name: start..start + length,
            });
        }
    }
    all
}

/// What the file puts into memory: its sections, or where they were stripped
/// its segments.
fn contents<Elf: FileHeader<Endian = Endianness>>(
    file: &ElfFile<'_, Elf>,
    bytes: &[u8],
) -> Vec<Contents> {
    let endian = file.endian();
    let known = |address: u64, range: Option<(u64, u64)>| {
        let place = place(range?, bytes)?;
        (!place.is_empty()).then_some(Contents { address, place })
    };
    let sections = file.elf_section_table().iter();
    let allocated = sections.filter(|it| it.sh_flags(endian).contains(elf::SHF_ALLOC));
    let mut all: Vec<Contents> = allocated
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

/// Where sections with variables lie, or in a stripped file segments.
fn data<Elf: FileHeader<Endian = Endianness>>(file: &ElfFile<'_, Elf>) -> Vec<Range<u64>> {
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

/// An offset and a length, as far as the file goes.
fn place((offset, length): (u64, u64), bytes: &[u8]) -> Option<Range<usize>> {
    let end = offset.saturating_add(length).min(bytes.len() as u64);
    (offset <= end).then_some(offset as usize..end as usize)
}
