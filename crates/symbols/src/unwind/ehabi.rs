//! The tables of ARM's exception handling ABI (`.ARM.exidx`, `.ARM.extab`), as in the
//! document IHI 0038.

use super::FrameState;
use crate::elf::{ElfLayout, SectionContents};
use rtoscope_trace::call_stack::StackStop;
use rtoscope_wire::ByteOrder;

/// Size of an entry of the index.
const ENTRY_LEN: usize = 8;
/// The second word of an entry for a function that must not be unwound.
const CANNOT_UNWIND: u32 = 1;
/// In a word: compact instructions, not an offset.
const IS_COMPACT: u32 = 1 << 31;

/// The index of functions, by address.
#[derive(Debug)]
pub(super) struct IndexTable {
    section: SectionContents,
    order: ByteOrder,
}

impl IndexTable {
    pub(super) fn new(section: SectionContents, order: ByteOrder) -> Self {
        Self { section, order }
    }

    /// The frame of the caller of the function at `address`.
    pub(super) fn caller<'a>(
        &self,
        bytes: &[u8],
        layout: &ElfLayout,
        address: u32,
        state: &FrameState<'a>,
    ) -> Result<FrameState<'a>, StackStop> {
        let table = bytes.get(self.section.file_range.clone());
        let table = table.unwrap_or_default();
        let entry = self.entry(table, address).ok_or(StackStop::NoUnwindInfo)?;
        let at = |address: u32| {
            let bytes = bytes.get(layout.contents_at(address.into())?)?;
            self.word(bytes, 0)
        };
        run(instructions(entry, at)?, state)
    }

    fn word(&self, bytes: &[u8], offset: usize) -> Option<u32> {
        let word = bytes.get(offset..)?.first_chunk()?;
        Some(match self.order {
            ByteOrder::Little => u32::from_le_bytes(*word),
            ByteOrder::Big => u32::from_be_bytes(*word),
        })
    }

    /// The second word of the entry for an address, and the address of that word.
    fn entry(&self, table: &[u8], address: u32) -> Option<(u32, u32)> {
        let start = self.section.address as u32;
        let position = |index: usize| start.wrapping_add((index * ENTRY_LEN) as u32);
        let function = |index: usize| {
            let offset = self.word(table, index * ENTRY_LEN)?;
            Some(relative(position(index), offset))
        };
        let (mut low, mut high) = (0, table.len() / ENTRY_LEN);
        while low < high {
            let middle = low + (high - low) / 2;
            if function(middle)? <= address {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let index = low.checked_sub(1)?;
        let word = self.word(table, index * ENTRY_LEN + 4)?;
        Some((word, position(index).wrapping_add(4)))
    }
}

/// The address that an offset of 31 bits refers to.
fn relative(position: u32, offset: u32) -> u32 {
    let extended = (offset << 1).cast_signed() >> 1;
    position.wrapping_add_signed(extended)
}

/// The instructions of an entry: bytes, first to last.
fn instructions(
    (word, position): (u32, u32),
    at: impl Fn(u32) -> Option<u32>,
) -> Result<Vec<u8>, StackStop> {
    if word == CANNOT_UNWIND {
        return Err(StackStop::CannotUnwind);
    }
    let malformed = StackStop::MalformedUnwindInfo;
    if word & IS_COMPACT != 0 {
        // Only the short form fits into the index.
        return match word >> 24 & 0xF {
            0 => Ok(word.to_be_bytes()[1..].to_vec()),
            _ => Err(malformed),
        };
    }
    let mut location = relative(position, word);
    let mut read = || {
        let word = at(location).ok_or(malformed);
        location = location.wrapping_add(4);
        word
    };
    let first = read()?;
    let (mut all, more) = if first & IS_COMPACT == 0 {
        // Languages with their own routine follow GNU's: the instructions come next.
        let first = read()?;
        (first.to_be_bytes()[1..].to_vec(), first >> 24)
    } else {
        let [_, second, ..] = first.to_be_bytes();
        match first >> 24 & 0xF {
            0 => (first.to_be_bytes()[1..].to_vec(), 0),
            1 | 2 => (first.to_be_bytes()[2..].to_vec(), second.into()),
            _ => return Err(malformed),
        }
    };
    for _ in 0..more {
        all.extend(read()?.to_be_bytes());
    }
    Ok(all)
}

/// Runs instructions on a frame.
fn run<'a>(instructions: Vec<u8>, state: &FrameState<'a>) -> Result<FrameState<'a>, StackStop> {
    let malformed = StackStop::MalformedUnwindInfo;
    let mut frame = VirtualFrame {
        state: state.clone(),
        has_pc: false,
    };
    let mut rest = instructions.into_iter();
    while let Some(code) = rest.next() {
        let mut operand = || rest.next().ok_or(malformed);
        let low = u32::from(code & 0xF);
        match code {
            0x00..=0x3F => frame.add(u32::from(code & 0x3F) * 4 + 4)?,
            0x40..=0x7F => frame.subtract(u32::from(code & 0x3F) * 4 + 4)?,
            0x80..=0x8F => match low << 8 | u32::from(operand()?) {
                0 => return Err(StackStop::CannotUnwind),
                mask => frame.pop(mask << 4)?,
            },
            0x9D | 0x9F => return Err(malformed),
            0x90..=0x9F => {
                let value = frame.state.register(u16::from(code & 0xF));
                frame.state.sp = value.ok_or(StackStop::UnknownRegister)?;
            }
            0xA0..=0xAF => {
                let last = low & 7;
                let link = if low & 8 != 0 { 1 << 14 } else { 0 };
                frame.pop(((1 << (last + 1)) - 1) << 4 | link)?;
            }
            0xB0 => break,
            0xB1 => match operand()? {
                mask @ 1..=15 => frame.pop(mask.into())?,
                _ => return Err(malformed),
            },
            0xB2 => {
                let mut value = 0_u64;
                for shift in (0..35).step_by(7) {
                    let byte = operand()?;
                    value |= u64::from(byte & 0x7F) << shift;
                    if byte & 0x80 == 0 {
                        break;
                    }
                    if shift == 28 {
                        return Err(malformed);
                    }
                }
                let bytes = u32::try_from(0x204 + value * 4).map_err(|_| malformed)?;
                frame.add(bytes)?;
            }
            // Floating-point registers as FSTMFDX stores them, with a word more.
            0xB3 => frame.add((u32::from(operand()? & 0xF) + 1) * 8 + 4)?,
            // The authentication code of the return address, and its use.
            0xB4 => frame.add(4)?,
            0xB5 => {}
            0xB8..=0xBF => frame.add((low & 7) * 8 + 12)?,
            0xC0..=0xC5 | 0xD0..=0xD7 => frame.add((low & 7) * 8 + 8)?,
            0xC6 | 0xC8 | 0xC9 => frame.add((u32::from(operand()? & 0xF) + 1) * 8)?,
            0xC7 => match operand()? {
                mask @ 1..=15 => frame.add(mask.count_ones() * 4)?,
                _ => return Err(malformed),
            },
            _ => return Err(malformed),
        }
    }
    let mut state = frame.state;
    if !frame.has_pc {
        state.pc = state.register(14).ok_or(StackStop::UnknownRegister)?;
    }
    Ok(state)
}

struct VirtualFrame<'a> {
    /// Its stack pointer is the ABI's `vsp`.
    state: FrameState<'a>,
    /// Whether the program counter was popped.
    has_pc: bool,
}

impl VirtualFrame<'_> {
    fn add(&mut self, bytes: u32) -> Result<(), StackStop> {
        let sum = self.state.sp.checked_add(bytes);
        self.state.sp = sum.ok_or(StackStop::ImplausibleStackPointer)?;
        Ok(())
    }

    fn subtract(&mut self, bytes: u32) -> Result<(), StackStop> {
        let rest = self.state.sp.checked_sub(bytes);
        self.state.sp = rest.ok_or(StackStop::ImplausibleStackPointer)?;
        Ok(())
    }

    /// Pops the registers of a mask, lowest first.
    fn pop(&mut self, mask: u32) -> Result<(), StackStop> {
        let mut stack_pointer = None;
        for number in (0..16_u16).filter(|number| mask >> number & 1 != 0) {
            let value = self.state.word(self.state.sp)?;
            self.add(4)?;
            match number {
                13 => stack_pointer = Some(value),
                15 => {
                    self.state.pc = value;
                    self.has_pc = true;
                }
                _ => self.state.set(number, Some(value)),
            }
        }
        if let Some(value) = stack_pointer {
            self.state.sp = value;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StackSample;
    use crate::unwind::REGISTERS;

    /// Runs instructions on a stack of the words 100, 101, … at 0x1000; returns the stack
    /// pointer, the program counter, and R4.
    fn result(instructions: &[u8]) -> Result<(u32, u32, Option<u32>), StackStop> {
        let words: Vec<u32> = (100..164).collect();
        let sample = StackSample {
            program_counter: 0,
            stack_pointer: 0x1000,
            link_register: 0,
            thumb_frame_pointer: 0,
            frame_pointer: 0,
            words: &words,
            is_complete: false,
        };
        let mut registers = [None; REGISTERS];
        registers[7] = Some(0x1010);
        registers[14] = Some(0x99);
        let state = FrameState {
            sample: &sample,
            registers,
            pc: 0,
            sp: 0x1000,
            is_return: false,
        };
        let state = run(instructions.to_vec(), &state)?;
        Ok((state.sp, state.pc, state.register(4)))
    }

    #[test]
    fn instructions_move_the_stack_pointer_and_pop() {
        for (instructions, expected) in [
            (&[][..], (0x1000, 0x99, None)),
            (&[0x00], (0x1004, 0x99, None)),
            (&[0x3F, 0x40], (0x10FC, 0x99, None)),
            (&[0x97], (0x1010, 0x99, None)),
            // R4, LR; R4 to R6, LR; R4 to R5.
            (&[0xA8], (0x1008, 101, Some(100))),
            (&[0xAA], (0x1010, 103, Some(100))),
            (&[0xA1], (0x1008, 0x99, Some(100))),
            // R4 and PC.
            (&[0x88, 0x01], (0x1008, 101, Some(100))),
            (&[0xB0, 0x00], (0x1000, 0x99, None)),
            (&[0xB1, 0x0F], (0x1010, 0x99, None)),
            (&[0xB2, 0x01], (0x1208, 0x99, None)),
            (&[0xB2, 0x80, 0x01], (0x1404, 0x99, None)),
            (&[0xB3, 0x81], (0x1014, 0x99, None)),
            (&[0xB4, 0xB5], (0x1004, 0x99, None)),
            (&[0xB8], (0x100C, 0x99, None)),
            (&[0xC0], (0x1008, 0x99, None)),
            (&[0xC6, 0x03], (0x1020, 0x99, None)),
            (&[0xC7, 0x05], (0x1008, 0x99, None)),
            (&[0xC8, 0x00], (0x1008, 0x99, None)),
            (&[0xC9, 0x81], (0x1010, 0x99, None)),
            (&[0xD7], (0x1040, 0x99, None)),
        ] {
            assert_eq!(result(instructions), Ok(expected), "{instructions:02X?}");
        }
    }

    #[test]
    fn invalid_instructions_end_the_stack() {
        use StackStop::{CannotUnwind, MalformedUnwindInfo, Truncated, UnknownRegister};
        for (instructions, expected) in [
            (&[0x80, 0x00][..], CannotUnwind),
            (&[0x9D], MalformedUnwindInfo),
            (&[0x9F], MalformedUnwindInfo),
            (&[0x94], UnknownRegister),
            (&[0x80], MalformedUnwindInfo),
            (&[0xB1, 0x00], MalformedUnwindInfo),
            (&[0xB1, 0x10], MalformedUnwindInfo),
            (&[0xB2, 0x80, 0x80, 0x80, 0x80, 0x80], MalformedUnwindInfo),
            (&[0xB6], MalformedUnwindInfo),
            (&[0xC7, 0x00], MalformedUnwindInfo),
            (&[0xCA], MalformedUnwindInfo),
            (&[0xE0], MalformedUnwindInfo),
            (&[0x3F, 0xA0], Truncated),
        ] {
            assert_eq!(result(instructions), Err(expected), "{instructions:02X?}");
        }
    }

    #[test]
    fn personalities_have_their_instructions_in_different_places() {
        let table = [
            0x8012_3456,
            0x8102_AABB,
            0x1122_3344,
            0x5566_7788,
            0x0000_0008,
        ];
        let at = |address: u32| table.get(address as usize / 4).copied();
        let found = |word: u32, position: u32| instructions((word, position), at);
        assert_eq!(found(0x80A8_B0B0, 0), Ok(vec![0xA8, 0xB0, 0xB0]));
        assert_eq!(found(CANNOT_UNWIND, 0), Err(StackStop::CannotUnwind));
        assert_eq!(found(0x8100_0000, 0), Err(StackStop::MalformedUnwindInfo));
        // Offsets back from 0x20, to the words above.
        let back = |bytes: u32| 0_u32.wrapping_sub(bytes) & !IS_COMPACT;
        assert_eq!(found(back(0x20), 0x20), Ok(vec![0x12, 0x34, 0x56]));
        assert_eq!(
            found(back(0x1C), 0x20),
            Ok(vec![
                0xAA, 0xBB, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88
            ])
        );
        // Another routine, whose instructions are beyond the table.
        assert_eq!(found(back(0x10), 0x20), Err(StackStop::MalformedUnwindInfo));
    }
}
