//! The rules for recordings.

use super::deadline_rule::DeadlineRule;
use super::declared;
use super::findings::{FailOn, FindingsEntry};
use super::occurrences;
use super::outcome::{CheckResult, RuleOutcome};
use super::rule::Rule;
use super::rule_file::{RuleError, RuleFile, UndecidedPolicy};
use super::sequence_rule::SequenceRule;
use super::sql_rule::{RunQuery, SqlRule};
use crate::AnalyzedRecording;
use crate::report::findings::FindingSeverity;
use crate::report::{ReportDocument, ReportOptions, Scope};
use crate::sequence::check_recorded;
use crate::timing::line_of;
use serde::Deserialize;
use std::cell::OnceCell;

/// The rules for recordings.
#[derive(Debug, Clone, Default)]
pub struct RuleSet {
    rules: Vec<AnyRule>,
    undecided: UndecidedPolicy,
    findings: Option<FindingsEntry>,
    /// Whether declared deadlines are judged by rules alone.
    skips_deadlines: bool,
}

/// A rule of a file.
#[derive(Debug, Clone)]
pub(super) enum AnyRule {
    Table(Rule),
    Deadline(DeadlineRule),
    Sequence(SequenceRule),
    Sql(SqlRule),
}

impl AnyRule {
    /// Whether it is about the declared deadline with this name.
    fn covers(&self, deadline: &str) -> bool {
        matches!(self, Self::Deadline(rule) if rule.covers(deadline))
    }
}

impl RuleSet {
    /// Reads the rules of a file.
    ///
    /// # Errors
    ///
    /// If the text is no TOML, or a rule has a mistake.
    pub fn parse(text: &str) -> Result<Self, RuleError> {
        Self::from_file(toml::from_str(text).map_err(|it| located(text, &it))?, text)
    }

    /// Reads the rules in table `check` of a project's file.
    ///
    /// # Errors
    ///
    /// As [`RuleSet::parse`].
    pub fn parse_project(text: &str) -> Result<Self, RuleError> {
        /// Spans of the parts are those in the whole text.
        #[derive(Deserialize)]
        struct Project {
            #[serde(default)]
            check: RuleFile,
        }
        let project: Project = toml::from_str(text).map_err(|it| located(text, &it))?;
        Self::from_file(project.check, text)
    }

    fn from_file(file: RuleFile, text: &str) -> Result<Self, RuleError> {
        let rules = file.rule.into_iter().map(|entry| {
            let line = line_of(text, entry.span().start);
            entry.into_inner().rule(text, line, file.gaps)
        });
        Ok(Self {
            rules: rules.collect::<Result<_, _>>()?,
            undecided: file.undecided,
            findings: file.findings,
            skips_deadlines: file.deadlines == Some(false),
        })
    }

    /// Also fails on findings from this severity on.
    pub fn fail_on(&mut self, least: FindingSeverity) {
        let fail_on = match least {
            FindingSeverity::Critical => FailOn::Critical,
            FindingSeverity::Warning | FindingSeverity::Note => FailOn::Warning,
        };
        match &mut self.findings {
            Some(findings) => findings.fail_on = fail_on,
            None => self.findings = Some(FindingsEntry::only(fail_on)),
        }
    }

    /// Whether there are no rules. Declared deadlines are judged nevertheless.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.findings.is_none()
    }

    /// Checks the rules, the declared deadlines and the unit tests in a recording by a scope of it;
    /// queries, sequences and unit tests see all of it.
    ///
    /// # Errors
    ///
    /// If the recording does not have the window of a rule, or a query has a mistake.
    pub fn check(
        &self,
        recording: &AnalyzedRecording,
        scope: &Scope,
        run_query: &mut RunQuery<'_>,
    ) -> Result<Vec<CheckResult>, RuleError> {
        let mut windows: Vec<(Scope, Vec<(usize, &AnyRule)>)> = vec![(scope.clone(), Vec::new())];
        let mut results: Vec<_> = self.rules.iter().map(|_| None).collect();
        for ((number, rule), result) in (0..).zip(&self.rules).zip(&mut results) {
            let at = |line| move |message| RuleError { line, message };
            let (line, window) = match rule {
                AnyRule::Table(rule) => (rule.line, &rule.window),
                AnyRule::Deadline(rule) => (rule.line, &rule.window),
                AnyRule::Sequence(rule) => {
                    *result = Some(rule.check(&recording.trace)?);
                    continue;
                }
                AnyRule::Sql(rule) => {
                    let answer = run_query(rule).map_err(at(rule.line))?;
                    *result = Some(rule.result(answer));
                    continue;
                }
            };
            let scope = window.scope(&recording.trace, scope).map_err(at(line))?;
            if let AnyRule::Table(rule) = rule
                && let Some(between) = &rule.between
            {
                *result = Some(between.check(rule, recording, &scope).map_err(at(line))?);
                continue;
            }
            match windows.iter_mut().find(|(window, _)| *window == scope) {
                Some((_, rules)) => rules.push((number, rule)),
                None => windows.push((scope, vec![(number, rule)])),
            }
        }
        let mut others = Vec::new();
        for (window, rules) in windows {
            let is_whole = window == *scope;
            let stats = recording.scope_stats(window);
            let view = recording.view_of(&stats);
            let kinds = rules.iter().filter_map(|(_, rule)| match rule {
                AnyRule::Table(rule) => Some(rule.kind),
                _ => None,
            });
            let declared = declared::KINDS.iter().filter(|_| is_whole).copied();
            let options = ReportOptions {
                kinds: kinds.chain(declared).collect(),
                findings: is_whole && self.findings.is_some(),
                ..ReportOptions::default()
            };
            let document = ReportDocument::new("", &view, &options);
            let occurrences = OnceCell::new();
            for (number, rule) in rules {
                let found = match rule {
                    AnyRule::Table(rule) => rule.check(&document, &view),
                    AnyRule::Deadline(rule) => rule.check(
                        occurrences.get_or_init(|| occurrences::of_all(&view)),
                        &view,
                    ),
                    AnyRule::Sequence(_) | AnyRule::Sql(_) => continue,
                };
                if let Some(result) = results.get_mut(number) {
                    *result = Some(found);
                }
            }
            if is_whole && !self.skips_deadlines {
                let has_rule = |name: &str| self.rules.iter().any(|rule| rule.covers(name));
                declared::check(&document, &view, has_rule, &mut others);
            }
            if is_whole {
                let findings = self.findings.as_ref();
                others.extend(findings.map(|it| it.check(&document.findings, &view)));
            }
        }
        if let Some(tests) = &recording.unit_tests {
            others.extend(check_recorded(&recording.trace, tests));
        }
        let mut results: Vec<_> = results.into_iter().flatten().chain(others).collect();
        let undecided = results.iter_mut();
        for result in undecided.filter(|it| it.outcome == RuleOutcome::Undecided) {
            result.outcome = match self.undecided {
                UndecidedPolicy::Undecided => RuleOutcome::Undecided,
                UndecidedPolicy::Fail => RuleOutcome::Failed,
                UndecidedPolicy::Pass => RuleOutcome::Passed,
            };
        }
        Ok(results)
    }
}

fn located(text: &str, error: &toml::de::Error) -> RuleError {
    RuleError {
        line: line_of(text, error.span().unwrap_or_default().start),
        message: error.message().to_owned(),
    }
}
