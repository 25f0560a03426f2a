//! The ports of the recorders to Cortex-R, Cortex-A, MIPS and RISC-V: runs a program whose
//! interrupts nest with recording, and compares its recordings with its own counters.

mod recording;

use super::MANIFEST;
use super::command::Command;
use super::figures::{Figures, entry, number};
use super::qemu::{self, Board, Emulator, NO_SOUND, Serial};
use super::symbols::Symbols;
use super::toolchain::{self, Toolchain};
use crate::shell;
use anyhow::Context as _;
use recording::EventSequence;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use truth::DONE;
use truth::ports::PortsTruth;

const PROGRAM: &str = "ports";
const LIMIT: Duration = Duration::from_secs(30);
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
struct Port {
    name: &'static str,
    target: &'static str,
    emulator: Emulator,
    machine: &'static str,
    arguments: &'static [&'static str],
    /// What the program's addresses have above those of the memory.
    segment: u32,
    /// The value of `COUNTER`, with which the program selects its counter.
    counter: Option<u32>,
    /// Size of names in the trace.
    name_bytes: u32,
}

/// `TX_TRACE_OBJECT_REGISTRY_NAME`.
const DEFAULT_NAME_BYTES: u32 = 32;

const CORTEX_R5: Port = Port {
    name: "Cortex-R5, cycle counter",
    target: ARM,
    emulator: qemu::ARM,
    machine: "versatilepb",
    arguments: &["-cpu", "cortex-r5", NO_SOUND[0], NO_SOUND[1]],
    segment: 0,
    counter: Some(0),
    name_bytes: DEFAULT_NAME_BYTES,
};

/// Starts in supervisor mode.
const CORTEX_A15: Port = Port {
    name: "Cortex-A15, virtual counter",
    arguments: &["-cpu", "cortex-a15,has_el2=off", NO_SOUND[0], NO_SOUND[1]],
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
    emulator: qemu::MIPS,
    machine: "malta",
    arguments: &["-cpu", "24Kf"],
    segment: 0x8000_0000,
    counter: None,
    name_bytes: DEFAULT_NAME_BYTES,
};

const RISCV_VIRT: Port = Port {
    name: "RISC-V",
    target: RISCV,
    emulator: qemu::RISCV,
    machine: "virt",
    arguments: &["-bios", "none"],
    segment: 0,
    counter: None,
    name_bytes: DEFAULT_NAME_BYTES,
};

/// Builds and runs the program for all cores. It is built for RISC-V already.
pub(super) fn run(command: &Command) -> anyhow::Result<()> {
    RISCV_VIRT.run(command)?;
    for port in [CORTEX_R5, CORTEX_A15, CORTEX_A15_PHYSICAL] {
        port.build(&[])?;
        port.run(command)?;
    }
    // No toolchain contains this target, so that only compilers that build `core` have it.
    if let Err(error) = Toolchain::find(MIPS) {
        eprintln!("skipped MIPS: {error:#}");
        return Ok(());
    }
    MIPS_24K.build(&[])?;
    MIPS_24K.run(command)?;
    MIPS_24K.build(&["--features", "mips32-release-1"])?;
    let release_1 = Port {
        name: "MIPS 24Kf, with instructions of release 1",
        ..MIPS_24K
    };
    release_1.run(command)
}

/// The results of a run.
struct Recordings {
    log: PathBuf,
    c_log: PathBuf,
    trace: PathBuf,
    truth: PortsTruth,
}

impl Port {
    fn build(&self, more: &[&str]) -> anyhow::Result<()> {
        let arguments = ["build", "--release", "--package", PROGRAM];
        let toolchain = Toolchain::find(self.target)?;
        let arguments = [&arguments, more].concat();
        let mut build = toolchain.cargo(MANIFEST, self.target, &arguments)?;
        if self.name_bytes != DEFAULT_NAME_BYTES {
            build.env("RTOSCOPE_THREADX_NAME_BYTES", self.name_bytes.to_string());
        }
        shell::run(&mut build)
    }

    fn run(&self, command: &Command) -> anyhow::Result<()> {
        let recordings = self.record()?;
        let mut figures = recordings.figures(command)?;
        let info = command.json("info", &recordings.trace, &[])?;
        let found = number(&info, &["header", "name_size"])?;
        figures.add("trace: size of names", self.name_bytes, found);
        for name in ["camera", "display"] {
            entry(&info["contexts"], "name", &name.into())?;
        }
        figures.check(self.name)
    }

    fn record(&self) -> anyhow::Result<Recordings> {
        let program = Toolchain::outputs(self.target, "release")?.join(PROGRAM);
        let symbols = Symbols::read(&program)?;
        let address = |name: &str| anyhow::Ok(symbols.address(name)? - self.segment);
        let mut words = Vec::new();
        if let Some(counter) = self.counter {
            words.push((address("COUNTER")?, counter));
        }
        let board = Board {
            emulator: self.emulator,
            machine: self.machine,
            program: &program,
            serial: Serial::Nothing,
            words: &words,
            more: self.arguments,
        };
        let mut machine = board.boot()?;
        let truth = address("GROUND_TRUTH")?;
        machine
            .wait(truth, DONE, LIMIT)
            .with_context(|| format!("{PROGRAM} does not finish on {}", self.name))?;
        let truth = PortsTruth::from_memory(&machine.read(truth, PortsTruth::BYTES)?);
        let folder = toolchain::folder()?.join("runs").join(self.target);
        let folder = folder.join(PROGRAM);
        fs::create_dir_all(&folder)?;
        let mut save = |symbol: &str, file: &str| {
            let start = address(symbol)?;
            let length = machine.read(start, 4)?.try_into().unwrap_or_default();
            let bytes = machine.read(start + 4, u32::from_le_bytes(length) as usize)?;
            let path = folder.join(file);
            fs::write(&path, bytes)?;
            anyhow::Ok(path)
        };
        let (log, c_log) = (save("LOG_FILE", "log.cswl")?, save("C_LOG_FILE", "c.cswl")?);
        let trace = folder.join("trace.trx");
        let bytes =
            HEADER_BYTES + OBJECTS * (OBJECT_BYTES + self.name_bytes) + EVENTS * EVENT_BYTES;
        fs::write(
            &trace,
            machine.read(address("TRACE_BUFFER")?, bytes as usize)?,
        )?;
        Ok(Recordings {
            log,
            c_log,
            trace,
            truth: truth.context("GROUND_TRUTH is not in memory")?,
        })
    }
}

impl Recordings {
    fn figures(&self, command: &Command) -> anyhow::Result<Figures> {
        let truth = &self.truth;
        let mut figures = Figures::default();
        figures.add("lost", 0, truth.lost.into());
        figures.add("interrupts while writing", 0, truth.violations.into());
        figures.add("wrong interrupt states", 0, truth.wrong_states.into());
        let waited = u64::from(truth.timer_waited > 0);
        figures.add("interrupts waited for an entry", 1, waited);
        let log = EventSequence::of_log(&events(command, &self.log)?);
        let trace = EventSequence::of_trace(&events(command, &self.trace)?);
        let c_log = EventSequence::of_log(&events(command, &self.c_log)?);
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

fn events(command: &Command, file: &Path) -> anyhow::Result<Vec<serde_json::Value>> {
    command
        .lines("events", file, &[])
        .with_context(|| file.display().to_string())
}
