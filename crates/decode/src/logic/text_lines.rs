//! Lines that no capture has, and the place of the reader.

use crate::rejected_texts::RejectedTexts;
use rtoscope_trace::diagnostic::pluralise;
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
    pub(super) rejected: RejectedTexts,
    /// Number of times that are earlier than one before, and the line of the first.
    backward: u64,
    first_backward: u64,
    /// Number of values that are cut.
    pub(super) cut_values: u64,
}

impl TextDamage {
    /// A time is earlier than one before.
    #[cold]
    pub(super) fn step_back(&mut self, place: TextPosition) {
        if self.backward == 0 {
            self.first_backward = place.line + 1;
        }
        self.backward += 1;
    }

    pub(super) fn diagnostics(&self) -> Vec<Diagnostic> {
        let rejected = &self.rejected;
        let mut diagnostics: Vec<_> = rejected
            .diagnostics("more line is damaged", "more lines are damaged")
            .collect();
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
