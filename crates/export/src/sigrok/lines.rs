//! What lines are called.

use crate::signals::{Board, Signal};
use rtoscope_tables::Source;
use std::collections::HashSet;

/// The names of the lines, no two the same: readers choose lines by them. With
/// the recording's where there are several.
pub(super) fn names(sources: &[Source<'_>], board: &Board) -> Vec<String> {
    let mut taken = HashSet::new();
    let signals = board.signals.iter();
    let names = signals.map(|signal| {
        let name = name(sources, signal);
        let mut unique = name.clone();
        let mut count = 1_u64;
        while !taken.insert(unique.clone()) {
            count += 1;
            unique = format!("{name} ({count})");
        }
        unique
    });
    names.collect()
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
