//! Checks of the black box: a program that records, faults, resets the chip and saves
//! the recordings at its next boot.

use super::command::Command;
use super::figures::{Figures, number};
use super::qemu::{self, Board};
use super::symbols::Symbols;
use super::toolchain::{self, Toolchain};
use anyhow::Context as _;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(30);
/// "DONE", the mark of a saved recording.
const DONE: u32 = u32::from_le_bytes(*b"DONE");
/// Sizes in the program: entries of the log, thread names that it kept.
const LOG_ENTRIES: u32 = 64;
const LAST_DISPATCHES: usize = 16;

/// The exception of an undefined instruction.
#[derive(Debug, Clone, Copy)]
struct Fault {
    number: u32,
    /// The name of the register with its code address.
    pc: &'static str,
}

const HARD_FAULT: Fault = Fault {
    number: 3,
    pc: "PC",
};
const ILLEGAL_INSTRUCTION: Fault = Fault {
    number: 2,
    pc: "mepc",
};

/// Runs it twice, with a fault in a thread and with one within a recorder, and compares
/// both recordings with the program's own account.
pub(super) fn compare(command: &Command, target: &str) -> anyhow::Result<()> {
    let fault = if target.starts_with("riscv") {
        ILLEGAL_INSTRUCTION
    } else {
        HARD_FAULT
    };
    for (mode, name) in [(0, "fault in a thread"), (1, "fault within an entry")] {
        let run = Run::new(target, mode)?;
        run.figures(command, fault)?
            .check(&format!("{target}: black box, {name}"))?;
    }
    Ok(())
}

struct Run {
    program: PathBuf,
    log: PathBuf,
    trace: PathBuf,
    entries: u32,
    /// The names of the last threads, oldest first.
    last: Vec<u32>,
    symbols: Symbols,
}

impl Run {
    fn new(target: &str, mode: u32) -> anyhow::Result<Self> {
        let program = Toolchain::outputs(target, "release")?.join("blackbox");
        let symbols = Symbols::read(&program)?;
        let folder = toolchain::folder()?.join("runs").join(target);
        let folder = folder.join(format!("blackbox-{mode}"));
        fs::create_dir_all(&folder)?;
        let words = [(symbols.address("CRASH_MODE")?, mode)];
        let board = Board {
            words: &words,
            ..board(target, &program)
        };
        let mut machine = board.boot()?;
        let mut save = |symbol: &str, file: &str| {
            let address = symbols.address(symbol)?;
            machine
                .wait(address, DONE, LIMIT)
                .with_context(|| format!("{symbol} was not recovered after the reset"))?;
            let length = machine.read(address + 4, 4)?;
            let length = word(&length, 0).context("no length")?;
            let path = folder.join(file);
            fs::write(&path, machine.read(address + 8, length as usize)?)?;
            anyhow::Ok(path)
        };
        let (log, trace) = (
            save("SAVED_LOG", "log.cswl")?,
            save("SAVED_TRACE", "trace.trx")?,
        );
        let account = symbols.address("ACCOUNT")?;
        let account = machine.read(account, 8 + 4 * LAST_DISPATCHES)?;
        let figure = |index| word(&account, index).context("the account is too short");
        let dispatches = figure(1)? as usize;
        let last = (dispatches.saturating_sub(LAST_DISPATCHES)..dispatches)
            .map(|number| figure(2 + number % LAST_DISPATCHES))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            entries: figure(0)?,
            program,
            log,
            trace,
            last,
            symbols,
        })
    }

    fn figures(&self, command: &Command, exception: Fault) -> anyhow::Result<Figures> {
        let program = self.program.to_string_lossy();
        let symbols = ["--symbols", &*program];
        let mut figures = Figures::default();
        let log = command.json("info", &self.log, &symbols)?;
        figures.add("log: entries", LOG_ENTRIES, number(&log, &["events"])?);
        figures.add("log: has wrapped", 1, u64::from(self.entries > LOG_ENTRIES));
        let trace = command.json("info", &self.trace, &symbols)?;
        for (name, info) in [("log", &log), ("trace", &trace)] {
            let black_box = &info["black_box"];
            let fault = &black_box["fault"];
            figures.add(
                format!("{name}: boot"),
                1,
                number(black_box, &["boot_count"])?,
            );
            figures.add(
                format!("{name}: exception"),
                exception.number,
                number(fault, &["number"])?,
            );
            let location = fault["location"].as_str().unwrap_or_default();
            let found = location.starts_with("crash");
            figures.add(format!("{name}: is in crash"), 1, found.into());
            let pc = fault["registers"][exception.pc]
                .as_str()
                .unwrap_or_default();
            let pc = u32::from_str_radix(pc.trim_start_matches("0x"), 16)?;
            let start = self.symbols.address("crash")? & !1;
            let in_crash = (start..start + 16).contains(&pc);
            figures.add(format!("{name}: code address"), 1, in_crash.into());
        }
        self.compare_events(command, &symbols, &mut figures)?;
        Ok(figures)
    }

    /// The last switches of the log are those that the program counted, and the last
    /// entry is the fault.
    fn compare_events(
        &self,
        command: &Command,
        symbols: &[&str],
        figures: &mut Figures,
    ) -> anyhow::Result<()> {
        let events = command.events(&self.log, symbols)?;
        let kind = |event: &Value| event["event"].as_str().unwrap_or_default().to_owned();
        let last = events.last().map(kind).unwrap_or_default();
        figures.add("log: ends with the fault", 1, (last == "fault").into());
        let resumes = events
            .iter()
            .filter(|event| kind(event).ends_with("resume"));
        let names: Vec<u64> = resumes.filter_map(name_pointer).collect();
        let count = names.len().min(self.last.len());
        let found = names.iter().rev().take(count).rev();
        let counted = self.last.iter().rev().take(count).rev();
        figures.add("log: has switches", 1, u64::from(count > 4));
        for (number, (counted, found)) in counted.zip(found).enumerate() {
            figures.add(format!("log: switch {number} to"), *counted, *found);
        }
        Ok(())
    }
}

/// The board of a target.
fn board<'a>(target: &str, program: &'a Path) -> Board<'a> {
    let arm = Board::new(program);
    if !target.starts_with("riscv") {
        return arm;
    }
    Board {
        emulator: qemu::RISCV,
        machine: "virt",
        more: &["-bios", "none"],
        ..arm
    }
}

/// The pointer to the name of a resumed thread.
fn name_pointer(event: &Value) -> Option<u64> {
    let text = event["info2"].as_str()?;
    u64::from_str_radix(text.trim_start_matches("0x"), 16).ok()
}

fn word(bytes: &[u8], index: usize) -> Option<u32> {
    let bytes = bytes.get(4 * index..)?.get(..4)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}
