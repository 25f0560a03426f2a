//! The logs of a target whose memory can be read while it runs.

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

/// Reads the logs of a target again and again, and makes CSWL containers of what
/// is new in them.
///
/// The logs are found by the variables of their recorder, so the options need
/// the firmware's files. A target may run meanwhile: what it overwrites while it
/// is read is left out.
#[derive(Debug)]
pub struct LogProbe {
    options: CswitchOptions,
    /// Where the next entry of each core is, by the core's number.
    read_positions: HashMap<u8, ReadPosition>,
    names: TargetNames,
    /// Looks that found nothing new.
    quiet_polls: u32,
}

/// What a look at a target's logs gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProbeResult {
    /// A whole CSWL container with what is new. Now and then it holds no entry:
    /// that there was none is worth knowing, too.
    Container(Vec<u8>),
    /// Nothing has been written since the last look.
    NothingNew,
    /// Nothing is recorded yet, or no more, or the memory cannot be read: why,
    /// as a sentence.
    Inactive(String),
}

/// The layout of a target and the buffers that it uses, at a moment.
type TargetBuffers = ((PointerSize, ByteOrder), Vec<LogBuffer>);

/// Bytes that are read at once.
const MAX_READ_BYTES: u64 = 1 << 20;

/// Looks that may find nothing new before that is said in a container.
const MAX_QUIET_POLLS: u32 = 16;

impl LogProbe {
    /// For a firmware whose files know where a log lies; `None` if they do not.
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

    /// Reads what is new. `memory` reads so many bytes of the target at an
    /// address, all of them or `None`; it is asked several times, for at most
    /// 1 MiB at once.
    ///
    /// # Errors
    ///
    /// If what the variables say makes no sense: it is another firmware.
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
        // A ring may have gone on meanwhile and have overwritten what was read.
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
            // The first such look says that what came is all that there was.
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

    /// The buffers that are in use, or why there are none.
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

    /// Whether no log has an entry that was not there at the last look.
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
                memory: None,
            },
            ..SwitchLog::contained(shape, None)
        };
        let recording = decode_log::decode(&log, &self.options);
        let mut bytes = Vec::new();
        // Memory takes everything, and no log has more entries than it may.
        let written = cswl_writer::write(&log, &recording, &mut bytes);
        written.map(|()| bytes).unwrap_or_default()
    }
}

/// Copies memory; where it cannot be read, if it cannot.
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
