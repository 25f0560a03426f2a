//! Where in a target's memory the trace lies.

use super::buffer_mirror::BufferMirror;
use super::error::StubError;
use super::memory_map;
use super::memory_scan::{MemoryScan, ScanStep};
use super::memory_trace::MemoryTrace;
use super::stub::Stub;
use super::switch_log::ContextSwitchLog;
use crate::address::GdbAddress;
use crate::source::{SourceError, SourceOptions};
use rtoscope_decode::Format;
use rtoscope_decode::symbols::Firmware;
use rtoscope_trace::Address;
use rtoscope_wire::cswitch::PointerSize;
use rtoscope_wire::{ByteOrder, Word as _};
use std::ops::Range;
use std::sync::Arc;

/// Finds the trace that an address and settings speak of.
pub(super) struct TraceSearch {
    target: SearchTarget,
    /// Where there is memory to be looked through.
    ranges: Vec<Range<u64>>,
    /// The search through it that is under way.
    scan: Option<MemoryScan>,
}

/// What is looked for.
#[derive(Clone)]
enum SearchTarget {
    /// A trace buffer, or a pointer to one.
    At { address: u64, words: WordFormat },
    /// A trace buffer anywhere there, or where the stub says that there is RAM.
    Within(Option<Range<u64>>),
    /// The context-switch log of a firmware.
    Log(Vec<Arc<Firmware>>),
}

/// How the target has pointers.
type WordFormat = (PointerSize, ByteOrder);

/// What a step of the search gives.
pub(super) enum SearchStep {
    /// The trace.
    Found(Box<dyn MemoryTrace>),
    /// Nothing yet; there is more to look at.
    InProgress,
    /// Nothing, which may change: where.
    NotFound(String),
}

/// ThreadX's own variable, a pointer to the buffer that it writes
/// (`tx_trace.h`).
const THREADX_SYMBOL: &str = "_tx_trace_header_ptr";

/// The variables of recorders of context-switch logs.
const LOG_SYMBOLS: [&str; 2] = ["rtoscope_cswitch_log", "profile_switch_log_start"];

/// Where Cortex-M processors have their memory (Armv7-M Architecture Reference
/// Manual, B3.1), as much of it as is looked through.
const CORTEX_M_RAM: Range<u64> = 0x2000_0000..0x2100_0000;

impl TraceSearch {
    /// Of what an address and settings say.
    ///
    /// # Errors
    ///
    /// If they cannot mean anything: there is no such variable.
    pub(super) fn new(address: &GdbAddress, settings: &SourceOptions) -> Result<Self, SourceError> {
        let wanted = SearchTarget::new(address, settings)
            .map_err(|problem| SourceError::Unsupported(format!("{address}: {problem}")))?;
        Ok(Self {
            target: wanted,
            ranges: Vec::new(),
            scan: None,
        })
    }

    /// Begins with a target, which is halted.
    pub(super) fn begin(&mut self, stub: &mut Stub) -> Result<(), StubError> {
        self.scan = None;
        self.ranges = match &self.target {
            SearchTarget::Within(Some(range)) => vec![range.clone()],
            SearchTarget::Within(None) => ram_ranges(stub)?,
            SearchTarget::At { .. } | SearchTarget::Log(_) => Vec::new(),
        };
        Ok(())
    }

    /// An address that is read in any case.
    pub(super) fn probe_address(&self) -> u64 {
        let told = match &self.target {
            SearchTarget::At { address: place, .. } => Some(*place),
            SearchTarget::Within(_) => self.ranges.first().map(|range| range.start),
            SearchTarget::Log(firmware) => {
                LOG_SYMBOLS.iter().find_map(|name| variable(firmware, name))
            }
        };
        told.unwrap_or(CORTEX_M_RAM.start)
    }

    /// Looks at a little memory, or at all that there is to be looked at.
    pub(super) fn step(&mut self, stub: &mut Stub) -> Result<SearchStep, StubError> {
        match &self.target {
            SearchTarget::At {
                address: place,
                words,
            } => open_at(stub, *place, *words),
            SearchTarget::Log(firmware) => Ok(match ContextSwitchLog::new(firmware) {
                Some(log) => SearchStep::Found(Box::new(log)),
                None => SearchStep::NotFound("the firmware has no context-switch log".to_owned()),
            }),
            SearchTarget::Within(_) => {
                let begin = || MemoryScan::new(self.ranges.clone());
                let scan = self.scan.get_or_insert_with(begin);
                let scanned = scan.step(stub)?;
                if !matches!(scanned, ScanStep::InProgress) {
                    self.scan = None;
                }
                Ok(match scanned {
                    ScanStep::InProgress => SearchStep::InProgress,
                    ScanStep::Found(mirror) => SearchStep::Found(Box::new(*mirror)),
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
        match (&address.symbol, address.address, settings.format) {
            (_, _, Some(Format::Rkh)) => Err(
                "RKH sends its records, it does not keep them in memory: read them from where they \
                 are sent to"
                    .to_owned(),
            ),
            (Some(name), _, _) => {
                let place = variable(firmware, name).ok_or_else(|| unknown_symbol(name, firmware))?;
                Ok(match LOG_SYMBOLS.contains(&name.as_str()) {
                    true => log(),
                    false => at(place),
                })
            }
            (None, _, Some(Format::Cswitch)) => match ContextSwitchLog::new(firmware) {
                Some(_) => Ok(log()),
                None => Err(unknown_symbol(LOG_SYMBOLS[0], firmware)),
            },
            (None, Some(place), _) => Ok(at(place.0)),
            (None, None, format) => Ok(match variable(firmware, THREADX_SYMBOL) {
                _ if range.is_some() => Self::Within(range),
                Some(place) => at(place),
                None if format.is_none() && ContextSwitchLog::new(firmware).is_some() => log(),
                None => Self::Within(None),
            }),
        }
    }
}

fn variable(firmware: &[Arc<Firmware>], name: &str) -> Option<u64> {
    let mut found = firmware.iter().filter_map(|file| file.variable(name));
    found.next().map(|variable| variable.address.0)
}

fn unknown_symbol(name: &str, firmware: &[Arc<Firmware>]) -> String {
    match firmware.is_empty() {
        true => {
            format!("to find {name}, the firmware's ELF file is needed: give it with --symbols")
        }
        false => format!("the firmware has no variable {name}, or several"),
    }
}

/// Those of a firmware's target; if it is not known, the most common ones.
fn word_format(firmware: &[Arc<Firmware>]) -> WordFormat {
    let told = firmware.iter().find_map(|file| file.target());
    told.map_or((PointerSize::Four, ByteOrder::Little), |target| {
        (target.pointer_size, target.byte_order)
    })
}

/// The buffer at a place, or where the pointer there leads.
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

/// Where the target has memory that changes.
fn ram_ranges(stub: &mut Stub) -> Result<Vec<Range<u64>>, StubError> {
    let told = stub.memory_map()?.map(|map| memory_map::ram_ranges(&map));
    Ok(told
        .filter(|ranges| !ranges.is_empty())
        .unwrap_or_else(|| vec![CORTEX_M_RAM]))
}
