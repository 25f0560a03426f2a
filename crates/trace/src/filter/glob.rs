//! Patterns for names, with wildcards.

/// A pattern: `*` matches any characters, `?` one. A pattern without either
/// matches anywhere in a name. Case does not matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    /// In lower case.
    pattern: Vec<char>,
}

impl Glob {
    /// Parses a pattern; every text is valid.
    pub fn new(text: &str) -> Self {
        let mut pattern = lower(text);
        if !text.contains(['*', '?']) {
            pattern.insert(0, '*');
            pattern.push('*');
        }
        pattern.dedup_by(|next, letter| *next == '*' && *letter == '*');
        Self { pattern }
    }

    /// Whether the name matches the pattern.
    pub fn matches(&self, name: &str) -> bool {
        let mut letters = name.chars().flat_map(char::to_lowercase);
        let mut part = 0;
        // After the last `*`, and the letters after those that it has matched so far.
        let mut star = None;
        loop {
            let here = letters.clone();
            let Some(letter) = letters.next() else {
                break;
            };
            match self.pattern.get(part) {
                Some('*') => {
                    part += 1;
                    star = Some((part, here.clone()));
                    letters = here;
                }
                Some(wanted) if *wanted == '?' || *wanted == letter => part += 1,
                _ => {
                    let Some((place, eaten)) = &mut star else {
                        return false;
                    };
                    eaten.next();
                    letters = eaten.clone();
                    part = *place;
                }
            }
        }
        let rest = self.pattern.get(part..).unwrap_or_default();
        rest.iter().all(|letter| *letter == '*')
    }

    /// Whether every name matches.
    pub(super) fn matches_all(&self) -> bool {
        self.pattern == ['*']
    }
}

fn lower(text: &str) -> Vec<char> {
    text.chars().flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn matches(pattern: &str, name: &str) -> bool {
        Glob::new(pattern).matches(name)
    }

    #[test]
    fn without_wildcards_a_part_matches() {
        assert!(matches("queue", "TX_QUEUE_SEND"));
        assert!(matches("", "anything"));
        assert!(!matches("queues", "tx_queue_send"));
    }

    #[test]
    fn with_wildcards_the_whole_name_must_match() {
        assert!(matches("tx_*_send", "tx_queue_send"));
        assert!(!matches("tx_*_send", "tx_queue_send2"));
        assert!(matches("thread ?", "Thread 7"));
        assert!(!matches("thread ?", "thread 10"));
        assert!(matches("*ab*b", "xabab"));
        assert!(matches("Über*", "über-worker"));
        assert!(matches("**", ""));
        assert!(!matches("?", ""));
    }

    /// The plain definition, which takes exponential time.
    fn slow(pattern: &[char], name: &[char]) -> bool {
        match (pattern.split_first(), name.split_first()) {
            (None, _) => name.is_empty(),
            (Some(('*', rest)), None) => slow(rest, name),
            (Some(('*', rest)), Some((_, tail))) => slow(rest, name) || slow(pattern, tail),
            (Some((wanted, rest)), Some((letter, tail))) => {
                (*wanted == '?' || wanted == letter) && slow(rest, tail)
            }
            (Some(_), None) => false,
        }
    }

    proptest! {
        #[test]
        fn matches_agree_with_the_plain_definition(pattern in "[ab*?]{0,6}[*?]", name in "[ab]{0,8}") {
            let wanted: Vec<_> = pattern.chars().collect();
            let letters: Vec<_> = name.chars().collect();
            prop_assert_eq!(matches(&pattern, &name), slow(&wanted, &letters));
        }
    }
}
