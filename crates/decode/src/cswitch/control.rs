//! Where the log lies, as the recorder's variables in the image say it.

use super::firmware::Files;
use super::guess::LAYOUTS;
use super::ring::Buffer;
use super::space::Space;
use crate::DecodeError;
use rtoscope_trace::Address;
use rtoscope_wire::cswitch::PointerSize;
use rtoscope_wire::{ByteOrder, Word};

type Layout = (PointerSize, ByteOrder);

/// The buffers that the recorder's variables tell of; `None` if the firmware
/// has no such variables.
pub(super) fn find(
    space: &Space<'_>,
    firmware: Files<'_>,
    allowed: impl Fn(PointerSize, ByteOrder) -> bool,
) -> Result<Option<(Layout, Vec<Buffer>)>, DecodeError> {
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

/// As [`find`], but buffer by buffer: some may be in use and others not.
pub(super) fn look(
    space: &Space<'_>,
    firmware: Files<'_>,
    allowed: impl Fn(PointerSize, ByteOrder) -> bool,
) -> Option<(Layout, Vec<Result<Buffer, Unusable>>)> {
    let mut first = None;
    for variables in variables(space, firmware, allowed) {
        let buffers = variables.buffers()?;
        let is_odd = |buffer: &Result<_, _>| matches!(buffer, Err(Unusable::Odd(_)));
        let found = (variables.layout(), buffers);
        if !found.1.iter().any(is_odd) {
            return Some(found);
        }
        first.get_or_insert(found);
    }
    first
}

/// The variables as they read in each layout that is allowed.
fn variables<'a>(
    space: &'a Space<'a>,
    firmware: Files<'a>,
    allowed: impl Fn(PointerSize, ByteOrder) -> bool,
) -> impl Iterator<Item = Variables<'a>> {
    let layouts = LAYOUTS.into_iter();
    let layouts = layouts.filter(move |(pointer, order)| allowed(*pointer, *order));
    layouts.map(move |(pointer, order)| Variables {
        space,
        firmware,
        pointer,
        order,
    })
}

/// Where the variables lie and their bytes, for pointers of that size. Empty if
/// the firmware has no such variables.
pub(super) fn places(firmware: Files<'_>, pointer: PointerSize) -> Vec<(u64, usize)> {
    let blocks = blocks(firmware);
    if !blocks.is_empty() {
        let bytes = fields(pointer).session + u32::BYTES as u64;
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        return blocks
            .into_iter()
            .map(|(_, block)| (block, bytes))
            .collect();
    }
    if firmware.variable(START).is_none() {
        return Vec::new();
    }
    let pointers = [START, CURRENT, END].map(|name| (name, pointer.bytes()));
    let words = [CYCLIC, IDLE_TOTAL].map(|name| (name, u32::BYTES));
    let all = pointers.into_iter().chain(words);
    all.filter_map(|(name, bytes)| Some((firmware.variable(name)?, bytes)))
        .collect()
}

/// The control blocks of a program's cores: of one, or of those that carry their
/// core's number in their names.
fn blocks(firmware: Files<'_>) -> Vec<(u8, u64)> {
    if let Some(only) = firmware.variable(BLOCK) {
        return vec![(0, only)];
    }
    let numbered = (0..MOST_BLOCKS).filter_map(|core| {
        let name = format!("{BLOCK}_{core}");
        Some((core, firmware.variable(&name)?))
    });
    numbered.collect()
}

/// Why there is no buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Unusable {
    /// None is in use, as this variable says by its value.
    Off { name: String, value: Address },
    /// What the variables say makes no sense: a sentence.
    Odd(String),
}

impl Unusable {
    /// What this means for an image that was saved.
    fn problem(self) -> String {
        match self {
            Self::Off { name, value } => format!(
                "{name} is {value}: the log was never started, or is stopped; give the addresses that \
                 stopping it returned with --log-start, --log-current and --log-end"
            ),
            Self::Odd(problem) => problem,
        }
    }
}

struct Variables<'a> {
    space: &'a Space<'a>,
    firmware: Files<'a>,
    pointer: PointerSize,
    order: ByteOrder,
}

/// The variables of the article that the log comes from.
const START: &str = "profile_switch_log_start";
const CURRENT: &str = "profile_switch_log_current";
const END: &str = "profile_switch_log_end";
const CYCLIC: &str = "profile_switch_log_cyclic";
const IDLE_TOTAL: &str = "profile_switch_idle_total";

/// The static of rtoscope's own recorder.
const BLOCK: &str = "rtoscope_cswitch_log";

/// Cores whose logs are looked for.
const MOST_BLOCKS: u8 = 64;

/// Where the fields of that lie, in the layout of C: `Control` in
/// `rtoscope-record`.
struct Fields {
    current: u64,
    end: u64,
    start: u64,
    cyclic: u64,
    /// Entries of all laps before this one.
    lap_start: u64,
    lost: u64,
    idle_total: u64,
    /// Which recording of the log it is.
    session: u64,
}

static FIELDS: [Fields; 2] = [
    Fields {
        current: 0,
        end: 4,
        start: 8,
        cyclic: 12,
        lap_start: 16,
        lost: 24,
        idle_total: 32,
        session: 48,
    },
    Fields {
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

fn fields(pointer: PointerSize) -> &'static Fields {
    let [narrow, wide] = &FIELDS;
    match pointer {
        PointerSize::Four => narrow,
        PointerSize::Eight => wide,
    }
}

impl Variables<'_> {
    fn layout(&self) -> Layout {
        (self.pointer, self.order)
    }

    /// The buffers of the recorder's variables; `None` without such variables.
    fn buffers(&self) -> Option<Vec<Result<Buffer, Unusable>>> {
        let buffer = |(core, block)| {
            let buffer = self.of_block(block)?;
            Ok(Buffer { core, ..buffer })
        };
        let blocks = blocks(self.firmware);
        if !blocks.is_empty() {
            return Some(blocks.into_iter().map(buffer).collect());
        }
        let start = self.firmware.variable(START)?;
        Some(vec![self.of_article(start)])
    }

    fn of_block(&self, block: u64) -> Result<Buffer, Unusable> {
        let fields = fields(self.pointer);
        let at = |offset: u64| block.saturating_add(offset);
        let pointer = |offset| self.pointer_at(BLOCK, at(offset));
        let count = |offset| {
            self.space
                .pointer(at(offset), PointerSize::Eight, self.order)
        };
        let start = pointer(fields.start)?;
        let current = pointer(fields.current)?;
        let end = pointer(fields.end)?;
        self.check(BLOCK, start, current, end)?;
        let cyclic = self.space.word(at(fields.cyclic), self.order);
        Ok(Buffer {
            start,
            end,
            current: Some(current),
            cyclic: cyclic.map(|cyclic| cyclic != 0),
            wrapped: count(fields.lap_start).map(|entries| entries > 0),
            lap_start: count(fields.lap_start),
            session: self.space.word(at(fields.session), self.order),
            lost: count(fields.lost),
            idle: count(fields.idle_total),
            ..Buffer::default()
        })
    }

    fn of_article(&self, start: u64) -> Result<Buffer, Unusable> {
        let start = self.pointer_at(START, start)?;
        let current = self.pointer_of(CURRENT)?;
        let end = self.pointer_of(END)?;
        self.check(START, start, current, end)?;
        let cyclic = self.word_of(CYCLIC);
        Ok(Buffer {
            start,
            end,
            current: Some(current),
            cyclic: cyclic.map(|cyclic| cyclic != 0),
            idle: self.word_of(IDLE_TOTAL).map(u64::from),
            ..Buffer::default()
        })
    }

    /// Whether pointers are those of a log: in order, and with all of the
    /// pointers' bits when it is switched off.
    fn check(&self, name: &str, start: u64, current: u64, end: u64) -> Result<(), Unusable> {
        let off = u64::MAX >> (64 - 8 * self.pointer.bytes());
        if start == off || start == 0 {
            return Err(Unusable::Off {
                name: name.to_owned(),
                value: Address(start),
            });
        }
        if start < end && (start..=end).contains(&current) {
            return Ok(());
        }
        Err(Unusable::Odd(format!(
            "{name} tells of a log that starts at {}, is written at {} and ends at {}: the image is of \
             another firmware, or damaged",
            Address(start),
            Address(current),
            Address(end)
        )))
    }

    fn pointer_of(&self, name: &str) -> Result<u64, Unusable> {
        let variable = self.firmware.variable(name);
        let lacks = || Unusable::Odd(format!("the firmware has no {name}"));
        self.pointer_at(name, variable.ok_or_else(lacks)?)
    }

    fn pointer_at(&self, name: &str, address: u64) -> Result<u64, Unusable> {
        let pointer = self.space.pointer(address, self.pointer, self.order);
        pointer.ok_or_else(|| {
            Unusable::Odd(format!(
                "{name} lies at {}, which is not in the image; an image without addresses needs \
                 --log-base",
                Address(address)
            ))
        })
    }

    fn word_of(&self, name: &str) -> Option<u32> {
        self.space.word(self.firmware.variable(name)?, self.order)
    }
}
