//! Decodes the ThreadX event trace buffer.

mod buffer;
mod buffer_candidates;
mod buffer_image;
mod call_stacks;
pub mod catalogue;
mod context_interner;
mod cores;
pub mod custom_events;
mod damage;
mod entry_format;
mod entry_gaps;
mod entry_header;
mod entry_rules;
mod entry_survey;
mod event_ring;
mod exitless_isrs;
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
mod sleeps;
mod stamp_scan;
mod symbol_names;
mod timeline;
mod trace_checks;

pub use buffer::TraceBuffer;
pub use buffer_image::{BufferChoice, BufferImage, open};
pub use catalogue::NetxDialect;
pub use cores::CoreBits;
pub use extract_buffer::{ExtractedBuffer, extract};
pub use format::{BufferInfo, FORMAT, ListedBuffer};
pub use interpret::ThreadXInterpreter;
pub(crate) use interpret::wait_reason;
pub use timeline::TimelinePart;

use crate::DecodeError;
use crate::TextEncoding;
use crate::black_box::BlackBox;
use crate::clock::{self, ClockOptions, stamp_block};
use crate::memory::Memory;
use crate::records::RecordRun;
use entry_gaps::GapCause;
use event_ring::EventRing;
use partial_trace::{MemoryFile, PartialTrace, TraceParts};
use rtoscope_symbols::Firmware;
use rtoscope_trace::events::records::ByteSource;
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
    /// The encoding of names in the registry.
    pub text_encoding: TextEncoding,
}

/// A decoded buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedBuffer {
    /// The trace.
    pub trace: Trace,
    /// The location of its parts; of the newest of several buffers.
    pub buffer: TraceBuffer,
    /// Whether the ring has wrapped, so that older events may be lost.
    pub is_wrapped: bool,
    /// The black box that contains the buffer.
    pub black_box: Option<BlackBox>,
}

/// Fewer slots are decoded so soon that a scan of their times would only delay it.
const MIN_SLOTS_TO_SCAN: u64 = 1 << 20;

/// Entries of fewer bytes are copied: then nothing depends on the file any more, which a
/// debugger may overwrite with its next dump.
const MAX_COPIED_BYTES: u64 = 1 << 25;

/// The user event of format strings (`RTO_THREADX_FORMAT`): the address of the text and
/// three values.
pub(crate) const FORMAT_EVENT: EventKindId = EventKindId(65535);

/// Decodes buffers that continue one another, the oldest first; reports the progress. Of a
/// large file that contains the memory, the events are read when they are needed.
pub(crate) fn decode(
    memory: &Memory<'_>,
    file: Option<&Arc<dyn ByteSource>>,
    parts: &[TimelinePart],
    options: &ThreadXOptions,
    progress: &Progress,
) -> Result<DecodedBuffer, DecodeError> {
    let newest = parts.last().ok_or(DecodeError::Empty)?;
    let buffer = newest.buffer;
    let headers = parts.iter().map(|part| part.buffer.odd_header(memory));
    let mut found: Vec<_> = headers.flatten().collect();
    let last = parts.iter().max_by_key(|part| part.buffer.address);
    if let Some(last) = last {
        trace_checks::check_extent(memory, &last.extended(), &last.rules, &mut found);
    }
    let mut registry = registry::read(memory, &buffer, options.text_encoding);
    found.append(&mut registry.diagnostics);
    for earlier in parts.iter().rev().skip(1) {
        let earlier = registry::read(memory, &earlier.buffer, options.text_encoding);
        registry.add_earlier(&earlier.objects);
    }
    let ring = EventRing::read(memory, parts, &options.clock, &mut found);
    let slots: u64 = ring.runs.iter().map(|run| run.count).sum();
    if progress.is_watched() && slots >= MIN_SLOTS_TO_SCAN {
        report_density(&buffer, &ring.runs, options, progress);
    }
    let partial = PartialTrace::new(buffer.layout, &ring.runs, registry.objects, progress);
    let gaps = ring.entry_gaps(partial.run_starts(), partial.len() as u64);
    let breaks = gaps.iter().filter(|gap| gap.cause == GapCause::Disorder);
    let breaks = breaks.filter_map(|gap| Some((usize::try_from(gap.before).ok()?, gap.elapsed)));
    let breaks: Vec<_> = breaks.collect();
    let mask = buffer.header.timer_mask;
    let (unwrapped, said) = partial.times(mask, &breaks, options);
    found.extend(said);
    let gaps = gaps.iter().filter_map(|gap| gap.gap(0)).collect();
    let header = find_black_box(memory, &buffer);
    let mut catalogue = catalogue(options);
    if header.is_some() {
        catalogue.extend(catalogue::fault_event());
    }
    let mut trace = partial.finish(TraceParts {
        unwrapped,
        file: file
            .filter(|_| slots * buffer.layout.entry_bytes() as u64 > MAX_COPIED_BYTES)
            .map(|file| MemoryFile { memory, file }),
        catalogue,
        gaps,
        diagnostics: found,
        is_wrapped: ring.is_wrapped,
        is_damaged: ring.is_damaged,
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

/// Reports the events of a buffer over time before they are decoded.
fn report_density(
    buffer: &TraceBuffer,
    runs: &[RecordRun<'_>],
    options: &ThreadXOptions,
    progress: &Progress,
) {
    let stamp_bits = 8 * buffer.layout.ulong.bytes() as u32;
    let modulus = clock::modulus(stamp_bits, buffer.header.timer_mask, &options.clock);
    let blocks = stamp_scan::scan(buffer.layout, runs, modulus);
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
