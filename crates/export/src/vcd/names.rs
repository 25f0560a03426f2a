//! Names as the format can have them.

use crate::signals::{Board, Group, Text, Unique};
use rtoscope_tables::Source;
use std::collections::HashMap;

/// The most letters of a name, so that readers with short lines take it.
const LONGEST: usize = 100;

/// What recordings and signals are called. No two of a scope are called the same.
#[derive(Debug)]
pub(super) struct Names {
    /// Index is the recording.
    pub(super) sources: Vec<String>,
    /// Index is the signal.
    pub(super) signals: Vec<String>,
}

impl Names {
    pub(super) fn of(sources: &[Source<'_>], board: &Board) -> Self {
        let mut unique = Unique::default();
        let files = sources.iter().map(|source| {
            let file = source.name.rsplit(['/', '\\']).next();
            unique.of(plain(file.unwrap_or_default()), numbered)
        });
        let files: Vec<_> = files.collect();
        let mut scopes: HashMap<(usize, &str), Unique> = HashMap::new();
        let signals = board.signals.iter().map(|signal| {
            let scope = (signal.source, scope(signal.group));
            let unique = scopes.entry(scope).or_default();
            unique.of(plain(&signal.label), numbered)
        });
        Self {
            signals: signals.collect(),
            sources: files,
        }
    }

    /// A text: that of a signal is its name.
    pub(super) fn text(&self, text: &Text) -> String {
        match text {
            Text::Word(word) => (*word).to_owned(),
            Text::Signal(signal) => {
                let name = self.signals.get(signal.index());
                name.cloned().unwrap_or_default()
            }
            Text::Label(label) => plain(label),
        }
    }
}

/// The scope of a group, in that of its recording; that itself if empty.
pub(super) fn scope(group: Group) -> &'static str {
    match group {
        Group::Recording => "",
        Group::Threads => "threads",
        Group::Ready => "ready",
        Group::Routines => "isrs",
        Group::Cores => "cores",
        Group::Objects => "objects",
        Group::Inversions => "inversions",
        Group::States => "states",
        Group::Doing => "doing",
        Group::Machines => "machines",
        Group::Levels => "levels",
    }
}

/// A word of letters, digits and underscores: readers take a dot for a scope
/// and brackets for the bits of a vector.
pub(super) fn plain(label: &str) -> String {
    let letter = |letter: char| match letter {
        _ if letter.is_ascii_alphanumeric() => letter,
        _ => '_',
    };
    let word: String = label.chars().map(letter).take(LONGEST).collect();
    if word.is_empty() {
        "_".to_owned()
    } else {
        word
    }
}

fn numbered(name: &str, count: u64) -> String {
    format!("{name}_{count}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words() {
        assert_eq!(plain("main thread"), "main_thread");
        assert_eq!(plain("a.b[3]$end\n\u{fc}"), "a_b_3__end__");
        assert_eq!(plain(""), "_");
        assert_eq!(plain(&"x".repeat(9999)).len(), LONGEST);
    }

    #[test]
    fn names_differ() {
        let mut unique = Unique::default();
        let names = ["a", "a_2", "a", "a", "b", "a_2"];
        let names = names.map(|name| unique.of(name.to_owned(), numbered));
        assert_eq!(names, ["a", "a_2", "a_3", "a_4", "b", "a_2_2"]);
    }
}
