//! `rtoscope events`: what happened, event by event.

pub(super) mod column;
pub(super) mod listing;
mod machine;
pub(super) mod rkh;
pub(super) mod select;
mod text;

use clap::Args;
use column::Values;
use listing::{Listing, ListingArguments};
use rtoscope_analysis::Scope;
use rtoscope_command::input::{DecodeArguments, FileArguments};
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

    #[command(flatten)]
    listing: ListingArguments,
}

/// The events of a scope, for people.
pub(super) fn list(recording: &Recording, scope: &Scope) -> anyhow::Result<()> {
    let selection = Selection::of_scope(&recording.trace, scope);
    show(Listing::text(), recording, &selection)
}

fn show(
    mut listing: Listing,
    recording: &Recording,
    selection: &Selection<'_>,
) -> anyhow::Result<()> {
    let shown = listing.append(&Values::new(recording), selection)?;
    if shown == 0 && listing.is_for_people() {
        rtoscope_command::message!("no event to show");
    }
    Ok(())
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let recording = arguments.file.recording(&arguments.decode)?;
    arguments.file.hint(&recording.trace.diagnostics);
    let trace = &recording.trace;
    let filter = arguments.filter.as_deref();
    let selection = Selection::new(trace, filter, arguments.range, arguments.limit)?;
    show(arguments.listing.listing(), &recording, &selection)
}
