//! Tests on a Cortex-M3 and a Cortex-R5 in QEMU, which write files on this machine by
//! semihosting.

use super::{FOLDER, STRICT};
use crate::firmware::qemu::{self, Board};
use crate::firmware::toolchain::{self, Toolchain};
use crate::{packages, shell};
use anyhow::{Context as _, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const COMPILER: &str = "arm-none-eabi-gcc";
const PACKAGES: [&str; 2] = ["gcc-arm-none-eabi", "libnewlib-arm-none-eabi"];

/// A processor that programs are built for and run on.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Core {
    /// With the vectors and the linker script of the examples.
    CortexM3,
    /// With those of the C library.
    CortexR5,
}

impl Core {
    fn target(self) -> &'static str {
        match self {
            Self::CortexM3 => "thumbv7m-none-eabi",
            Self::CortexR5 => "armv7r-none-eabi",
        }
    }

    fn flags(self) -> [&'static str; 2] {
        match self {
            Self::CortexM3 => ["-mcpu=cortex-m3", "-mthumb"],
            Self::CortexR5 => ["-mcpu=cortex-r5", "-marm"],
        }
    }

    fn board(self, program: &Path) -> Board<'_> {
        let (machine, more) = match self {
            Self::CortexM3 => ("mps2-an385", &SEMIHOSTING[..]),
            Self::CortexR5 => ("versatilepb", &SEMIHOSTING_R5[..]),
        };
        Board {
            machine,
            more,
            ..Board::new(program)
        }
    }
}

const COMPILE: [&str; 4] = [
    "-g",
    "-ffunction-sections",
    "-fdata-sections",
    "-Wl,--gc-sections,-z,noexecstack",
];

/// The C library's system calls: by semihosting.
const WITH_FILES: &str = "--specs=rdimon.specs";
const SEMIHOSTING: [&str; 2] = ["-semihosting-config", "enable=on,target=native"];
const SEMIHOSTING_R5: [&str; 6] = [
    "-cpu",
    "cortex-r5",
    qemu::NO_SOUND[0],
    qemu::NO_SOUND[1],
    SEMIHOSTING[0],
    SEMIHOSTING[1],
];

/// Builds and runs the example; returns the folder of its output.
pub(super) fn example(core: Core) -> anyhow::Result<PathBuf> {
    run(core, "record", &["examples/record.c"], &[])
}

/// Builds and runs the test of rejected calls.
pub(super) fn limits(core: Core) -> anyhow::Result<()> {
    run(core, "limits", &["test/limits.c"], &[]).map(|_| ())
}

/// Builds and runs the test of the core's own counter, which a Cortex-M3 in QEMU lacks.
pub(super) fn counter() -> anyhow::Result<()> {
    run(Core::CortexR5, "counter", &["test/counter.c"], &[]).map(|_| ())
}

/// Builds and runs the test of RKH's macros, masks and callbacks.
pub(super) fn macros() -> anyhow::Result<PathBuf> {
    run(Core::CortexM3, "macros", &["test/macros.c"], &[])
}

/// Builds and runs the test of a log that is sent while it records; returns the folder of
/// its output.
pub(super) fn stream() -> anyhow::Result<PathBuf> {
    run(Core::CortexM3, "stream", &["test/stream.c"], &[])
}

/// Builds and runs the test of a trace that is sent while it records; returns the folder of
/// its output.
pub(super) fn trace() -> anyhow::Result<PathBuf> {
    run(Core::CortexM3, "trace", &["test/trace.c"], &[])
}

/// Builds and runs the test of the header that drains ThreadX's own trace; returns the folder
/// of its output.
pub(super) fn drain() -> anyhow::Result<PathBuf> {
    let sources = ["threadx/test/drain/drain.c"];
    run(Core::CortexM3, "drain", &sources, &["threadx/test/drain"])
}

/// Builds and runs the tests of the compact stream; returns the folder of their output.
pub(super) fn packed() -> anyhow::Result<PathBuf> {
    run(Core::CortexM3, "flight", &["test/flight.c"], &[])?;
    run(Core::CortexM3, "cores", &["test/cores.c"], &[])?;
    run(Core::CortexM3, "packed", &["test/packed.c"], &[])
}

/// Compiles a source file that needs no library.
pub(super) fn object(source: &str, include: &[&str], definitions: &[&str]) -> anyhow::Result<()> {
    let interface = shell::root().join(FOLDER);
    let object = toolchain::folder()?.join("c/kernel.o");
    let mut compile = Command::new(COMPILER);
    compile.args(STRICT).args(Core::CortexM3.flags());
    for folder in ["include"].iter().chain(include) {
        compile.arg("-I").arg(interface.join(folder));
    }
    compile.args(definitions).arg("-c");
    compile.arg(interface.join(source)).arg("-o").arg(&object);
    shell::run(&mut compile)
}

/// Builds and runs the test of the assembly macro.
pub(super) fn scheduler() -> anyhow::Result<()> {
    let sources = ["test/scheduler.c", "test/scheduler.S"];
    run(Core::CortexM3, "scheduler", &sources, &[]).map(|_| ())
}

/// Builds and runs the test of formatted events, whose texts stay in the ELF file; returns
/// the folder of its output, with the program.
pub(super) fn formats() -> anyhow::Result<PathBuf> {
    run(Core::CortexM3, "formats", &["test/formats.c"], &[])
}

/// Builds and runs the test of call stacks; returns the folder of its output, with the
/// program.
pub(super) fn stacks(core: Core) -> anyhow::Result<PathBuf> {
    run(core, "stacks", &["test/stacks.c"], &[])
}

/// Builds and runs the test of the addresses that the hooks for ThreadX record.
pub(super) fn hooks() -> anyhow::Result<()> {
    let sources = [
        "threadx/test/board/addresses.c",
        "threadx/rtoscope_execution.c",
    ];
    let include = ["threadx/test/board"];
    run(Core::CortexM3, "hooks", &sources, &include)?;
    let sources = ["threadx/test/board/interrupts.c"];
    run(Core::CortexM3, "interrupts", &sources, &include).map(|_| ())
}

/// Makes sure that the compiler is installed; installs it where this is allowed.
pub(super) fn install() -> anyhow::Result<()> {
    let found = || shell::exists(COMPILER, "--version");
    if !found() && (!packages::install(&PACKAGES)? || !found()) {
        bail!("{COMPILER}, which tests the C interface, is missing; install it");
    }
    Ok(())
}

/// Builds the library.
pub(crate) fn library(core: Core) -> anyhow::Result<()> {
    install()?;
    qemu::ARM.install()?;
    let manifest = format!("{FOLDER}/Cargo.toml");
    let library = Toolchain::find(core.target())?;
    shell::run(&mut library.cargo(&manifest, core.target(), &["build", "--release"])?)
}

/// The library that [`library`] builds.
pub(crate) fn library_path(core: Core) -> anyhow::Result<PathBuf> {
    Ok(Toolchain::outputs(core.target(), "release")?.join("librtoscope_record_c.a"))
}

/// Builds a program from sources and runs it; returns the folder that it runs
/// in.
fn run(core: Core, name: &str, sources: &[&str], include: &[&str]) -> anyhow::Result<PathBuf> {
    let program = compile(core, name, sources, include)?;
    let folder = program.parent().context("no folder")?.to_owned();
    shell::run(core.board(&program).command().current_dir(&folder))?;
    Ok(folder)
}

/// The compiler for a processor.
pub(super) fn compiler(core: Core) -> Command {
    let mut compiler = Command::new(COMPILER);
    compiler.args(core.flags());
    compiler
}

fn compile(core: Core, name: &str, sources: &[&str], include: &[&str]) -> anyhow::Result<PathBuf> {
    let folder = toolchain::folder()?.join("c").join(core.target());
    fs::create_dir_all(&folder)?;
    let program = folder.join(name).with_extension("elf");
    let interface = shell::root().join(FOLDER);
    let board = interface.join("examples/board");
    let mut compile = compiler(core);
    compile.args(STRICT).args(COMPILE).arg(WITH_FILES);
    if let Core::CortexM3 = core {
        compile.arg("-T").arg(board.join("mps2.ld"));
        compile.arg("-T").arg(interface.join("rtoscope.x"));
        compile.arg(board.join("vectors.c"));
    }
    for folder in ["include"].iter().chain(include) {
        compile.arg("-I").arg(interface.join(folder));
    }
    compile
        .args(sources.iter().map(|source| interface.join(source)))
        .arg(library_path(core)?)
        .arg("-o")
        .arg(&program);
    shell::run(&mut compile)?;
    Ok(program)
}
