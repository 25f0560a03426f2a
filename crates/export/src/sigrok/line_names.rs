//! Channel names.

use crate::signals::{Signal, SignalTable, UniqueNames};
use rtoscope_tables::TableSource;

/// The unique names of the channels: readers select channels by name. With the name
/// of the recording if there are several.
pub(super) fn line_names(sources: &[TableSource<'_>], table: &SignalTable) -> Vec<String> {
    let mut unique = UniqueNames::default();
    let numbered = |name: &str, count| format!("{name} ({count})");
    let names = table
        .signals
        .iter()
        .map(|signal| line_name(sources, signal));
    names
        .map(|name| unique.make_unique(name, numbered))
        .collect()
}

fn line_name(sources: &[TableSource<'_>], signal: &Signal) -> String {
    let label = &signal.label;
    match sources.get(signal.source) {
        Some(source) if sources.len() > 1 => {
            let file = source.name.rsplit(['/', '\\']).next();
            format!("{}: {label}", file.unwrap_or_default())
        }
        _ => label.clone(),
    }
}
