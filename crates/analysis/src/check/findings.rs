//! Findings as violations, and those that a project accepts.

use super::outcome::{CheckResult, Offender, RuleOutcome};
use super::rule::missing_evidence;
use crate::report::View;
use crate::report::findings::{Finding, FindingCategory, FindingSeverity};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::filter::Glob;
use serde::Deserialize;

/// From which severity on a finding is a violation, and which are accepted.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct FindingsEntry {
    pub(super) fail_on: FailOn,
    #[serde(default)]
    accept: Vec<AcceptedFinding>,
}

/// The least severity that is a violation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum FailOn {
    Critical,
    Warning,
}

/// A finding that a project accepts.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct AcceptedFinding {
    category: FindingCategory,
    /// A pattern of its message.
    message: Option<String>,
    /// Why it is accepted, so that it can be removed later.
    #[serde(rename = "reason")]
    _reason: String,
}

impl FindingsEntry {
    pub(super) const fn only(fail_on: FailOn) -> Self {
        Self {
            fail_on,
            accept: Vec::new(),
        }
    }

    /// Checks the findings of a recording.
    pub(super) fn check(&self, findings: &[Finding], view: &View<'_>) -> CheckResult {
        let least = self.fail_on.severity();
        let name = match self.fail_on {
            FailOn::Critical => "no critical findings",
            FailOn::Warning => "no critical findings and no warnings",
        };
        let severe = findings.iter().filter(|it| it.severity <= least);
        let (accepted, violations): (Vec<_>, Vec<_>) =
            severe.partition(|finding| self.accept.iter().any(|it| it.covers(finding)));
        if !violations.is_empty() {
            let message = pluralise(violations.len() as u64, "finding", "findings");
            let offender = |finding: &&Finding| Offender {
                subject: String::new(),
                found: finding.message.clone(),
                event: finding.event,
            };
            return CheckResult::failed(name, message, violations.iter().map(offender).collect());
        }
        let message = match accepted.len() as u64 {
            0 => "none".to_owned(),
            count => format!("{} accepted", pluralise(count, "finding", "findings")),
        };
        match missing_evidence(view) {
            Some(why) if self.fail_on == FailOn::Critical => {
                CheckResult::undecided(name, format!("{message}, but {why}"))
            }
            _ => CheckResult::new(name, RuleOutcome::Passed, message),
        }
    }
}

impl FailOn {
    const fn severity(self) -> FindingSeverity {
        match self {
            Self::Critical => FindingSeverity::Critical,
            Self::Warning => FindingSeverity::Warning,
        }
    }
}

impl AcceptedFinding {
    fn covers(&self, finding: &Finding) -> bool {
        self.category == finding.category
            && self
                .message
                .as_deref()
                .is_none_or(|pattern| Glob::new(pattern).matches(&finding.message))
    }
}
