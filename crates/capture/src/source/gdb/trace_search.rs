//! Search for the trace in a target's memory.

use super::buffer_mirror::BufferMirror;
use super::error::StubError;
use super::memory_map;
use super::memory_scan::{MemoryScan, ScanStep, ScanTargets};
use super::memory_trace::MemoryTrace;
use super::rtt_channel::{CONTROL_BLOCK, RttChannel, RttSearch};
use super::stub::Stub;
use super::switch_log::ContextSwitchLog;
use crate::address::GdbAddress;
use crate::source::interface::{SourceError, SourceOptions};
use rtoscope_decode::{FORMATS, Format, TargetMemory};
use rtoscope_symbols::Firmware;
use rtoscope_trace::Address;
use rtoscope_wire::{ByteOrder, PointerSize, Word as _};
use std::ops::Range;
use std::sync::Arc;

/// Finds the trace for an address and options.
pub(super) struct TraceSearch {
    target: SearchTarget,
    /// RAM ranges to scan.
    ranges: Vec<Range<u64>>,
    /// The scan in progress.
    scan: Option<MemoryScan>,
}

/// What to search for.
#[derive(Clone)]
enum SearchTarget {
    /// A trace buffer, or a pointer to one.
    At { address: u64, words: WordFormat },
    /// A channel of an RTT control block.
    Rtt { address: u64, search: RttSearch },
    /// A trace in this range, or in the RAM reported by the stub.
    Within(Option<Range<u64>>, ScanTargets),
    /// The context-switch log of a firmware.
    Log(Vec<Arc<Firmware>>),
}

/// The target's pointer size and byte order.
type WordFormat = (PointerSize, ByteOrder);

/// The result of a search step.
pub(super) enum SearchStep {
    /// The trace.
    Found(Box<dyn MemoryTrace>),
    /// Not found yet; the search continues.
    InProgress,
    /// Not found, which may change: where.
    NotFound(String),
}

/// The RAM of Cortex-M processors (Armv7-M Architecture Reference Manual, B3.1),
/// limited to what is scanned.
const CORTEX_M_RAM: Range<u64> = 0x2000_0000..0x2100_0000;

impl TraceSearch {
    /// A search for an address and options.
    ///
    /// # Errors
    ///
    /// If a symbol does not exist.
    pub(super) fn new(address: &GdbAddress, settings: &SourceOptions) -> Result<Self, SourceError> {
        let wanted = SearchTarget::new(address, settings)
            .map_err(|problem| SourceError::Unsupported(format!("{address}: {problem}")))?;
        Ok(Self {
            target: wanted,
            ranges: Vec::new(),
            scan: None,
        })
    }

    /// Starts on a target, which is halted.
    pub(super) fn begin(&mut self, stub: &mut Stub) -> Result<(), StubError> {
        self.scan = None;
        self.ranges = match &self.target {
            SearchTarget::Within(Some(range), _) => vec![range.clone()],
            SearchTarget::Within(None, _) => ram_ranges(stub)?,
            SearchTarget::At { .. } | SearchTarget::Rtt { .. } | SearchTarget::Log(_) => Vec::new(),
        };
        Ok(())
    }

    /// An address that is read in any case.
    pub(super) fn probe_address(&self) -> u64 {
        let address = match &self.target {
            SearchTarget::At { address, .. } | SearchTarget::Rtt { address, .. } => Some(*address),
            SearchTarget::Within(..) => self.ranges.first().map(|range| range.start),
            SearchTarget::Log(firmware) => {
                log_variables().find_map(|name| variable(firmware, name))
            }
        };
        address.unwrap_or(CORTEX_M_RAM.start)
    }

    /// Searches a little memory, or everything if it is little.
    pub(super) fn step(&mut self, stub: &mut Stub) -> Result<SearchStep, StubError> {
        match &self.target {
            SearchTarget::At {
                address: place,
                words,
            } => open_at(stub, *place, *words),
            SearchTarget::Rtt { address, search } => {
                Ok(match RttChannel::open(stub, *address, *search)? {
                    Some(channel) => SearchStep::Found(Box::new(channel)),
                    None => {
                        let place = Address(*address);
                        SearchStep::NotFound(format!("an RTT channel with a buffer at {place}"))
                    }
                })
            }
            SearchTarget::Log(firmware) => Ok(match ContextSwitchLog::new(firmware) {
                Some(log) => SearchStep::Found(Box::new(log)),
                None => SearchStep::NotFound("the firmware has no context-switch log".to_owned()),
            }),
            SearchTarget::Within(_, targets) => {
                let begin = || MemoryScan::new(*targets, self.ranges.clone());
                let scan = self.scan.get_or_insert_with(begin);
                let scanned = scan.step(stub)?;
                if !matches!(scanned, ScanStep::InProgress) {
                    self.scan = None;
                }
                Ok(match scanned {
                    ScanStep::InProgress => SearchStep::InProgress,
                    ScanStep::Found(trace) => SearchStep::Found(trace),
                    ScanStep::NotFound(place) => SearchStep::NotFound(place),
                })
            }
        }
    }
}

impl SearchTarget {
    fn new(address: &GdbAddress, settings: &SourceOptions) -> Result<Self, String> {
        let firmware = &settings.firmware;
        let log = || SearchTarget::Log(firmware.clone());
        let at = |place| SearchTarget::At {
            address: place,
            words: word_format(firmware),
        };
        let range = address.scan.map(|range| {
            let start = range.start.0;
            start..start.saturating_add(range.len_bytes)
        });
        let format = settings.format.map(Format::description);
        let kind = format.map(|format| format.target_memory);
        let (pointer_size, byte_order) = word_format(firmware);
        let search = RttSearch {
            channel: address.channel,
            pointer_size,
            byte_order,
        };
        let rtt_at = |address| Self::Rtt { address, search };
        let within = |has_buffers, rtt| {
            let targets = ScanTargets { has_buffers, rtt };
            Self::Within(range.clone(), targets)
        };
        let control_block = variable(firmware, CONTROL_BLOCK).filter(|_| range.is_none());
        // Records that are sent one by one are in memory only until RTT has sent them.
        let is_rtt = address.channel.is_some() || matches!(kind, Some(TargetMemory::Sent));
        match (&address.symbol, address.address, kind) {
            (Some(name), _, _) => {
                let place =
                    variable(firmware, name).ok_or_else(|| unknown_symbol(name, firmware))?;
                Ok(if is_rtt || name == CONTROL_BLOCK {
                    rtt_at(place)
                } else if log_variables().any(|variable| variable == name) {
                    log()
                } else {
                    at(place)
                })
            }
            (None, Some(place), _) if is_rtt => Ok(rtt_at(place.0)),
            (None, None, _) if is_rtt => Ok(match control_block {
                Some(place) => rtt_at(place),
                None => within(false, Some(search)),
            }),
            (None, _, Some(TargetMemory::Log { variables })) => {
                match ContextSwitchLog::new(firmware) {
                    Some(_) => Ok(log()),
                    None => Err(unknown_symbol(variables.first().unwrap_or(&""), firmware)),
                }
            }
            (None, Some(place), _) => Ok(at(place.0)),
            (None, None, kind) => Ok(match pointers().find_map(|name| variable(firmware, name)) {
                _ if range.is_some() => within(true, kind.is_none().then_some(search)),
                Some(place) => at(place),
                None if kind.is_some() => within(true, None),
                None if ContextSwitchLog::new(firmware).is_some() => log(),
                None => match control_block {
                    Some(place) => rtt_at(place),
                    None => within(true, Some(search)),
                },
            }),
        }
    }
}

/// The variables that point to trace buffers.
fn pointers() -> impl Iterator<Item = &'static str> {
    FORMATS
        .into_iter()
        .filter_map(|format| match format.description().target_memory {
            TargetMemory::Buffer { pointer } => Some(pointer),
            TargetMemory::Log { .. } | TargetMemory::Sent => None,
        })
}

/// The variables of the recorders of logs.
fn log_variables() -> impl Iterator<Item = &'static str> {
    FORMATS
        .into_iter()
        .flat_map(|format| match format.description().target_memory {
            TargetMemory::Log { variables } => variables,
            TargetMemory::Buffer { .. } | TargetMemory::Sent => &[],
        })
        .copied()
}

fn variable(firmware: &[Arc<Firmware>], name: &str) -> Option<u64> {
    let mut found = firmware.iter().filter_map(|file| file.variable(name));
    found.next().map(|variable| variable.address.0)
}

fn unknown_symbol(name: &str, firmware: &[Arc<Firmware>]) -> String {
    match firmware.is_empty() {
        true => {
            format!("finding {name} needs the firmware's ELF file: pass it with --symbols")
        }
        false => format!("the firmware has no variable {name}, or several"),
    }
}

/// The pointer format of a firmware's target; if unknown, the most common one.
fn word_format(firmware: &[Arc<Firmware>]) -> WordFormat {
    let target = firmware.iter().find_map(|file| file.target());
    target.map_or((PointerSize::Four, ByteOrder::Little), |target| {
        (target.pointer_size, target.byte_order)
    })
}

/// Opens the buffer at an address, or the one that a pointer there points to.
fn open_at(
    stub: &mut Stub,
    place: u64,
    (size, order): WordFormat,
) -> Result<SearchStep, StubError> {
    if let Some(mirror) = BufferMirror::open(stub, place)? {
        return Ok(SearchStep::Found(Box::new(mirror)));
    }
    let pointer = match stub.read(place, size.bytes()) {
        Err(error @ StubError::Unreadable { .. }) => {
            return Ok(SearchStep::NotFound(error.to_string()));
        }
        bytes => {
            let bytes = bytes?;
            match size {
                PointerSize::Four => u32::read(&bytes, order).map(u64::from),
                PointerSize::Eight => u64::read(&bytes, order),
            }
        }
    };
    let there = match pointer.filter(|pointer| *pointer != 0) {
        Some(pointer) => BufferMirror::open(stub, pointer)?,
        None => None,
    };
    Ok(match there {
        Some(mirror) => SearchStep::Found(Box::new(mirror)),
        None => SearchStep::NotFound(format!("a trace buffer at {}", Address(place))),
    })
}

/// The RAM ranges of the target.
fn ram_ranges(stub: &mut Stub) -> Result<Vec<Range<u64>>, StubError> {
    let ranges = stub.memory_map()?.map(|map| memory_map::ram_ranges(&map));
    Ok(ranges
        .filter(|ranges| !ranges.is_empty())
        .unwrap_or_else(|| vec![CORTEX_M_RAM]))
}
