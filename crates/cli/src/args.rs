//! The command line.

#[cfg(feature = "mcp")]
use crate::commands::mcp;
#[cfg(feature = "viewer")]
use crate::commands::view;
use crate::commands::{
    catalogue, check, compare, convert, critical_path, diagram, doctor, events, info, live, merge,
    objects, replay, report, schema, shell,
};
use clap::{Args, CommandFactory as _, Parser, Subcommand};
use rtoscope_command::export::ExportArgs;
use rtoscope_command::query::QueryArgs;
use rtoscope_decode::Format;
use std::ffi::OsString;
use std::fmt::Write as _;

#[derive(Parser)]
#[command(name = "rtoscope", version, about = about(), help_template = TEMPLATE)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The command line, with its commands by what they are for.
pub(crate) fn command() -> clap::Command {
    let command = Cli::command();
    let groups = groups(&command);
    command.after_help(groups)
}

fn about() -> String {
    let formats = Format::list(|format| format.plural.to_owned(), "and");
    format!("Opens, analyses and exports RTOS event traces: {formats}, in any container")
}

const TEMPLATE: &str = "{about}\n\n{usage-heading} {usage}{after-help}\n\nOptions:\n{options}";

/// The commands by what they are for.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Open", &["view", "report", "info", "mcp"]),
    (
        "Ask",
        &[
            "events",
            "critical-path",
            "query",
            "diagram",
            "check",
            "compare",
            "merge",
            "doctor",
            "objects",
        ],
    ),
    ("Export", &["export", "convert"]),
    ("Capture", &["live", "replay"]),
    ("Fleet", &["ingest", "compact", "fetch"]),
    (
        "Look up",
        &[
            "catalogue",
            "settings",
            "schema",
            "completions",
            "man",
            "help",
        ],
    ),
];

fn groups(command: &clap::Command) -> String {
    let mut text = String::new();
    for (title, names) in GROUPS {
        let _ = write!(text, "\n{title}:");
        for name in names {
            let about = match command
                .find_subcommand(name)
                .and_then(clap::Command::get_about)
            {
                Some(about) => about.to_string(),
                None if *name == "help" => "Explain a command with all details".to_owned(),
                // This build is without it.
                None => continue,
            };
            let _ = write!(text, "\n  {name:<14} {about}");
        }
        text.push('\n');
    }
    text.trim().to_owned()
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
    /// Capture a trace from a socket, serial port, debug probe or file
    Live(live::LiveArgs),
    /// Answer the questions of AI assistants about traces (Model Context Protocol)
    #[cfg(feature = "mcp")]
    Mcp(mcp::McpArgs),
    /// Replay a recording to a socket, device or file, as the target sent it
    Replay(replay::ReplayArgs),
    /// Explain an event: its critical path back to the first cause
    CriticalPath(critical_path::CriticalPathArgs),
    /// List the events of a trace
    Events(events::EventsArgs),
    /// Draw sequence and state machine diagrams of active objects
    #[command(subcommand)]
    Diagram(diagram::DiagramCommand),
    /// Export to Perfetto, Trace Compass, GTKWave, PulseView, DuckDB or an HTML report
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
    /// Check traces against rules: limits, deadlines, sequences, unit tests, findings
    Check(check::CheckArgs),
    /// Compare the figures of recordings: what changed?
    Compare(compare::CompareArgs),
    /// Place recordings of several recorders or boards on one time axis
    Merge(merge::MergeArgs),
    /// Check the port of a recorder by a recording of it
    Doctor(doctor::DoctorArgs),
    /// List the objects that a trace names: threads, queues, mutexes ...
    Objects(objects::ObjectsArgs),
    /// List or explain the event kinds of a format
    Catalogue(catalogue::CatalogueCommandArgs),
    /// Extract a buffer from its container, or write a log as a self-contained file
    Convert(convert::ConvertArgs),
    /// List the settings of formats, for `-O` and `rtoscope.toml`
    Settings,
    /// Print the JSON schema of a command's output
    Schema(schema::SchemaArgs),
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
