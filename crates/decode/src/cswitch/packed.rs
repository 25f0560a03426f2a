//! Unpacks the packed entries of containers into entries as in memory.

use crate::sections::sections;
use rtoscope_wire::cswitch::packed::{
    PACKED_HEADER_BYTES, PAUSE_TICKS, PAUSES, PackedEntries, PackedEntry, PackedHeader,
};
use rtoscope_wire::cswitch::{
    CswlHeader, EntryKind, LogEntry, PACKED_VERSION, SUMMED_VERSION, SectionTag,
};

/// The name of interrupt handlers, which packed entries do not have.
pub(super) const HANDLER_NAME: u64 = 0xFFFF_FFFF;

/// Maximum number of pauses in a container: at 1 GHz, six days. Each becomes an entry.
const MAX_PAUSES: u32 = 1 << 18;

/// One pause.
const PAUSE: PackedEntry = PackedEntry {
    kind: EntryKind::Time as u32,
    ticks: 0,
    operand: PAUSE_TICKS,
    value: 0,
};

/// What is in the packed sections of a container.
pub(super) struct Unpacked {
    /// Number of cores that send containers in turn.
    pub(super) sending_cores: u16,
    /// The logs in the order of their sections.
    pub(super) cores: Vec<UnpackedCore>,
}

/// The log of a core.
pub(super) struct UnpackedCore {
    pub(super) header: PackedHeader,
    /// The entries as in memory.
    pub(super) entries: Vec<u8>,
    /// The time of the last entry, in ticks.
    pub(super) last_ticks: u64,
    /// Whether entries have [`HANDLER_NAME`].
    pub(super) has_handlers: bool,
}

/// Unpacks the container at the start of `bytes`; `None` if it has no packed entries, or is
/// damaged.
pub(super) fn unpack(bytes: &[u8]) -> Option<Unpacked> {
    let header = packed_header(bytes)?;
    let mut cores = Vec::new();
    let mut pauses_left = MAX_PAUSES;
    for (tag, content) in sections::<CswlHeader>(bytes, header.order) {
        if tag == SectionTag::PACKED {
            cores.push(unpack_core(bytes.get(content)?, header, &mut pauses_left)?);
        }
    }
    Some(Unpacked {
        sending_cores: header.cores,
        cores,
    })
}

/// Whether the container at the start of `bytes` has packed entries.
pub(super) fn is_packed(bytes: &[u8]) -> bool {
    packed_header(bytes).is_some()
}

fn packed_header(bytes: &[u8]) -> Option<CswlHeader> {
    let header = CswlHeader::read(bytes).ok().flatten();
    header.filter(|header| (PACKED_VERSION..=SUMMED_VERSION).contains(&header.version))
}

fn unpack_core(
    content: &[u8],
    container: CswlHeader,
    pauses_left: &mut u32,
) -> Option<UnpackedCore> {
    let order = container.order;
    let header = PackedHeader::read(content, order).ok()?;
    let mut core = UnpackedCore {
        header,
        entries: Vec::new(),
        last_ticks: header.start_ticks,
        has_handlers: false,
    };
    for packed in PackedEntries::new(content.get(PACKED_HEADER_BYTES..)?, order) {
        core.last_ticks = core.last_ticks.wrapping_add(packed.ticks.into());
        let (packed, repetitions) = match packed.kind {
            PAUSES => {
                *pauses_left = pauses_left.checked_sub(packed.operand)?;
                (PAUSE, packed.operand)
            }
            _ => (packed, 1),
        };
        for _ in 0..repetitions {
            let entry = entry(packed, &mut core.last_ticks);
            core.has_handlers |= entry.name == HANDLER_NAME;
            let start = core.entries.len();
            core.entries
                .resize(start + container.pointer_size.entry_bytes(), 0);
            let place = core.entries.get_mut(start..)?;
            entry.write(place, container.pointer_size, order).ok()?;
        }
    }
    Some(core)
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
