//! Hex dumps for people, by tools, debuggers and consoles.
//!
//! There is no grammar for any tool. A first pass over the lines finds the columns that they
//! share: what precedes the address, the address, values of one width, and the text they
//! stand for. A second pass reads these columns. A line without them is reported: damage if
//! it resembles the others, and other text if not.

mod fields;
mod reader;
mod shape;
mod text_column;
mod word_order;

use super::rejected_lines::RejectedLines;
use crate::DecodeError;
use crate::memory::Memory;
use reader::HexTextReader;
use rtoscope_trace::{Diagnostics, text};
use shape::ShapeFinder;
use std::borrow::Cow;

const NAME: &str = "hex text";

/// Reads hex text, whose `*` lines may represent `max_repeated_bytes`.
pub(super) fn read(
    bytes: &[u8],
    max_repeated_bytes: u64,
    diagnostics: &mut Diagnostics,
) -> Result<Memory<'static>, DecodeError> {
    let mut finder = ShapeFinder::default();
    for line in text::lines(bytes) {
        finder.add(readable(&content(line.text)));
    }
    let none = |problem: &str| RejectedLines::default().no_record_error(NAME, problem, bytes);
    let shape = finder.finish().map_err(|problem| none(&problem))?;
    let shape = shape.ok_or_else(|| none("none has digits"))?;
    let mut reader = HexTextReader::new(shape, max_repeated_bytes);
    for line in text::lines(bytes) {
        reader.read(line, &content(line.text), diagnostics);
    }
    reader.finish(bytes, diagnostics)
}

/// The address of a line that contains nothing else: `@` and digits.
fn block_address(text: &[u8]) -> Option<u64> {
    text::parse_hex(text.strip_prefix(b"@")?.trim_ascii())
}

/// The part of a line before a debugger's message in place of values.
fn readable(text: &[u8]) -> &[u8] {
    const INACCESSIBLE: &[u8] = b"Cannot access memory";
    let end = memchr::memmem::find(text, INACCESSIBLE);
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

/// A line without the colours of a terminal.
fn content(text: &[u8]) -> Cow<'_, [u8]> {
    const ESCAPE: u8 = 0x1B;
    if !text.contains(&ESCAPE) {
        return text.into();
    }
    let mut parts = text.split(|byte| *byte == ESCAPE);
    let mut plain = parts.next().unwrap_or_default().to_vec();
    for part in parts {
        let end = part.iter().position(u8::is_ascii_alphabetic);
        plain.extend(end.and_then(|end| part.get(end + 1..)).unwrap_or_default());
    }
    plain.trim_ascii().to_vec().into()
}

#[cfg(test)]
mod tests;
