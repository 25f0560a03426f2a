//! `rtoscope events`: what happened, event by event.

mod column;
mod machine;
pub(super) mod rkh;
mod select;
mod text;

use crate::input::{DecodeArguments, FileArguments};
use clap::{Args, ValueEnum};
use column::Column;
use rtoscope_analysis::Scope;
use rtoscope_decode::Recording;
use select::{IndexRange, Selection};

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    file: FileArguments,

    #[command(flatten)]
    decode: DecodeArguments,

    /// Only events that an expression matches, such as 'context == sensor and
    /// kind ~ queue' or 'time >= 20000 and object == "work queue"'
    #[arg(long, value_name = "EXPRESSION")]
    filter: Option<String>,

    /// Only events of these numbers: 100..200 (without 200), 100.., ..=50
    #[arg(long, value_name = "RANGE")]
    range: Option<IndexRange>,

    /// Stop after so many events
    #[arg(long, value_name = "NUMBER")]
    limit: Option<u64>,

    /// What to show of each event, in this order
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    columns: Vec<Column>,

    /// How to write them; json is one object a line
    #[arg(short, long, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Text,
    Csv,
    #[value(aliases = ["jsonl", "json-lines", "ndjson"])]
    Json,
}

/// The events of a scope, for people.
pub(super) fn list(recording: &Recording, scope: &Scope) -> anyhow::Result<()> {
    let selection = Selection::of_scope(&recording.trace, scope);
    text::write(recording, &selection, &[])
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let source = arguments.file.read()?;
    let content = arguments.file.open(source.input())?;
    let recording = arguments.file.decode(&content, &arguments.decode)?;
    arguments.file.hint(&recording.trace.diagnostics);
    let trace = &recording.trace;
    let filter = arguments.filter.as_deref();
    let selection = Selection::new(trace, filter, arguments.range, arguments.limit)?;
    let columns = arguments.columns.as_slice();
    match arguments.format {
        Format::Text => text::write(&recording, &selection, columns),
        Format::Csv => machine::csv(&recording, &selection, columns),
        Format::Json => machine::json_lines(&recording, &selection, columns),
    }
}
