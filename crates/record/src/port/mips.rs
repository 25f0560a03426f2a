//! MIPS32 with its registers of coprocessor 0.

use super::{Clock, Mask};
use core::arch::asm;

// The compiler uses `$at` like any other register, against which assemblers warn: `.set noat`.

/// Bit `IE` of `Status`.
const IE: u32 = 1;

/// Masks all interrupts of the own core with bit `IE` of `Status`.
///
/// Without the feature `mips32-release-1`, `di` clears the bit. With it, `Status` is read and
/// written, because release 1 has no such instruction: if an interrupt comes between the two
/// and its handler changes other bits of `Status` for good, the write reverts them.
#[derive(Debug, Clone, Copy)]
pub struct StatusInterrupts(());

impl StatusInterrupts {
    /// # Safety
    /// Only one core may use the recorder with this mask, never from a handler of NMI or of
    /// a cache error, and always in kernel mode. With the feature `mips32-release-1`,
    /// interrupt handlers must leave `Status` as they found it.
    pub const unsafe fn new() -> Self {
        Self(())
    }
}

// SAFETY: with IE clear, this core takes no interrupt except NMI, which does not record, as
// the creator of the value guarantees.
unsafe impl Mask for StatusInterrupts {
    type State = u32;

    #[cfg(not(feature = "mips32-release-1"))]
    #[inline(always)]
    fn acquire(&self) -> u32 {
        let before: u32;
        // SAFETY: reads Status and clears IE; `ehb` waits until this is in effect. Because
        // the assembly block may access memory, the compiler moves no access before it.
        unsafe {
            asm!(
                ".set noat",
                "di {}",
                "ehb",
                ".set at",
                out(reg) before,
                options(nostack),
            );
        }
        before & IE
    }

    #[cfg(feature = "mips32-release-1")]
    #[inline(always)]
    fn acquire(&self) -> u32 {
        let before: u32;
        // SAFETY: as above. Release 1 has no `ehb`, executes it as `nop`, and waits for three
        // `ssnop`.
        unsafe {
            asm!(
                ".set noat",
                "mfc0 {before}, $12",
                "srl {masked}, {before}, 1",
                "sll {masked}, {masked}, 1",
                "mtc0 {masked}, $12",
                "ssnop",
                "ssnop",
                "ssnop",
                "ehb",
                ".set at",
                before = out(reg) before,
                masked = out(reg) _,
                options(nostack),
            );
        }
        before & IE
    }

    #[inline(always)]
    unsafe fn release(&self, before: u32) {
        // SAFETY: sets IE if it was set. Interrupts are off, so that none comes between
        // reading and writing. They may come some instructions later: no barrier is needed.
        unsafe {
            asm!(
                ".set noat",
                "mfc0 {status}, $12",
                "or {status}, {status}, {before}",
                "mtc0 {status}, $12",
                ".set at",
                status = out(reg) _,
                before = in(reg) before,
                options(nostack),
            );
        }
    }
}

/// `Count` of coprocessor 0. It counts up once every `CCRes` cycles, on most cores every
/// second cycle (`rdhwr` of hardware register 3 reads `CCRes`); so its frequency is usually
/// half that of the core. On release 2 it counts unless bit `DC` of `Cause` is set. It can
/// stop while the core waits. The program must not write it.
#[derive(Debug, Clone, Copy)]
pub struct CoprocessorCount;

impl Clock for CoprocessorCount {
    #[inline(always)]
    fn now(&self) -> u32 {
        let count;
        // SAFETY: reads a counter that every core has in kernel mode.
        unsafe {
            asm!(
                ".set noat",
                "mfc0 {}, $9",
                ".set at",
                out(reg) count,
                options(nomem, nostack, preserves_flags),
            );
        }
        count
    }
}
