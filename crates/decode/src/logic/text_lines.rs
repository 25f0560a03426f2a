//! Lines that no capture has, and the place of the reader.

use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::printable::Printable;
use rtoscope_trace::{Diagnostic, DiagnosticKind};

/// The place of a reader in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct TextPosition {
    /// The offset in bytes.
    pub(super) offset: u64,
    /// The number of the line, from 0.
    pub(super) line: u64,
}

/// What is wrong with a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TextDamage {
    /// The first of the rejected places: offset, and message.
    first: Vec<(u64, String)>,
    /// Number of rejected places.
    pub(super) rejected: u64,
    /// Number of times that are earlier than one before, and the line of the first.
    backward: u64,
    first_backward: u64,
    /// Number of values that are cut.
    pub(super) cut_values: u64,
}

/// Maximum number of places to describe, and length of their texts.
const MAX_DESCRIBED: usize = 10;
const MAX_DESCRIBED_BYTES: usize = 60;

impl TextDamage {
    /// A text is none of a capture.
    #[cold]
    pub(super) fn reject(&mut self, place: TextPosition, text: &[u8], problem: &str) {
        self.rejected += 1;
        if self.first.len() >= MAX_DESCRIBED {
            return;
        }
        let shown = text.get(..MAX_DESCRIBED_BYTES).unwrap_or(text);
        let more = if shown.len() < text.len() { "…" } else { "" };
        let shown = String::from_utf8_lossy(shown.trim_ascii());
        let message = format!(
            "line {}: {problem}: `{}{more}`",
            place.line + 1,
            Printable::text(&shown)
        );
        self.first.push((place.offset, message));
    }

    /// A time is earlier than one before.
    #[cold]
    pub(super) fn step_back(&mut self, place: TextPosition) {
        if self.backward == 0 {
            self.first_backward = place.line + 1;
        }
        self.backward += 1;
    }

    /// The first problem.
    pub(super) fn first_problem(&self) -> Option<&str> {
        self.first.first().map(|(_, message)| message.as_str())
    }

    pub(super) fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        for (offset, message) in &self.first {
            let diagnostic = Diagnostic::new(DiagnosticKind::BadRecord, message.clone());
            diagnostics.push(diagnostic.at_offset(*offset));
        }
        let more = self.rejected - self.first.len() as u64;
        if more > 0 {
            let message = pluralise(more, "more line is damaged", "more lines are damaged");
            diagnostics.push(Diagnostic::new(DiagnosticKind::BadRecord, message).with_count(more));
        }
        if self.backward > 0 {
            let message = format!(
                "{} earlier than one before, first in line {}: its changes have the time of the \
                 one before",
                pluralise(self.backward, "time is", "times are"),
                self.first_backward
            );
            let diagnostic = Diagnostic::new(DiagnosticKind::BackwardStep, message);
            diagnostics.push(diagnostic.with_count(self.backward));
        }
        if self.cut_values > 0 {
            let message = format!(
                "{} cut to {MAX_VALUE_BYTES} characters",
                pluralise(self.cut_values, "value is", "values are")
            );
            let diagnostic = Diagnostic::new(DiagnosticKind::Truncated, message);
            diagnostics.push(diagnostic.with_count(self.cut_values));
        }
        diagnostics
    }
}

/// Maximum length of a value that is a text.
pub(super) const MAX_VALUE_BYTES: usize = 256;
