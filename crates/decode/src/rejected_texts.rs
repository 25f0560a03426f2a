//! Texts of a file that are none of what it should have: the first are described, the others counted.

use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::printable::Printable;
use rtoscope_trace::{Diagnostic, DiagnosticKind};

/// The texts that a reader has rejected.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RejectedTexts {
    /// The offsets and the messages of the first of them.
    first: Vec<(u64, String)>,
    pub(crate) count: u64,
}

/// Maximum number of texts to describe, and length of one.
const MAX_DESCRIBED: usize = 10;
const MAX_DESCRIBED_BYTES: usize = 60;

impl RejectedTexts {
    /// Rejects a text in a line.
    #[cold]
    pub(crate) fn reject(&mut self, line: u64, offset: u64, text: &[u8], problem: &str) {
        self.count += 1;
        if self.first.len() >= MAX_DESCRIBED {
            return;
        }
        let shown = text.get(..MAX_DESCRIBED_BYTES).unwrap_or(text);
        let more = if shown.len() < text.len() { "…" } else { "" };
        let shown = String::from_utf8_lossy(shown.trim_ascii());
        let shown = Printable::text(&shown);
        let message = format!("line {line}: {problem}: `{shown}{more}`");
        self.first.push((offset, message));
    }

    /// The first problem.
    pub(crate) fn first_problem(&self) -> Option<&str> {
        self.first.first().map(|(_, message)| message.as_str())
    }

    /// The described texts, and the number of the others: `one` or `several` of them.
    pub(crate) fn diagnostics(
        &self,
        one: &'static str,
        several: &'static str,
    ) -> impl Iterator<Item = Diagnostic> {
        let diagnostic = |message| Diagnostic::new(DiagnosticKind::BadRecord, message);
        let first = self.first.iter();
        let first = first.map(move |(offset, it)| diagnostic(it.clone()).at_offset(*offset));
        let more = self.count - self.first.len() as u64;
        let more = (more > 0).then(|| diagnostic(pluralise(more, one, several)).with_count(more));
        first.chain(more)
    }
}
