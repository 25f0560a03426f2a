//! Checks: limits of the figures of reports, queries, declared deadlines, sequences of records,
//! unit tests in recordings and findings, each passed, failed or undecided.
//!
//! ```toml
//! [[rule]]
//! table = "latency.threads"
//! row = "ui"
//! column = "response.p99"
//! max = "8ms"
//!
//! [[rule]]
//! table = "inversions"
//! max-rows = 0
//!
//! [[rule]]
//! sql = "SELECT first_event AS event FROM mutex_holds WHERE duration_ns > 500000"
//!
//! [findings]
//! fail-on = "critical"
//! ```
//!
//! A table and a column have the names that they have in the JSON document of
//! `rtoscope report`, so that whatever a report shows can be limited.

mod between;
mod deadline_rule;
mod declared;
mod findings;
mod learn;
mod limit;
mod metric;
mod occurrences;
mod outcome;
mod rule;
mod rule_file;
mod rule_set;
mod sequence_rule;
mod sql_rule;

pub use learn::{LearnedRules, MarginPercent};
pub use metric::limited_figures;
pub(crate) use metric::{Metric, MetricUnit, plain_path};
pub(crate) use outcome::MAX_OFFENDERS;
pub use outcome::{
    CheckDocument, CheckResult, CheckTotals, CheckedRecording, Offender, RuleOutcome,
};
pub(crate) use rule::NamedRow;
pub use rule_file::RuleError;
pub use rule_set::RuleSet;
pub use sql_rule::{QueryAnswer, RunQuery, SqlRule};
