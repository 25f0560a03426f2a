//! What lines are called.

use crate::signals::{Board, Signal, Unique};
use rtoscope_tables::Source;

/// The names of the lines, no two the same: readers choose lines by them. With
/// the recording's where there are several.
pub(super) fn names(sources: &[Source<'_>], board: &Board) -> Vec<String> {
    let mut unique = Unique::default();
    let numbered = |name: &str, count| format!("{name} ({count})");
    let names = board.signals.iter().map(|signal| name(sources, signal));
    names.map(|name| unique.of(name, numbered)).collect()
}

fn name(sources: &[Source<'_>], signal: &Signal) -> String {
    let label = &signal.label;
    match sources.get(signal.source) {
        Some(source) if sources.len() > 1 => {
            let file = source.name.rsplit(['/', '\\']).next();
            format!("{}: {label}", file.unwrap_or_default())
        }
        _ => label.clone(),
    }
}
