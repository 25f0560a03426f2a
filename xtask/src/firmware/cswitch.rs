//! Checks of the context-switch log.

use super::command::Command;
use super::figures::{Figures, entry, number};
use super::run::Run;
use serde_json::{Value, json};

/// Compares the report on the memory with the program's counters. The log is
/// found by its symbol.
pub(super) fn compare(command: &Command, run: &Run) -> anyhow::Result<Figures> {
    let log = run.log_options();
    let log = log.each_ref().map(String::as_str);
    let info = command.json("info", &run.memory, &log)?;
    let report = command.json("report", &run.memory, &[&["all"], &log[..]].concat())?;
    let (totals, log) = (&run.truth.totals, &report["context_switches"]);
    let mut figures = Figures::default();
    figures.add(
        "entries",
        totals.cswitch_entries,
        number(&info, &["events"])?,
    );
    figures.add(
        "lost",
        totals.cswitch_lost,
        number(&report, &["health", "lost_events"])?,
    );
    let threads = || {
        run.truth
            .threads
            .iter()
            .filter(|thread| thread.address != 0)
    };
    let synchronous = threads().map(|thread| thread.synchronous_resumes).sum();
    let asynchronous = threads().map(|thread| thread.asynchronous_resumes).sum();
    let resumes = &log["resumes"];
    figures.add(
        "sync resumes",
        synchronous,
        number(resumes, &["sync resume"])?,
    );
    figures.add(
        "async resumes",
        asynchronous,
        number(resumes, &["async resume"])?,
    );
    figures.add(
        "dispatches",
        totals.dispatches,
        number(log, &["dispatches"])?,
    );
    figures.add(
        "context switches",
        totals.context_switches,
        number(log, &["context_switches"])?,
    );
    let returns = threads().map(|thread| thread.returns).sum();
    figures.add("returns", returns, count(&report, "ISR return")?);
    figures.add("wakes", totals.idle_exits, count(&report, "wake")?);
    figures.add("sleeps", totals.idle_entries, count(&report, "sleep")?);
    figures.add(
        "idle periods",
        totals.idle_exits,
        number(log, &["idle", "periods"])?,
    );
    figures.add(
        "idle ticks",
        totals.idle_ticks,
        number(log, &["idle", "ticks"])?,
    );
    let off = &log["interrupts_off"];
    figures.add(
        "interrupts off",
        totals.interrupts_off_sections,
        number(off, &["count"])?,
    );
    figures.add(
        "interrupts off again",
        totals.interrupts_off_nested,
        number(off, &["nested"])?,
    );
    figures.add(
        "interrupts off ticks",
        totals.interrupts_off_ticks,
        number(off, &["ticks"])?,
    );
    let longest = number(off, &["duration", "max"])?;
    figures.add("interrupts off longest", totals.interrupts_off_max, longest);
    compare_handlers(&mut figures, run, log)?;
    compare_names(&mut figures, run, &report["profile"])?;
    Ok(figures)
}

/// The number of entries of a kind.
fn count(report: &Value, kind: &str) -> anyhow::Result<u64> {
    number(
        entry(&report["services"], "name", &json!(kind))?,
        &["count"],
    )
}

fn compare_handlers(figures: &mut Figures, run: &Run, log: &Value) -> anyhow::Result<()> {
    let handlers = run.truth.handlers.iter();
    for handler in handlers.filter(|handler| handler.number != 0) {
        let address = json!(format!("{:#x}", handler.address));
        let found = entry(&log["handlers"], "address", &address)?;
        let name = format!("handler of {}", handler.number);
        figures.handler(&name, handler, found)?;
    }
    Ok(())
}

/// Every thread has its name, which comes from the program's file.
fn compare_names(figures: &mut Figures, run: &Run, profile: &Value) -> anyhow::Result<()> {
    for thread in run
        .truth
        .threads
        .iter()
        .filter(|thread| thread.address != 0)
    {
        let name = run.text(thread.name)?;
        let found = entry(profile, "context", &json!(name))?;
        let address = json!(format!("{:#x}", thread.name));
        figures.add(
            format!("{name} has its name"),
            1,
            u64::from(found["address"] == address),
        );
    }
    Ok(())
}
