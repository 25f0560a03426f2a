//! Programs in C for the board on which costs are measured.

use super::count::{self, Counts};
use super::program::Program;
use crate::firmware::toolchain;
use crate::{packages, shell};
use anyhow::{Context as _, bail};
use std::fs;
use std::path::{Path, PathBuf};

const COMPILER: &str = "arm-none-eabi-gcc";
const PACKAGE: &str = "gcc-arm-none-eabi";

/// The optimisations of programs in C.
pub(super) const SIZE: &str = "-Os";
pub(super) const SPEED: &str = "-O2";

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

/// The instructions of each case.
#[derive(Debug)]
pub(crate) struct OptimizedCounts {
    /// With `-Os`.
    pub(crate) size: Counts,
    /// With `-O2`.
    pub(crate) speed: Counts,
}

/// A program in C, with paths from the root of the repository.
pub(super) struct CProgram {
    name: String,
    /// Further arguments of the compiler.
    pub(super) flags: Vec<String>,
    sources: Vec<PathBuf>,
}

impl CProgram {
    pub(super) fn new(name: &str, source: &str) -> Self {
        Self {
            name: name.to_owned(),
            flags: Vec::new(),
            sources: vec![PathBuf::from(source)],
        }
    }

    pub(super) fn include(&mut self, folder: &Path) {
        self.flags.push(format!("-I{}", folder.display()));
    }

    /// Adds a source file or a library.
    pub(super) fn source(&mut self, file: PathBuf) {
        self.sources.push(file);
    }

    /// Compiles it with an optimisation, and returns its path.
    pub(super) fn compile(&self, optimization: &str) -> anyhow::Result<PathBuf> {
        let found = || shell::exists(COMPILER, "--version");
        if !found() && (!packages::install(&[PACKAGE])? || !found()) {
            bail!("{COMPILER} is missing; install {PACKAGE}");
        }
        let folder = toolchain::folder()?.join("cost");
        fs::create_dir_all(&folder)?;
        let output = folder.join(format!("{}{optimization}.elf", self.name));
        let mut compile = shell::program(COMPILER, &FLAGS);
        compile
            .arg(optimization)
            .args(&self.flags)
            .args(&self.sources);
        shell::run(compile.arg("-lgcc").arg("-o").arg(&output))?;
        Ok(output)
    }

    /// Counts its instructions with `-Os` and `-O2`.
    pub(super) fn count(&self) -> anyhow::Result<OptimizedCounts> {
        Ok(OptimizedCounts {
            size: count::instructions(&self.compile(SIZE)?)?,
            speed: count::instructions(&self.compile(SPEED)?)?,
        })
    }

    /// The compiler that built it, by its own name.
    pub(super) fn compiler(&self) -> anyhow::Result<String> {
        let compilers = Program::read(&self.compile(SIZE)?)?.compilers;
        let mut gcc = compilers.into_iter().filter(|name| name.starts_with("GCC"));
        gcc.next()
            .with_context(|| format!("no compiler is named in {}", self.name))
    }
}
