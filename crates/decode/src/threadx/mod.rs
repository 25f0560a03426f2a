//! Decodes the ThreadX event trace buffer.

mod buffer;
mod buffer_image;
mod call_stacks;
pub mod catalogue;
mod columns;
mod context_interner;
mod cores;
pub mod custom_events;
mod damage;
mod entry_gaps;
mod entry_header;
mod extract_buffer;
mod facts;
mod format;
mod gap_times;
pub(crate) mod header_scan;
mod interpret;
mod live;
mod packet;
mod packet_file;
mod partial_trace;
mod registry;
mod ring_order;
mod ring_seam;
mod stamp_scan;
mod symbol_names;
mod trace_checks;

pub use buffer::TraceBuffer;
pub use buffer_image::{BufferChoice, BufferImage, open};
pub use catalogue::NetxDialect;
pub use cores::CoreBits;
pub use extract_buffer::{ExtractedBuffer, extract};
pub use format::{BufferInfo, FORMAT, ListedBuffer};
pub use interpret::ThreadXInterpreter;
pub(crate) use interpret::wait_reason;

use crate::DecodeError;
use crate::black_box::{self, BlackBox};
use crate::clock::{self, ClockOptions, stamp_block};
use crate::memory::Memory;
use crate::symbols::Firmware;
use damage::SlotRuns;
use entry_gaps::{EntryGap, GapCause};
use partial_trace::{PartialTrace, TraceParts};
use ring_order::{EventRing, RingGap};
use rtoscope_trace::{Catalogue, EventKind, EventKindId, Progress, Trace};
use rtoscope_wire::black_box::{BLACK_BOX_HEADER_BYTES, BlackBoxHeader, BlackBoxKind};
use std::sync::Arc;

/// Options for a trace buffer: properties that it does not contain, or
/// overrides.
#[derive(Debug, Clone, Default)]
pub struct ThreadXOptions {
    /// The clock options.
    pub clock: ClockOptions,
    /// The network stack, which defines some event numbers.
    pub netx: NetxDialect,
    /// The interpretation of event numbers.
    pub cores: CoreBits,
    /// Custom events of the application.
    pub custom: Vec<EventKind>,
    /// The firmware's files: ELF or the output of `nm`. Their variables name objects
    /// that are not in the registry. The first file with a variable at an address
    /// takes precedence.
    pub firmware: Vec<Arc<Firmware>>,
}

/// A decoded buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedBuffer {
    /// The trace.
    pub trace: Trace,
    /// The location of its parts.
    pub buffer: TraceBuffer,
    /// Whether the ring has wrapped, so that older events may be lost.
    pub is_wrapped: bool,
    /// The black box that contains the buffer.
    pub black_box: Option<BlackBox>,
}

/// Fewer slots are decoded so soon that a scan of their times would only delay it.
const MIN_SLOTS_TO_SCAN: u64 = 1 << 20;

/// The user event of format strings (`RTO_THREADX_FORMAT`): the address of the text and
/// three values.
pub(crate) const FORMAT_EVENT: EventKindId = EventKindId(65535);

/// Decodes the buffer whose control header is at `address`; reports the progress.
pub fn decode(
    memory: &Memory<'_>,
    address: u64,
    options: &ThreadXOptions,
    progress: &Progress,
) -> Result<DecodedBuffer, DecodeError> {
    let mut found = Vec::new();
    let buffer = TraceBuffer::locate(memory, address, &mut found)?;
    trace_checks::check_extent(memory, &buffer, &mut found);
    let mut registry = registry::read(memory, &buffer);
    found.append(&mut registry.diagnostics);
    let slots = SlotRuns::undamaged(memory, &buffer, &registry.objects, &mut found);
    let is_damaged = !slots.damaged.is_empty();
    let ring = ring_order::order_slots(memory, &buffer, &slots, &mut found);
    let ring = ring_seam::check(ring, memory, &buffer, &options.clock, &mut found);
    let slots: u64 = ring.runs.iter().map(|run| run.count).sum();
    if progress.is_watched() && slots >= MIN_SLOTS_TO_SCAN {
        report_density(&buffer, &ring, options, progress);
    }
    let partial = PartialTrace::new(buffer.layout, &ring.runs, registry.objects, progress);
    let timestamps = &partial.columns.timestamp;
    let gaps = entry_gaps(&ring, &partial.run_starts, timestamps.len() as u64);
    let breaks = gaps.iter().filter(|gap| gap.cause == GapCause::Disorder);
    let breaks = breaks.filter_map(|gap| Some((usize::try_from(gap.before).ok()?, gap.elapsed)));
    let breaks: Vec<_> = breaks.collect();
    let mask = buffer.header.timer_mask;
    let unwrapped = gap_times::unwrap(timestamps, mask, &options.clock, &breaks);
    let gaps = gaps.iter().filter_map(|gap| gap.gap(0)).collect();
    let header = find_black_box(memory, &buffer);
    let mut catalogue = catalogue(options);
    if header.is_some() {
        catalogue.extend(black_box::fault_event());
    }
    let mut trace = partial.finish(TraceParts {
        unwrapped,
        catalogue,
        gaps,
        diagnostics: found,
        is_wrapped: ring.is_wrapped,
        is_damaged,
        is_registry_full: registry.is_full,
        options,
    });
    let locate = |address| {
        let mut files = options.firmware.iter();
        files.find_map(|file| Some(file.function(address)?.name.to_string()))
    };
    let black_box = header.map(|header| BlackBox::new(header, locate));
    if let Some(black_box) = &black_box {
        trace.diagnostics.push(black_box.diagnostic());
    }
    Ok(DecodedBuffer {
        trace,
        buffer,
        is_wrapped: ring.is_wrapped,
        black_box,
    })
}

/// The gaps between the entries of a ring whose runs begin at these events.
fn entry_gaps(ring: &EventRing<'_>, run_starts: &[u64], events: u64) -> Vec<EntryGap> {
    let gap = |gap: &RingGap| {
        let before = run_starts.get(gap.run).copied();
        let before = before.filter(|before| (1..events).contains(before))?;
        Some(EntryGap::in_dump(before, gap.cause, gap.missing))
    };
    ring.gaps.iter().filter_map(gap).collect()
}

/// Reports the events of a buffer over time before they are decoded.
fn report_density(
    buffer: &TraceBuffer,
    ring: &EventRing<'_>,
    options: &ThreadXOptions,
    progress: &Progress,
) {
    let stamp_bits = 8 * buffer.layout.ulong.bytes() as u32;
    let modulus = clock::modulus(stamp_bits, buffer.header.timer_mask, &options.clock);
    let blocks = stamp_scan::scan(buffer.layout, &ring.runs, modulus);
    let direction = options.clock.direction;
    progress.set_preliminary(stamp_block::density(&blocks, modulus, direction));
}

/// The header of the black box that contains the buffer, immediately before it.
fn find_black_box(memory: &Memory<'_>, buffer: &TraceBuffer) -> Option<BlackBoxHeader> {
    let start = buffer.address.checked_sub(BLACK_BOX_HEADER_BYTES as u64)?;
    let bytes = memory.read(start, BLACK_BOX_HEADER_BYTES)?;
    let header = BlackBoxHeader::read(bytes, buffer.layout.order)?;
    (header.kind == BlackBoxKind::Trace).then_some(header)
}

/// The event kinds that may occur.
fn catalogue(options: &ThreadXOptions) -> Catalogue {
    let mut catalogue = catalogue::catalogue(options.netx);
    catalogue.extend(options.custom.iter().cloned());
    catalogue
}
