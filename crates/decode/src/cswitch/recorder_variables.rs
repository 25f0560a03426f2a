//! Locates the log with the recorder's variables in the image.

use super::address_space::AddressSpace;
use super::firmware::FirmwareFiles;
use super::layout_guess::LAYOUTS;
use super::ring_order::LogBuffer;
use crate::DecodeError;
use rtoscope_trace::Address;
use rtoscope_wire::cswitch::PointerSize;
use rtoscope_wire::{ByteOrder, Word};

type PointerLayout = (PointerSize, ByteOrder);

/// The buffers described by the recorder's variables; `None` if the firmware
/// has no such variables.
pub(super) fn find(
    space: &AddressSpace<'_>,
    firmware: FirmwareFiles<'_>,
    allowed: impl Fn(PointerSize, ByteOrder) -> bool,
) -> Result<Option<(PointerLayout, Vec<LogBuffer>)>, DecodeError> {
    let mut problem = None;
    for variables in variables(space, firmware, allowed) {
        let Some(buffers) = variables.buffers() else {
            return Ok(None);
        };
        match buffers.into_iter().collect() {
            Ok(buffers) => return Ok(Some((variables.layout(), buffers))),
            Err(found) => {
                problem.get_or_insert_with(|| found.problem());
            }
        }
    }
    problem.map_or(Ok(None), |problem| {
        Err(DecodeError::NoSwitchLog { problem })
    })
}

/// As [`find`], but with one result per buffer: some may be in use and others
/// not.
pub(super) fn find_each(
    space: &AddressSpace<'_>,
    firmware: FirmwareFiles<'_>,
    allowed: impl Fn(PointerSize, ByteOrder) -> bool,
) -> Option<(PointerLayout, Vec<Result<LogBuffer, UnusableBuffer>>)> {
    let mut first = None;
    for variables in variables(space, firmware, allowed) {
        let buffers = variables.buffers()?;
        let is_odd = |buffer: &Result<_, _>| matches!(buffer, Err(UnusableBuffer::Inconsistent(_)));
        let found = (variables.layout(), buffers);
        if !found.1.iter().any(is_odd) {
            return Some(found);
        }
        first.get_or_insert(found);
    }
    first
}

/// The variables in each allowed layout.
fn variables<'a>(
    space: &'a AddressSpace<'a>,
    firmware: FirmwareFiles<'a>,
    allowed: impl Fn(PointerSize, ByteOrder) -> bool,
) -> impl Iterator<Item = RecorderVariables<'a>> {
    let layouts = LAYOUTS.into_iter();
    let layouts = layouts.filter(move |(pointer, order)| allowed(*pointer, *order));
    layouts.map(move |(pointer, order)| RecorderVariables {
        space,
        firmware,
        pointer,
        order,
    })
}

/// The addresses and sizes of the variables, for pointers of the given size.
/// Empty if the firmware has no such variables.
pub(super) fn variable_sizes(
    firmware: FirmwareFiles<'_>,
    pointer: PointerSize,
) -> Vec<(u64, usize)> {
    let blocks = control_blocks(firmware);
    if !blocks.is_empty() {
        let bytes = control_field_offsets(pointer).session + u32::BYTES as u64;
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        return blocks
            .into_iter()
            .map(|(_, block)| (block, bytes))
            .collect();
    }
    if firmware.variable(VAR_LOG_START).is_none() {
        return Vec::new();
    }
    let pointers =
        [VAR_LOG_START, VAR_LOG_CURRENT, VAR_LOG_END].map(|name| (name, pointer.bytes()));
    let words = [VAR_LOG_CYCLIC, VAR_IDLE_TOTAL].map(|name| (name, u32::BYTES));
    let all = pointers.into_iter().chain(words);
    all.filter_map(|(name, bytes)| Some((firmware.variable(name)?, bytes)))
        .collect()
}

/// The control blocks of a program's cores: a single one, or those with the
/// core number in their names.
fn control_blocks(firmware: FirmwareFiles<'_>) -> Vec<(u8, u64)> {
    if let Some(only) = firmware.variable(CONTROL_BLOCK_SYMBOL) {
        return vec![(0, only)];
    }
    let numbered = (0..MAX_CONTROL_BLOCKS).filter_map(|core| {
        let name = format!("{CONTROL_BLOCK_SYMBOL}_{core}");
        Some((core, firmware.variable(&name)?))
    });
    numbered.collect()
}

/// Why a buffer is unusable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum UnusableBuffer {
    /// No buffer is in use, according to the value of this variable.
    Off { name: String, value: Address },
    /// The variables are inconsistent: a sentence.
    Inconsistent(String),
}

impl UnusableBuffer {
    /// The meaning of the problem for a saved image.
    fn problem(self) -> String {
        match self {
            Self::Off { name, value } => format!(
                "{name} is {value}: the log was never started, or is stopped; set the addresses \
                 that stopping it returned with -O log-start, -O log-current and -O log-end"
            ),
            Self::Inconsistent(problem) => problem,
        }
    }
}

struct RecorderVariables<'a> {
    space: &'a AddressSpace<'a>,
    firmware: FirmwareFiles<'a>,
    pointer: PointerSize,
    order: ByteOrder,
}

/// The variables of the original article about the log.
const VAR_LOG_START: &str = "profile_switch_log_start";
const VAR_LOG_CURRENT: &str = "profile_switch_log_current";
const VAR_LOG_END: &str = "profile_switch_log_end";
const VAR_LOG_CYCLIC: &str = "profile_switch_log_cyclic";
const VAR_IDLE_TOTAL: &str = "profile_switch_idle_total";

/// The static variable of rtoscope's own recorder.
const CONTROL_BLOCK_SYMBOL: &str = "rtoscope_cswitch_log";

/// Maximum number of cores whose logs are located.
const MAX_CONTROL_BLOCKS: u8 = 64;

/// Offsets of the control block's fields, in the C layout of `Control` in
/// `rtoscope-record`.
struct ControlFieldOffsets {
    current: u64,
    end: u64,
    start: u64,
    cyclic: u64,
    /// Entries of all earlier laps.
    lap_start: u64,
    lost: u64,
    idle_total: u64,
    /// The session number of the recording.
    session: u64,
}

static CONTROL_FIELD_OFFSETS: [ControlFieldOffsets; 2] = [
    ControlFieldOffsets {
        current: 0,
        end: 4,
        start: 8,
        cyclic: 12,
        lap_start: 16,
        lost: 24,
        idle_total: 32,
        session: 48,
    },
    ControlFieldOffsets {
        current: 0,
        end: 8,
        start: 16,
        cyclic: 24,
        lap_start: 32,
        lost: 40,
        idle_total: 48,
        session: 64,
    },
];

fn control_field_offsets(pointer: PointerSize) -> &'static ControlFieldOffsets {
    let [narrow, wide] = &CONTROL_FIELD_OFFSETS;
    match pointer {
        PointerSize::Four => narrow,
        PointerSize::Eight => wide,
    }
}

impl RecorderVariables<'_> {
    fn layout(&self) -> PointerLayout {
        (self.pointer, self.order)
    }

    /// The buffers of the recorder's variables; `None` without such variables.
    fn buffers(&self) -> Option<Vec<Result<LogBuffer, UnusableBuffer>>> {
        let buffer = |(core, block)| {
            let buffer = self.control_block_buffer(block)?;
            Ok(LogBuffer { core, ..buffer })
        };
        let blocks = control_blocks(self.firmware);
        if !blocks.is_empty() {
            return Some(blocks.into_iter().map(buffer).collect());
        }
        let start = self.firmware.variable(VAR_LOG_START)?;
        Some(vec![self.article_buffer(start)])
    }

    fn control_block_buffer(&self, block: u64) -> Result<LogBuffer, UnusableBuffer> {
        let fields = control_field_offsets(self.pointer);
        let at = |offset: u64| block.saturating_add(offset);
        let pointer = |offset| self.pointer_at(CONTROL_BLOCK_SYMBOL, at(offset));
        let count = |offset| {
            self.space
                .pointer(at(offset), PointerSize::Eight, self.order)
        };
        let start = pointer(fields.start)?;
        let current = pointer(fields.current)?;
        let end = pointer(fields.end)?;
        self.check_pointers(CONTROL_BLOCK_SYMBOL, start, current, end)?;
        let cyclic = self.space.word(at(fields.cyclic), self.order);
        Ok(LogBuffer {
            start,
            end,
            current: Some(current),
            cyclic: cyclic.map(|cyclic| cyclic != 0),
            is_wrapped: count(fields.lap_start).map(|entries| entries > 0),
            lap_start: count(fields.lap_start),
            session: self.space.word(at(fields.session), self.order),
            lost_entries: count(fields.lost),
            idle_ticks: count(fields.idle_total),
            ..LogBuffer::default()
        })
    }

    fn article_buffer(&self, start: u64) -> Result<LogBuffer, UnusableBuffer> {
        let start = self.pointer_at(VAR_LOG_START, start)?;
        let current = self.pointer_variable(VAR_LOG_CURRENT)?;
        let end = self.pointer_variable(VAR_LOG_END)?;
        self.check_pointers(VAR_LOG_START, start, current, end)?;
        let cyclic = self.word_variable(VAR_LOG_CYCLIC);
        Ok(LogBuffer {
            start,
            end,
            current: Some(current),
            cyclic: cyclic.map(|cyclic| cyclic != 0),
            idle_ticks: self.word_variable(VAR_IDLE_TOTAL).map(u64::from),
            ..LogBuffer::default()
        })
    }

    /// Checks the pointers of a log: they must be in order; a log that is
    /// switched off has all pointer bits set.
    fn check_pointers(
        &self,
        name: &str,
        start: u64,
        current: u64,
        end: u64,
    ) -> Result<(), UnusableBuffer> {
        let off = u64::MAX >> (64 - 8 * self.pointer.bytes());
        if start == off || start == 0 {
            return Err(UnusableBuffer::Off {
                name: name.to_owned(),
                value: Address(start),
            });
        }
        if start < end && (start..=end).contains(&current) {
            return Ok(());
        }
        Err(UnusableBuffer::Inconsistent(format!(
            "{name} describes a log that starts at {}, is written at {} and ends at {}: the \
             image belongs to another firmware, or is damaged",
            Address(start),
            Address(current),
            Address(end)
        )))
    }

    fn pointer_variable(&self, name: &str) -> Result<u64, UnusableBuffer> {
        let variable = self.firmware.variable(name);
        let lacks = || UnusableBuffer::Inconsistent(format!("the firmware has no {name}"));
        self.pointer_at(name, variable.ok_or_else(lacks)?)
    }

    fn pointer_at(&self, name: &str, address: u64) -> Result<u64, UnusableBuffer> {
        let pointer = self.space.pointer(address, self.pointer, self.order);
        pointer.ok_or_else(|| {
            UnusableBuffer::Inconsistent(format!(
                "{name} is at {}, which is not in the image; an image without addresses needs \
                 -O log-base",
                Address(address)
            ))
        })
    }

    fn word_variable(&self, name: &str) -> Option<u32> {
        self.space.word(self.firmware.variable(name)?, self.order)
    }
}
