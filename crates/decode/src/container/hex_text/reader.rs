use super::fields::{self, Fields, Word};
use super::shape::{Group, Shape, TextColumn};
use super::word_order::{PartialWord, WordOrder};
use super::{NAME, block_address, readable};
use crate::DecodeError;
use crate::container::rejected_lines::RejectedLines;
use crate::memory::{Memory, MemoryBuilder};
use rtoscope_trace::text::{self, TextLine};
use rtoscope_trace::{Diagnostic, DiagnosticKind, Diagnostics};

/// Maximum bytes that all `*` lines together may represent.
const MAX_REPEATED_BYTES: u64 = 64 << 20;
/// A damaged line may be this much longer or shorter than the others.
const MAX_LENGTH_CHANGE: usize = 2;

/// Reads the columns of a dump.
pub(super) struct HexTextReader {
    shape: Shape,
    memory: MemoryBuilder<'static>,
    order: WordOrder,
    /// The address of the next bytes without an address.
    next: u64,
    /// The last line with bytes, which is not in memory yet: the following line may prove that
    /// it is damaged.
    pending: Option<PendingLine>,
    /// The bytes of the previous line, and whether `*` follows them.
    last: Vec<u8>,
    last_width: usize,
    repeats: bool,
    max_repeated_bytes: u64,
    repeat_left: u64,
    /// Whether any line had a target address rather than an offset.
    has_target_addresses: bool,
    /// Whether any line had an address.
    has_addresses: bool,
    /// The length of the previous line with bytes.
    line_length: usize,
    rejected_lines: RejectedLines,
    words: Vec<Word>,
}

/// The bytes of a line.
struct PendingLine {
    number: u64,
    offset: u64,
    /// Where its bytes are.
    start: u64,
    has_address: bool,
    /// Where the bytes of the previous line end.
    expected: Option<u64>,
    bytes: Vec<u8>,
    /// Bytes of a word with fewer digits than the others, at the end.
    tail: usize,
    /// Bytes of a word; 1 if the digits represent bytes in order.
    width: usize,
    /// Whether it has as many values as the others.
    is_full: bool,
}

impl PendingLine {
    fn end_from(&self, start: u64) -> u64 {
        start.saturating_add(self.bytes.len() as u64)
    }
}

impl HexTextReader {
    pub(super) fn new(shape: Shape, max_repeated_bytes: u64) -> Self {
        let max_repeated_bytes = max_repeated_bytes.min(MAX_REPEATED_BYTES);
        Self {
            shape,
            memory: MemoryBuilder::default(),
            order: WordOrder::default(),
            next: 0,
            pending: None,
            last: Vec::new(),
            last_width: 1,
            repeats: false,
            max_repeated_bytes,
            repeat_left: max_repeated_bytes,
            has_target_addresses: false,
            has_addresses: false,
            line_length: 0,
            rejected_lines: RejectedLines::default(),
            words: Vec::new(),
        }
    }

    pub(super) fn read(&mut self, line: TextLine<'_>, text: &[u8], diagnostics: &mut Diagnostics) {
        if text == b"*" {
            self.commit();
            self.repeats = true;
            return;
        }
        if let Some(address) = block_address(text).filter(|_| self.shape.radix.is_none()) {
            self.commit();
            if !self.shape.ignores_blocks {
                self.move_to(self.scaled(address), line, diagnostics);
            }
            return;
        }
        let readable = readable(text);
        let is_refused = readable.len() < text.len();
        let mut words = std::mem::take(&mut self.words);
        fields::split_words(readable, &mut words);
        match fields::in_form(readable, &words, self.shape.form) {
            Some(fields) => match self.parse(line, fields) {
                Ok(parsed) => {
                    self.line_length = text.len();
                    self.accept(line, parsed, diagnostics);
                }
                Err(problem) => self.reject(line, readable, &problem, diagnostics),
            },
            None if is_refused => {}
            None => self.read_other(line, readable, &words, diagnostics),
        }
        self.words = words;
        if is_refused {
            let number = line.number;
            let message = format!("line {number}: the debugger could not read further memory");
            let diagnostic = Diagnostic::new(DiagnosticKind::MissingBytes, message);
            diagnostics.push(diagnostic.at_offset(line.offset));
        }
    }

    fn parse(
        &mut self,
        line: TextLine<'_>,
        mut fields: Fields<'_, '_>,
    ) -> Result<PendingLine, String> {
        let Shape { usual, radix, .. } = self.shape;
        if let Some(TextColumn { offset, .. }) = self.shape.text {
            fields.truncate_at(offset);
        }
        if self.shape.form.prefixed && !matches!(fields.digit_count(), 2 | 4 | 8 | 16) {
            return Err(format!(
                "a value has {} digits, expected 2, 4, 8 or 16",
                fields.digit_count()
            ));
        }
        // The last line may be shorter than a value.
        let is_part = radix.is_none() && fields.count() == 1 && fields.digit_count() < usual.digits;
        let is_equal = fields.digit_count() == usual.digits;
        if radix.is_none() && self.shape.is_regular && !is_equal && !is_part {
            return Err(format!(
                "its values have {} digits, but those of other lines have {}",
                fields.digit_count(),
                usual.digits
            ));
        }
        let group = Group {
            count: fields.count(),
            digits: fields.digit_count(),
        };
        let width = if group.is_of_words() {
            group.digits / 2
        } else {
            1
        };
        self.check_text(&fields)?;
        let mut start = self.next;
        if let (Some(radix), Some(number)) = (radix, fields.address) {
            let address = number
                .value(radix)
                .ok_or("its address has too many digits")?;
            self.has_target_addresses |= number.is_prefixed;
            start = self.scaled(address);
        }
        Ok(PendingLine {
            number: line.number,
            offset: line.offset,
            start,
            has_address: radix.is_some(),
            expected: self.has_addresses.then_some(self.next),
            bytes: fields.bytes(),
            tail: match (is_part && usual.is_of_words(), width) {
                (true, _) => fields.byte_count(),
                (false, 1) => 0,
                _ => fields.tail(),
            },
            width,
            is_full: group.count >= usual.count && !is_part,
        })
    }

    /// Verifies what follows the values.
    fn check_text(&mut self, fields: &Fields<'_, '_>) -> Result<(), String> {
        let own = fields.text_offset();
        let Some(TextColumn { offset, is_comment }) = self.shape.text else {
            return own.map_or(Ok(()), |offset| {
                let text = fields.text_at(offset).escape_ascii();
                Err(format!("'{text}' after its values is not understood"))
            });
        };
        if is_comment {
            return Ok(());
        }
        // The text of a short last line may follow its values at once, and blanks or signs
        // hide where a text begins.
        let shown = [Some(offset), own, fields.end_offset()]
            .into_iter()
            .flatten();
        let mut found = shown.map(|offset| fields.shown_at(offset));
        let Some(found) = found.find(|found| found.any()) else {
            return Err(format!(
                "its text '{}' does not match its {} bytes",
                fields.text_at(offset).trim_ascii().escape_ascii(),
                fields.byte_count()
            ));
        };
        self.order.vote(found);
        Ok(())
    }

    /// A line without values in the shared columns.
    fn read_other(
        &mut self,
        line: TextLine<'_>,
        text: &[u8],
        words: &[Word],
        diagnostics: &mut Diagnostics,
    ) {
        // `hexdump` and `od` end with an address alone.
        let number = fields::lone_number(text, words).filter(|_| self.line_length > 0);
        let number = self.shape.radix.zip(number);
        if let Some(address) = number.and_then(|(radix, number)| number.value(radix)) {
            self.commit();
            self.move_to(self.scaled(address), line, diagnostics);
            return;
        }
        if self.is_damaged(text, words) {
            self.reject(
                line,
                text,
                "it has other columns than the other lines",
                diagnostics,
            );
        } else if !text.is_empty() {
            self.rejected_lines.ignore(line);
        }
    }

    /// Whether a line resembles those with values.
    fn is_damaged(&self, text: &[u8], words: &[Word]) -> bool {
        if self.line_length == 0 && self.shape.radix.is_some() {
            return false;
        }
        let usual = self.shape.usual;
        let values = fields::value_count(words, usual.digits);
        let is_long_enough = self.line_length.abs_diff(text.len()) <= MAX_LENGTH_CHANGE;
        // Without addresses, nothing else shows that values are missing.
        let is_certain = usual.count > 2 || self.shape.radix.is_none();
        (is_certain && values >= usual.count.div_ceil(2).max(usual.count.min(2)))
            || (is_long_enough && likely_bytes(text) > 0)
    }

    fn accept(
        &mut self,
        line: TextLine<'_>,
        mut parsed: PendingLine,
        diagnostics: &mut Diagnostics,
    ) {
        if let Some(pending) = self.pending.take() {
            self.resolve(&pending, &mut parsed, diagnostics);
        }
        if parsed.has_address {
            self.move_to(parsed.start, line, diagnostics);
        }
        self.next = parsed.end_from(parsed.start);
        self.last.clone_from(&parsed.bytes);
        self.last_width = parsed.width;
        self.pending = Some(parsed);
    }

    /// Stores a line, unless the following one proves that it is damaged.
    fn resolve(
        &mut self,
        pending: &PendingLine,
        following: &mut PendingLine,
        diagnostics: &mut Diagnostics,
    ) {
        let continues = |start: u64| following.start == pending.end_from(start);
        let misplaced = |expected: u64| {
            pending.has_address
                && pending.start != expected
                && continues(expected)
                && !continues(pending.start)
        };
        let problem = if pending.expected.is_some_and(misplaced) {
            "its address is not between those of its neighbours"
        } else if !pending.has_address && self.shape.is_regular && !pending.is_full {
            following.start = pending.start;
            "it has fewer values than the other lines"
        } else {
            self.store(pending);
            return;
        };
        if following.has_address {
            following.expected = Some(following.start);
        }
        let line = TextLine {
            number: pending.number,
            offset: pending.offset,
            text: &[],
        };
        self.rejected_lines.report(line, NAME, problem, diagnostics);
    }

    /// Stores the last line.
    fn commit(&mut self) {
        if let Some(pending) = self.pending.take() {
            self.store(&pending);
        }
    }

    fn store(&mut self, line: &PendingLine) {
        let (whole, tail) = line.bytes.split_at(line.bytes.len() - line.tail);
        let range = self.memory.push(line.start, whole);
        self.order.add(range, line.width);
        if !tail.is_empty() {
            self.order.add_tail(PartialWord {
                line: line.number,
                offset: line.offset,
                address: line.end_from(line.start) - tail.len() as u64,
                bytes: tail.to_vec(),
            });
        }
    }

    fn scaled(&self, address: u64) -> u64 {
        match self.shape.counts_words {
            true => address.saturating_mul(self.shape.usual.digits as u64 / 2),
            false => address,
        }
    }

    /// Continues at an address. Fills memory up to it with the bytes of the last line if a `*`
    /// line preceded.
    fn move_to(&mut self, address: u64, line: TextLine<'_>, diagnostics: &mut Diagnostics) {
        let from = std::mem::replace(&mut self.next, address);
        self.has_addresses = true;
        if !std::mem::take(&mut self.repeats) {
            return;
        }
        let length = address.checked_sub(from);
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
                let range = self.memory.push_repeated(from, &self.last, fits);
                self.order.add(range, self.last_width);
            }
            _ => {
                let message = format!(
                    "'*' before line {} represents {length} bytes, which exceeds the total limit \
                     of {}: skipped them",
                    line.number, self.max_repeated_bytes
                );
                let diagnostic = Diagnostic::new(DiagnosticKind::MissingBytes, message);
                diagnostics.push(diagnostic.at_offset(line.offset).with_count(length));
            }
        }
    }

    fn reject(
        &mut self,
        line: TextLine<'_>,
        text: &[u8],
        problem: &str,
        diagnostics: &mut Diagnostics,
    ) {
        self.commit();
        self.rejected_lines.report(line, NAME, problem, diagnostics);
        self.last.clear();
        if !self.has_addresses && self.line_length > 0 {
            // The following bytes keep their offsets.
            self.next = self.next.saturating_add(likely_bytes(text));
        }
    }

    pub(super) fn finish(
        mut self,
        bytes: &[u8],
        diagnostics: &mut Diagnostics,
    ) -> Result<Memory<'static>, DecodeError> {
        self.commit();
        if self.memory.is_empty() {
            return Err(self
                .rejected_lines
                .no_record_error(NAME, "none has digits", bytes));
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
        self.rejected_lines.report_ignored(diagnostics);
        let (memory, found) = self.order.restore(self.shape, &mut self.memory, addressed);
        diagnostics.extend(found);
        Ok(memory)
    }
}

/// Estimates the number of bytes of an unreadable line without an address; 0 if
/// it does not look like bytes.
fn likely_bytes(text: &[u8]) -> u64 {
    if text::is_other_text(text) {
        return 0;
    }
    let all = text.split(|byte| byte.is_ascii_whitespace() || *byte == b',');
    let bytes = all.map(|group| group.strip_prefix(b"0x").unwrap_or(group).len().div_ceil(2));
    bytes.sum::<usize>() as u64
}
