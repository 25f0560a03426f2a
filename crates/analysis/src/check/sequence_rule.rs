//! A rule about a sequence of records.

use super::outcome::CheckResult;
use super::rule_file::RuleError;
use crate::sequence::Sequence;
use crate::timing::line_of;
use rtoscope_trace::Trace;
use toml::Spanned;

/// A sequence that must be found wherever it begins.
#[derive(Debug, Clone)]
pub(super) struct SequenceRule {
    pub(super) name: String,
    sequence: Sequence,
    /// Whether it holds in spite of missing events.
    pub(super) accepts_gaps: bool,
}

impl SequenceRule {
    /// Parses a sequence in a file.
    pub(super) fn parse(
        file: &str,
        name: Option<String>,
        text: &Spanned<String>,
        accepts_gaps: bool,
    ) -> Result<Self, RuleError> {
        let start = text.span().start;
        let quoted = file.get(start..).unwrap_or_default();
        // The line break after three quotation marks is not a part of the text.
        let skips_break = ["\"\"\"\n", "\"\"\"\r\n", "'''\n", "'''\r\n"];
        let skips_break = skips_break.iter().any(|it| quoted.starts_with(it));
        let first_line = line_of(file, start) + usize::from(skips_break);
        let first_line = u32::try_from(first_line).unwrap_or(u32::MAX);
        Ok(Self {
            name: name.unwrap_or_else(|| format!("sequence in line {first_line}")),
            sequence: Sequence::parse(text.get_ref(), first_line)?,
            accepts_gaps,
        })
    }

    pub(super) fn check(&self, trace: &Trace) -> Result<CheckResult, RuleError> {
        self.sequence.check(trace, &self.name, self.accepts_gaps)
    }
}
