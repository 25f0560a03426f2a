//! The mask of the library's recorders.

#[cfg(not(target_os = "none"))]
pub(crate) use rtoscope_record::port::SpinLock as Own;

#[cfg(cortex_m)]
pub(crate) use rtoscope_record::port::Primask as Own;

#[cfg(all(cortex_ar, not(feature = "arm-fiq")))]
pub(crate) use rtoscope_record::port::CpsrIrq as Own;

#[cfg(all(cortex_ar, feature = "arm-fiq"))]
pub(crate) use rtoscope_record::port::CpsrIrqFiq as Own;

#[cfg(all(
    any(target_arch = "riscv32", target_arch = "riscv64"),
    target_os = "none"
))]
pub(crate) use rtoscope_record::port::MachineInterrupts as Own;

#[cfg(all(target_arch = "mips", target_os = "none"))]
pub(crate) use rtoscope_record::port::StatusInterrupts as Own;

#[cfg(all(
    target_os = "none",
    not(any(
        target_arch = "arm",
        target_arch = "riscv32",
        target_arch = "riscv64",
        target_arch = "mips"
    ))
))]
compile_error!("the C library has no mask of interrupts for this target");

#[cfg(not(target_os = "none"))]
pub(crate) const fn own() -> Own {
    Own::new()
}

#[cfg(target_os = "none")]
pub(crate) const fn own() -> Own {
    // SAFETY: the header requires a privileged mode, one core per recorder, and no use from
    // handlers of exceptions that the mask does not exclude.
    unsafe { Own::new() }
}
