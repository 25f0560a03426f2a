//! Lines of a text file, cleaned.

use crate::{Diagnostic, DiagnosticKind, Diagnostics, TextEncoding};
use std::io::{self, BufRead};
use std::ops::Range;

/// Longer lines are cut.
pub(super) const MAX_LINE_BYTES: usize = 4096;
/// Further lines of a file are counted and not kept.
const MAX_CONTENT_BYTES: usize = 1 << 30;

const ESCAPE: char = '\u{1b}';

/// The lines of a file that are not blank.
#[derive(Debug, Default)]
pub(super) struct RawLines {
    pub(super) content: String,
    /// Numbers from 1, and where they are in the content.
    pub(super) lines: Vec<(u64, Range<u32>)>,
    pub(super) has_nul: bool,
    cut: Occurrences,
    invalid: Occurrences,
    dropped: Occurrences,
    unterminated: Occurrences,
}

#[derive(Debug, Default)]
struct Occurrences {
    first_line: u64,
    count: u64,
}

impl Occurrences {
    fn add(&mut self, line: u64) {
        if self.count == 0 {
            self.first_line = line;
        }
        self.count += 1;
    }
}

/// A part of a text; empty if it does not exist.
pub(super) fn slice<'a>(content: &'a str, range: &Range<u32>) -> &'a str {
    let part = content.get(range.start as usize..range.end as usize);
    part.unwrap_or_default()
}

impl RawLines {
    pub(super) fn read(mut input: impl BufRead, encoding: TextEncoding) -> io::Result<Self> {
        let mut lines = Self::default();
        let mut line = Vec::new();
        let mut number = 0;
        loop {
            line.clear();
            let Some(is_terminated) = read_line(&mut input, &mut line)? else {
                return Ok(lines);
            };
            number += 1;
            if !is_terminated {
                lines.unterminated.add(number);
            }
            lines.push(number, &line, encoding);
        }
    }

    /// The text of a line.
    pub(super) fn text(&self, range: &Range<u32>) -> &str {
        slice(&self.content, range)
    }

    /// What is wrong with the lines.
    pub(super) fn diagnostics(&self) -> Diagnostics {
        let cases = [
            (&self.cut, "cut after 4096 bytes"),
            (&self.invalid, "not UTF-8; the bytes are replaced"),
            (&self.dropped, "not kept: the log is longer than 1 GiB"),
            (
                &self.unterminated,
                "without a line end, so that it may be incomplete",
            ),
        ];
        let found = cases.into_iter().filter(|(lines, _)| lines.count > 0);
        let mut diagnostics = Diagnostics::default();
        diagnostics.extend(found.map(|(lines, what)| {
            let message = match lines.count {
                1 => format!("line {}: {what}", lines.first_line),
                count => format!("{count} lines from line {} on: {what}", lines.first_line),
            };
            Diagnostic::new(DiagnosticKind::TextLogLine, message).with_count(lines.count)
        }));
        diagnostics
    }

    fn push(&mut self, number: u64, line: &[u8], encoding: TextEncoding) {
        self.has_nul |= line.contains(&0);
        let kept = line.get(..MAX_LINE_BYTES).unwrap_or(line);
        if self.content.len() + kept.len() * 3 > MAX_CONTENT_BYTES {
            self.dropped.add(number);
            return;
        }
        let is_cut = kept.len() < line.len();
        if is_cut {
            self.cut.add(number);
        }
        let start = self.content.len();
        let decoded = encoding.text(kept);
        let kept = decoded.as_ref().map_or(kept, |text| text.as_bytes());
        let mut chunks = kept.utf8_chunks().peekable();
        let mut text = String::with_capacity(kept.len());
        let mut is_invalid = false;
        while let Some(chunk) = chunks.next() {
            text.push_str(chunk.valid());
            // A cut may divide a character.
            let is_divided = is_cut && chunks.peek().is_none();
            if !is_divided && !chunk.invalid().is_empty() {
                text.push(char::REPLACEMENT_CHARACTER);
                is_invalid = true;
            }
        }
        if is_invalid {
            self.invalid.add(number);
        }
        push_without_escapes(&mut self.content, text.trim_end());
        if is_cut {
            self.content.push('…');
        }
        let end = self.content.len();
        if slice_is_blank(&self.content, start) {
            self.content.truncate(start);
            return;
        }
        let position = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        self.lines.push((number, position(start)..position(end)));
    }
}

fn slice_is_blank(content: &str, start: usize) -> bool {
    content.get(start..).unwrap_or_default().trim().is_empty()
}

/// Reads a line without its line feed, at most one byte more than is kept. Returns
/// whether it had one, or `None` at the end.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
    let mut is_empty = true;
    loop {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            return Ok((!is_empty).then_some(false));
        }
        is_empty = false;
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let part = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
        let room = (MAX_LINE_BYTES + 1).saturating_sub(line.len());
        line.extend(part.iter().take(room));
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return Ok(Some(true));
        }
    }
}

/// Appends a text without the sequences that colour it on a terminal.
fn push_without_escapes(to: &mut String, text: &str) {
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != ESCAPE {
            to.push(character);
            continue;
        }
        if characters.next() == Some('[') {
            let _ = characters.find(|character| ('@'..='~').contains(character));
        }
    }
}
