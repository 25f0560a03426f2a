//! Checks of the context-switch log.

use super::command::Command;
use super::figures::{Figures, address, entry, number};
use super::run::Run;
use truth::Thread;

/// Compares the report on the memory with the program's counters. The log is
/// found by its symbol.
pub(super) fn compare(command: &Command, run: &Run) -> anyhow::Result<Figures> {
    let log = run.log_options();
    let log = log.each_ref().map(String::as_str);
    let info = command.json("info", &run.memory, &log)?;
    let report = command.json("report", &run.memory, &[&["all"], &log[..]].concat())?;
    let (totals, log) = (&run.truth.totals, &report["context_switches"]);
    let sum = |counter: fn(&Thread) -> u32| run.threads().map(counter).sum::<u32>();
    let (synchronous, asynchronous) = (
        sum(|thread| thread.synchronous_resumes),
        sum(|thread| thread.asynchronous_resumes),
    );
    let mut figures = Figures::default();
    figures.add("entries", totals.cswitch_entries, number(&info, "events")?);
    let lost = number(&report, "health/lost_events")?;
    figures.add("lost", totals.cswitch_lost, lost);
    let rows = [
        ("sync resumes", synchronous, "resumes/sync resume"),
        ("async resumes", asynchronous, "resumes/async resume"),
        ("dispatches", totals.dispatches, "dispatches"),
        (
            "context switches",
            totals.context_switches,
            "context_switches",
        ),
        ("idle periods", totals.idle_exits, "idle/periods"),
        ("idle ticks", totals.idle_ticks, "idle/total"),
    ];
    figures.add_all("", log, &rows)?;
    let rows = [
        ("", totals.interrupts_off_sections, "count"),
        (" again", totals.interrupts_off_nested, "nested"),
        (" ticks", totals.interrupts_off_ticks, "total"),
        (" longest", totals.interrupts_off_max, "duration/max"),
    ];
    figures.add_all("interrupts off", &log["interrupts_off"], &rows)?;
    let rows = [
        ("returns", sum(|thread| thread.returns), "ISR return"),
        ("wakes", totals.idle_exits, "wake"),
        ("sleeps", totals.idle_entries, "sleep"),
    ];
    for (name, counted, kind) in rows {
        let found = entry(&report["services"], "name", kind)?;
        figures.add(name, counted, number(found, "count")?);
    }
    let handlers = run.truth.handlers.iter();
    for handler in handlers.filter(|handler| handler.number != 0) {
        let found = entry(&log["handlers"], "address", address(handler.address))?;
        figures.handler(&format!("handler of {}", handler.number), handler, found)?;
    }
    // The names come from the program's file.
    for thread in run.threads() {
        let name = run.text(thread.name)?;
        let found = entry(&report["profile"], "context", name)?;
        let has_name = found["address"] == address(thread.name);
        figures.add(format!("{name} has its name"), 1u32, has_name.into());
    }
    Ok(figures)
}
