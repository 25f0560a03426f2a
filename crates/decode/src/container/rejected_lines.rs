use crate::DecodeError;
use rtoscope_trace::text::{self, TextLine};
use rtoscope_trace::{Diagnostic, DiagnosticKind, Diagnostics};

/// The lines of a text that could not be parsed.
#[derive(Default)]
pub(super) struct RejectedLines {
    first: Option<String>,
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
