//! Checks of the ThreadX trace buffer.

use super::command::Command;
use super::figures::{Figures, entry, number};
use super::run::Run;
use serde_json::{Value, json};

/// Compares the report on the memory with the program's counters. The buffer is
/// found automatically.
pub(super) fn compare(command: &Command, run: &Run) -> anyhow::Result<Figures> {
    let report = command.json("report", &run.memory, &["all", "--input-format", "threadx"])?;
    let totals = &run.truth.totals;
    let mut figures = Figures::default();
    figures.add("events", totals.txtb_events, number(&report, &["events"])?);
    figures.add("lost", 0, number(&report, &["health", "lost_events"])?);
    let performance = |path: &[&str]| {
        let path = [&["performance"], path].concat();
        number(&report, &path)
    };
    figures.add(
        "dispatches",
        totals.dispatches,
        performance(&["dispatches"])?,
    );
    let switches = performance(&["context_switches"])?;
    figures.add("context switches", totals.context_switches, switches);
    let handlers = || run.truth.handlers.iter();
    let entries = handlers().map(|handler| handler.entries).sum();
    figures.add("interrupts", entries, performance(&["interrupts"])?);
    let nested = handlers().map(|handler| handler.nested).sum();
    figures.add(
        "nested interrupts",
        nested,
        performance(&["nested_interrupts"])?,
    );
    let inversions = performance(&["inversions", "total"])?;
    figures.add("inversions", totals.inversions, inversions);
    for handler in handlers().filter(|handler| handler.number != 0) {
        let found = entry(&report["isr"], "number", &json!(handler.number))?;
        let name = format!("interrupt {}", handler.number);
        figures.handler(&name, handler, found)?;
    }
    for thread in run
        .truth
        .threads
        .iter()
        .filter(|thread| thread.address != 0)
    {
        let address = json!(format!("{:#x}", thread.address));
        let found = entry(&report["threads"], "address", &address)?;
        compare_thread(&mut figures, run.text(thread.name)?, thread, found)?;
    }
    compare_services(&mut figures, run, &report["services"])?;
    Ok(figures)
}

fn compare_thread(
    figures: &mut Figures,
    name: &str,
    thread: &truth::Thread,
    found: &Value,
) -> anyhow::Result<()> {
    let waits = thread.sleeps + thread.queue_waits + thread.semaphore_waits + thread.mutex_waits;
    let rows: [(&str, u32, &[&str]); 6] = [
        ("dispatches", thread.dispatches, &["dispatches"]),
        ("suspensions", waits, &["suspensions"]),
        ("resumptions", thread.resumptions, &["resumptions"]),
        (
            "solicited preemptions",
            thread.solicited_preemptions,
            &["preemptions", "solicited"],
        ),
        (
            "interrupt preemptions",
            thread.interrupt_preemptions,
            &["preemptions", "interrupt"],
        ),
        ("time slices", thread.time_slices, &["time_slices"]),
    ];
    for (figure, counted, path) in rows {
        figures.add(format!("{name}: {figure}"), counted, number(found, path)?);
    }
    Ok(())
}

/// Events by kind.
fn compare_services(figures: &mut Figures, run: &Run, services: &Value) -> anyhow::Result<()> {
    let totals = &run.truth.totals;
    let rows = [
        ("semaphore get", totals.semaphore_gets),
        ("semaphore put", totals.semaphore_puts),
        ("mutex get", totals.mutex_gets),
        ("mutex put", totals.mutex_puts),
        ("queue send", totals.queue_sends),
        ("queue receive", totals.queue_receives),
    ];
    for (name, counted) in rows {
        let service = format!("tx_{}", name.replace(' ', "_"));
        let found = entry(services, "name", &json!(service))?;
        figures.add(name, counted, number(found, &["count"])?);
    }
    Ok(())
}
