//! Valid names for the format.

use crate::naming::file_name;
use crate::signals::{SignalGroup, SignalTable, SignalText, UniqueNames};
use rtoscope_analysis::AnalyzedRecording;
use std::collections::HashMap;

/// The maximum length of a name, for readers with short lines.
const MAX_NAME_LEN: usize = 100;

/// The names of recordings and signals, unique in each scope.
#[derive(Debug)]
pub(super) struct VcdNames {
    /// By recording.
    pub(super) sources: Vec<String>,
    /// By signal.
    pub(super) signals: Vec<String>,
}

impl VcdNames {
    pub(super) fn new(sources: &[&AnalyzedRecording], table: &SignalTable) -> Self {
        let mut unique = UniqueNames::default();
        let files = sources.iter().map(|source| {
            let file = file_name(&source.info.name);
            unique.make_unique(plain_name(file), numbered_name)
        });
        let files: Vec<_> = files.collect();
        let mut scopes: HashMap<(usize, &str), UniqueNames> = HashMap::new();
        let signals = table.signals.iter().map(|signal| {
            let scope = (signal.source, scope_name(signal.group));
            let unique = scopes.entry(scope).or_default();
            unique.make_unique(plain_name(&signal.label), numbered_name)
        });
        Self {
            signals: signals.collect(),
            sources: files,
        }
    }

    /// Renders a text; a signal's name if it refers to one.
    pub(super) fn text(&self, text: &SignalText) -> String {
        match text {
            SignalText::Fixed(word) => (*word).to_owned(),
            SignalText::Signal(signal) => {
                let name = self.signals.get(signal.index());
                name.cloned().unwrap_or_default()
            }
            SignalText::Label(label) => plain_name(label),
        }
    }
}

/// The scope of a group inside that of its recording; empty for the recording's
/// own.
pub(super) fn scope_name(group: SignalGroup) -> &'static str {
    match group {
        SignalGroup::Recording => "",
        SignalGroup::Threads => "threads",
        SignalGroup::Ready => "ready",
        SignalGroup::Routines => "isrs",
        SignalGroup::Cores => "cores",
        SignalGroup::Objects => "objects",
        SignalGroup::Inversions => "inversions",
        SignalGroup::Markers => "markers",
        SignalGroup::States => "states",
        SignalGroup::Details => "details",
        SignalGroup::Machines => "machines",
        SignalGroup::Levels => "levels",
    }
}

/// Converts a label into letters, digits and underscores: readers parse a dot as a
/// scope and brackets as the bits of a vector.
pub(super) fn plain_name(label: &str) -> String {
    let letter = |letter: char| match letter {
        _ if letter.is_ascii_alphanumeric() => letter,
        _ => '_',
    };
    let word: String = label.chars().map(letter).take(MAX_NAME_LEN).collect();
    if word.is_empty() {
        "_".to_owned()
    } else {
        word
    }
}

fn numbered_name(name: &str, count: u64) -> String {
    format!("{name}_{count}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_valid() {
        assert_eq!(plain_name("main thread"), "main_thread");
        assert_eq!(plain_name("a.b[3]$end\n\u{fc}"), "a_b_3__end__");
        assert_eq!(plain_name(""), "_");
        assert_eq!(plain_name(&"x".repeat(9999)).len(), MAX_NAME_LEN);
    }

    #[test]
    fn names_are_unique() {
        let mut unique = UniqueNames::default();
        let names = ["a", "a_2", "a", "a", "b", "a_2"];
        let names = names.map(|name| unique.make_unique(name.to_owned(), numbered_name));
        assert_eq!(names, ["a", "a_2", "a_3", "a_4", "b", "a_2_2"]);
    }
}
