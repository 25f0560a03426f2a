use crate::DecodeError;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::text::{self, TextLine};
use rtoscope_trace::{Diagnostic, DiagnosticKind, Diagnostics};

/// The lines of a text that could not be parsed, or that are other text.
#[derive(Default)]
pub(super) struct RejectedLines {
    first: Option<String>,
    ignored: u64,
    first_ignored: Option<(u64, u64)>,
}

impl RejectedLines {
    /// Reports a line that is not a valid record of the given kind, such as
    /// `S-record`.
    pub(super) fn report(
        &mut self,
        line: TextLine<'_>,
        what: &str,
        problem: &str,
        diagnostics: &mut Diagnostics,
    ) {
        let message = format!("line {}: invalid {what}: {problem}", line.number);
        self.first.get_or_insert_with(|| message.clone());
        diagnostics
            .push(Diagnostic::new(DiagnosticKind::BadRecord, message).at_offset(line.offset));
    }

    /// Counts a line that resembles no record.
    pub(super) fn ignore(&mut self, line: TextLine<'_>) {
        self.ignored += 1;
        self.first_ignored.get_or_insert((line.number, line.offset));
    }

    /// Reports the ignored lines.
    pub(super) fn report_ignored(&self, diagnostics: &mut Diagnostics) {
        let Some((number, offset)) = self.first_ignored else {
            return;
        };
        let count = self.ignored;
        let lines = pluralise(count, "line", "lines");
        let message = format!("ignored {lines} of other text, first line {number}");
        let diagnostic = Diagnostic::new(DiagnosticKind::OtherText, message);
        diagnostics.push(diagnostic.at_offset(offset).with_count(count));
    }

    /// The error for a text without any bytes: its first rejected line, or
    /// `otherwise`.
    pub(super) fn no_record_error(
        self,
        container: &'static str,
        otherwise: &str,
        text: &[u8],
    ) -> DecodeError {
        DecodeError::NoRecord {
            container,
            lines: text::count(text),
            problem: self.first.unwrap_or_else(|| otherwise.to_owned()),
        }
    }
}
