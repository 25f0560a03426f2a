//! The rules of a file, in TOML.

use super::findings::FindingsEntry;
use super::limit::Limit;
use super::metric::{Metric, find_table, report_of};
use super::rule::{NamePattern, Rule, RuleTest};
use super::rule_set::AnyRule;
use super::sql_rule::SqlRule;
use rtoscope_trace::TracePosition;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use toml::Spanned;

/// A mistake in rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleError {
    /// Counted from 1.
    pub line: usize,
    /// The cause.
    pub message: String,
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for RuleError {}

/// The file, or the table `check` of a project's file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RuleFile {
    #[serde(default)]
    pub(super) gaps: GapPolicy,
    #[serde(default)]
    pub(super) undecided: UndecidedPolicy,
    #[serde(default)]
    pub(super) rule: Vec<Spanned<RuleEntry>>,
    #[serde(default)]
    pub(super) expect: Vec<String>,
    /// Whether a declared deadline that was missed is a violation; `None` is yes.
    pub(super) deadlines: Option<bool>,
    pub(super) findings: Option<FindingsEntry>,
}

/// What missing events mean for a rule that the others satisfy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum GapPolicy {
    /// It is undecided.
    #[default]
    Undecided,
    /// It has passed.
    Accept,
}

/// What a rule counts as that cannot be decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum UndecidedPolicy {
    /// Undecided, with an exit code of its own.
    #[default]
    Undecided,
    /// Failed.
    Fail,
    /// Passed.
    Pass,
}

#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RuleEntry {
    name: Option<String>,
    #[serde(default)]
    table: String,
    sql: Option<String>,
    of: Option<String>,
    row: Option<String>,
    #[serde(default)]
    cells: BTreeMap<String, String>,
    column: Option<String>,
    min: Option<toml::Value>,
    max: Option<toml::Value>,
    min_rows: Option<usize>,
    max_rows: Option<usize>,
    from: Option<String>,
    to: Option<String>,
    gaps: Option<GapPolicy>,
}

impl RuleEntry {
    pub(super) fn rule(mut self, line: usize, gaps: GapPolicy) -> Result<AnyRule, String> {
        let accepts_gaps = self.gaps.unwrap_or(gaps) == GapPolicy::Accept;
        let Some(sql) = self.sql.take() else {
            return Ok(AnyRule::Table(self.table_rule(line, accepts_gaps)?));
        };
        let name = self.name.take();
        let alone = Self {
            gaps: self.gaps,
            ..Self::default()
        };
        if self != alone {
            return Err("a rule with `sql` has no other keys than `name` and `gaps`".to_owned());
        }
        Ok(AnyRule::Sql(SqlRule::new(line, name, sql, accepts_gaps)))
    }

    fn table_rule(self, line: usize, accepts_gaps: bool) -> Result<Rule, String> {
        if self.table.is_empty() {
            return Err("a rule needs a `table`, or `sql`".to_owned());
        }
        let kind = report_of(&self.table)?;
        let table = find_table(kind, &self.table)?;
        let has_limit = self.min.is_some() || self.max.is_some();
        let has_rows = self.min_rows.is_some() || self.max_rows.is_some();
        let test = match &self.column {
            Some(column) if has_limit && !has_rows => {
                let metric = Metric::find(table.as_ref(), column)?;
                let limit = |value: &Option<toml::Value>, key: &str| {
                    let limit = value.as_ref().map(|it| Limit::parse(it, metric.unit));
                    limit
                        .transpose()
                        .map_err(|error| format!("`{key}`: {error}"))
                };
                RuleTest::Figure {
                    min: limit(&self.min, "min")?,
                    max: limit(&self.max, "max")?,
                    metric,
                }
            }
            None if has_rows && !has_limit => RuleTest::Rows {
                min: self.min_rows,
                max: self.max_rows,
            },
            _ => {
                return Err(
                    "a rule needs a `column` with `min` or `max`, or `min-rows` or `max-rows`"
                        .to_owned(),
                );
            }
        };
        if let Some(table) = &table
            && let Some(unknown) = self
                .cells
                .keys()
                .find(|key| !table.columns.iter().any(|column| column.key == **key))
        {
            return Err(format!("table `{}` has no column `{unknown}`", self.table));
        }
        let position = |text: &Option<String>, key: &str| {
            let position = text.as_deref().map(str::parse::<TracePosition>).transpose();
            position.map_err(|expected| format!("`{key}`: {expected}"))
        };
        Ok(Rule {
            line,
            window: [position(&self.from, "from")?, position(&self.to, "to")?],
            name: self.name.clone().unwrap_or_else(|| self.description(&test)),
            kind,
            of: self.of.map(NamePattern::new),
            row: self.row.map(NamePattern::new),
            cells: self
                .cells
                .into_iter()
                .map(|(key, pattern)| (key, NamePattern::new(pattern)))
                .collect(),
            table: self.table,
            test,
            accepts_gaps,
        })
    }

    /// The name of a rule without one: what it says.
    fn description(&self, test: &RuleTest) -> String {
        let mut text = self.table.clone();
        let rows = self.of.iter().chain(&self.row).chain(self.cells.values());
        for name in rows {
            text.push(' ');
            text.push_str(name);
        }
        let mut limit = |words: &str, limit: Option<String>| {
            if let Some(limit) = limit {
                text.push_str(words);
                text.push_str(&limit);
            }
        };
        limit(" from ", self.from.clone());
        limit(" to ", self.to.clone());
        match test {
            RuleTest::Figure { min, max, .. } => {
                limit(" ", self.column.clone());
                limit(" >= ", min.as_ref().map(|it| it.text.clone()));
                limit(" <= ", max.as_ref().map(|it| it.text.clone()));
            }
            RuleTest::Rows { min, max } => {
                limit(" rows >= ", min.map(|it| it.to_string()));
                limit(" rows <= ", max.map(|it| it.to_string()));
            }
        }
        text
    }
}
