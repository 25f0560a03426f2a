//! The recorders on their targets: builds the programs of `firmware`, runs them
//! in QEMU and compares what `rtoscope` reads from their memory with the
//! programs' own counters.

mod blackbox;
mod bless;
pub(crate) mod c;
mod camera;
pub(crate) mod command;
mod cswitch;
pub(crate) mod embassy;
mod figures;
mod live;
mod merged;
mod msrv;
mod panics;
mod ports;
pub(crate) mod qemu;
pub(crate) mod regressions;
mod rkh;
mod run;
mod symbols;
mod threadx;
mod tight;
mod unit_tests;

pub(crate) use bless::bless;

use crate::shell;
use crate::toolchain::{self, Toolchain};
use command::Command;
use run::Run;
use std::path::PathBuf;

const MANIFEST: &str = "firmware/Cargo.toml";

/// The packages of the workspace.
const PACKAGES: [&str; 12] = [
    "blackbox",
    "board",
    "boot",
    "camera",
    "demo",
    "embassy",
    "kernel",
    "no-panic",
    "ports",
    "recorders",
    "truth",
    "unit-tests",
];

/// Packages that need the board's timers and its serial port.
const BOARD_PACKAGES: [&str; 5] = ["board", "camera", "demo", "embassy", "unit-tests"];

/// Targets whose programs run on QEMU's board: a Cortex-M3 also runs code for a
/// Cortex-M0.
pub(crate) const RUN: [&str; 2] = ["thumbv7m-none-eabi", "thumbv6m-none-eabi"];

pub(crate) fn run() -> anyhow::Result<()> {
    check_format()?;
    for target in toolchain::TARGETS {
        build(target)?;
        panics::check(target)?;
    }
    let command = Command::build()?;
    for target in RUN {
        camera::compare(&command, target)?;
        compare(&command, target)?;
        blackbox::compare(&command, target, qemu::MPS2, blackbox::HARD_FAULT)?;
        embassy::compare(&command, target)?;
        unit_tests::compare(&command, target)?;
        tight::compare(&command, target)?.check(&format!("{target}: little memory"))?;
    }
    let fault = blackbox::ILLEGAL_INSTRUCTION;
    blackbox::compare(&command, ports::RISCV, qemu::RISCV, fault)?;
    ports::run(&command)?;
    regressions::compare(&command, RUN[0])?;
    live::follow(RUN[0])?;
    c::run(&command)?;
    msrv::check()
}

/// The programs are not members of the workspace, whose format is checked
/// separately.
fn check_format() -> anyhow::Result<()> {
    let mut check = shell::cargo(&["fmt", "--manifest-path", MANIFEST]);
    for package in PACKAGES {
        check.args(["--package", package]);
    }
    shell::run(check.args(["--", "--check"]))
}

/// Builds all programs for a target; a warning is an error.
fn build(target: &str) -> anyhow::Result<()> {
    shell::run(&mut cargo_build(target)?)
}

/// The command that builds all programs for a target. Other selections of packages would
/// build `core` again, for other crates.
fn cargo_build(target: &str) -> anyhow::Result<std::process::Command> {
    let mut arguments = vec!["build", "--release", "--workspace"];
    let excluded = if RUN.contains(&target) {
        &["ports"][..]
    } else {
        &BOARD_PACKAGES
    };
    for package in excluded {
        arguments.extend(["--exclude", package]);
    }
    Toolchain::find(target)?.cargo(MANIFEST, target, &arguments)
}

/// Builds a program alone; returns its path.
fn build_package(target: &str, name: &str, more: &[&str]) -> anyhow::Result<PathBuf> {
    let build = [&["build", "--release", "--package", name], more].concat();
    shell::run(&mut Toolchain::find(target)?.cargo(MANIFEST, target, &build)?)?;
    Ok(Toolchain::outputs(target, "release")?.join(name))
}

/// Runs the demonstration built for a target, and compares its counters with
/// its recordings.
fn compare(command: &Command, target: &str) -> anyhow::Result<Run> {
    let run = Run::new(target, "roomy", &[])?;
    threadx::compare(command, &run)?.check(&format!("{target}: trace buffer"))?;
    rkh::compare(command, &run)?.check(&format!("{target}: stream"))?;
    cswitch::compare(command, &run)?.check(&format!("{target}: context-switch log"))?;
    merged::compare(command, &run)?.check(&format!("{target}: one axis"))?;
    Ok(run)
}
