//! The command line.

#[cfg(feature = "viewer")]
use crate::commands::view;
use crate::commands::{
    catalogue, convert, diagram, dump, events, expect, generate, info, live, objects, replay,
    report, shell,
};
use clap::{Parser, Subcommand};
use rtoscope_command::export::ExportArgs;
use rtoscope_command::query::QueryArgs;

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
    Info(info::InfoArgs),
    /// Say what went wrong, who had the processor and who waited for whom
    Report(report::ReportArgs),
    /// Show traces in the browser
    #[cfg(feature = "viewer")]
    View(view::ViewArgs),
    /// Capture a trace while it is recorded: from a socket, a serial port, a
    /// debug probe, a file that grows
    Live(live::LiveArgs),
    /// Play what was recorded, as a target would send it
    Replay(replay::ReplayArgs),
    /// List the events of a trace
    Events(events::EventsArgs),
    /// Draw what active objects send each other, or their state machines
    #[command(subcommand)]
    Diagram(diagram::DiagramCommand),
    /// Write traces for other tools: Perfetto, Trace Compass, GTKWave, PulseView,
    /// DuckDB, spreadsheets; or a report to read
    Export(ExportArgs),
    /// Ask traces in SQL
    Query(QueryArgs),
    /// Compare a trace with tests: which records must come, in which order
    Expect(expect::ExpectArgs),
    /// Write everything as text that can be compared line by line
    Dump(dump::DumpArgs),
    /// List the objects that a trace names: threads, queues, mutexes ...
    Objects(objects::ObjectsArgs),
    /// List or explain the kinds of events that the kernel logs
    Catalogue(catalogue::CatalogueCommandArgs),
    /// Take a trace buffer out of its container, or change its byte order; make a
    /// context-switch log a file that needs nothing else
    Convert(convert::ConvertArgs),
    /// Write a synthetic but valid trace of any length
    Generate(generate::GenerateArgs),
    /// Print a completion script for a shell
    Completions(shell::CompletionsArgs),
    /// Print the manual page
    Man,
}
