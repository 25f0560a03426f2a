//! Names of threads in a sentence.

use crate::report::View;
use rtoscope_trace::ContextId;
use std::collections::BTreeMap;

/// Maximum number of names in a sentence.
const MAX_NAMES: usize = 6;

/// The names of threads in order, each once: several threads of one name as `3 × worker`.
pub(super) fn names<'a>(view: &View<'_>, threads: impl Iterator<Item = &'a ContextId>) -> String {
    let names: Vec<_> = threads.map(|id| view.trace.context_name(*id)).collect();
    let mut counts = BTreeMap::new();
    for name in &names {
        *counts.entry(name).or_insert(0_u32) += 1;
    }
    let counted = names
        .iter()
        .filter_map(|name| Some((name, counts.remove(name)?)));
    let counted: Vec<_> = counted.collect();
    let (shown, others) = counted.split_at(counted.len().min(MAX_NAMES));
    let shown = shown.iter().map(|(name, count)| match count {
        1 => name.to_string(),
        _ => format!("{count} × {name}"),
    });
    let mut text = shown.collect::<Vec<_>>().join(", ");
    let more: u32 = others.iter().map(|(_, count)| count).sum();
    if more > 0 {
        text.push_str(&format!(" and {more} more"));
    }
    text
}
