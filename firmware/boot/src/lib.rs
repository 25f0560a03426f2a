//! The code from reset to `main`: the vector table, the startup code, and the handler of
//! unexpected exceptions.
//!
//! A program defines `extern "C" fn main() -> !` and the handlers that it needs: on Cortex-M
//! and RISC-V with their names in the linker script, on Cortex-A, Cortex-R and MIPS
//! `extern "C" fn Interrupt()`. It links with the linker script of its target:
//! `-Tcortex_m.ld`, `-Triscv.ld`, `-Tcortex_ar.ld` or `-Tmips.ld`.
#![no_std]
#![cfg_attr(target_arch = "mips", feature(asm_experimental_arch))]

#[cfg(all(target_arch = "arm", not(cortex_m)))]
mod cortex_ar;
#[cfg(cortex_m)]
mod cortex_m;
#[cfg(target_arch = "mips")]
mod mips;
#[cfg(target_arch = "riscv32")]
mod riscv;

mod host_words;

pub use host_words::HostWords;

/// Lets a program link only if no code can panic.
#[macro_export]
macro_rules! never_panic {
    () => {
        #[panic_handler]
        fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
            unsafe extern "C" {
                safe fn a_panic_can_be_reached() -> !;
            }
            a_panic_can_be_reached()
        }
    };
}
