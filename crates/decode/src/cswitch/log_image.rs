//! An input that contains a log: a container, or memory with the entries.

use super::address_space::AddressSpace;
use super::black_box_log;
use super::cswl_reader;
use super::decode_log::{self, DecodedLog};
use super::entry_damage;
use super::firmware::FirmwareFiles;
use super::layout_guess::{self, LAYOUTS, LogEvidence};
use super::log::{EntryLayout, SwitchLog};
use super::name_source::NameSource;
use super::options::CswitchOptions;
use super::recorder_variables;
use super::ring_order::{self, LogBuffer};
use crate::DecodeError;
use crate::container::swapped::SWAPS;
use crate::container::{self, Compression, Container, MemoryImage};
use crate::memory::Memory;
use crate::source::Input;
use rtoscope_trace::{Address, Diagnostic, DiagnosticKind, Diagnostics};
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::PointerSize;
use std::sync::OnceLock;

/// An unpacked input that contains a log.
#[derive(Debug)]
pub struct LogImage<'a> {
    /// The container of the bytes.
    pub container: Container,
    /// The compression layers, the outermost first.
    pub compression: Vec<Compression>,
    memory: Memory<'a>,
    /// The address of a CSWL container in memory.
    cswl_address: Option<u64>,
    /// The memory in the order of the target, if it was swapped.
    restored: OnceLock<Memory<'static>>,
    diagnostics: Diagnostics,
}

/// More memory is not searched for a log in another order of bytes.
const MAX_SWAPPED_BYTES: u64 = 1 << 28;

/// Finds a container in memory.
fn find_container(memory: &Memory<'_>) -> Option<u64> {
    memory.segments().iter().find_map(|segment| {
        let at = cswl_reader::find(&segment.bytes)?;
        segment.address.checked_add(at as u64)
    })
}

/// Guesses the layout of memory that contains nothing but entries.
fn guessed_layout(memory: &Memory<'_>) -> Option<(PointerSize, ByteOrder)> {
    match memory.segments() {
        [only] => layout_guess::layout(&only.bytes, |_, _| true),
        _ => None,
    }
}

impl<'a> LogImage<'a> {
    /// Unpacks an input, in which the options locate the log if it has no
    /// container of its own.
    ///
    /// # Errors
    ///
    /// If the input cannot be unpacked.
    pub fn open(input: Input<'a>) -> Result<Self, DecodeError> {
        Ok(Self::new(container::read(input)?))
    }

    pub(crate) fn new(image: MemoryImage<'a>) -> Self {
        let cswl = find_container(&image.memory);
        let is_bare = !image.memory.has_addresses()
            && (cswl == Some(0) || cswl.is_none() && guessed_layout(&image.memory).is_some());
        Self {
            container: match image.container {
                Container::RamImage if is_bare => Container::Raw,
                container => container,
            },
            compression: image.compression,
            memory: image.memory,
            cswl_address: cswl,
            restored: OnceLock::new(),
            diagnostics: image.diagnostics,
        }
    }

    /// Locates the log and orders its entries.
    pub fn log(&self, options: &CswitchOptions) -> Result<SwitchLog<'_>, DecodeError> {
        let log = match self.cswl_address.filter(|_| !options.location.has_bounds()) {
            Some(address) => {
                let offset = self.memory.offset_of(address).unwrap_or(address);
                cswl_reader::read(self.memory.available_from(address), offset, None).map(
                    |mut log| {
                        if let Some(bits) = options.counter_bits {
                            log.layout.counter_bits = bits;
                        }
                        log
                    },
                )
            }
            None => self.log_in_any_order(options),
        };
        log.map(|mut log| {
            let mut diagnostics = self.diagnostics.clone();
            diagnostics.extend(log.diagnostics);
            log.diagnostics = diagnostics;
            log
        })
    }

    /// Decodes the log.
    pub fn decode(&self, options: &CswitchOptions) -> Result<DecodedLog, DecodeError> {
        Ok(decode_log::decode(&self.log(options)?, options))
    }

    /// The bytes of an input that starts with a container.
    pub(super) fn container_bytes(&self) -> Option<&[u8]> {
        match self.memory.segments() {
            [only] if !self.memory.has_addresses() && self.cswl_address == Some(0) => {
                Some(&only.bytes)
            }
            _ => None,
        }
    }

    /// Damaged, unusual or missing parts around the log.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// Locates the log in memory. If it is doubtful, but would be certain in another order of
    /// bytes, the bytes were swapped.
    fn log_in_any_order(&self, options: &CswitchOptions) -> Result<SwitchLog<'_>, DecodeError> {
        let plain = log_in_memory(&self.memory, options);
        let evidence = plain.as_ref().map_err(drop).map(layout_guess::evidence);
        let is_certain = evidence == Ok(LogEvidence::Certain);
        if is_certain || self.memory.total_bytes() > MAX_SWAPPED_BYTES {
            return plain;
        }
        let found = SWAPS.iter().find_map(|swap| {
            let mut memory = self.memory.clone().into_owned(u64::MAX)?.0;
            swap.undo(&mut memory, 0);
            let log = log_in_memory(&memory, options).ok()?;
            let is_certain = layout_guess::evidence(&log) == LogEvidence::Certain;
            is_certain.then_some((swap, memory))
        });
        let Some((swap, memory)) = found else {
            return match evidence {
                Ok(LogEvidence::NoLog) => Err(no_log_error(
                    "most entries are of unknown types: check -O log-start, -O log-end and \
                     --symbols",
                )),
                _ => plain,
            };
        };
        let mut log = log_in_memory(self.restored.get_or_init(|| memory), options)?;
        log.diagnostics.push(swap.diagnostic("the entries show"));
        Ok(log)
    }
}

/// Whether the file has no addresses and contains nothing but a log.
fn is_bare_log(memory: &Memory<'_>, options: &CswitchOptions) -> bool {
    let has_base = memory.has_addresses() || options.location.base.is_some();
    !has_base && guessed_layout(memory).is_some()
}

fn log_in_memory<'m>(
    memory: &'m Memory<'m>,
    options: &CswitchOptions,
) -> Result<SwitchLog<'m>, DecodeError> {
    let location = options.location;
    let space = AddressSpace::new(memory, location.base.or(location.start));
    let mut black_box = None;
    let mut assumed_layout = None;
    let found = if location.has_bounds() {
        None
    } else {
        let allowed = allowed_layouts(options);
        let firmware = FirmwareFiles(&options.firmware);
        match recorder_variables::find(&space, firmware, allowed) {
            Ok(Some(found)) => Some(found),
            found => match black_box_log::find(&space, allowed) {
                Some(log) => {
                    // An open one was reset if the recorder is off. Without its
                    // variables, it may also be recording.
                    let was_reset = log.header.seal.is_some() || found.is_err();
                    black_box = was_reset.then_some(log.header);
                    Some((log.layout, vec![log.buffer]))
                }
                // Only the entries were saved.
                None if is_bare_log(memory, options) => None,
                None => found?,
            },
        }
    };
    let (layout, buffers) = match found {
        Some((layout, buffers)) => (layout, buffers),
        None => {
            let buffer = user_buffer(&space, options)?;
            let (layout, assumed) = layout_of(&space, &buffer, options)?;
            assumed_layout = assumed;
            (layout, vec![buffer])
        }
    };
    let (pointer, order) = layout;
    let shape = EntryLayout {
        order,
        pointer,
        counter_bits: options.counter_bits.unwrap_or(32),
    };
    let mut found: Vec<_> = assumed_layout.into_iter().collect();
    let order = |buffer: &LogBuffer| {
        let rest = (buffer.end - buffer.start) % shape.entry_bytes() as u64;
        if rest > 0 {
            found.push(truncated_entry(&space, buffer, rest));
        }
        let buffer = LogBuffer {
            cyclic: location.cyclic.or(buffer.cyclic),
            ..*buffer
        };
        let mut log = ring_order::ordered_log(space, &buffer, shape, &mut found);
        entry_damage::leave_out(&mut log, shape, &mut found);
        log
    };
    let mut cores: Vec<_> = buffers.iter().map(order).collect();
    let sealed = black_box.as_ref().and_then(black_box_log::overwritten);
    for (core, sealed) in cores.iter_mut().zip(sealed) {
        core.overwritten = sealed;
    }
    let mut diagnostics = Diagnostics::default();
    diagnostics.extend(found);
    Ok(SwitchLog {
        black_box,
        is_self_contained: false,
        cores,
        name_source: NameSource {
            memory: Some(space),
            ..NameSource::default()
        },
        diagnostics,
        ..SwitchLog::contained(shape, None)
    })
}

/// The layouts that the options and the firmware allow.
pub(super) fn allowed_layouts(
    options: &CswitchOptions,
) -> impl Fn(PointerSize, ByteOrder) -> bool + Copy {
    let firmware_layout = FirmwareFiles(&options.firmware).layout();
    let pointer = options
        .pointer_size
        .or(firmware_layout.map(|(pointer, _)| pointer));
    let order = options
        .byte_order
        .or(firmware_layout.map(|(_, order)| order));
    move |one, other| {
        pointer.is_none_or(|pointer| pointer == one) && order.is_none_or(|order| order == other)
    }
}

/// The buffer described by the options: by default, all of memory.
fn user_buffer(
    space: &AddressSpace<'_>,
    options: &CswitchOptions,
) -> Result<LogBuffer, DecodeError> {
    let location = options.location;
    if location.start.is_none() && !space.is_contiguous() {
        return Err(no_log_error(if options.firmware.is_empty() {
            "the memory is in several parts and the address of the log is unknown: pass the \
             firmware's ELF file with --symbols, or set -O log-start"
        } else {
            "the memory is in several parts, and the firmware has neither profile_switch_log_start nor \
             rtoscope_cswitch_log to locate the log: set -O log-start"
        }));
    }
    let start = location.start.unwrap_or_else(|| space.first_part().start);
    let available = space.available_from(start).len() as u64;
    let end = location
        .end
        .unwrap_or_else(|| start.saturating_add(available));
    if end <= start {
        return Err(DecodeError::NoSwitchLog {
            problem: format!(
                "the log would start at {} and end at {}, which leaves no room for entries",
                Address(start),
                Address(end)
            ),
        });
    }
    Ok(LogBuffer {
        start,
        end,
        current: location.current,
        ..LogBuffer::default()
    })
}

fn layout_of(
    space: &AddressSpace<'_>,
    buffer: &LogBuffer,
    options: &CswitchOptions,
) -> Result<((PointerSize, ByteOrder), Option<Diagnostic>), DecodeError> {
    let allowed = allowed_layouts(options);
    let mut open = LAYOUTS
        .into_iter()
        .filter(|(size, order)| allowed(*size, *order));
    if let (Some(only), None) = (open.next(), open.next()) {
        return Ok((only, None));
    }
    let bytes = space.available_from(buffer.start);
    let length = usize::try_from(buffer.end - buffer.start).unwrap_or(usize::MAX);
    let bytes = bytes.get(..length).unwrap_or(bytes);
    if let Some(layout) = layout_guess::layout(bytes, allowed) {
        return Ok((layout, None));
    }
    let location = options.location;
    let has_bounds = location.start.is_some() && location.end.or(location.current).is_some();
    // The entries need not prove that they are a log.
    let likely = layout_guess::likely_layout(bytes, allowed).filter(|_| has_bounds);
    let Some((layout, is_ambiguous)) = likely else {
        return Err(no_log_error(
            "the layout of the entries is ambiguous, or there are none: check -O log-start, and \
             set -O log-pointer-size and -O log-byte-order",
        ));
    };
    let (pointer, order) = layout;
    let message = format!(
        "the layout of the entries is ambiguous: pointers of {} bytes, {} endian, are assumed; set \
         -O log-pointer-size and -O log-byte-order",
        pointer.bytes(),
        order.name()
    );
    let assumed = Diagnostic::new(DiagnosticKind::ConfigurationGuessed, message);
    Ok((layout, Some(assumed).filter(|_| is_ambiguous)))
}

fn no_log_error(problem: &str) -> DecodeError {
    DecodeError::NoSwitchLog {
        problem: problem.to_owned(),
    }
}

fn truncated_entry(space: &AddressSpace<'_>, buffer: &LogBuffer, rest: u64) -> Diagnostic {
    let message =
        format!("skipped the last {rest} bytes of the log: they are not a complete entry");
    let diagnostic = Diagnostic::new(DiagnosticKind::Truncated, message);
    match space.offset_of(buffer.end - rest) {
        Some(offset) => diagnostic.at_offset(offset),
        None => diagnostic,
    }
}
