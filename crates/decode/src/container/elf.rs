use crate::DecodeError;
use crate::memory::{Memory, MemoryBuilder};
use crate::threadx::header_scan;
use object::Endianness;
use object::elf::{self, FileHeader32, FileHeader64};
use object::read::elf::{FileHeader, ProgramHeader};
use rtoscope_trace::{Diagnostic, DiagnosticKind, Diagnostics};

/// The first bytes of an ELF file.
pub(super) const MAGIC: &[u8] = b"\x7FELF";

/// Offset of the byte that distinguishes addresses of 4 and 8 bytes.
const CLASS_OFFSET: usize = 4;

/// Reads the loaded segments of a core file of either class and byte order.
///
/// Accepts other kinds of ELF files if they contain a trace: some debuggers
/// save memory as an executable.
pub(super) fn read<'a>(
    bytes: &'a [u8],
    diagnostics: &mut Diagnostics,
) -> Result<Memory<'a>, DecodeError> {
    match bytes.get(CLASS_OFFSET) {
        Some(1) => read_class::<FileHeader32<Endianness>>(bytes, diagnostics),
        Some(2) => read_class::<FileHeader64<Endianness>>(bytes, diagnostics),
        Some(class) => Err(DecodeError::ElfDamaged {
            problem: format!("the class at offset 4 is {class}, expected 1 or 2"),
        }),
        None => Err(DecodeError::ElfDamaged {
            problem: format!("it ends after {} bytes", bytes.len()),
        }),
    }
}

fn read_class<'a, Elf: FileHeader<Endian = Endianness>>(
    bytes: &'a [u8],
    diagnostics: &mut Diagnostics,
) -> Result<Memory<'a>, DecodeError> {
    let damaged = |error: object::Error| DecodeError::ElfDamaged {
        problem: format!("{error} (of {} bytes)", bytes.len()),
    };
    let header = Elf::parse(bytes).map_err(damaged)?;
    let order = header.endian().map_err(damaged)?;
    let segments = header.program_headers(order, bytes).map_err(damaged)?;
    let mut builder = MemoryBuilder::borrowing(bytes);
    let mut cut = Vec::new();
    for segment in segments {
        if segment.p_type(order) != elf::PT_LOAD {
            continue;
        }
        let (offset, size) = segment.file_range(order);
        let (virtual_address, physical) = (segment.p_vaddr(order), segment.p_paddr(order));
        // Tools that dump memory without an MMU may write only physical
        // addresses.
        let address = match virtual_address.into() {
            0 => physical.into(),
            address => address,
        };
        let start = offset.min(bytes.len() as u64);
        let end = offset.saturating_add(size).min(bytes.len() as u64);
        builder.push_input(address, start as usize..end as usize);
        let missing = size - (end - start);
        if missing > 0 {
            let message = format!(
                "the file ends at {:#x}, {missing} bytes before the end of the segment at address \
                 {address:#x}",
                bytes.len()
            );
            let diagnostic = Diagnostic::new(DiagnosticKind::Truncated, message);
            cut.push(diagnostic.at_offset(end).with_count(missing));
        }
    }
    let (memory, overlaps) = builder.finish(true);
    let kind = header.e_type(order);
    let whole = 0..bytes.len() as u64;
    let is_core = kind == elf::ET_CORE && !builder.is_empty();
    if !is_core && header_scan::headers(&memory, &[whole]).next().is_none() {
        return Err(DecodeError::ElfWithoutMemory {
            kind: match kind {
                elf::ET_REL => "an object file",
                elf::ET_EXEC => "an executable",
                elf::ET_DYN => "an executable or shared library",
                elf::ET_CORE => "a core file",
                _ => "a file of unknown type",
            },
        });
    }
    diagnostics.extend(cut);
    diagnostics.extend(overlaps);
    Ok(memory)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Load {
        address: u64,
        bytes: &'static [u8],
        memory_size: u64,
    }

    /// A file with one program header per segment, followed by the contents.
    fn file(kind: u16, wide: bool, big: bool, loads: &[Load]) -> Vec<u8> {
        let mut out = vec![];
        let put = |out: &mut Vec<u8>, value: u64, size: usize| {
            let bytes = value.to_le_bytes();
            let mut bytes = bytes[..size].to_vec();
            if big {
                bytes.reverse();
            }
            out.extend(bytes);
        };
        let word = if wide { 8 } else { 4 };
        let (header, entry) = if wide { (64, 56) } else { (52, 32) };
        out.extend(MAGIC);
        out.extend([if wide { 2 } else { 1 }, if big { 2 } else { 1 }, 1, 0]);
        out.extend([0; 8]);
        for (value, size) in [(kind.into(), 2), (40, 2), (1, 4), (0, word), (header, word)] {
            put(&mut out, value, size);
        }
        let count = loads.len() as u64;
        let tail = [
            (0, word),
            (0, 4),
            (header, 2),
            (entry, 2),
            (count, 2),
            (0, 2),
            (0, 2),
            (0, 2),
        ];
        for (value, size) in tail {
            put(&mut out, value, size);
        }
        let mut offset = header + entry * count;
        for load in loads {
            let size = load.bytes.len() as u64;
            put(&mut out, 1, 4);
            if wide {
                put(&mut out, 6, 4);
            }
            for value in [offset, load.address, 0, size, load.memory_size] {
                put(&mut out, value, word);
            }
            if !wide {
                put(&mut out, 6, 4);
            }
            put(&mut out, 1, word);
            offset += size;
        }
        loads.iter().for_each(|load| out.extend(load.bytes));
        out
    }

    const LOADS: [Load; 2] = [
        Load {
            address: 0x2000_0000,
            bytes: b"data",
            memory_size: 8,
        },
        Load {
            address: 0x1000,
            bytes: b"program",
            memory_size: 7,
        },
    ];

    #[test]
    fn both_classes_and_orders_are_read() {
        for (wide, big) in [(false, false), (false, true), (true, false), (true, true)] {
            let bytes = file(4, wide, big, &LOADS);
            let mut diagnostics = Diagnostics::default();
            let memory = read(&bytes, &mut diagnostics).unwrap();
            assert!(diagnostics.is_empty() && memory.has_addresses());
            assert_eq!(memory.available_from(0x2000_0000), b"data");
            assert_eq!(memory.available_from(0x1000), b"program");
            let offset = memory.offset_of(0x1000).unwrap() as usize;
            assert_eq!(&bytes[offset..], b"program");
        }
    }

    #[test]
    fn a_cut_segment_keeps_what_is_there() {
        let mut bytes = file(4, false, false, &LOADS);
        bytes.truncate(bytes.len() - 3);
        let mut diagnostics = Diagnostics::default();
        let memory = read(&bytes, &mut diagnostics).unwrap();
        assert_eq!(memory.available_from(0x1000), b"prog");
        let cut = diagnostics.iter().next().unwrap();
        assert_eq!((cut.kind, cut.count), (DiagnosticKind::Truncated, 3));
    }

    #[test]
    fn programs_and_wrecks_are_refused() {
        let mut diagnostics = Diagnostics::default();
        let mut refuse = |bytes: &[u8]| read(bytes, &mut diagnostics).unwrap_err().to_string();
        assert!(refuse(&file(2, false, false, &LOADS)).contains("is an executable without"));
        assert!(refuse(&file(4, true, false, &[])).contains("is a core file without"));
        assert!(refuse(MAGIC).contains("ends after 4 bytes"));
        assert!(refuse(b"\x7FELF\x05").contains("class at offset 4 is 5"));
        let whole = file(4, true, true, &LOADS);
        assert!(refuse(&whole[..100]).contains("damaged"));
    }
}
