//! Programs in C for the board on which costs are measured.

use super::count::{self, Counts};
use super::program::Program;
use crate::firmware::c::board::{COMPILER, PACKAGES};
use crate::toolchain;
use crate::{packages, shell};
use anyhow::Context as _;
use std::fs;
use std::path::PathBuf;

/// The optimisations of programs in C: for size and for speed.
pub(super) const OPTIONS: [&str; 2] = ["-Os", "-O2"];

/// The usual flags for such cores. Similar functions must not be merged,
/// because each is a case.
const FLAGS: [&str; 11] = [
    "-mcpu=cortex-m3",
    "-mthumb",
    "-ffreestanding",
    "-fno-ipa-icf",
    "-ffunction-sections",
    "-fdata-sections",
    "-nostdlib",
    "-Wl,--gc-sections,-z,noexecstack",
    "-Tfirmware/cost/c/link.ld",
    "-Ifirmware/cost/c",
    "firmware/cost/c/start.c",
];

/// A program in C.
pub(super) struct CProgram {
    pub(super) name: String,
    /// Its sources and further arguments of the compiler, with paths from the root of the
    /// repository.
    pub(super) arguments: Vec<String>,
}

impl CProgram {
    /// Compiles it with an optimisation, and returns its path.
    pub(super) fn compile(&self, optimization: &str) -> anyhow::Result<PathBuf> {
        packages::require(COMPILER, &PACKAGES)?;
        let folder = toolchain::folder()?.join("cost");
        fs::create_dir_all(&folder)?;
        let output = folder.join(format!("{}{optimization}.elf", self.name));
        let mut compile = shell::program(COMPILER, &FLAGS);
        compile.arg(optimization).args(&self.arguments);
        shell::run(compile.arg("-lgcc").arg("-o").arg(&output))?;
        Ok(output)
    }

    /// Counts its instructions with an optimisation.
    pub(super) fn count(&self, optimization: &str) -> anyhow::Result<Counts> {
        count::instructions(&self.compile(optimization)?)
    }

    /// The compiler that builds it, by its own name.
    pub(super) fn compiler(&self) -> anyhow::Result<String> {
        let compilers = Program::read(&self.compile("-Os")?)?.compilers;
        let mut gcc = compilers.into_iter().filter(|name| name.starts_with("GCC"));
        gcc.next()
            .with_context(|| format!("no compiler is named in {}", self.name))
    }
}
