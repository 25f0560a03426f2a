//! Unique names.

use std::collections::{HashMap, HashSet};

/// Makes names unique by numbers.
#[derive(Debug, Default)]
pub(crate) struct UniqueNames {
    taken: HashSet<String>,
    /// The last number of each name.
    counts: HashMap<String, u64>,
}

impl UniqueNames {
    /// Returns the name if it is new, else the result of `numbered` with the lowest
    /// number that makes it unique.
    pub(crate) fn make_unique(
        &mut self,
        name: String,
        numbered: impl Fn(&str, u64) -> String,
    ) -> String {
        if self.taken.insert(name.clone()) {
            return name;
        }
        let count = self.counts.entry(name.clone()).or_insert(1);
        loop {
            *count += 1;
            let unique = numbered(&name, *count);
            if self.taken.insert(unique.clone()) {
                return unique;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn dashed(name: &str, count: u64) -> String {
        format!("{name}-{count}")
    }

    #[test]
    fn names_are_unique() {
        let mut unique = UniqueNames::default();
        let names = ["a", "a-2", "a", "a", "b", "a-2"];
        let names = names.map(|name| unique.make_unique(name.to_owned(), dashed));
        assert_eq!(names, ["a", "a-2", "a-3", "a-4", "b", "a-2-2"]);
    }

    #[test]
    fn no_number_is_tried_twice() {
        let mut unique = UniqueNames::default();
        let tried = Cell::new(0);
        for _ in 0..1_000 {
            unique.make_unique("a".to_owned(), |name, count| {
                tried.set(tried.get() + 1);
                dashed(name, count)
            });
        }
        assert_eq!(tried.get(), 999);
    }
}
