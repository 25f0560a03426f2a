//! Where in a target's memory the trace lies.

use super::error::StubError;
use super::log::Log;
use super::look::Target;
use super::map;
use super::mirror::Mirror;
use super::scan::{Scan, Scanned};
use super::stub::Stub;
use crate::address::GdbAddress;
use crate::source::{SourceError, SourceSettings};
use rtoscope_decode::Format;
use rtoscope_decode::symbols::Firmware;
use rtoscope_trace::Address;
use rtoscope_wire::cswitch::PointerSize;
use rtoscope_wire::{ByteOrder, Word as _};
use std::ops::Range;
use std::sync::Arc;

/// Finds the trace that an address and settings speak of.
pub(super) struct Search {
    wanted: Wanted,
    /// Where there is memory to be looked through.
    ranges: Vec<Range<u64>>,
    /// The search through it that is under way.
    scan: Option<Scan>,
}

/// What is looked for.
#[derive(Clone)]
enum Wanted {
    /// A trace buffer, or a pointer to one.
    At { place: u64, words: Words },
    /// A trace buffer anywhere there, or where the stub says that there is RAM.
    Within(Option<Range<u64>>),
    /// The context-switch log of a firmware.
    Log(Vec<Arc<Firmware>>),
}

/// How the target has pointers.
type Words = (PointerSize, ByteOrder);

/// What a step of the search gives.
pub(super) enum Searched {
    /// The trace.
    Found(Box<dyn Target>),
    /// Nothing yet; there is more to look at.
    Going,
    /// Nothing, which may change: where.
    Nothing(String),
}

/// ThreadX's own variable, a pointer to the buffer that it writes
/// (`tx_trace.h`).
const THREADX: &str = "_tx_trace_header_ptr";

/// The variables of recorders of context-switch logs.
const LOGS: [&str; 2] = ["rtoscope_cswitch_log", "profile_switch_log_start"];

/// Where Cortex-M processors have their memory (Armv7-M Architecture Reference
/// Manual, B3.1), as much of it as is looked through.
const USUAL: Range<u64> = 0x2000_0000..0x2100_0000;

impl Search {
    /// Of what an address and settings say.
    ///
    /// # Errors
    ///
    /// If they cannot mean anything: there is no such variable.
    pub(super) fn new(
        address: &GdbAddress,
        settings: &SourceSettings,
    ) -> Result<Self, SourceError> {
        let wanted = Wanted::new(address, settings)
            .map_err(|problem| SourceError::Unusable(format!("{address}: {problem}")))?;
        Ok(Self {
            wanted,
            ranges: Vec::new(),
            scan: None,
        })
    }

    /// Begins with a target, which is halted.
    pub(super) fn begin(&mut self, stub: &mut Stub) -> Result<(), StubError> {
        self.scan = None;
        self.ranges = match &self.wanted {
            Wanted::Within(Some(range)) => vec![range.clone()],
            Wanted::Within(None) => ram(stub)?,
            Wanted::At { .. } | Wanted::Log(_) => Vec::new(),
        };
        Ok(())
    }

    /// An address that is read in any case.
    pub(super) fn probe(&self) -> u64 {
        let told = match &self.wanted {
            Wanted::At { place, .. } => Some(*place),
            Wanted::Within(_) => self.ranges.first().map(|range| range.start),
            Wanted::Log(firmware) => LOGS.iter().find_map(|name| variable(firmware, name)),
        };
        told.unwrap_or(USUAL.start)
    }

    /// Looks at a little memory, or at all that there is to be looked at.
    pub(super) fn step(&mut self, stub: &mut Stub) -> Result<Searched, StubError> {
        match &self.wanted {
            Wanted::At { place, words } => at(stub, *place, *words),
            Wanted::Log(firmware) => Ok(match Log::of(firmware) {
                Some(log) => Searched::Found(Box::new(log)),
                None => Searched::Nothing("the firmware has no context-switch log".to_owned()),
            }),
            Wanted::Within(_) => {
                let begin = || Scan::new(self.ranges.clone());
                let scan = self.scan.get_or_insert_with(begin);
                let scanned = scan.step(stub)?;
                if !matches!(scanned, Scanned::Going) {
                    self.scan = None;
                }
                Ok(match scanned {
                    Scanned::Going => Searched::Going,
                    Scanned::Found(mirror) => Searched::Found(Box::new(*mirror)),
                    Scanned::Nothing(place) => Searched::Nothing(place),
                })
            }
        }
    }
}

impl Wanted {
    fn new(address: &GdbAddress, settings: &SourceSettings) -> Result<Self, String> {
        let firmware = &settings.firmware;
        let log = || Wanted::Log(firmware.clone());
        let at = |place| Wanted::At {
            place,
            words: words(firmware),
        };
        let range = address.scan.map(|range| {
            let start = range.start.0;
            start..start.saturating_add(range.length)
        });
        match (&address.symbol, address.address, settings.format) {
            (_, _, Some(Format::Rkh)) => Err(
                "RKH sends its records, it does not keep them in memory: read them from where they \
                 are sent to"
                    .to_owned(),
            ),
            (Some(name), _, _) => {
                let place = variable(firmware, name).ok_or_else(|| unknown(name, firmware))?;
                Ok(match LOGS.contains(&name.as_str()) {
                    true => log(),
                    false => at(place),
                })
            }
            (None, _, Some(Format::Cswitch)) => match Log::of(firmware) {
                Some(_) => Ok(log()),
                None => Err(unknown(LOGS[0], firmware)),
            },
            (None, Some(place), _) => Ok(at(place.0)),
            (None, None, format) => Ok(match variable(firmware, THREADX) {
                _ if range.is_some() => Self::Within(range),
                Some(place) => at(place),
                None if format.is_none() && Log::of(firmware).is_some() => log(),
                None => Self::Within(None),
            }),
        }
    }
}

fn variable(firmware: &[Arc<Firmware>], name: &str) -> Option<u64> {
    let mut found = firmware.iter().filter_map(|file| file.variable(name));
    found.next().map(|variable| variable.address.0)
}

fn unknown(name: &str, firmware: &[Arc<Firmware>]) -> String {
    match firmware.is_empty() {
        true => {
            format!("to find {name}, the firmware's ELF file is needed: give it with --symbols")
        }
        false => format!("the firmware has no variable {name}, or several"),
    }
}

/// Those of a firmware's target; if it is not known, the most common ones.
fn words(firmware: &[Arc<Firmware>]) -> Words {
    let told = firmware.iter().find_map(|file| file.target());
    told.map_or((PointerSize::Four, ByteOrder::Little), |target| {
        (target.pointer, target.order)
    })
}

/// The buffer at a place, or where the pointer there leads.
fn at(stub: &mut Stub, place: u64, (size, order): Words) -> Result<Searched, StubError> {
    if let Some(mirror) = Mirror::of(stub, place)? {
        return Ok(Searched::Found(Box::new(mirror)));
    }
    let pointer = match stub.read(place, size.bytes()) {
        Err(error @ StubError::Unreadable { .. }) => {
            return Ok(Searched::Nothing(error.to_string()));
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
        Some(pointer) => Mirror::of(stub, pointer)?,
        None => None,
    };
    Ok(match there {
        Some(mirror) => Searched::Found(Box::new(mirror)),
        None => Searched::Nothing(format!("a trace buffer at {}", Address(place))),
    })
}

/// Where the target has memory that changes.
fn ram(stub: &mut Stub) -> Result<Vec<Range<u64>>, StubError> {
    let told = stub.memory_map()?.map(|map| map::ram(&map));
    Ok(told
        .filter(|ranges| !ranges.is_empty())
        .unwrap_or_else(|| vec![USUAL]))
}
