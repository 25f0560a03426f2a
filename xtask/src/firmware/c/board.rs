//! On a Cortex-M3 in QEMU, which writes files of this machine by semihosting.

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

/// Builds and runs the example; returns the folder of what it has written.
pub(super) fn example() -> anyhow::Result<PathBuf> {
    let program = build()?;
    let folder = toolchain::folder()?.join("c/board");
    qemu::install()?;
    let board = Board {
        more: &SEMIHOSTING,
        ..Board::new(&program)
    };
    shell::run(board.command().current_dir(&folder))?;
    Ok(folder)
}

fn build() -> anyhow::Result<PathBuf> {
    let found = || shell::exists(COMPILER, "--version");
    if !found() && (!packages::install(&PACKAGES)? || !found()) {
        bail!("{COMPILER} is missing, with which the C interface is tried; install it");
    }
    let manifest = format!("{FOLDER}/Cargo.toml");
    let library = Toolchain::find(TARGET)?.cargo(&manifest, TARGET, &["build", "--release"]);
    shell::run(&mut library?)?;

    let folder = toolchain::folder()?.join("c/board");
    fs::create_dir_all(&folder)?;
    let program = folder.join("record.elf");
    let source = shell::root().join(FOLDER);
    let example = source.join("examples");
    let mut compile = Command::new(COMPILER);
    compile
        .args(STRICT)
        .args(MACHINE)
        .args(LINK)
        .arg("-T")
        .arg(example.join("board/mps2.ld"))
        .arg("-I")
        .arg(source.join("include"))
        .arg(example.join("record.c"))
        .arg(example.join("board/vectors.c"))
        .arg(Toolchain::outputs(TARGET, "release")?.join("librtoscope_record_c.a"))
        .arg("-o")
        .arg(&program);
    shell::run(&mut compile)?;
    Ok(program)
}
