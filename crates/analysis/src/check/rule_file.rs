//! The rules of a file, in TOML.

use super::between::Between;
use super::deadline_rule::{self, DeadlineRule, Firm};
use super::findings::FindingsEntry;
use super::limit::Limit;
use super::metric::{Metric, find_table, report_of};
use super::rule::{NamePattern, Rule, RuleTest, RuleWindow};
use super::rule_set::AnyRule;
use super::sequence_rule::SequenceRule;
use super::sql_rule::SqlRule;
use rtoscope_trace::TracePosition;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
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
    sequence: Option<Spanned<String>>,
    deadline: Option<String>,
    firm: Option<String>,
    max_missed: Option<toml::Value>,
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
    between: Option<String>,
    gaps: Option<GapPolicy>,
}

impl RuleEntry {
    /// The rule in a line of a file.
    pub(super) fn rule(
        mut self,
        file: &str,
        line: usize,
        gaps: GapPolicy,
    ) -> Result<AnyRule, RuleError> {
        let at = |message| RuleError { line, message };
        let accepts_gaps = self.gaps.take().unwrap_or(gaps) == GapPolicy::Accept;
        if let Some(sql) = self.sql.take() {
            let name = self.name.take();
            self.expect_no_more("sql", "`name` and `gaps`")
                .map_err(at)?;
            return Ok(AnyRule::Sql(SqlRule::new(line, name, sql, accepts_gaps)));
        }
        if let Some(text) = self.sequence.take() {
            let name = self.name.take();
            self.expect_no_more("sequence", "`name` and `gaps`")
                .map_err(at)?;
            let rule = SequenceRule::parse(file, name, &text, accepts_gaps);
            return rule.map(AnyRule::Sequence);
        }
        let rule = match self.deadline.take() {
            Some(deadline) => {
                let rule = self.deadline_rule(line, deadline, accepts_gaps);
                rule.map(AnyRule::Deadline)
            }
            None => self.table_rule(line, accepts_gaps).map(AnyRule::Table),
        };
        rule.map_err(at)
    }

    /// Fails if keys are left that do not belong to a rule of this kind.
    fn expect_no_more(&self, kind: &str, keys: &str) -> Result<(), String> {
        match *self == Self::default() {
            true => Ok(()),
            false => Err(format!(
                "a rule with `{kind}` has no other keys than {keys}"
            )),
        }
    }

    fn window(&mut self) -> Result<RuleWindow, String> {
        let position = |text: Option<String>, key: &str| {
            let position = text.as_deref().map(str::parse::<TracePosition>).transpose();
            position.map_err(|expected| format!("`{key}`: {expected}"))
        };
        Ok(RuleWindow {
            from: position(self.from.take(), "from")?,
            to: position(self.to.take(), "to")?,
        })
    }

    fn deadline_rule(
        mut self,
        line: usize,
        deadline: String,
        accepts_gaps: bool,
    ) -> Result<DeadlineRule, String> {
        let mut description = format!("deadline {deadline}");
        self.describe_window(&mut description);
        let window = self.window()?;
        let firm = self.firm.take();
        let max_missed = self.max_missed.take();
        let at = |key: &'static str| move |error| format!("`{key}`: {error}");
        let rule = DeadlineRule {
            line,
            window,
            accepts_gaps,
            deadline: NamePattern::new(deadline),
            firm: firm
                .as_deref()
                .map(Firm::parse)
                .transpose()
                .map_err(at("firm"))?,
            max_missed: max_missed
                .as_ref()
                .map(deadline_rule::max_missed)
                .transpose()
                .map_err(at("max-missed"))?,
            name: self.name.take().unwrap_or_else(|| {
                if let Some(firm) = &firm {
                    let _ = write!(description, " in time {firm}");
                }
                if let Some(max) = &max_missed {
                    let max = max.as_str().map_or_else(|| max.to_string(), str::to_owned);
                    let _ = write!(description, " missed <= {max}");
                }
                description
            }),
        };
        if rule.firm.is_none() && rule.max_missed.is_none() {
            return Err("a rule with `deadline` needs `firm` or `max-missed`".to_owned());
        }
        let keys = "`firm`, `max-missed`, `from`, `to`, `name` and `gaps`";
        self.expect_no_more("deadline", keys)?;
        Ok(rule)
    }

    fn table_rule(mut self, line: usize, accepts_gaps: bool) -> Result<Rule, String> {
        if self.table.is_empty() {
            return Err("a rule needs a `table`, `deadline`, `sequence` or `sql`".to_owned());
        }
        if self.firm.is_some() || self.max_missed.is_some() {
            return Err("`firm` and `max-missed` need a `deadline`".to_owned());
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
        let name = self.name.take().unwrap_or_else(|| self.description(&test));
        let between = self.between.as_deref().map(Between::parse).transpose();
        Ok(Rule {
            line,
            name,
            window: self.window()?,
            between: between.map_err(|error| format!("`between`: {error}"))?,
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

    fn describe_window(&self, text: &mut String) {
        for (word, end) in [("from", &self.from), ("to", &self.to)] {
            if let Some(end) = end {
                let _ = write!(text, " {word} {end}");
            }
        }
        match &self.between {
            Some(filters) if filters.contains("->") => text.push_str(" in each window"),
            Some(interval) => {
                let _ = write!(text, " in each {interval}");
            }
            None => {}
        }
    }

    /// The name of a rule without one: what it says.
    fn description(&self, test: &RuleTest) -> String {
        let mut text = self.table.clone();
        let rows = self.of.iter().chain(&self.row).chain(self.cells.values());
        for name in rows {
            text.push(' ');
            text.push_str(name);
        }
        self.describe_window(&mut text);
        let mut limit = |words: &str, limit: Option<String>| {
            if let Some(limit) = limit {
                text.push_str(words);
                text.push_str(&limit);
            }
        };
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
