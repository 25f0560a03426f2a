//! Truncation of long texts.

use std::fmt::{self, Write as _};

/// Maximum number of characters of a name.
pub(crate) const MAX_NAME_CHARS: usize = 200;
/// Maximum number of characters of a line.
pub(crate) const MAX_LINE_CHARS: usize = 500;

/// Formats at most `max_chars` characters, with an ellipsis if there are more. The rest
/// is never formatted.
pub(crate) fn truncate(text: impl fmt::Display, max_chars: usize) -> String {
    let mut short = TruncatingWriter {
        text: String::new(),
        remaining: max_chars,
    };
    if write!(short, "{text}").is_err() {
        short.text.push('…');
    }
    short.text
}

struct TruncatingWriter {
    text: String,
    /// Number of characters that still fit.
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
