//! The command line.

#[cfg(feature = "viewer")]
use crate::commands::view;
use crate::commands::{
    catalogue, convert, diagram, dump, events, expect, generate, info, live, objects, replay,
    report, shell,
};
use clap::{Parser, Subcommand};
use rtoscope_command::export::ExportArguments;
use rtoscope_command::query::QueryArguments;

/// An oscilloscope for real-time operating systems: opens event traces of the
/// ThreadX kernel and context-switch logs, whatever they are packed in, and trace
/// streams of the RKH framework, and says what happened.
#[derive(Parser)]
#[command(name = "rtoscope", version, propagate_version = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Say what a trace is and what is in it
    Info(info::Arguments),
    /// Say what went wrong, who had the processor and who waited for whom
    Report(report::Arguments),
    /// Show traces in the browser
    #[cfg(feature = "viewer")]
    View(view::Arguments),
    /// Capture a trace while it is recorded: from a socket, a serial port, a
    /// debug probe, a file that grows
    Live(live::Arguments),
    /// Play what was recorded, as a target would send it
    Replay(replay::Arguments),
    /// List the events of a trace
    Events(events::Arguments),
    /// Draw what active objects send each other, or their state machines
    #[command(subcommand)]
    Diagram(diagram::Diagram),
    /// Write traces for other tools: Perfetto, Trace Compass, GTKWave, PulseView,
    /// DuckDB, spreadsheets; or a report to read
    Export(ExportArguments),
    /// Ask traces in SQL
    Query(QueryArguments),
    /// Compare a trace with tests: which records must come, in which order
    Expect(expect::Arguments),
    /// Write everything as text that can be compared line by line
    Dump(dump::Arguments),
    /// List the objects that a trace names: threads, queues, mutexes ...
    Objects(objects::Arguments),
    /// List or explain the kinds of events that the kernel logs
    Catalogue(catalogue::Arguments),
    /// Take a trace buffer out of its container, or change its byte order; make a
    /// context-switch log a file that needs nothing else
    Convert(convert::Arguments),
    /// Write a synthetic but valid trace of any length
    Generate(generate::Arguments),
    /// Print a completion script for a shell
    Completions(shell::CompletionArguments),
    /// Print the manual page
    Man,
}
