//! Expands containers with packed entries into containers with entries as in memory.

use rtoscope_wire::cswitch::packed::{
    PACKED_HEADER_BYTES, PAUSE_TICKS, PAUSES, PackedEntries, PackedEntry, PackedHeader,
};
use rtoscope_wire::cswitch::{
    CSWL_HEADER_BYTES, CoreHeader, CswlHeader, EntryKind, LogEntry, PACKED_VERSION,
    SECTION_HEADER_BYTES, SectionHeader, SectionTag, UnknownFields, VERSION,
};
use rtoscope_wire::{ByteOrder, Word};

/// The name of interrupt handlers, which packed entries do not have.
const HANDLER_NAME: u64 = 0xFFFF_FFFF;

/// Maximum number of pauses in a row: at 1 GHz, a day.
const MAX_PAUSES: u32 = 1 << 16;

/// One pause.
const PAUSE: PackedEntry = PackedEntry {
    kind: EntryKind::Time as u32,
    ticks: 0,
    operand: PAUSE_TICKS,
    value: 0,
};

/// A container with all entries as in memory, and what such entries do not have.
pub(super) struct Expanded {
    pub(super) bytes: Vec<u8>,
    /// Number of cores that send containers in turn.
    pub(super) sending_cores: u16,
    /// The time of the last entry of each core, in ticks.
    last_ticks: Vec<(u16, u64)>,
}

impl Expanded {
    /// The time of the last entry of a core, in ticks.
    pub(super) fn last_ticks(&self, core: u8) -> Option<u64> {
        let mut cores = self.last_ticks.iter();
        let (_, ticks) = cores.find(|(number, _)| *number == u16::from(core))?;
        Some(*ticks)
    }
}

/// Expands the container at the start of `bytes`; `None` if it has no packed entries, or is
/// damaged.
pub(super) fn expand(bytes: &[u8]) -> Option<Expanded> {
    is_packed(bytes).then(|| expand_sections(bytes)).flatten()
}

/// Whether the container at the start of `bytes` has packed entries.
pub(super) fn is_packed(bytes: &[u8]) -> bool {
    let header = CswlHeader::read(bytes).ok().flatten();
    header.is_some_and(|header| header.version == PACKED_VERSION)
}

fn expand_sections(bytes: &[u8]) -> Option<Expanded> {
    let header = CswlHeader::read(bytes).ok()??;
    let order = header.order;
    let mut expanded = CswlHeader {
        version: VERSION,
        // The time of packed entries has 64 bits.
        counter_bits: 32,
        ..header
    }
    .to_bytes()
    .to_vec();
    let mut last_ticks = Vec::new();
    let mut at = CSWL_HEADER_BYTES;
    loop {
        let section = SectionHeader::read(bytes.get(at..)?, order).ok()?;
        at = at.checked_add(SECTION_HEADER_BYTES)?;
        let end = at.checked_add(usize::try_from(section.length).ok()?)?;
        let content = bytes.get(at..end)?;
        match section.tag {
            SectionTag::PACKED => last_ticks.push(expand_core(content, header, &mut expanded)?),
            SectionTag::END => {
                push_section_header(SectionTag::END, content.len(), order, &mut expanded);
                let checksum = crc32fast::hash(&expanded);
                push_word(checksum, order, &mut expanded);
                return Some(Expanded {
                    bytes: expanded,
                    sending_cores: header.cores,
                    last_ticks,
                });
            }
            _ => expanded.extend_from_slice(bytes.get(at - SECTION_HEADER_BYTES..end)?),
        }
        at = end;
    }
}

/// Replaces a section with packed entries by one with entries as in memory. Returns the core and
/// the time of its last entry.
fn expand_core(content: &[u8], container: CswlHeader, to: &mut Vec<u8>) -> Option<(u16, u64)> {
    let order = container.order;
    let packed = PackedHeader::read(content, order).ok()?;
    let entries = PackedEntries::new(content.get(PACKED_HEADER_BYTES..)?, order);
    let mut ticks = packed.start_ticks;
    let mut memory = Vec::new();
    let mut count = 0;
    let mut has_handlers = false;
    for packed in entries {
        ticks = ticks.wrapping_add(packed.ticks.into());
        let (packed, repetitions) = match packed.kind {
            PAUSES => (PAUSE, packed.operand),
            _ => (packed, 1),
        };
        if repetitions > MAX_PAUSES {
            return None;
        }
        for _ in 0..repetitions {
            let entry = entry(packed, &mut ticks);
            has_handlers |= entry.name == HANDLER_NAME;
            let start = memory.len();
            memory.resize(start + container.pointer_size.entry_bytes(), 0);
            let place = memory.get_mut(start..)?;
            entry.write(place, container.pointer_size, order).ok()?;
            count += 1;
        }
    }
    if has_handlers {
        const ISR: &[u8] = b"ISR";
        push_section_header(SectionTag::NAME, size_of::<u64>() + ISR.len(), order, to);
        push_word(HANDLER_NAME, order, to);
        to.extend_from_slice(ISR);
    }
    let core = CoreHeader {
        core: packed.core,
        cyclic: true,
        wrapped: false,
        entries: count,
        oldest_index: 0,
        lost: packed.lost,
        idle_ticks: 0,
    };
    let unknown = UnknownFields {
        idle: true,
        ..UnknownFields::default()
    };
    let core = core.to_bytes_with_unknown(unknown, order);
    push_section_header(SectionTag::CORE, core.len() + memory.len(), order, to);
    to.extend_from_slice(&core);
    to.extend_from_slice(&memory);
    Some((packed.core, ticks))
}

/// An entry as in memory, at the time `ticks`, which it may advance.
fn entry(packed: PackedEntry, ticks: &mut u64) -> LogEntry {
    let operand = u64::from(packed.operand);
    let (address, name) = match EntryKind::from_number(packed.kind) {
        Some(EntryKind::IsrEnter | EntryKind::IsrExit) => (operand, HANDLER_NAME),
        Some(EntryKind::Time) => {
            *ticks = ticks.wrapping_add(operand);
            (operand, 0)
        }
        Some(EntryKind::Wait | EntryKind::Filter | EntryKind::FormatValues) => {
            (operand, packed.value.into())
        }
        // Resumes have a code address there, formatted events their first value.
        _ => (packed.value.into(), operand),
    };
    LogEntry {
        kind: packed.kind,
        #[expect(clippy::cast_possible_truncation, reason = "the counter has 32 bits")]
        counter: *ticks as u32,
        address,
        name,
    }
}

fn push_section_header(tag: SectionTag, length: usize, order: ByteOrder, to: &mut Vec<u8>) {
    let length = length as u64;
    to.extend_from_slice(&SectionHeader { tag, length }.to_bytes(order));
}

fn push_word<W: Word>(word: W, order: ByteOrder, to: &mut Vec<u8>) {
    let start = to.len();
    to.resize(start + size_of::<W>(), 0);
    if let Some(place) = to.get_mut(start..) {
        let _ = word.write(place, order);
    }
}
