//! Where the log lies, as the recorder's variables in the image say it.

use super::firmware::Files;
use super::guess::LAYOUTS;
use super::ring::Buffer;
use super::space::Space;
use crate::DecodeError;
use rtoscope_trace::Address;
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::PointerSize;

type Layout = (PointerSize, ByteOrder);

/// The buffers that the recorder's variables tell of; `None` if the firmware
/// has no such variables.
pub(super) fn find(
    space: &Space<'_>,
    firmware: Files<'_>,
    allowed: impl Fn(PointerSize, ByteOrder) -> bool,
) -> Result<Option<(Layout, Vec<Buffer>)>, DecodeError> {
    let mut problem = None;
    for (pointer, order) in LAYOUTS {
        if !allowed(pointer, order) {
            continue;
        }
        let variables = Variables {
            space,
            firmware,
            pointer,
            order,
        };
        match variables.blocks().or_else(|| variables.article()) {
            Some(Ok(buffers)) => return Ok(Some(((pointer, order), buffers))),
            Some(Err(found)) => {
                problem.get_or_insert(found);
            }
            None => return Ok(None),
        }
    }
    problem.map_or(Ok(None), |problem| {
        Err(DecodeError::NoSwitchLog { problem })
    })
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
}

const FIELDS: [Fields; 2] = [
    Fields {
        current: 0,
        end: 4,
        start: 8,
        cyclic: 12,
        lap_start: 16,
        lost: 24,
        idle_total: 32,
    },
    Fields {
        current: 0,
        end: 8,
        start: 16,
        cyclic: 24,
        lap_start: 32,
        lost: 40,
        idle_total: 48,
    },
];

impl Variables<'_> {
    /// The log of a program that has one, or those that carry their core's
    /// number in their names.
    fn blocks(&self) -> Option<Result<Vec<Buffer>, String>> {
        let numbered = (0..MOST_BLOCKS).filter_map(|core| {
            let name = format!("{BLOCK}_{core}");
            Some((core, self.firmware.variable(&name)?))
        });
        let only = self.firmware.variable(BLOCK).map(|block| (0, block));
        let blocks: Vec<_> = match only {
            Some(only) => vec![only],
            None => numbered.collect(),
        };
        let buffer = |(core, block)| {
            let buffer = self.of_block(block)?;
            Ok(Buffer { core, ..buffer })
        };
        (!blocks.is_empty()).then(|| blocks.into_iter().map(buffer).collect())
    }

    fn of_block(&self, block: u64) -> Result<Buffer, String> {
        let [narrow, wide] = &FIELDS;
        let fields = match self.pointer {
            PointerSize::Four => narrow,
            PointerSize::Eight => wide,
        };
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
            lost: count(fields.lost),
            idle: count(fields.idle_total),
            ..Buffer::default()
        })
    }

    fn article(&self) -> Option<Result<Vec<Buffer>, String>> {
        let start = self.firmware.variable(START)?;
        Some(self.of_article(start).map(|buffer| vec![buffer]))
    }

    fn of_article(&self, start: u64) -> Result<Buffer, String> {
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
    fn check(&self, name: &str, start: u64, current: u64, end: u64) -> Result<(), String> {
        let off = u64::MAX >> (64 - 8 * self.pointer.bytes());
        if start == off || start == 0 {
            return Err(format!(
                "{name} is {}: the log was never started, or is stopped; give the addresses that \
                 stopping it returned with --log-start, --log-current and --log-end",
                Address(start)
            ));
        }
        if start < end && (start..=end).contains(&current) {
            return Ok(());
        }
        Err(format!(
            "{name} tells of a log that starts at {}, is written at {} and ends at {}: the image is of \
             another firmware, or damaged",
            Address(start),
            Address(current),
            Address(end)
        ))
    }

    fn pointer_of(&self, name: &str) -> Result<u64, String> {
        let variable = self.firmware.variable(name);
        self.pointer_at(name, variable.ok_or(format!("the firmware has no {name}"))?)
    }

    fn pointer_at(&self, name: &str, address: u64) -> Result<u64, String> {
        let pointer = self.space.pointer(address, self.pointer, self.order);
        pointer.ok_or_else(|| {
            format!(
                "{name} lies at {}, which is not in the image; an image without addresses needs \
                 --log-base",
                Address(address)
            )
        })
    }

    fn word_of(&self, name: &str) -> Option<u32> {
        self.space.word(self.firmware.variable(name)?, self.order)
    }
}
