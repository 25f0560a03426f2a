//! Texts that are cut where they get too long.

use std::fmt::{self, Write as _};

/// Characters of a name that are shown.
pub(crate) const NAME: usize = 200;
/// Characters of a line that are shown.
pub(crate) const LINE: usize = 500;

/// The beginning of a text, with an ellipsis if there is more of it. What is
/// cut is never made.
pub(crate) fn short(text: impl fmt::Display, most: usize) -> String {
    let mut short = Short {
        text: String::new(),
        left: most,
    };
    if write!(short, "{text}").is_err() {
        short.text.push('…');
    }
    short.text
}

struct Short {
    text: String,
    /// Characters for which there is room.
    left: usize,
}

impl fmt::Write for Short {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let mut rest = part.char_indices();
        let end = rest.by_ref().nth(self.left).map(|(at, _)| at);
        let kept = part.get(..end.unwrap_or(part.len())).unwrap_or_default();
        self.text.push_str(kept);
        match end {
            Some(_) => Err(fmt::Error),
            None => {
                self.left -= part.chars().count();
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(short("käse", 4), "käse");
        assert_eq!(short("käse", 2), "kä…");
        assert_eq!(short(format_args!("{}{}", "ab", "cd"), 3), "abc…");
        assert_eq!(short("", 0), "");
        assert_eq!(short("x", 0), "…");
    }
}
