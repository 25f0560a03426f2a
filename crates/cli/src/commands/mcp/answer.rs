//! Answers of a limited size.

use rtoscope_trace::printable;
use std::fmt::Write as _;

/// Maximum size of the lines of an answer in bytes; the book states it.
const MAX_ANSWER_BYTES: usize = 32 << 10;
/// Maximum length of a line in bytes, such as a row with a long name.
const MAX_LINE_BYTES: usize = 4 << 10;

/// The lines of a text from `first` on, counted from 1, up to the limit, and how to get the others.
///
/// # Errors
///
/// If the text has no such line.
pub(super) fn page(text: &str, first: usize) -> anyhow::Result<String> {
    let text = printable::multiline(text);
    let count = text.lines().count();
    anyhow::ensure!(
        first >= 1 && (first <= count || first == 1),
        "the answer has {count} lines; there is no line {first}"
    );
    let mut shown = String::new();
    let mut end = first - 1;
    for line in text.lines().skip(end) {
        if shown.len() + line.len().min(MAX_LINE_BYTES) > MAX_ANSWER_BYTES {
            break;
        }
        if line.len() > MAX_LINE_BYTES {
            let fitting = line
                .char_indices()
                .take_while(|(at, _)| *at < MAX_LINE_BYTES);
            shown.extend(fitting.map(|(_, character)| character));
            shown.push_str(" [cut]\n");
        } else {
            shown.push_str(line);
            shown.push('\n');
        }
        end += 1;
    }
    if end < count {
        let next = end + 1;
        let _ = writeln!(
            shown,
            "[lines {first} to {end} of {count}. For {} more, call again with \"first_line\": {next}; \
             or select less]",
            count - end
        );
    }
    Ok(shown)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;

    #[test]
    fn pages_have_every_line_once() {
        let text: String = (0..9000).map(|it| format!("row {it}\n")).collect();
        let mut rows = String::new();
        let mut first = 1;
        loop {
            let page = page(&text, first).unwrap();
            assert!(page.len() < MAX_ANSWER_BYTES + 200);
            let (shown, note) = page.split_once('[').unwrap_or((&page, ""));
            rows.push_str(shown);
            first += shown.lines().count();
            if note.is_empty() {
                break;
            }
            assert!(
                note.contains(&format!("\"first_line\": {first};")),
                "{note}"
            );
        }
        assert_eq!(rows, text);
        assert!(page(&text, 9001).is_err());
        assert!(page(&text, 0).is_err());
        assert_eq!(page("", 1).unwrap(), "");
    }

    #[test]
    fn long_lines_are_cut_at_a_character() {
        let page = page(&"é".repeat(MAX_ANSWER_BYTES), 1).unwrap();
        assert!(page.ends_with("é [cut]\n"));
        assert!(page.len() < MAX_LINE_BYTES + 10);
    }
}
