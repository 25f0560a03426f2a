//! Which recordings could be judged, and why others could not.

use super::super::clock::named;
use super::needs::Needs;
use std::collections::{BTreeMap, BTreeSet};

/// Reasons that a message has.
const MAX_REASONS: usize = 3;

/// Which recordings could be judged, by their identifiers.
#[derive(Debug, Clone, Default)]
pub(super) struct Judgement {
    judged: BTreeSet<String>,
    /// The others: their files and the reasons.
    undecided: BTreeMap<String, [String; 2]>,
}

impl Judgement {
    /// Adds a recording, and the reason if it could not be judged.
    pub(super) fn add(&mut self, id: &str, file: &str, reason: Option<String>) {
        match reason {
            None => {
                self.judged.insert(id.to_owned());
            }
            Some(reason) => {
                let reason = [file.to_owned(), reason];
                self.undecided.insert(id.to_owned(), reason);
            }
        }
    }

    /// The judgement of a query from those of its tables, in order.
    pub(super) fn of(needs: &Needs, tables: &mut impl Iterator<Item = Self>) -> Self {
        match needs {
            Needs::Table => tables.next().unwrap_or_default(),
            Needs::All(all) => {
                let all: Vec<_> = all.iter().map(|it| Self::of(it, tables)).collect();
                all.into_iter().fold(Self::default(), Self::and)
            }
            Needs::SameRecording(both) => {
                let [mut one, mut other] = both.each_ref().map(|it| Self::of(it, tables));
                let [ids, other_ids] = [&one, &other].map(Self::recordings);
                // One of the sides may be constant.
                if !ids.is_empty() && !other_ids.is_empty() {
                    one.retain(&other_ids);
                    other.retain(&ids);
                }
                one.and(other)
            }
            Needs::Any(all) => {
                let all: Vec<_> = all.iter().map(|it| Self::of(it, tables)).collect();
                all.into_iter().fold(Self::default(), Self::or)
            }
        }
    }

    /// Why not everything could be judged.
    pub(super) fn why_undecided(&self) -> Option<String> {
        if self.undecided.is_empty() {
            let is_judged = !self.judged.is_empty();
            return (!is_judged).then(|| "no recording matches the condition".to_owned());
        }
        let mut by_reason: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for [file, reason] in self.undecided.values() {
            by_reason.entry(reason).or_default().insert(file);
        }
        let more = match by_reason.len().saturating_sub(MAX_REASONS) {
            0 => String::new(),
            more => format!("; and {more} more reasons"),
        };
        let reasons = by_reason.into_iter().take(MAX_REASONS);
        let reasons = reasons.map(|(reason, files)| format!("{}: {reason}", named(&files)));
        let reasons: Vec<_> = reasons.collect();
        Some(format!("{}{more}", reasons.join("; ")))
    }

    fn recordings(&self) -> BTreeSet<String> {
        let all = self.judged.iter().chain(self.undecided.keys());
        all.cloned().collect()
    }

    fn retain(&mut self, ids: &BTreeSet<String>) {
        self.judged.retain(|id| ids.contains(id));
        self.undecided.retain(|id, _| ids.contains(id));
    }

    fn and(mut self, other: Self) -> Self {
        for (id, reason) in other.undecided {
            self.undecided.entry(id).or_insert(reason);
        }
        self.judged.extend(other.judged);
        let undecided = &self.undecided;
        self.judged.retain(|id| !undecided.contains_key(id));
        self
    }

    fn or(mut self, other: Self) -> Self {
        for (id, reason) in other.undecided {
            self.undecided.entry(id).or_insert(reason);
        }
        self.judged.extend(other.judged);
        let judged = &self.judged;
        self.undecided.retain(|id, _| !judged.contains(id));
        self
    }
}
