//! The mask of the library's recorders.

#[cfg(all(target_arch = "arm", target_os = "none"))]
mod own {
    pub(crate) use rtoscope_record::port::Primask as Own;

    pub(crate) const fn own() -> Own {
        // SAFETY: the header requires privileged mode, one core per recorder, and no use
        // from NMI and HardFault.
        unsafe { Own::new() }
    }
}

#[cfg(all(
    any(target_arch = "riscv32", target_arch = "riscv64"),
    target_os = "none"
))]
mod own {
    pub(crate) use rtoscope_record::port::MachineInterrupts as Own;

    pub(crate) const fn own() -> Own {
        // SAFETY: the header requires machine mode and one hart per recorder.
        unsafe { Own::new() }
    }
}

#[cfg(not(target_os = "none"))]
mod own {
    pub(crate) use rtoscope_record::port::SpinLock as Own;

    pub(crate) const fn own() -> Own {
        Own::new()
    }
}

pub(crate) use own::{Own, own};
