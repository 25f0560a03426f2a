//! Texts that are cut where they get too long.

use std::fmt::{self, Write as _};

/// Characters of a name that are shown.
pub(crate) const MAX_NAME_CHARS: usize = 200;
/// Characters of a line that are shown.
pub(crate) const MAX_LINE_CHARS: usize = 500;

/// The beginning of a text, with an ellipsis if there is more of it. What is
/// cut is never made.
pub(crate) fn truncate(text: impl fmt::Display, most: usize) -> String {
    let mut short = TruncatingWriter {
        text: String::new(),
        remaining: most,
    };
    if write!(short, "{text}").is_err() {
        short.text.push('…');
    }
    short.text
}

struct TruncatingWriter {
    text: String,
    /// Characters for which there is room.
    remaining: usize,
}

impl fmt::Write for TruncatingWriter {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let mut rest = part.char_indices();
        let end = rest.by_ref().nth(self.remaining).map(|(at, _)| at);
        let kept = part.get(..end.unwrap_or(part.len())).unwrap_or_default();
        self.text.push_str(kept);
        match end {
            Some(_) => Err(fmt::Error),
            None => {
                self.remaining -= part.chars().count();
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_truncated_between_characters() {
        assert_eq!(truncate("käse", 4), "käse");
        assert_eq!(truncate("käse", 2), "kä…");
        assert_eq!(truncate(format_args!("{}{}", "ab", "cd"), 3), "abc…");
        assert_eq!(truncate("", 0), "");
        assert_eq!(truncate("x", 0), "…");
    }
}
