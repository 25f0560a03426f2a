/// The current stack pointer, for events that contain it. It is read only if the event is
/// recorded.
#[inline(always)]
pub(super) fn stack_pointer() -> usize {
    #[cfg(all(target_arch = "arm", target_os = "none"))]
    {
        let pointer: usize;
        // SAFETY: copies a register.
        unsafe {
            core::arch::asm!("mov {}, sp", out(reg) pointer, options(pure, nomem, nostack, preserves_flags));
        }
        pointer
    }
    #[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
    {
        let pointer: usize;
        // SAFETY: copies a register.
        unsafe {
            core::arch::asm!("mv {}, sp", out(reg) pointer, options(pure, nomem, nostack, preserves_flags));
        }
        pointer
    }
    #[cfg(not(any(
        all(target_arch = "arm", target_os = "none"),
        target_arch = "riscv32",
        target_arch = "riscv64"
    )))]
    {
        // As in ThreadX: the address of a variable.
        let variable = 0_u8;
        core::ptr::addr_of!(variable) as usize
    }
}
