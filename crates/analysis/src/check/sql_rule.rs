//! A rule in SQL: a query that must return no rows.

use super::outcome::{CheckResult, Offender, RuleOutcome};
use rtoscope_trace::diagnostic::pluralise;

/// A query that must return no rows.
#[derive(Debug, Clone)]
pub struct SqlRule {
    /// Its line in the file, counted from 1.
    pub(super) line: usize,
    name: String,
    /// The statement.
    pub sql: String,
    /// Whether it holds in spite of missing events.
    pub accepts_gaps: bool,
}

/// What a query of a rule returned.
#[derive(Debug, Clone, PartialEq)]
pub enum QueryAnswer {
    /// Rows: their number, and the first of them.
    Rows(u64, Vec<Offender>),
    /// No row, although it could have returned one.
    Empty,
    /// Nothing that proves anything, for this reason.
    Undecided(String),
}

/// Runs the queries of rules on the recording that is checked. An error is one of the query.
pub type RunQuery<'q> = dyn FnMut(&SqlRule) -> Result<QueryAnswer, String> + 'q;

/// Maximum number of characters of a name that is the statement itself.
const MAX_NAME_LEN: usize = 60;

impl SqlRule {
    pub(super) fn new(line: usize, name: Option<String>, sql: String, accepts_gaps: bool) -> Self {
        let statement = || {
            let words: Vec<_> = sql.split_whitespace().collect();
            let text = words.join(" ");
            match text.char_indices().nth(MAX_NAME_LEN) {
                Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
                None => text,
            }
        };
        Self {
            line,
            name: name.unwrap_or_else(statement),
            sql,
            accepts_gaps,
        }
    }

    pub(super) fn result(&self, answer: QueryAnswer) -> CheckResult {
        match answer {
            QueryAnswer::Rows(count, first) => {
                let found = pluralise(count, "row", "rows");
                let mut result = CheckResult::failed(&self.name, found, first);
                result.violations = usize::try_from(count).unwrap_or(usize::MAX);
                result
            }
            QueryAnswer::Empty => CheckResult::new(&self.name, RuleOutcome::Passed, "no rows"),
            QueryAnswer::Undecided(why) => CheckResult::undecided(&self.name, why),
        }
    }
}
