//! Parses a container with the format's own crate.

use rtoscope_record::cswitch::{CswlWriter, LogSource, MemoryRegion, ReadableMemory};
use rtoscope_wire::cswitch::{
    CORE_HEADER_BYTES, CSWL_HEADER_BYTES, CoreHeader, CoreHistory, Crc32, CswlHeader, LogEntry,
    SECTION_HEADER_BYTES, SectionHeader, SectionTag,
};
use std::collections::BTreeMap;

pub(crate) struct Container {
    pub(crate) header: CswlHeader,
    pub(crate) cores: Vec<(CoreHeader, Vec<LogEntry>)>,
    pub(crate) pasts: Vec<CoreHistory>,
    pub(crate) names: BTreeMap<u64, String>,
    pub(crate) symbols: Vec<(u64, u64, String)>,
}

pub(crate) fn saved(log: &impl LogSource, readable: ReadableMemory<'_>) -> Container {
    let mut bytes = Vec::new();
    let mut container = CswlWriter::new(
        |part: &[u8]| bytes.extend_from_slice(part),
        1_000_000,
        32,
        1,
    );
    container.write_core(0, log, readable);
    let _ = container.finish();
    read(&bytes)
}

pub(crate) fn read(bytes: &[u8]) -> Container {
    let header = CswlHeader::read(bytes).unwrap().unwrap();
    let order = header.order;
    let number = |bytes: &[u8]| u64::from_ne_bytes(bytes[..8].try_into().unwrap());
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let mut read = Container {
        header,
        cores: Vec::new(),
        pasts: Vec::new(),
        names: BTreeMap::new(),
        symbols: Vec::new(),
    };
    let mut at = CSWL_HEADER_BYTES;
    loop {
        let section = SectionHeader::read(&bytes[at..], order).unwrap();
        let data = &bytes[at + SECTION_HEADER_BYTES..][..section.length as usize];
        match section.tag {
            SectionTag::CORE => {
                let core = CoreHeader::read(data, order).unwrap();
                let entries: Vec<LogEntry> = data[CORE_HEADER_BYTES..]
                    .chunks_exact(header.pointer_size.entry_bytes())
                    .map(|entry| LogEntry::read(entry, header.pointer_size, order).unwrap())
                    .collect();
                assert_eq!(entries.len(), core.entries as usize);
                read.cores.push((core, entries));
            }
            SectionTag::PAST => read.pasts.push(CoreHistory::read(data, order).unwrap()),
            SectionTag::NAME => {
                read.names
                    .entry(number(data))
                    .or_insert_with(|| text(&data[8..]));
            }
            SectionTag::SYMBOL => {
                let symbol = (number(data), number(&data[8..]), text(&data[16..]));
                read.symbols.push(symbol);
            }
            SectionTag::END => {
                let mut sum = Crc32::new();
                sum.update(&bytes[..at + SECTION_HEADER_BYTES]);
                assert_eq!(data, sum.value().to_ne_bytes());
                assert_eq!(bytes.len(), at + SECTION_HEADER_BYTES + 4);
                return read;
            }
            other => assert_eq!(other, SectionTag::END, "an unexpected section"),
        }
        at += SECTION_HEADER_BYTES + section.length as usize;
    }
}

/// The memory of a text, including its NUL.
pub(crate) fn region(text: &'static [u8]) -> MemoryRegion {
    let all = text.as_ptr_range();
    MemoryRegion {
        start: all.start,
        end: all.end,
    }
}
