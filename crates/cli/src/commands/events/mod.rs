//! `rtoscope events`: the event list.

pub(super) mod column;
pub(super) mod listing;
pub(super) mod selection;
mod serialize;
mod text_lines;
mod text_table;

use clap::Args;
use column::ColumnValues;
use listing::{Listing, ListingArgs};
use rtoscope_command::input::{DecodeArgs, FileArgs, TextLogArgs};
use rtoscope_decode::DecodedRecording;
use selection::{EventSelection, IndexRange};

#[derive(Args)]
pub(crate) struct EventsArgs {
    #[command(flatten)]
    file: FileArgs,

    #[command(flatten)]
    decode: DecodeArgs,

    /// Only events that match an expression, such as 'context == sensor and kind ~
    /// queue' or 'time >= 20000 and object == "work queue"'
    #[arg(long, value_name = "EXPRESSION")]
    filter: Option<String>,

    /// Only events with these numbers: 100..200 (without 200), 100.., ..=50
    #[arg(long, value_name = "RANGE")]
    range: Option<IndexRange>,

    /// Stop after N events and lines
    #[arg(long, value_name = "NUMBER")]
    limit: Option<u64>,

    #[command(flatten)]
    text_logs: TextLogArgs,

    #[command(flatten)]
    listing: ListingArgs,
}

fn write_events(
    mut listing: Listing,
    recording: &DecodedRecording,
    selection: &EventSelection<'_>,
) -> anyhow::Result<()> {
    let shown = listing.append(
        &ColumnValues::new(&recording.trace, &recording.format_info),
        selection,
    )?;
    if shown == 0 && listing.is_text() {
        rtoscope_command::message!("no matching events");
    }
    Ok(())
}

pub(crate) fn run(arguments: &EventsArgs) -> anyhow::Result<()> {
    let recording = arguments.file.recording(&arguments.decode)?;
    arguments
        .file
        .hint_at_diagnostics(&recording.trace.diagnostics);
    let trace = &recording.trace;
    let filter = arguments.filter.as_deref();
    let text_logs = arguments.text_logs.read(&arguments.decode, trace)?;
    arguments.text_logs.hint_at_diagnostics(&text_logs);
    let selection = EventSelection::new(trace, filter, arguments.range, arguments.limit)?;
    let selection = selection.with_text_logs(&text_logs);
    let listing = arguments.listing.listing(!text_logs.is_empty());
    write_events(listing, &recording, &selection)
}
