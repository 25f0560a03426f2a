use super::FaultRecord;
use rtoscope_wire::black_box::FaultOrigin;

/// Captures the registers of a fault in its handler.
pub trait CaptureFault: Sized {
    /// A fault that the application describes: the code address and four words.
    fn from_application(pc: usize, words: [u32; 4]) -> Self;

    /// The registers of a Cortex-M exception: `frame` is the address of the eight words
    /// that the core stacked, `exc_return` the value of LR in the handler.
    ///
    /// # Safety
    /// `frame` must be null, or aligned and readable.
    #[cfg(cortex_m)]
    unsafe fn from_cortex_m(frame: *const u32, exc_return: u32) -> Self;

    /// The registers of a RISC-V trap in machine mode: the return address and the stack
    /// pointer before the trap; the others are read.
    #[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
    fn from_riscv(ra: usize, sp: usize) -> Self;
}

/// CFSR, HFSR, MMFAR and BFAR (Armv7-M Architecture Reference Manual, B3.2).
#[cfg(all(cortex_m, target_has_atomic = "32"))]
const FAULT_REGISTERS: [*const u32; 4] = [
    0xE000_ED28 as *const u32,
    0xE000_ED2C as *const u32,
    0xE000_ED34 as *const u32,
    0xE000_ED38 as *const u32,
];

impl CaptureFault for FaultRecord {
    fn from_application(pc: usize, words: [u32; 4]) -> Self {
        Self {
            origin: FaultOrigin::Application as u32,
            pc: pc as u64,
            words,
            ..Self::default()
        }
    }

    #[cfg(cortex_m)]
    unsafe fn from_cortex_m(frame: *const u32, exc_return: u32) -> Self {
        let exception: u32;
        // SAFETY: reads a register.
        unsafe {
            core::arch::asm!(
                "mrs {}, IPSR",
                out(reg) exception,
                options(nomem, nostack, preserves_flags)
            );
        }
        let mut fault = Self {
            origin: FaultOrigin::CortexM as u32,
            exception,
            ..Self::default()
        };
        // Armv6-M has none of these registers.
        #[cfg(target_has_atomic = "32")]
        for (found, register) in fault.registers.iter_mut().zip(FAULT_REGISTERS) {
            // SAFETY: registers of the private peripheral bus, readable at any time.
            *found = u64::from(unsafe { register.read_volatile() });
        }
        if frame.is_null() {
            return fault;
        }
        // SAFETY: the caller guarantees eight words.
        let word = |index: usize| unsafe { frame.add(index).read_volatile() };
        fault.lr = word(5).into();
        fault.pc = word(6).into();
        fault.status = word(7).into();
        // Bit 4 of EXC_RETURN: no floating-point registers. Bit 9 of xPSR: a word of
        // padding precedes the frame.
        let frame_bytes = if exc_return & 0x10 == 0 { 104 } else { 32 };
        let padding = if word(7) & 0x200 == 0 { 0 } else { 4 };
        fault.sp = (frame as u64).wrapping_add(frame_bytes + padding);
        fault
    }

    #[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
    fn from_riscv(ra: usize, sp: usize) -> Self {
        let (mepc, mcause, mtval, mstatus): (usize, usize, usize, usize);
        // SAFETY: reads registers of machine mode.
        unsafe {
            core::arch::asm!(
                "csrr {}, mepc",
                "csrr {}, mcause",
                "csrr {}, mtval",
                "csrr {}, mstatus",
                out(reg) mepc,
                out(reg) mcause,
                out(reg) mtval,
                out(reg) mstatus,
                options(nomem, nostack, preserves_flags)
            );
        }
        Self {
            origin: FaultOrigin::RiscV as u32,
            exception: mcause as u32,
            pc: mepc as u64,
            lr: ra as u64,
            status: mstatus as u64,
            sp: sp as u64,
            registers: [mcause as u64, mtval as u64, 0, 0],
            words: [0; 4],
        }
    }
}
