use super::BufferLayout;
use crate::{ByteOrder, WireError, Word};

/// [`EventEntry::context`] of an event that an interrupt service routine logged.
pub const CONTEXT_INTERRUPT: u32 = 0xFFFF_FFFF;

/// [`EventEntry::context`] of an event before the scheduler started.
pub const CONTEXT_INITIALIZE: u32 = 0xF0F0_F0F0;

/// [`EventEntry::context`] of an unused slot. Its other words keep the previous content
/// of the memory.
pub const CONTEXT_UNUSED: u32 = 0;

/// Bit of a thread's [`EventEntry::priority`] word: set if bits 16 and above contain a
/// preemption threshold. Old versions of ThreadX write the plain priority.
pub const PRIORITY_VALID: u32 = 0x8000_0000;

/// [`ControlHeader::timer_mask`](super::ControlHeader::timer_mask) of a 32-bit time
/// source.
pub const TIMER_MASK_32: u64 = 0xFFFF_FFFF;

/// First id reserved for applications (`TX_TRACE_USER_EVENT_START`).
pub const FIRST_USER_EVENT: u32 = 4096;

/// Last id reserved for applications (`TX_TRACE_USER_EVENT_END`). The kernel accepts any
/// other id too.
pub const LAST_USER_EVENT: u32 = 65535;

/// The user event that begins a recorded call stack: the stack pointer, the link register,
/// the program counter, and the frame pointer of Thumb code (R7).
pub const STACK_BEGIN_EVENT: u32 = 65532;

/// As [`STACK_BEGIN_EVENT`], with the next four words of the stack, in the order of their
/// addresses.
pub const STACK_WORDS_EVENT: u32 = 65533;

/// As [`STACK_BEGIN_EVENT`], at the end: the number of recorded words, with
/// [`STACK_IS_COMPLETE`](crate::cswitch::STACK_IS_COMPLETE) if they reach the stack's end;
/// the frame pointer of ARM code (R11), or of another processor; the stack pointer again;
/// [`STACK_END_MARK`].
pub const STACK_END_EVENT: u32 = 65534;

/// Distinguishes [`STACK_END_EVENT`] from an event of the application: `STCK`.
pub const STACK_END_MARK: u32 = 0x5354_434B;

/// An event (`TX_TRACE_BUFFER_ENTRY`), made of words of 4 (`u32`) or 8 (`u64`) bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EventEntry<W> {
    /// The running thread's address, [`CONTEXT_INTERRUPT`],
    /// [`CONTEXT_INITIALIZE`] or [`CONTEXT_UNUSED`].
    pub context: W,
    /// In a thread: [`PRIORITY_VALID`] | preemption threshold << 16 | priority. In an
    /// interrupt: the address of the interrupted thread, 0 if none. Otherwise 0.
    pub priority: W,
    /// The event's number; on SMP kernels with its core in bits 24 to 31.
    pub id: W,
    /// The time source's value, not masked.
    pub timestamp: W,
    /// The information fields; their meaning depends on the event.
    pub info: [W; 4],
}

const STRUCTURE: &str = "an event entry";
const WORDS: usize = 8;

impl<W: Word> EventEntry<W> {
    /// Length of the entry: 32 or 64 bytes.
    pub const BYTES: usize = WORDS * W::BYTES;

    /// Reads the entry at the start of `bytes`; `None` if there are too few.
    #[inline(always)]
    pub fn read(bytes: &[u8], order: ByteOrder) -> Option<Self> {
        let bytes = bytes.get(..Self::BYTES)?;
        let word = |index: usize| W::read(bytes.get(index * W::BYTES..)?, order);
        Some(Self {
            context: word(0)?,
            priority: word(1)?,
            id: word(2)?,
            timestamp: word(3)?,
            info: [word(4)?, word(5)?, word(6)?, word(7)?],
        })
    }

    /// Writes the entry to the start of `bytes`. Returns the number of bytes written.
    pub fn write(&self, order: ByteOrder, bytes: &mut [u8]) -> Result<usize, WireError> {
        BufferLayout::check_len(STRUCTURE, Self::BYTES, bytes.len())?;
        let [i1, i2, i3, i4] = self.info;
        let words = [
            self.context,
            self.priority,
            self.id,
            self.timestamp,
            i1,
            i2,
            i3,
            i4,
        ];
        for (chunk, word) in bytes.chunks_exact_mut(W::BYTES).zip(words) {
            word.write(chunk, order);
        }
        Ok(Self::BYTES)
    }
}
