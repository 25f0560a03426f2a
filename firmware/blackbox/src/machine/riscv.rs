//! The handler of exceptions on QEMU's RISC-V board "virt".

use rtoscope_record::black_box::{CaptureFault as _, FaultRecord};

pub(crate) use rtoscope_record::port::MachineInterrupts as Mask;

/// `mtime` of the core-local interruptor, and its frequency in Hz.
pub(crate) const COUNTER: *const u32 = 0x0200_BFF8 as *const u32;
pub(crate) const FREQUENCY: u32 = 10_000_000;

/// The board's register for tests, and the value that resets it.
const TEST: *mut u32 = 0x0010_0000 as *mut u32;
const RESET: u32 = 0x7777;

/// Registers that the kernel saves.
const SAVED: usize = 32;

#[unsafe(no_mangle)]
unsafe extern "C" fn Exception(registers: *const [u32; SAVED]) -> ! {
    // SAFETY: the kernel has saved them there.
    let [ra, ..] = unsafe { registers.read() };
    let sp = registers.wrapping_add(1) as usize;
    crate::recorders::freeze(FaultRecord::from_riscv(ra as usize, sp));
    // SAFETY: a reset.
    unsafe { TEST.write_volatile(RESET) };
    loop {
        core::hint::spin_loop();
    }
}

/// Executes an instruction that is not defined.
#[inline(never)]
#[unsafe(no_mangle)]
pub(crate) extern "C" fn crash() {
    // SAFETY: ends in the handler, which does not return.
    unsafe { core::arch::asm!("unimp") };
}
