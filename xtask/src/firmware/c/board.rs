//! Tests on a Cortex-M3 in QEMU, which writes files on this machine by
//! semihosting.

use super::{FOLDER, STRICT};
use crate::firmware::qemu::{self, Board};
use crate::firmware::toolchain::{self, Toolchain};
use crate::{packages, shell};
use anyhow::bail;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const TARGET: &str = "thumbv7m-none-eabi";
const COMPILER: &str = "arm-none-eabi-gcc";
const PACKAGES: [&str; 2] = ["gcc-arm-none-eabi", "libnewlib-arm-none-eabi"];

const MACHINE: [&str; 4] = [
    "-mcpu=cortex-m3",
    "-mthumb",
    "-ffunction-sections",
    "-fdata-sections",
];
const LINK: [&str; 2] = ["--specs=rdimon.specs", "-Wl,--gc-sections,-z,noexecstack"];
const SEMIHOSTING: [&str; 2] = ["-semihosting-config", "enable=on,target=native"];

/// Builds and runs the example; returns the folder of its output.
pub(super) fn example() -> anyhow::Result<PathBuf> {
    run("record", &["examples/record.c"], &[])
}

/// Builds and runs the test of rejected calls.
pub(super) fn limits() -> anyhow::Result<()> {
    run("limits", &["test/limits.c"], &[]).map(|_| ())
}

/// Builds and runs the test of RKH's macros, masks and callbacks.
pub(super) fn macros() -> anyhow::Result<PathBuf> {
    run("macros", &["test/macros.c"], &[])
}

/// Builds and runs the test of the assembly macro.
pub(super) fn scheduler() -> anyhow::Result<()> {
    let sources = ["test/scheduler.c", "test/scheduler.S"];
    run("scheduler", &sources, &[]).map(|_| ())
}

/// Builds and runs the test of formatted events, whose texts stay in the ELF file; returns
/// the folder of its output, with the program.
pub(super) fn formats() -> anyhow::Result<PathBuf> {
    run("formats", &["test/formats.c"], &[])
}

/// Builds and runs the test of the addresses that the hooks for ThreadX record.
pub(super) fn hooks() -> anyhow::Result<()> {
    let sources = [
        "threadx/test/board/addresses.c",
        "threadx/rtoscope_execution.c",
    ];
    run("hooks", &sources, &["threadx/test/board"])?;
    let sources = ["threadx/test/board/interrupts.c"];
    run("interrupts", &sources, &["threadx/test/board"]).map(|_| ())
}

/// Builds the library.
pub(super) fn library() -> anyhow::Result<()> {
    let found = || shell::exists(COMPILER, "--version");
    if !found() && (!packages::install(&PACKAGES)? || !found()) {
        bail!("{COMPILER}, which tests the C interface, is missing; install it");
    }
    qemu::ARM.install()?;
    let manifest = format!("{FOLDER}/Cargo.toml");
    let library = Toolchain::find(TARGET)?.cargo(&manifest, TARGET, &["build", "--release"]);
    shell::run(&mut library?)
}

/// Builds a program from sources and runs it; returns the folder that it runs
/// in.
fn run(name: &str, sources: &[&str], include: &[&str]) -> anyhow::Result<PathBuf> {
    let folder = toolchain::folder()?.join("c/board");
    fs::create_dir_all(&folder)?;
    let program = folder.join(name).with_extension("elf");
    let interface = shell::root().join(FOLDER);
    let board = interface.join("examples/board");
    let mut compile = Command::new(COMPILER);
    compile.args(STRICT).args(MACHINE).args(LINK);
    compile.arg("-T").arg(board.join("mps2.ld"));
    compile.arg("-T").arg(interface.join("rtoscope.x"));
    for folder in ["include"].iter().chain(include) {
        compile.arg("-I").arg(interface.join(folder));
    }
    compile
        .args(sources.iter().map(|source| interface.join(source)))
        .arg(board.join("vectors.c"))
        .arg(Toolchain::outputs(TARGET, "release")?.join("librtoscope_record_c.a"))
        .arg("-o")
        .arg(&program);
    shell::run(&mut compile)?;
    let board = Board {
        more: &SEMIHOSTING,
        ..Board::new(&program)
    };
    shell::run(board.command().current_dir(&folder))?;
    Ok(folder)
}
