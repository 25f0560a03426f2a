//! The logs of a target whose memory can be read while it runs.

mod names;
mod reach;

use super::control::{self, Unusable};
use super::dump::allowed;
use super::firmware::Files;
use super::guess::LAYOUTS;
use super::log::{CoreLog, Log, Shape};
use super::options::Options;
use super::ring::Buffer;
use super::space::Space;
use super::texts::Texts;
use super::{recording, write};
use crate::DecodeError;
use crate::memory::MemoryBuilder;
use names::Names;
use reach::{Reach, Reached};
use rtoscope_trace::Address;
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::PointerSize;
use std::collections::HashMap;
use std::ops::Range;

/// Reads the logs of a target again and again, and makes CSWL containers of what
/// is new in them.
///
/// The logs are found by the variables of their recorder, so the options need
/// the firmware's files. A target may run meanwhile: what it overwrites while it
/// is read is left out.
#[derive(Debug)]
pub struct Probe {
    options: Options,
    /// Where the next entry of each core is, by the core's number.
    reached: HashMap<u8, Reached>,
    names: Names,
    /// Looks that found nothing new.
    quiet: u32,
}

/// What a look at a target's logs gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Probed {
    /// A whole CSWL container with what is new. Now and then it holds no entry:
    /// that there was none is worth knowing, too.
    Container(Vec<u8>),
    /// Nothing has been written since the last look.
    NothingNew,
    /// Nothing is recorded yet, or no more, or the memory cannot be read: why,
    /// as a sentence.
    Off(String),
}

/// The layout of a target and the buffers that it uses, at a moment.
type Buffers = ((PointerSize, ByteOrder), Vec<Buffer>);

/// Bytes that are read at once.
const AT_ONCE: u64 = 1 << 20;

/// Looks that may find nothing new before that is said in a container.
const QUIET_LOOKS: u32 = 16;

impl Probe {
    /// For a firmware whose files know where a log lies; `None` if they do not.
    pub fn new(options: Options) -> Option<Self> {
        let places = control::places(Files(&options.firmware), PointerSize::Four);
        (!places.is_empty()).then(|| Self {
            options,
            reached: HashMap::new(),
            names: Names::default(),
            quiet: 0,
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
    ) -> Result<Probed, DecodeError> {
        let (layout, buffers) = match self.buffers(&mut memory)? {
            Ok(found) => found,
            Err(off) => return Ok(Probed::Off(off)),
        };
        let shape = Shape {
            order: layout.1,
            pointer: layout.0,
            counter_bits: self.options.counter_bits.unwrap_or(32),
        };
        let reach = |buffer: Buffer| {
            let reached = self.reached.get(&buffer.core);
            Reach::new(buffer, shape, reached)
        };
        let reaches: Vec<_> = buffers.into_iter().map(reach).collect::<Result<_, _>>()?;
        let mut builder = MemoryBuilder::default();
        for range in reaches.iter().flat_map(Reach::ranges) {
            if let Err(place) = copy(range, &mut memory, &mut builder) {
                return Ok(Probed::Off(unreadable(place)));
            }
        }
        // A ring may have gone on meanwhile and have overwritten what was read.
        let after = match self.buffers(&mut memory)? {
            Ok((_, buffers)) => buffers,
            Err(off) => return Ok(Probed::Off(off)),
        };
        let (entries, _) = builder.finish(true);
        let log = |reach: &Reach| {
            let now = after.iter().find(|now| now.core == reach.core())?;
            reach.log(&entries, now)
        };
        let logs: Vec<_> = reaches.iter().filter_map(log).collect();
        if logs.is_empty() {
            return Ok(Probed::NothingNew);
        }
        if self.is_quiet(&logs, shape) {
            self.quiet += 1;
            // The first such look says that what came is all that there was.
            if self.quiet % QUIET_LOOKS != 1 {
                return Ok(Probed::NothingNew);
            }
        } else {
            self.quiet = 0;
        }
        let container = self.container(shape, &logs, &mut memory);
        for log in &logs {
            let reached = Reached::behind(log, shape);
            self.reached.insert(log.core, reached);
        }
        Ok(Probed::Container(container))
    }

    /// The buffers that are in use, or why there are none.
    fn buffers(
        &self,
        memory: &mut impl FnMut(u64, usize) -> Option<Vec<u8>>,
    ) -> Result<Result<Buffers, String>, DecodeError> {
        let firmware = Files(&self.options.firmware);
        let allowed = allowed(&self.options);
        let is_wide = LAYOUTS
            .iter()
            .any(|(pointer, order)| *pointer == PointerSize::Eight && allowed(*pointer, *order));
        let pointer = match is_wide {
            true => PointerSize::Eight,
            false => PointerSize::Four,
        };
        let mut builder = MemoryBuilder::default();
        for (address, length) in control::places(firmware, pointer) {
            let end = address.saturating_add(length as u64);
            if let Err(place) = copy(address..end, memory, &mut builder) {
                return Ok(Err(unreadable(place)));
            }
        }
        let (variables, _) = builder.finish(true);
        let found = control::look(&Space::new(&variables, None), firmware, allowed);
        let Some((layout, buffers)) = found else {
            return Ok(Err("the firmware has no log".to_owned()));
        };
        let mut in_use = Vec::new();
        let mut off = None;
        for buffer in buffers {
            match buffer {
                Ok(buffer) => in_use.push(buffer),
                Err(Unusable::Off { name, value }) => {
                    off = Some(format!("nothing is recorded: {name} is {value}"));
                }
                Err(Unusable::Odd(problem)) => return Err(DecodeError::NoSwitchLog { problem }),
            }
        }
        Ok(match off.filter(|_| in_use.is_empty()) {
            Some(off) => Err(off),
            None => Ok((layout, in_use)),
        })
    }

    /// Whether no log has an entry that was not there at the last look.
    fn is_quiet(&self, logs: &[CoreLog<'_>], shape: Shape) -> bool {
        logs.iter().all(|log| {
            let reached = self.reached.get(&log.core);
            let before = |reached: &Reached| reached.is(&Reached::behind(log, shape));
            reached.is_some_and(before)
        })
    }

    fn container(
        &mut self,
        shape: Shape,
        logs: &[CoreLog<'_>],
        memory: &mut impl FnMut(u64, usize) -> Option<Vec<u8>>,
    ) -> Vec<u8> {
        let firmware = Files(&self.options.firmware);
        self.names.learn(logs, shape, firmware, memory);
        let log = Log {
            cores: logs.to_vec(),
            texts: Texts {
                brought: self.names.known(),
                memory: None,
            },
            ..Log::contained(shape, None)
        };
        let recording = recording::decode(&log, &self.options);
        let mut bytes = Vec::new();
        // Memory takes everything, and no log has more entries than it may.
        let written = write::write(&log, &recording, &mut bytes);
        written.map(|()| bytes).unwrap_or_default()
    }
}

/// Copies memory; where it cannot be read, if it cannot.
fn copy(
    range: Range<u64>,
    memory: &mut impl FnMut(u64, usize) -> Option<Vec<u8>>,
    builder: &mut MemoryBuilder<'_>,
) -> Result<(), u64> {
    let mut at = range.start;
    while at < range.end {
        let length = (range.end - at).min(AT_ONCE);
        let bytes = usize::try_from(length).ok();
        let bytes = bytes.and_then(|length| memory(at, length).filter(|it| it.len() == length));
        builder.push(at, &bytes.ok_or(at)?);
        at += length;
    }
    Ok(())
}

fn unreadable(address: u64) -> String {
    format!("the target's memory at {} cannot be read", Address(address))
}
