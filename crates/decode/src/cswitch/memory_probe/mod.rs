//! Reads the logs of a running target through its memory.

mod target_names;
mod unread_entries;

use super::address_space::AddressSpace;
use super::firmware::FirmwareFiles;
use super::layout_guess::LAYOUTS;
use super::log::{CoreLog, EntryLayout, SwitchLog};
use super::log_image::allowed_layouts;
use super::name_source::NameSource;
use super::options::CswitchOptions;
use super::recorder_variables::{self, UnusableBuffer};
use super::ring_order::LogBuffer;
use super::{cswl_writer, decode_log};
use crate::DecodeError;
use crate::memory::MemoryBuilder;
use rtoscope_trace::Address;
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::PointerSize;
use std::collections::HashMap;
use std::ops::Range;
use target_names::TargetNames;
use unread_entries::{ReadPosition, UnreadEntries};

/// Polls the logs of a target and writes new entries to CSWL containers.
///
/// The probe locates the logs with the variables of their recorder, so the
/// options need the firmware's files. The target may run meanwhile: the probe
/// skips entries that it overwrites during the read.
#[derive(Debug)]
pub struct LogProbe {
    options: CswitchOptions,
    /// The position of the next entry of each core, by core number.
    read_positions: HashMap<u8, ReadPosition>,
    names: TargetNames,
    /// Consecutive polls without new entries.
    quiet_polls: u32,
}

/// The result of a poll.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProbeResult {
    /// A complete CSWL container with the new entries. Occasionally it has no
    /// entries, because the absence of entries is information as well.
    Container(Vec<u8>),
    /// Nothing was written since the last poll.
    NothingNew,
    /// The recorder is not running, or the memory is unreadable: the reason, as
    /// a sentence.
    Inactive(String),
}

/// The layout of a target and its current buffers.
type TargetBuffers = ((PointerSize, ByteOrder), Vec<LogBuffer>);

/// Maximum size of one read.
const MAX_READ_BYTES: u64 = 1 << 20;

/// Polls without new entries after which a container reports that.
const MAX_QUIET_POLLS: u32 = 16;

impl LogProbe {
    /// Creates a probe if the firmware's files locate a log; otherwise `None`.
    pub fn new(options: CswitchOptions) -> Option<Self> {
        let places =
            recorder_variables::variable_sizes(FirmwareFiles(&options.firmware), PointerSize::Four);
        (!places.is_empty()).then(|| Self {
            options,
            read_positions: HashMap::new(),
            names: TargetNames::default(),
            quiet_polls: 0,
        })
    }

    /// Reads new entries. `memory` reads bytes at an address of the target, all
    /// of them or `None`; it is called several times, for at most 1 MiB each.
    ///
    /// # Errors
    ///
    /// If the variables are inconsistent, because the firmware is another one.
    pub fn read(
        &mut self,
        mut memory: impl FnMut(u64, usize) -> Option<Vec<u8>>,
    ) -> Result<ProbeResult, DecodeError> {
        let (layout, buffers) = match self.buffers(&mut memory)? {
            Ok(found) => found,
            Err(off) => return Ok(ProbeResult::Inactive(off)),
        };
        let shape = EntryLayout {
            order: layout.1,
            pointer: layout.0,
            counter_bits: self.options.counter_bits.unwrap_or(32),
        };
        let reach = |buffer: LogBuffer| {
            let reached = self.read_positions.get(&buffer.core);
            UnreadEntries::new(buffer, shape, reached)
        };
        let reaches: Vec<_> = buffers.into_iter().map(reach).collect::<Result<_, _>>()?;
        let mut builder = MemoryBuilder::default();
        for range in reaches.iter().flat_map(UnreadEntries::ranges) {
            if let Err(place) = read_ranges(range, &mut memory, &mut builder) {
                return Ok(ProbeResult::Inactive(unreadable_message(place)));
            }
        }
        // A ring may have continued meanwhile and overwritten bytes that were
        // read.
        let after = match self.buffers(&mut memory)? {
            Ok((_, buffers)) => buffers,
            Err(off) => return Ok(ProbeResult::Inactive(off)),
        };
        let (entries, _) = builder.finish(true);
        let log = |reach: &UnreadEntries| {
            let now = after.iter().find(|now| now.core == reach.core())?;
            reach.log(&entries, now)
        };
        let logs: Vec<_> = reaches.iter().filter_map(log).collect();
        if logs.is_empty() {
            return Ok(ProbeResult::NothingNew);
        }
        if self.is_quiet(&logs, shape) {
            self.quiet_polls += 1;
            // The first of these polls reports that everything has been read.
            if self.quiet_polls % MAX_QUIET_POLLS != 1 {
                return Ok(ProbeResult::NothingNew);
            }
        } else {
            self.quiet_polls = 0;
        }
        let container = self.make_container(shape, &logs, &mut memory);
        for log in &logs {
            let reached = ReadPosition::after(log, shape);
            self.read_positions.insert(log.core, reached);
        }
        Ok(ProbeResult::Container(container))
    }

    /// The buffers in use, or why there are none.
    fn buffers(
        &self,
        memory: &mut impl FnMut(u64, usize) -> Option<Vec<u8>>,
    ) -> Result<Result<TargetBuffers, String>, DecodeError> {
        let firmware = FirmwareFiles(&self.options.firmware);
        let allowed = allowed_layouts(&self.options);
        let is_wide = LAYOUTS
            .iter()
            .any(|(pointer, order)| *pointer == PointerSize::Eight && allowed(*pointer, *order));
        let pointer = match is_wide {
            true => PointerSize::Eight,
            false => PointerSize::Four,
        };
        let mut builder = MemoryBuilder::default();
        for (address, length) in recorder_variables::variable_sizes(firmware, pointer) {
            let end = address.saturating_add(length as u64);
            if let Err(place) = read_ranges(address..end, memory, &mut builder) {
                return Ok(Err(unreadable_message(place)));
            }
        }
        let (variables, _) = builder.finish(true);
        let found =
            recorder_variables::find_each(&AddressSpace::new(&variables, None), firmware, allowed);
        let Some((layout, buffers)) = found else {
            return Ok(Err("the firmware has no log".to_owned()));
        };
        let mut in_use = Vec::new();
        let mut off = None;
        for buffer in buffers {
            match buffer {
                Ok(buffer) => in_use.push(buffer),
                Err(UnusableBuffer::Off { name, value }) => {
                    off = Some(format!("nothing is recorded: {name} is {value}"));
                }
                Err(UnusableBuffer::Inconsistent(problem)) => {
                    return Err(DecodeError::NoSwitchLog { problem });
                }
            }
        }
        Ok(match off.filter(|_| in_use.is_empty()) {
            Some(off) => Err(off),
            None => Ok((layout, in_use)),
        })
    }

    /// Whether no log has an entry newer than the last poll.
    fn is_quiet(&self, logs: &[CoreLog<'_>], shape: EntryLayout) -> bool {
        logs.iter().all(|log| {
            let reached = self.read_positions.get(&log.core);
            let before =
                |reached: &ReadPosition| reached.is_unchanged(&ReadPosition::after(log, shape));
            reached.is_some_and(before)
        })
    }

    fn make_container(
        &mut self,
        shape: EntryLayout,
        logs: &[CoreLog<'_>],
        memory: &mut impl FnMut(u64, usize) -> Option<Vec<u8>>,
    ) -> Vec<u8> {
        let firmware = FirmwareFiles(&self.options.firmware);
        self.names.read_names(logs, shape, firmware, memory);
        let log = SwitchLog {
            cores: logs.to_vec(),
            name_source: NameSource {
                container_names: self.names.texts(),
                ..NameSource::default()
            },
            ..SwitchLog::contained(shape, None)
        };
        let recording = decode_log::decode(&log, &self.options);
        let mut bytes = Vec::new();
        // Writing to memory cannot fail, and no log exceeds the maximum number
        // of entries.
        let written = cswl_writer::write(&log, &recording, &mut bytes);
        written.map(|()| bytes).unwrap_or_default()
    }
}

/// Copies memory; on failure returns the unreadable address.
fn read_ranges(
    range: Range<u64>,
    memory: &mut impl FnMut(u64, usize) -> Option<Vec<u8>>,
    builder: &mut MemoryBuilder<'_>,
) -> Result<(), u64> {
    let mut at = range.start;
    while at < range.end {
        let length = (range.end - at).min(MAX_READ_BYTES);
        let bytes = usize::try_from(length).ok();
        let bytes = bytes.and_then(|length| memory(at, length).filter(|it| it.len() == length));
        builder.push(at, &bytes.ok_or(at)?);
        at += length;
    }
    Ok(())
}

fn unreadable_message(address: u64) -> String {
    format!("the target's memory at {} cannot be read", Address(address))
}
