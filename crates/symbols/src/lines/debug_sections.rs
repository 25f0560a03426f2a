use flate2::read::ZlibDecoder;
use gimli::{Dwarf, EndianSlice, RunTimeEndian, SectionId};
use object::read::elf::{ElfFile, FileHeader};
use object::{CompressionFormat, Endianness, Object as _, ObjectSection as _};
use rtoscope_wire::ByteOrder;
use ruzstd::decoding::StreamingDecoder;
use std::io::Read;
use std::ops::Range;

/// The sections that determine the source line of an address.
pub(crate) const LINE_SECTIONS: [SectionId; 9] = [
    SectionId::DebugAbbrev,
    SectionId::DebugAddr,
    SectionId::DebugInfo,
    SectionId::DebugLine,
    SectionId::DebugLineStr,
    SectionId::DebugRanges,
    SectionId::DebugRngLists,
    SectionId::DebugStr,
    SectionId::DebugStrOffsets,
];

/// The sections with the macros of a program.
pub(crate) const MACRO_SECTIONS: [SectionId; 8] = [
    SectionId::DebugAbbrev,
    SectionId::DebugInfo,
    // Units refer to it.
    SectionId::DebugLine,
    SectionId::DebugMacinfo,
    SectionId::DebugMacro,
    SectionId::DebugStr,
    SectionId::DebugLineStr,
    SectionId::DebugStrOffsets,
];

/// Minimum limit of the size of a decompressed section.
const MIN_DECOMPRESSED_LIMIT: u64 = 16 << 20;
/// A section may decompress to this many times the size of the file, if that is
/// more.
const DECOMPRESSED_LIMIT_FACTOR: u64 = 16;

pub(crate) type DwarfSlice<'a> = EndianSlice<'a, RunTimeEndian>;

/// The location of a section in a file.
#[derive(Debug)]
pub(crate) struct DebugSection {
    id: SectionId,
    format: CompressionFormat,
    file_range: Range<u64>,
    size: u64,
}

impl DebugSection {
    /// The sections of a file with these names.
    pub(crate) fn all<Elf: FileHeader<Endian = Endianness>>(
        file: &ElfFile<'_, Elf>,
        ids: &[SectionId],
    ) -> Vec<Self> {
        let found = ids.iter().filter_map(|&id| {
            let section = file.section_by_name(id.name())?;
            let range = section.compressed_file_range().ok()?;
            Some(Self {
                id,
                format: range.format,
                file_range: range.offset..range.offset.saturating_add(range.compressed_size),
                size: range.uncompressed_size,
            })
        });
        found.collect()
    }

    fn load(&self, bytes: &[u8]) -> Option<SectionData> {
        let end = self.file_range.end.min(bytes.len() as u64) as usize;
        let location = usize::try_from(self.file_range.start).ok()?..end;
        let packed = bytes.get(location.clone())?;
        let limit = MIN_DECOMPRESSED_LIMIT
            .max((bytes.len() as u64).saturating_mul(DECOMPRESSED_LIMIT_FACTOR));
        let mut unpacked = Vec::new();
        let length = self.size.min(limit);
        // Keep the part before damage.
        let _damage = match self.format {
            CompressionFormat::None => return Some(SectionData::InFile(location)),
            CompressionFormat::Zlib => ZlibDecoder::new(packed)
                .take(length)
                .read_to_end(&mut unpacked),
            CompressionFormat::Zstandard => StreamingDecoder::new(packed)
                .ok()?
                .take(length)
                .read_to_end(&mut unpacked),
            _ => return None,
        };
        Some(SectionData::Unpacked(unpacked))
    }
}

/// The bytes of a section.
#[derive(Debug)]
enum SectionData {
    /// A range of the file.
    InFile(Range<usize>),
    Unpacked(Vec<u8>),
}

/// The sections of a file, decompressed.
#[derive(Debug)]
pub(crate) struct DebugSections {
    order: RunTimeEndian,
    all: Vec<(SectionId, SectionData)>,
}

impl DebugSections {
    pub(crate) fn load(bytes: &[u8], sections: &[DebugSection], order: ByteOrder) -> Self {
        let loaded = sections.iter();
        Self {
            order: match order {
                ByteOrder::Little => RunTimeEndian::Little,
                ByteOrder::Big => RunTimeEndian::Big,
            },
            all: loaded
                .filter_map(|section| Some((section.id, section.load(bytes)?)))
                .collect(),
        }
    }

    pub(crate) fn order(&self) -> RunTimeEndian {
        self.order
    }

    /// The bytes of a section of the file `bytes`; empty if it has none.
    pub(crate) fn section<'a>(&'a self, bytes: &'a [u8], id: SectionId) -> DwarfSlice<'a> {
        let found = self.all.iter().find(|(known, _)| *known == id);
        let data = match found {
            Some((_, SectionData::InFile(location))) => {
                bytes.get(location.clone()).unwrap_or_default()
            }
            Some((_, SectionData::Unpacked(data))) => data,
            None => &[],
        };
        EndianSlice::new(data, self.order)
    }

    /// The DWARF sections of the file `bytes`.
    pub(crate) fn dwarf<'a>(&'a self, bytes: &'a [u8]) -> Dwarf<DwarfSlice<'a>> {
        let slice = |id: SectionId| Ok::<_, std::convert::Infallible>(self.section(bytes, id));
        match Dwarf::load(slice) {
            Ok(dwarf) => dwarf,
            Err(never) => match never {},
        }
    }
}
