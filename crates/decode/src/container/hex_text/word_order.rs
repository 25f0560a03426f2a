use super::NAME;
use super::shape::Shape;
use super::text_column::TextMatch;
use crate::container::swapped;
use crate::memory::{Memory, MemoryBuilder};
use rtoscope_trace::{Diagnostic, DiagnosticKind, Diagnostics};
use std::ops::Range;

/// Words of known value but unknown byte order, because tools print words as numbers, and
/// what is known of their order.
#[derive(Default)]
pub(super) struct WordOrder {
    ranges: Vec<(Range<usize>, usize)>,
    /// Words with fewer digits than the others of their line.
    tails: Vec<PartialWord>,
    /// Lines whose text shows the bytes only in the order of the digits, or in the reverse.
    lines_as_printed: u64,
    lines_reversed: u64,
}

/// Part of a word, in the order of its digits.
pub(super) struct PartialWord {
    pub(super) line: u64,
    pub(super) offset: u64,
    pub(super) address: u64,
    pub(super) bytes: Vec<u8>,
}

impl WordOrder {
    /// Adds words of `width` bytes, stored in the order of their digits.
    pub(super) fn add(&mut self, range: Range<usize>, width: usize) {
        if width == 1 {
            return;
        }
        match self.ranges.last_mut() {
            Some((last, same)) if *same == width && last.end == range.start => last.end = range.end,
            _ => self.ranges.push((range, width)),
        }
    }

    pub(super) fn add_tail(&mut self, tail: PartialWord) {
        self.tails.push(tail);
    }

    /// Takes the text of a line into account.
    pub(super) fn vote(&mut self, text: TextMatch) {
        self.lines_as_printed += u64::from(!text.reversed);
        self.lines_reversed += u64::from(!text.as_printed);
    }

    /// Restores the byte order of the target: the one in which a control header is plausible,
    /// or which the text column shows, or which is usual.
    pub(super) fn restore(
        &self,
        shape: Shape,
        builder: &mut MemoryBuilder<'static>,
        addressed: bool,
    ) -> (Memory<'static>, Diagnostics) {
        if self.ranges.is_empty() {
            self.add_tails(builder);
            return builder.finish(addressed);
        }
        let as_printed = builder.finish(addressed);
        let is_printed = has_plausible_header(&as_printed.0);
        if is_printed && self.tails.is_empty() {
            return as_printed;
        }
        self.reverse(builder);
        let reversed = builder.finish(addressed);
        let is_reversed = !is_printed && has_plausible_header(&reversed.0);
        if is_reversed || (!is_printed && self.is_usually_reversed(shape)) {
            let (memory, mut diagnostics) = reversed;
            diagnostics.extend(self.tails.iter().map(PartialWord::diagnostic));
            if is_reversed && shape.radix.is_none() && !shape.form.prefixed {
                let bytes = shape.usual.digits / 2;
                let message = format!(
                    "the digits are words of {bytes} bytes, not bytes in order, as the control \
                     header proves: restored their order"
                );
                diagnostics.push(Diagnostic::new(DiagnosticKind::SwappedWords, message));
            }
            return (memory, diagnostics);
        }
        self.reverse(builder);
        self.add_tails(builder);
        builder.finish(addressed)
    }

    /// Whether the words are numbers of a little-endian target if there is no header.
    fn is_usually_reversed(&self, shape: Shape) -> bool {
        /// `xxd` prints bytes in order, in groups of two.
        const XXD_DIGITS: usize = 4;
        match self.lines_as_printed.cmp(&self.lines_reversed) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Greater => false,
            std::cmp::Ordering::Equal if shape.form.prefixed => true,
            std::cmp::Ordering::Equal => {
                let is_xxd = shape.text.is_some() && shape.usual.digits == XXD_DIGITS;
                shape.radix.is_some() && !is_xxd
            }
        }
    }

    fn reverse(&self, builder: &mut MemoryBuilder<'static>) {
        for (range, width) in &self.ranges {
            builder.swap_words(range.clone(), *width);
        }
    }

    fn add_tails(&self, builder: &mut MemoryBuilder<'static>) {
        for tail in &self.tails {
            builder.push(tail.address, &tail.bytes);
        }
    }
}

fn has_plausible_header(memory: &Memory<'_>) -> bool {
    swapped::has_plausible_header(memory, std::slice::from_ref(&(0..u64::MAX)))
}

impl PartialWord {
    fn diagnostic(&self) -> Diagnostic {
        let message = format!(
            "line {}: invalid {NAME}: its last value has fewer digits than the others",
            self.line
        );
        Diagnostic::new(DiagnosticKind::BadRecord, message).at_offset(self.offset)
    }
}
