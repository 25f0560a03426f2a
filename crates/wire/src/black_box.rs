//! The header of a black box: memory that survives a reset, with a recording.
//!
//! The header precedes the recording's memory. A container of a context-switch log also
//! has it as a section.

use crate::cswitch::{Crc32, PointerSize};
use crate::{ByteOrder, Word};

/// The first word, "RTBB" in little-endian memory.
pub const MAGIC: u32 = 0x4242_5452;

/// The layout's version.
pub const VERSION: u16 = 1;

/// Length of a [`BlackBoxHeader`] in bytes, a multiple of 8.
pub const BLACK_BOX_HEADER_BYTES: usize = 144;

/// Offset of the word with the state.
pub const STATE_OFFSET: usize = 20;

/// The state while recording: "OPEN" in little-endian memory.
pub const OPEN: u32 = 0x4E45_504F;

/// The state while the seal is written.
pub const SEALING: u32 = 0x4C41_4553;

/// The state with a complete seal.
pub const SEALED: u32 = 0xB1AC_B0C5;

/// Number of the event that a frozen ThreadX trace ends with. Its fields are the code
/// address and the return address of the fault, its exception number, and the boot count.
pub const FAULT_EVENT: u32 = 0x5254_4246;

/// Bytes that the first checksum covers.
const BASE_BYTES: usize = 16;
/// Offset of the seal.
const SEAL: usize = 24;
/// Offset of the seal's checksum.
const SEAL_CHECK: usize = 136;

/// What a black box records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum BlackBoxKind {
    /// A ThreadX trace buffer.
    Trace = 1,
    /// A context-switch log that keeps its first entries.
    OneShotLog = 2,
    /// A context-switch log in a ring.
    RingLog = 3,
}

/// The origin of a fault's registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u32)]
pub enum FaultOrigin {
    /// Nothing froze the recording before the reset: a watchdog, the reset pin, or a
    /// reset by a program without a handler.
    #[default]
    None = 0,
    /// An exception of Arm Cortex-M.
    CortexM = 1,
    /// A trap of RISC-V.
    RiscV = 2,
    /// The application.
    Application = 3,
}

/// The registers of a fault.
///
/// | field | Cortex-M | RISC-V |
/// |---|---|---|
/// | `exception` | exception number | low bits of `mcause` |
/// | `pc`, `lr` | stacked PC and LR | `mepc`, `ra` |
/// | `status`, `sp` | stacked xPSR, SP before the exception | `mstatus`, `sp` |
/// | `registers` | CFSR, HFSR, MMFAR, BFAR | `mcause`, `mtval`, 0, 0 |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C)]
pub struct FaultRecord {
    /// The origin: the number of a [`FaultOrigin`].
    pub origin: u32,
    /// The exception.
    pub exception: u32,
    /// The code address.
    pub pc: u64,
    /// The return address.
    pub lr: u64,
    /// The processor's status.
    pub status: u64,
    /// The stack pointer.
    pub sp: u64,
    /// Fault registers.
    pub registers: [u64; 4],
    /// Words of the application.
    pub words: [u32; 4],
}

impl FaultRecord {
    /// The origin of the registers; numbers that are not defined are the application's.
    pub const fn fault_origin(&self) -> FaultOrigin {
        match self.origin {
            0 => FaultOrigin::None,
            1 => FaultOrigin::CortexM,
            2 => FaultOrigin::RiscV,
            _ => FaultOrigin::Application,
        }
    }
}

/// The end of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BlackBoxSeal {
    /// Log: the slot after the newest entry, at most the number of slots.
    pub next_slot: u32,
    /// Log: whether entries were overwritten.
    pub wrapped: bool,
    /// Log: number of entries before the oldest one, if known.
    pub preceding_entries: Option<u64>,
    /// Log: entries that found the buffer full.
    pub lost: u64,
    /// The fault.
    pub fault: FaultRecord,
}

/// The header, in the target's byte order.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 4 | [`MAGIC`] |
/// | 4 | 2 | [`VERSION`] |
/// | 6 | 1 | [`BlackBoxKind`] |
/// | 7 | 1 | pointer size in bytes |
/// | 8 | 4 | bytes of the recording's memory, which follows the header |
/// | 12 | 4 | boot count |
/// | 16 | 4 | CRC-32 of bytes 0 to 15 |
/// | 20 | 4 | state: [`OPEN`], [`SEALING`] or [`SEALED`] |
/// | 24 | 4 | log: slot after the newest entry |
/// | 28 | 4 | log: bit 0: the ring has wrapped; bit 1: the next field is unknown |
/// | 32 | 8 | log: number of entries before the oldest one |
/// | 40 | 8 | log: lost entries |
/// | 48 | 88 | [`FaultRecord`] |
/// | 136 | 4 | CRC-32 of bytes 0 to 15 and 24 to 135 |
/// | 140 | 4 | 0 |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlackBoxHeader {
    /// What is recorded.
    pub kind: BlackBoxKind,
    /// Size of a pointer.
    pub pointer_size: PointerSize,
    /// Bytes of the recording's memory.
    pub capacity: u32,
    /// Number of recordings in this memory since the first one, which is 1.
    pub boot_count: u32,
    /// The end of the recording; [`None`] if it was not sealed.
    pub seal: Option<BlackBoxSeal>,
}

impl BlackBoxHeader {
    /// Reads the header at the start of `bytes`. Returns [`None`] unless its magic, its
    /// version, its fields and its checksum are valid. A seal that is incomplete or
    /// damaged is absent.
    pub fn read(bytes: &[u8], order: ByteOrder) -> Option<Self> {
        let bytes = bytes.get(..BLACK_BOX_HEADER_BYTES)?;
        let word = |at: usize| u32::read(bytes.get(at..)?, order);
        let base = bytes.get(..BASE_BYTES)?;
        let mut sum = Crc32::new();
        sum.update(base);
        if word(0)? != MAGIC
            || u16::read(bytes.get(4..)?, order)? != VERSION
            || word(BASE_BYTES)? != sum.value()
        {
            return None;
        }
        sum.update(bytes.get(SEAL..SEAL_CHECK)?);
        let is_sealed = word(STATE_OFFSET)? == SEALED && word(SEAL_CHECK)? == sum.value();
        Some(Self {
            kind: match bytes.get(6)? {
                1 => BlackBoxKind::Trace,
                2 => BlackBoxKind::OneShotLog,
                3 => BlackBoxKind::RingLog,
                _ => return None,
            },
            pointer_size: PointerSize::from_bytes(usize::from(*bytes.get(7)?))?,
            capacity: word(8)?,
            boot_count: word(12)?,
            seal: if is_sealed {
                Some(BlackBoxSeal::read(bytes, order)?)
            } else {
                None
            },
        })
    }

    /// The header's bytes.
    pub fn to_bytes(self, order: ByteOrder) -> [u8; BLACK_BOX_HEADER_BYTES] {
        let mut bytes = [0; BLACK_BOX_HEADER_BYTES];
        put(&mut bytes, 0, MAGIC, order);
        put(&mut bytes, 4, VERSION, order);
        if let Some([kind, pointer]) = bytes.get_mut(6..8) {
            *kind = self.kind as u8;
            *pointer = self.pointer_size.bytes() as u8;
        }
        put(&mut bytes, 8, self.capacity, order);
        put(&mut bytes, 12, self.boot_count, order);
        let mut sum = Crc32::new();
        sum.update(bytes.get(..BASE_BYTES).unwrap_or_default());
        put(&mut bytes, BASE_BYTES, sum.value(), order);
        put(&mut bytes, STATE_OFFSET, OPEN, order);
        if let Some(seal) = self.seal {
            put(&mut bytes, STATE_OFFSET, SEALED, order);
            seal.write(&mut bytes, order);
            sum.update(bytes.get(SEAL..SEAL_CHECK).unwrap_or_default());
            put(&mut bytes, SEAL_CHECK, sum.value(), order);
        }
        bytes
    }
}

const WRAPPED: u32 = 1;
const PRECEDING_UNKNOWN: u32 = 2;

impl BlackBoxSeal {
    fn read(bytes: &[u8], order: ByteOrder) -> Option<Self> {
        let word = |at: usize| u32::read(bytes.get(at..)?, order);
        let long = |at: usize| u64::read(bytes.get(at..)?, order);
        let flags = word(28)?;
        let preceding = long(32)?;
        Some(Self {
            next_slot: word(24)?,
            wrapped: flags & WRAPPED != 0,
            preceding_entries: (flags & PRECEDING_UNKNOWN == 0).then_some(preceding),
            lost: long(40)?,
            fault: FaultRecord {
                origin: word(48)?,
                exception: word(52)?,
                pc: long(56)?,
                lr: long(64)?,
                status: long(72)?,
                sp: long(80)?,
                registers: [long(88)?, long(96)?, long(104)?, long(112)?],
                words: [word(120)?, word(124)?, word(128)?, word(132)?],
            },
        })
    }

    fn write(&self, bytes: &mut [u8], order: ByteOrder) {
        let unknown = self.preceding_entries.is_none();
        let flags = (WRAPPED * u32::from(self.wrapped)) | (PRECEDING_UNKNOWN * u32::from(unknown));
        put(bytes, 24, self.next_slot, order);
        put(bytes, 28, flags, order);
        put(bytes, 32, self.preceding_entries.unwrap_or(0), order);
        put(bytes, 40, self.lost, order);
        let fault = &self.fault;
        put(bytes, 48, fault.origin, order);
        put(bytes, 52, fault.exception, order);
        let [first, second, third, fourth] = fault.registers;
        let longs = [fault.pc, fault.lr, fault.status, fault.sp];
        let longs = longs.into_iter().chain([first, second, third, fourth]);
        for (at, long) in (56..).step_by(8).zip(longs) {
            put(bytes, at, long, order);
        }
        for (at, word) in (120..).step_by(4).zip(fault.words) {
            put(bytes, at, word, order);
        }
    }
}

fn put<W: Word>(bytes: &mut [u8], at: usize, value: W, order: ByteOrder) {
    let _ = value.write(bytes.get_mut(at..).unwrap_or_default(), order);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn header(seal: Option<BlackBoxSeal>) -> BlackBoxHeader {
        BlackBoxHeader {
            kind: BlackBoxKind::RingLog,
            pointer_size: PointerSize::Four,
            capacity: 4096,
            boot_count: 7,
            seal,
        }
    }

    fn seal() -> BlackBoxSeal {
        BlackBoxSeal {
            next_slot: 3,
            wrapped: true,
            preceding_entries: Some(5_000_000_000),
            lost: 1,
            fault: FaultRecord {
                origin: FaultOrigin::CortexM as u32,
                exception: 3,
                pc: 0x123,
                lr: 0x456,
                status: 0x0100_0000,
                sp: 0x2000_0000,
                registers: [1, 2, 3, 4],
                words: [5, 6, 7, 8],
            },
        }
    }

    #[test]
    fn reads_what_it_writes() {
        let unknown = BlackBoxSeal {
            preceding_entries: None,
            ..seal()
        };
        for order in [ByteOrder::Little, ByteOrder::Big] {
            for seal in [None, Some(seal()), Some(unknown)] {
                let written = header(seal);
                assert_eq!(
                    BlackBoxHeader::read(&written.to_bytes(order), order),
                    Some(written)
                );
            }
        }
    }

    proptest! {
        /// A changed bit before the state makes the header invalid; one in the seal only
        /// removes the seal.
        #[test]
        fn detects_every_changed_bit(at in 0..140_usize, bit in 0..8_u32) {
            let written = header(Some(seal()));
            let mut bytes = written.to_bytes(ByteOrder::Little);
            bytes[at] ^= 1 << bit;
            let expected = (at >= STATE_OFFSET).then_some(header(None));
            prop_assert_eq!(BlackBoxHeader::read(&bytes, ByteOrder::Little), expected);
        }

        #[test]
        fn refuses_random_memory(bytes: [u8; 32], rest: [u8; 32]) {
            let bytes = [&bytes[..], &rest[..], &bytes[..], &rest[..], &[0; 16]].concat();
            prop_assert_eq!(BlackBoxHeader::read(&bytes, ByteOrder::Little), None);
        }
    }
}
