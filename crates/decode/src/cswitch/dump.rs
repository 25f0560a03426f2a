//! An input that holds a log: a container, or memory with the entries in it.

use super::container;
use super::control;
use super::firmware::Files;
use super::guess::{self, LAYOUTS};
use super::log::{Log, Shape};
use super::options::Options;
use super::recording::{self, Recording};
use super::ring::{self, Buffer};
use super::space::Space;
use super::texts::Texts;
use crate::DecodeError;
use crate::container::{Compression, Container, Image};
use crate::memory::Memory;
use rtoscope_trace::{Address, Diagnostic, DiagnosticKind, Diagnostics};
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::PointerSize;

/// An unpacked input with a log in it.
#[derive(Debug)]
pub struct Dump<'a> {
    /// What the bytes were packed in.
    pub container: Container,
    /// How they were compressed, the outermost layer first.
    pub compression: Vec<Compression>,
    memory: Memory<'a>,
    /// Where a CSWL container lies in the memory.
    cswl: Option<u64>,
    diagnostics: Diagnostics,
}

/// Whether memory holds a log that can be read without further knowledge.
pub(crate) fn is_log(memory: &Memory<'_>) -> bool {
    find(memory).is_some() || guessed(memory).is_some()
}

/// Whether bytes start with a CSWL container.
pub(crate) fn is_container(bytes: &[u8]) -> bool {
    container::starts(bytes)
}

/// Where a container lies in memory.
fn find(memory: &Memory<'_>) -> Option<u64> {
    memory.segments().iter().find_map(|segment| {
        let at = container::find(&segment.bytes)?;
        segment.address.checked_add(at as u64)
    })
}

/// How a memory is laid out that is nothing but entries.
fn guessed(memory: &Memory<'_>) -> Option<(PointerSize, ByteOrder)> {
    match memory.segments() {
        [only] => guess::layout(&only.bytes, |_, _| true),
        _ => None,
    }
}

impl<'a> Dump<'a> {
    pub(crate) fn new(image: Image<'a>) -> Self {
        let cswl = find(&image.memory);
        let is_bare = !image.memory.addressed()
            && (cswl == Some(0) || cswl.is_none() && guessed(&image.memory).is_some());
        Self {
            container: match image.container {
                Container::RamImage if is_bare => Container::Raw,
                container => container,
            },
            compression: image.compression,
            memory: image.memory,
            cswl,
            diagnostics: image.diagnostics,
        }
    }

    /// Finds the log and puts its entries into order.
    pub fn log(&self, options: &Options) -> Result<Log<'_>, DecodeError> {
        let log = match self.cswl.filter(|_| !options.location.has_buffer()) {
            Some(address) => {
                let offset = self.memory.offset_of(address).unwrap_or(address);
                container::read(self.memory.available_from(address), offset).map(|mut log| {
                    if let Some(bits) = options.counter_bits {
                        log.shape.counter_bits = bits;
                    }
                    log
                })
            }
            None => self.in_memory(options),
        };
        log.map(|mut log| {
            let mut diagnostics = self.diagnostics.clone();
            diagnostics.extend(log.diagnostics);
            log.diagnostics = diagnostics;
            log
        })
    }

    /// Decodes the log.
    pub fn decode(&self, options: &Options) -> Result<Recording, DecodeError> {
        Ok(recording::decode(&self.log(options)?, options))
    }

    /// What is damaged, odd or missing around the log.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// Whether the file has no addresses and is nothing but a log.
    fn is_bare(&self, options: &Options) -> bool {
        let has_base = self.memory.addressed() || options.location.base.is_some();
        !has_base && guessed(&self.memory).is_some()
    }

    fn in_memory(&self, options: &Options) -> Result<Log<'_>, DecodeError> {
        let location = options.location;
        let space = Space::new(&self.memory, location.base.or(location.start));
        let found = if location.has_buffer() {
            None
        } else {
            match control::find(&space, Files(&options.firmware), allowed(options)) {
                // Nothing but the entries was saved.
                Err(_) if self.is_bare(options) => None,
                found => found?,
            }
        };
        let (layout, buffers) = match found {
            Some((layout, buffers)) => (layout, buffers),
            None => {
                let buffer = given(&space, options)?;
                (layout_of(&space, &buffer, options)?, vec![buffer])
            }
        };
        let (pointer, order) = layout;
        let shape = Shape {
            order,
            pointer,
            counter_bits: options.counter_bits.unwrap_or(32),
        };
        let mut found = Vec::new();
        let order = |buffer: &Buffer| {
            let rest = (buffer.end - buffer.start) % shape.entry_bytes() as u64;
            if rest > 0 {
                found.push(cut(&space, buffer, rest));
            }
            let buffer = Buffer {
                cyclic: location.cyclic.or(buffer.cyclic),
                ..*buffer
            };
            ring::order(space, &buffer, shape, &mut found)
        };
        let cores = buffers.iter().map(order).collect();
        let mut diagnostics = Diagnostics::default();
        diagnostics.extend(found);
        Ok(Log {
            shape,
            contained: false,
            frequency: None,
            cores,
            texts: Texts {
                memory: Some(space),
                ..Texts::default()
            },
            symbols: Vec::new(),
            course: None,
            diagnostics,
        })
    }
}

/// The layouts that the user and the firmware leave open.
pub(super) fn allowed(options: &Options) -> impl Fn(PointerSize, ByteOrder) -> bool + Copy {
    let told = Files(&options.firmware).layout();
    let pointer = options.pointer.or(told.map(|(pointer, _)| pointer));
    let order = options.order.or(told.map(|(_, order)| order));
    move |one, other| {
        pointer.is_none_or(|pointer| pointer == one) && order.is_none_or(|order| order == other)
    }
}

/// The buffer that the user describes: all of the memory, if nothing else is
/// said.
fn given(space: &Space<'_>, options: &Options) -> Result<Buffer, DecodeError> {
    let location = options.location;
    if location.start.is_none() && !space.is_one_part() {
        return Err(lacks(if options.firmware.is_empty() {
            "the memory is in several parts and nothing says where in it the log lies: give the \
             firmware's ELF file with --symbols, or --log-start"
        } else {
            "the memory is in several parts, and the firmware has neither profile_switch_log_start nor \
             rtoscope_cswitch_log to say where in it the log lies: give --log-start"
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
    Ok(Buffer {
        start,
        end,
        current: location.current,
        ..Buffer::default()
    })
}

fn layout_of(
    space: &Space<'_>,
    buffer: &Buffer,
    options: &Options,
) -> Result<(PointerSize, ByteOrder), DecodeError> {
    let allowed = allowed(options);
    let mut open = LAYOUTS
        .into_iter()
        .filter(|(size, order)| allowed(*size, *order));
    if let (Some(only), None) = (open.next(), open.next()) {
        return Ok(only);
    }
    let bytes = space.available_from(buffer.start);
    let length = usize::try_from(buffer.end - buffer.start).unwrap_or(usize::MAX);
    let bytes = bytes.get(..length).unwrap_or(bytes);
    guess::layout(bytes, allowed).ok_or_else(|| {
        lacks(
            "the entries do not show how they are laid out, or there are none: check --log-start, and \
             give --log-pointer-size and --log-byte-order",
        )
    })
}

fn lacks(problem: &str) -> DecodeError {
    DecodeError::NoSwitchLog {
        problem: problem.to_owned(),
    }
}

fn cut(space: &Space<'_>, buffer: &Buffer, rest: u64) -> Diagnostic {
    let message = format!("the last {rest} bytes of the log are no whole entry; they are left out");
    let diagnostic = Diagnostic::new(DiagnosticKind::Truncated, message);
    match space.offset_of(buffer.end - rest) {
        Some(offset) => diagnostic.at(offset),
        None => diagnostic,
    }
}
