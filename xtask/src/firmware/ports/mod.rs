//! The ports of the recorders to Cortex-R, Cortex-A, MIPS and RISC-V: runs a program whose
//! interrupts nest with recording, and compares its recordings with its own counters.

mod recording;

use super::MANIFEST;
use super::command::Command;
use super::figures::{Figures, entry, number};
use super::qemu::{self, Model, Serial};
use super::run::Program;
use crate::shell;
use crate::toolchain::Toolchain;
use anyhow::Context as _;
use recording::EventSequence;
use std::path::PathBuf;
use truth::ports::PortsTruth;

const PROGRAM: &str = "ports";
/// Sizes of the trace's parts in bytes: header, registered object without its name, event;
/// and their numbers in the program.
const HEADER_BYTES: u32 = 48;
const OBJECT_BYTES: u32 = 16;
const EVENT_BYTES: u32 = 32;
const OBJECTS: u32 = 4;
const EVENTS: u32 = 4000;

const ARM: &str = "armv7r-none-eabi";
const MIPS: &str = "mipsel-unknown-none";
pub(super) const RISCV: &str = "riscv32imac-unknown-none-elf";

/// A core to run the program on.
#[derive(Clone, Copy)]
struct Port {
    name: &'static str,
    target: &'static str,
    model: Model,
    /// The value of `COUNTER`, with which the program selects its counter.
    counter: Option<u32>,
    /// Size of names in the trace.
    name_bytes: u32,
    /// Further arguments of the build.
    build: &'static [&'static str],
}

/// `TX_TRACE_OBJECT_REGISTRY_NAME`.
const DEFAULT_NAME_BYTES: u32 = 32;

const RISCV_VIRT: Port = Port {
    name: "RISC-V",
    target: RISCV,
    model: qemu::RISCV,
    counter: None,
    name_bytes: DEFAULT_NAME_BYTES,
    build: &[],
};

const CORTEX_R5: Port = Port {
    name: "Cortex-R5, cycle counter",
    target: ARM,
    model: qemu::CORTEX_R5,
    counter: Some(0),
    ..RISCV_VIRT
};

const CORTEX_A15: Port = Port {
    name: "Cortex-A15, virtual counter",
    model: qemu::CORTEX_A15,
    counter: Some(1),
    ..CORTEX_R5
};

const CORTEX_A15_PHYSICAL: Port = Port {
    name: "Cortex-A15, physical counter, names of 16 bytes",
    counter: Some(2),
    name_bytes: 16,
    ..CORTEX_A15
};

const MIPS_24K: Port = Port {
    name: "MIPS 24Kf",
    target: MIPS,
    model: qemu::MIPS_24K,
    ..RISCV_VIRT
};

const MIPS_24K_RELEASE_1: Port = Port {
    name: "MIPS 24Kf, with instructions of release 1",
    build: &["--features", "mips32-release-1"],
    ..MIPS_24K
};

/// Builds and runs the program for all cores.
pub(super) fn run(command: &Command) -> anyhow::Result<()> {
    for port in [RISCV_VIRT, CORTEX_R5, CORTEX_A15, CORTEX_A15_PHYSICAL] {
        port.run(command)?;
    }
    // No toolchain contains this target, so that only compilers that build `core` have it.
    if let Err(error) = Toolchain::find(MIPS) {
        eprintln!("skipped MIPS: {error:#}");
        return Ok(());
    }
    MIPS_24K.run(command)?;
    MIPS_24K_RELEASE_1.run(command)
}

/// The results of a run.
struct Recordings {
    log: PathBuf,
    c_log: PathBuf,
    trace: PathBuf,
    truth: PortsTruth,
}

impl Port {
    fn build(&self) -> anyhow::Result<()> {
        // It is built for RISC-V already, with all programs.
        if self.target == RISCV {
            return Ok(());
        }
        let build = ["build", "--release", "--package", PROGRAM];
        let build = [&build, self.build].concat();
        let mut build = Toolchain::find(self.target)?.cargo(MANIFEST, self.target, &build)?;
        if self.name_bytes != DEFAULT_NAME_BYTES {
            build.env("RTOSCOPE_THREADX_NAME_BYTES", self.name_bytes.to_string());
        }
        shell::run(&mut build)
    }

    fn run(&self, command: &Command) -> anyhow::Result<()> {
        self.build()?;
        let recordings = self.record()?;
        let mut figures = recordings.figures(command)?;
        let info = command.json("info", &recordings.trace, &[])?;
        let found = number(&info, "header/name_size")?;
        figures.add("trace: size of names", self.name_bytes, found);
        for name in ["camera", "display"] {
            entry(&info["contexts"], "name", name)?;
        }
        figures.check(self.name)
    }

    fn record(&self) -> anyhow::Result<Recordings> {
        let program = Program::new(self.model, self.target, PROGRAM, "")?;
        let counter = self.counter.as_slice();
        let counter = (!counter.is_empty()).then_some(("COUNTER", counter));
        let mut running = program.boot(Serial::Nothing, counter.as_slice())?;
        running.wait("GROUND_TRUTH")?;
        let truth = running.read("GROUND_TRUTH", 0, PortsTruth::BYTES as u32)?;
        let truth = PortsTruth::from_memory(&truth);
        let bytes =
            HEADER_BYTES + OBJECTS * (OBJECT_BYTES + self.name_bytes) + EVENTS * EVENT_BYTES;
        let trace = running.read("TRACE_BUFFER", 0, bytes)?;
        Ok(Recordings {
            log: running.save("LOG_FILE", 0, "log.cswl")?,
            c_log: running.save("C_LOG_FILE", 0, "c.cswl")?,
            trace: running.write("trace.trx", &trace)?,
            truth: truth.context("GROUND_TRUTH is not in memory")?,
        })
    }
}

impl Recordings {
    fn figures(&self, command: &Command) -> anyhow::Result<Figures> {
        let truth = &self.truth;
        let mut figures = Figures::default();
        figures.add("lost", 0u32, truth.lost.into());
        figures.add("interrupts while writing", 0u32, truth.violations.into());
        figures.add("wrong interrupt states", 0u32, truth.wrong_states.into());
        let waited = u64::from(truth.timer_waited > 0);
        figures.add("interrupts waited for an entry", 1u32, waited);
        let events = |file| command.lines("events", file, &[]);
        let log = EventSequence::of_log(&events(&self.log)?);
        let trace = EventSequence::of_trace(&events(&self.trace)?);
        let c_log = EventSequence::of_log(&events(&self.c_log)?);
        for (name, events) in [("log", &log), ("trace", &trace), ("C log", &c_log)] {
            events.compare(&mut figures, name, truth);
        }
        let requests = log.answered_requests() + trace.answered_requests();
        figures.add("requests answered next", truth.requested, requests);
        for (name, events) in [("log", &log), ("C log", &c_log)] {
            let returns = truth.timer + truth.software - truth.nested;
            let entries = truth.dispatches + returns + handled(truth);
            figures.add(format!("{name}: entries"), entries, events.count);
        }
        // The trace starts with two events.
        figures.add("trace: events", 2 + handled(truth), trace.count);
        Ok(figures)
    }
}

/// Events that handlers and marks leave in every recording.
fn handled(truth: &PortsTruth) -> u32 {
    let marks = truth.thread_marks + truth.timer_marks + truth.software_marks;
    marks + 2 * (truth.timer + truth.software)
}
