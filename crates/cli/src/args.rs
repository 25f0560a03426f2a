//! The command line.

#[cfg(feature = "viewer")]
use crate::commands::view;
use crate::commands::{
    catalogue, convert, critical_path, diagram, doctor, dump, events, expect, generate, info, live,
    objects, replay, report, shell,
};
use clap::{Args, Parser, Subcommand};
use rtoscope_command::export::ExportArgs;
use rtoscope_command::query::QueryArgs;
use rtoscope_decode::Format;
use std::ffi::OsString;

#[derive(Parser)]
#[command(name = "rtoscope", version, propagate_version = true, about = about())]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

fn about() -> String {
    let formats = Format::list(|format| format.plural.to_owned(), "and");
    format!("Opens, analyses and exports RTOS event traces: {formats}, in any container")
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Show the format, contents and problems of a trace
    Info(info::InfoArgs),
    /// Report findings, CPU time, latencies, locks and more
    Report(report::ReportArgs),
    /// Show traces in the browser
    #[cfg(feature = "viewer")]
    View(view::ViewArgs),
    /// Capture a live trace from a socket, serial port, debug probe or growing file
    Live(live::LiveArgs),
    /// Replay a recording to a socket, device or file, as the target sent it
    Replay(replay::ReplayArgs),
    /// Explain an event: its critical path back through all waits to the first cause
    CriticalPath(critical_path::CriticalPathArgs),
    /// List the events of a trace
    Events(events::EventsArgs),
    /// Draw sequence and state machine diagrams of active objects
    #[command(subcommand)]
    Diagram(diagram::DiagramCommand),
    /// Export traces to Perfetto, Trace Compass, GTKWave, PulseView, DuckDB,
    /// spreadsheets or an HTML report
    Export(ExportArgs),
    /// Run SQL queries on traces
    Query(QueryArgs),
    /// Add the traces of many devices to tables (needs rtoscope-fleet)
    #[command(disable_help_flag = true)]
    Ingest(FleetArgs),
    /// Merge the files of such tables (needs rtoscope-fleet)
    #[command(disable_help_flag = true)]
    Compact(FleetArgs),
    /// Get a trace that was added to tables (needs rtoscope-fleet)
    #[command(disable_help_flag = true)]
    Fetch(FleetArgs),
    /// Check a trace against tests of expected records and their order
    Expect(expect::ExpectArgs),
    /// Check the port of a recorder by a recording of it
    #[command(subcommand)]
    Doctor(doctor::DoctorCommand),
    /// Write everything about a trace as text, for comparison line by line
    Dump(dump::DumpArgs),
    /// List the objects that a trace names: threads, queues, mutexes ...
    Objects(objects::ObjectsArgs),
    /// List or explain the event kinds of a format
    Catalogue(catalogue::CatalogueCommandArgs),
    /// Extract a trace buffer from its container, change its byte order, or write a
    /// log as a self-contained file
    Convert(convert::ConvertArgs),
    /// Generate a valid synthetic trace of any length
    Generate(generate::GenerateArgs),
    /// Print a shell completion script
    Completions(shell::CompletionsArgs),
    /// Print the manual page
    Man,
}

/// Arguments that `rtoscope-fleet` parses.
#[derive(Args)]
pub(crate) struct FleetArgs {
    /// The arguments; `--help` lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}
