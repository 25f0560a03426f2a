use object::elf;
use rtoscope_wire::{ByteOrder, PointerSize};

/// The processor of an ELF file's program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TargetInfo {
    /// The pointer size.
    pub pointer_size: PointerSize,
    /// The byte order.
    pub byte_order: ByteOrder,
    /// The machine's number in the ELF specification (`e_machine`).
    pub machine: u16,
}

impl TargetInfo {
    /// The common name of the machine; `None` if unknown.
    pub fn machine_name(self) -> Option<&'static str> {
        Some(match elf::Machine(self.machine) {
            elf::EM_ARM => "ARM",
            elf::EM_AARCH64 => "AArch64",
            elf::EM_RISCV => "RISC-V",
            elf::EM_MIPS => "MIPS",
            elf::EM_386 => "x86",
            elf::EM_X86_64 => "x86-64",
            elf::EM_XTENSA => "Xtensa",
            elf::EM_PPC => "PowerPC",
            elf::EM_PPC64 => "PowerPC 64",
            elf::EM_S390 => "S/390",
            elf::EM_SPARC => "SPARC",
            elf::EM_68K => "m68k",
            elf::EM_SH => "SuperH",
            elf::EM_AVR => "AVR",
            elf::EM_MSP430 => "MSP430",
            elf::EM_TRICORE => "TriCore",
            elf::EM_RX => "RX",
            elf::EM_V850 => "V850",
            elf::EM_ALTERA_NIOS2 => "Nios II",
            elf::EM_MICROBLAZE => "MicroBlaze",
            elf::EM_ARC_COMPACT | elf::EM_ARC_COMPACT2 => "ARC",
            _ => return None,
        })
    }

    /// The address bits of an instruction: on ARM and MIPS the lowest bit of a
    /// function's address selects the instruction set.
    pub(crate) fn code_mask(self) -> u64 {
        match elf::Machine(self.machine) {
            elf::EM_ARM | elf::EM_MIPS => !1,
            _ => u64::MAX,
        }
    }
}
