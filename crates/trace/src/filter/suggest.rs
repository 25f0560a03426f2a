//! Suggestions for misspelt names.

use super::token::is_plain_word;
use std::fmt;

/// Maximum number of suggestions.
const MAX_SUGGESTIONS: usize = 3;

/// Maximum length of names to compare, in characters.
const MAX_NAME_LEN: usize = 64;

/// The existing names most similar to `wanted`, best first; case does not
/// matter.
pub fn closest<'n>(
    wanted: &str,
    names: impl IntoIterator<Item = impl Into<std::borrow::Cow<'n, str>>>,
) -> Vec<String> {
    let wanted = to_lower(wanted);
    let mut found = Vec::new();
    for name in names {
        let name = name.into();
        if let Some(rank) = edit_rank(&wanted, &to_lower(&name)) {
            found.push((rank, name.into_owned()));
        }
    }
    found.sort_unstable();
    found.dedup();
    found.truncate(MAX_SUGGESTIONS);
    found.into_iter().map(|(_, name)| name).collect()
}

fn to_lower(text: &str) -> Vec<char> {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// The distance of two names; `None` if they are too different.
fn edit_rank(wanted: &[char], name: &[char]) -> Option<usize> {
    if wanted.is_empty() || name.len().max(wanted.len()) > MAX_NAME_LEN {
        return None;
    }
    let distance = edit_distance(wanted, name);
    let tolerated = (wanted.len().max(name.len()) / 3).max(1);
    let within = |outer: &[char], inner: &[char]| {
        inner.len() >= 3 && outer.windows(inner.len()).any(|part| part == inner)
    };
    let contained = within(name, wanted) || within(wanted, name);
    (distance <= tolerated || contained).then_some(distance)
}

/// The minimum number of letters to add, drop, change or swap with the next.
fn edit_distance(left: &[char], right: &[char]) -> usize {
    let mut above: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    let mut previous_letter = None;
    for (number, letter) in (1..).zip(left) {
        let mut next = vec![number];
        let mut last = number;
        for (column, other) in right.iter().enumerate() {
            let cell = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(usize::MAX / 2);
            let change = cell(&row, column) + usize::from(letter != other);
            last = change.min(last + 1).min(cell(&row, column + 1) + 1);
            let before = column.checked_sub(1);
            if let Some(before) = before
                && right.get(before) == Some(letter)
                && previous_letter == Some(other)
            {
                last = last.min(cell(&above, before) + 1);
            }
            next.push(last);
        }
        above = std::mem::replace(&mut row, next);
        previous_letter = Some(letter);
    }
    row.last().copied().unwrap_or_default()
}

/// Names in the form that a filter requires: `; did you mean a or "b c"?`.
pub(super) struct Suggestions<'a>(pub(super) &'a [String]);

impl fmt::Display for Suggestions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "; did you mean ";
        for name in self.0 {
            f.write_str(separator)?;
            match is_plain_word(name) {
                true => f.write_str(name)?,
                false => write!(f, "\"{}\"", name.replace('"', "\\\""))?,
            }
            separator = " or ";
        }
        f.write_str(if self.0.is_empty() { "" } else { "?" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_similar_name_comes_first() {
        let names = ["tx_queue_send", "tx_queue_receive", "tx_mutex_get", "idle"];
        assert_eq!(closest("tx_queue_sned", names), ["tx_queue_send"]);
        assert_eq!(closest("MUTEX", names), ["tx_mutex_get"]);
        let both = closest("queue", names);
        assert_eq!(both, ["tx_queue_send", "tx_queue_receive"]);
        assert!(closest("zzz", names).is_empty());
        assert!(closest("", names).is_empty());
    }

    #[test]
    fn distances_count_swaps_once() {
        let apart = |left, right| edit_distance(&to_lower(left), &to_lower(right));
        assert_eq!(apart("send", "sned"), 1);
        assert_eq!(apart("", "abc"), 3);
        assert_eq!(apart("kitten", "sitting"), 3);
    }

    #[test]
    fn names_are_quoted_where_needed() {
        let names = ["worker".to_owned(), "a \"b\"".to_owned(), "and".to_owned()];
        let shown = Suggestions(&names).to_string();
        let expected = r#"; did you mean worker or "a \"b\"" or "and"?"#;
        assert_eq!(shown, expected);
        assert_eq!(Suggestions(&[]).to_string(), "");
    }
}
