//! Hex dumps for people, by tools and debuggers: plain, `xxd`, `hexdump -C`,
//! GDB's `x`. The format is detected line by line, so that a mixture is
//! accepted too.

mod line;
mod text_column;
mod word_order;

use super::rejected_lines::RejectedLines;
use crate::DecodeError;
use crate::memory::{Memory, MemoryBuilder};
use line::{AddressStyle, LineContent, ParsedLine};
use rtoscope_trace::text::{self, TextLine};
use rtoscope_trace::{Diagnostic, DiagnosticKind, Diagnostics};
use word_order::WordRanges;

/// Maximum bytes that all `*` lines together may represent.
const MAX_REPEATED_BYTES: u64 = 64 << 20;

/// Reads hex text.
pub(super) fn read(
    bytes: &[u8],
    diagnostics: &mut Diagnostics,
) -> Result<Memory<'static>, DecodeError> {
    let mut reader = HexTextReader {
        repeat_left: MAX_REPEATED_BYTES,
        ..HexTextReader::default()
    };
    for line in text::lines(bytes) {
        match line::parse(line.text, reader.style) {
            Ok(parsed) => reader.apply(line, parsed, diagnostics),
            Err(problem) => reader.reject(line, &problem, diagnostics),
        }
    }
    reader.finish(bytes, diagnostics)
}

#[derive(Default)]
struct HexTextReader {
    memory: MemoryBuilder<'static>,
    words: WordRanges,
    /// The address of the next bytes without an address.
    next: u64,
    /// The bytes of the previous line, and whether `*` follows them.
    last: Vec<u8>,
    repeats: bool,
    repeat_left: u64,
    /// Whether any line had a target address rather than an offset.
    has_target_addresses: bool,
    /// Whether any line had an address.
    has_addresses: bool,
    style: AddressStyle,
    rejected_lines: RejectedLines,
}

impl HexTextReader {
    fn apply(&mut self, line: TextLine<'_>, parsed: ParsedLine, diagnostics: &mut Diagnostics) {
        self.has_target_addresses |= parsed.is_target_address;
        if let Some(address) = parsed.address {
            self.has_addresses = true;
            self.repeat_until(address, line, diagnostics);
            self.next = address;
        }
        match parsed.content {
            LineContent::Bytes(piece) => {
                let range = self.memory.push(self.next, &piece.bytes);
                self.words.add(range, piece.width);
                self.next = self.next.saturating_add(piece.bytes.len() as u64);
                self.last = piece.bytes;
                self.style = parsed.style;
            }
            LineContent::Repeat => self.repeats = true,
            LineContent::Empty => {}
        }
        if parsed.inaccessible {
            let message = format!(
                "line {}: the debugger could not read further memory",
                line.number
            );
            let diagnostic = Diagnostic::new(DiagnosticKind::MissingBytes, message);
            diagnostics.push(diagnostic.at_offset(line.offset));
        }
    }

    /// Fills memory up to `address` with the bytes of the last line if a `*`
    /// line preceded.
    fn repeat_until(&mut self, address: u64, line: TextLine<'_>, diagnostics: &mut Diagnostics) {
        if !std::mem::take(&mut self.repeats) {
            return;
        }
        let length = address.checked_sub(self.next);
        let Some(length) = length.filter(|_| !self.last.is_empty()) else {
            let message = format!(
                "'*' before line {} repeats unknown bytes: they are missing",
                line.number
            );
            diagnostics
                .push(Diagnostic::new(DiagnosticKind::BadRecord, message).at_offset(line.offset));
            return;
        };
        match usize::try_from(length) {
            Ok(fits) if length <= self.repeat_left => {
                self.repeat_left -= length;
                self.memory.push_repeated(self.next, &self.last, fits);
            }
            _ => {
                let message = format!(
                    "'*' before line {} represents {length} bytes, which exceeds the total limit \
                     of {MAX_REPEATED_BYTES}: skipped them",
                    line.number
                );
                let diagnostic = Diagnostic::new(DiagnosticKind::MissingBytes, message);
                diagnostics.push(diagnostic.at_offset(line.offset).with_count(length));
            }
        }
    }

    fn reject(&mut self, line: TextLine<'_>, problem: &str, diagnostics: &mut Diagnostics) {
        self.rejected_lines
            .report(line, "hex text", problem, diagnostics);
        self.last.clear();
        if !self.has_addresses && !self.memory.is_empty() {
            // The following bytes keep their offsets.
            self.next = self.next.saturating_add(line::likely_bytes(line.text));
        }
    }

    fn finish(
        mut self,
        bytes: &[u8],
        diagnostics: &mut Diagnostics,
    ) -> Result<Memory<'static>, DecodeError> {
        if self.memory.is_empty() {
            return Err(self
                .rejected_lines
                .no_record_error("hex text", "none has digits", bytes));
        }
        // A dump of a file starts at offset 0; if a memory dump starts there,
        // its addresses are equivalent to offsets.
        let from_zero = self.memory.lowest_address() == Some(0);
        let addressed = self.has_target_addresses || (self.has_addresses && !from_zero);
        if self.repeats {
            let message = "no address follows the last '*': its bytes are missing";
            let diagnostic = Diagnostic::new(DiagnosticKind::MissingBytes, message);
            diagnostics.push(diagnostic.at_offset(bytes.len() as u64));
        }
        let (memory, found) = self.words.restore_byte_order(&mut self.memory, addressed);
        diagnostics.extend(found);
        Ok(memory)
    }
}

#[cfg(test)]
mod tests;
