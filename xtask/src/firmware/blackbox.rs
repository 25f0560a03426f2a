//! Checks of the black box: a program that records, faults, resets the chip and saves
//! the recordings at its next boot.

use super::command::Command;
use super::figures::{Figures, number, word};
use super::qemu::{Model, Serial};
use super::run::Program;
use anyhow::Context as _;
use serde_json::Value;
use std::path::PathBuf;

/// Sizes in the program: entries of the log, thread names that it kept.
const LOG_ENTRIES: u32 = 64;
const LAST_DISPATCHES: usize = 16;

/// The exception of an undefined instruction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fault {
    number: u32,
    /// The name of the register with its code address.
    pc: &'static str,
}

pub(super) const HARD_FAULT: Fault = Fault {
    number: 3,
    pc: "PC",
};
pub(super) const ILLEGAL_INSTRUCTION: Fault = Fault {
    number: 2,
    pc: "mepc",
};

/// Runs it twice, with a fault in a thread and with one within a recorder, and compares
/// both recordings with the program's own account.
pub(super) fn compare(
    command: &Command,
    target: &str,
    model: Model,
    fault: Fault,
) -> anyhow::Result<()> {
    for (mode, name) in [(0, "fault in a thread"), (1, "fault within an entry")] {
        let run = Run::new(target, model, mode)?;
        run.figures(command, fault)?
            .check(&format!("{target}: black box, {name}"))?;
    }
    Ok(())
}

struct Run {
    program: Program,
    log: PathBuf,
    trace: PathBuf,
    entries: u32,
    /// The names of the last threads, oldest first.
    last: Vec<u32>,
}

impl Run {
    fn new(target: &str, model: Model, mode: u32) -> anyhow::Result<Self> {
        let program = Program::new(model, target, "blackbox", &mode.to_string())?;
        let mut running = program.boot(Serial::Nothing, &[("CRASH_MODE", &[mode])])?;
        let mut save = |symbol: &str, file: &str| {
            running.wait(symbol).context("not recovered")?;
            running.save(symbol, 4, file)
        };
        let log = save("SAVED_LOG", "log.cswl")?;
        let trace = save("SAVED_TRACE", "trace.trx")?;
        let account = running.read("ACCOUNT", 0, 8 + 4 * LAST_DISPATCHES as u32)?;
        drop(running);
        let (account, _) = account.as_chunks();
        let mut account = account.iter().map(|word| u32::from_le_bytes(*word));
        let mut next = || account.next().context("the account is too short");
        let (entries, dispatches) = (next()?, next()? as usize);
        let mut last: Vec<_> = account.take(dispatches).collect();
        last.rotate_left(match dispatches {
            0..LAST_DISPATCHES => 0,
            _ => dispatches % LAST_DISPATCHES,
        });
        Ok(Self {
            program,
            log,
            trace,
            entries,
            last,
        })
    }

    fn figures(&self, command: &Command, exception: Fault) -> anyhow::Result<Figures> {
        let program = self.program.path.to_string_lossy();
        let symbols = ["--symbols", &*program];
        let mut figures = Figures::default();
        let log = command.json("info", &self.log, &symbols)?;
        figures.add("log: entries", LOG_ENTRIES, number(&log, "events")?);
        let has_wrapped = self.entries > LOG_ENTRIES;
        figures.add("log: has wrapped", 1u32, has_wrapped.into());
        let trace = command.json("info", &self.trace, &symbols)?;
        for (name, info) in [("log", &log), ("trace", &trace)] {
            let rows = [
                ("boot", 1, "boot_count"),
                ("exception", exception.number, "fault/number"),
            ];
            figures.add_all(&format!("{name}: "), &info["black_box"], &rows)?;
            let fault = &info["black_box"]["fault"];
            let location = fault["location"].as_str().unwrap_or_default();
            let found = location.starts_with("crash");
            figures.add(format!("{name}: is in crash"), 1u32, found.into());
            let pc = word(&fault["registers"], exception.pc).context("no code address")?;
            let start = u64::from(self.program.symbols.address("crash")? & !1);
            let in_crash = (start..start + 16).contains(&pc);
            figures.add(format!("{name}: code address"), 1u32, in_crash.into());
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
        let events = command.lines("events", &self.log, symbols)?;
        let kind = |event: &Value| event["kind"].as_str().unwrap_or_default().to_owned();
        let last = events.last().map(kind).unwrap_or_default();
        figures.add("log: ends with the fault", 1u32, (last == "fault").into());
        let resumes = events
            .iter()
            .filter(|event| kind(event).ends_with("resume"));
        let names: Vec<u64> = resumes.filter_map(|event| word(event, "info2")).collect();
        let count = names.len().min(self.last.len());
        let found = names.iter().rev().take(count).rev();
        let counted = self.last.iter().rev().take(count).rev();
        figures.add("log: has switches", 1u32, u64::from(count > 4));
        for (number, (counted, found)) in counted.zip(found).enumerate() {
            figures.add(format!("log: switch {number} to"), *counted, *found);
        }
        Ok(())
    }
}
