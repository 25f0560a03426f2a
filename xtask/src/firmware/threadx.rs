//! Checks of the ThreadX trace buffer.

use super::command::Command;
use super::figures::{Figures, address, entry, number};
use super::run::Run;

/// Compares the report on the memory with the program's counters. The buffer is
/// found automatically.
pub(super) fn compare(command: &Command, run: &Run) -> anyhow::Result<Figures> {
    let report = command.json("report", &run.memory, &["all", "--input-format", "threadx"])?;
    let totals = &run.truth.totals;
    let handlers = || run.truth.handlers.iter();
    let entries = handlers().map(|handler| handler.entries).sum();
    let nested = handlers().map(|handler| handler.nested).sum();
    let mut figures = Figures::default();
    let rows = [
        ("events", totals.txtb_events, "events"),
        ("lost", 0, "health/lost_events"),
    ];
    figures.add_all("", &report, &rows)?;
    let rows = [
        ("dispatches", totals.dispatches, "dispatches"),
        (
            "context switches",
            totals.context_switches,
            "context_switches",
        ),
        ("interrupts", entries, "interrupts"),
        ("nested interrupts", nested, "nested_interrupts"),
        ("inversions", totals.inversions, "inversions/total"),
    ];
    figures.add_all("", &report["performance"], &rows)?;
    for handler in handlers().filter(|handler| handler.number != 0) {
        let found = entry(&report["isr"], "number", handler.number)?;
        figures.handler(&format!("interrupt {}", handler.number), handler, found)?;
    }
    for thread in run.threads() {
        let found = entry(&report["threads"], "address", address(thread.address))?;
        let waits =
            thread.sleeps + thread.queue_waits + thread.semaphore_waits + thread.mutex_waits;
        let (solicited, interrupt) = (thread.solicited_preemptions, thread.interrupt_preemptions);
        let rows = [
            ("dispatches", thread.dispatches, "dispatches"),
            ("suspensions", waits, "suspensions"),
            ("resumptions", thread.resumptions, "resumptions"),
            ("solicited preemptions", solicited, "preemptions/solicited"),
            ("interrupt preemptions", interrupt, "preemptions/interrupt"),
            ("time slices", thread.time_slices, "time_slices"),
        ];
        figures.add_all(&format!("{}: ", run.text(thread.name)?), found, &rows)?;
    }
    let rows = [
        ("tx_semaphore_get", totals.semaphore_gets),
        ("tx_semaphore_put", totals.semaphore_puts),
        ("tx_mutex_get", totals.mutex_gets),
        ("tx_mutex_put", totals.mutex_puts),
        ("tx_queue_send", totals.queue_sends),
        ("tx_queue_receive", totals.queue_receives),
    ];
    for (service, counted) in rows {
        let found = entry(&report["services"], "name", service)?;
        figures.add(service, counted, number(found, "count")?);
    }
    Ok(figures)
}
