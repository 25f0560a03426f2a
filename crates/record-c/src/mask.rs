//! How the recorders of the library keep others away.

#[cfg(all(target_arch = "arm", target_os = "none"))]
mod own {
    pub(crate) use rtoscope_record::port::Primask as Own;

    pub(crate) const fn own() -> Own {
        // SAFETY: the header asks for privileged mode, one core a recorder and
        // no use from NMI and HardFault.
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
        // SAFETY: the header asks for machine mode and one hart a recorder.
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
