//! A small language for the records that a trace must have: tests of state
//! machines, tasks and drivers as text files.
//!
//! A [`Spec`] is parsed once ([`Spec::parse`]) and compared with a trace
//! ([`run()`]), whose catalogue resolves its names: nothing here depends on a
//! format. [`record_line()`] formats a record as the line that expects it.
//! [`TargetTests`] runs the tests that a recording contains. [`LiveTests`] compares
//! a trace while it arrives.
//!
//! ```text
//! # Before the first test: applies to every test of the file.
//! ignore MP QUE FWK
//!
//! test "a request is served"
//! only ao=server
//! never SM.EVT_NFOUND
//! after SMA.FIFO sig=SG_REQ
//! SMA.GET sig=SG_REQ
//! SM.TRN sst=idle tst=busy
//! 2x SM.ENSTATE
//! ...
//! within 5ms
//! SM.TRN sst=busy tst=idle
//! ...
//! ```
//!
//! # Grammar
//!
//! Each line is one of these. A `pattern` and its words are those of the [filter
//! language](rtoscope_trace::filter), as are comments.
//!
//! ```text
//! test     = "test" name
//! head     = "only" pattern
//!          | "ignore" name { name }
//!          | ( "after" | "from" ) pattern
//!          | "until" pattern
//!          | "never" pattern
//! step     = [ count "x" ] pattern [ "..." ]
//!          | "..."
//!          | "never" pattern
//!          | "within" number ( "ns" | "us" | "ms" | "s" | "ticks" )
//! ```
//!
//! - The **name** of a line is that of a kind or its symbol, with dots for
//!   spaces (`SM.TRN` is `SM TRN`), a pattern with `*` and `?`, or the number of
//!   a kind. A name that is no kind's is that of a group (component). Case does
//!   not matter. Only the pattern of a step requires it.
//! - An **argument** is compared as in a filter, without `arg.`. Other arguments may
//!   have any value. If several share a name, they match in order. A name that is no
//!   argument's is a field of the filter language, such as `context`.
//!
//! # Meaning
//!
//! - Without a `...` the records must directly follow each other. `...` allows
//!   any records up to one that matches the next expectation, or to the end.
//!   `3x` means three equal lines.
//! - `only` excludes all other records, as if they were not in the trace.
//!   Several accumulate: a record counts if it matches one of them.
//! - `ignore` allows records that are not expected. If such a record is the next
//!   expected one, it counts as a match.
//! - `never` forbids a record between its neighbours; before the steps, in the
//!   whole test. It applies to records that `ignore` and `...` allow, but not to
//!   those that `only` excludes.
//! - `within` limits the time from the last match to the next expectation, with
//!   all its repetitions; before the first expectation, the time from the start,
//!   which is the record of `after` or `from`, or else the trace's first event.
//! - `after` starts the comparison after the first matching record, `from` with
//!   it; `until` ends it before the first matching record. Without them the
//!   whole trace is compared, and no record may follow the last expectation.
//! - Lines before the first `test` apply to every test; a test's own `after`,
//!   `from` and `until` replace them. Expectations there form a test without a
//!   name.
//!
//! # Missing records
//!
//! A test is [inconclusive](TestOutcome::Inconclusive) if records are missing in
//! the compared part: it would pass without them, or they could be the reason
//! for its failure. Only a record that must not occur anywhere is always a
//! failure.

mod bind;
mod error;
mod live;
mod outcome;
mod parser;
mod plan;
mod recorded;
mod runner;
mod spec;
#[cfg(test)]
mod tests;
mod write;

pub use error::SpecError;
pub use live::LiveTests;
pub use outcome::{
    Difference, DifferenceKind, ExpectDocument, RecordMatch, TestOutcome, TestResult, TraceRecord,
    Uncertainty,
};
pub use recorded::{ExpectedArgument, RecordAnswer, TargetOrder, TargetOrderKind, TargetTests};
pub use spec::Spec;
pub use write::record_line;

use rtoscope_trace::Trace;

/// Compares a trace with each test of a spec, in the spec's order. Every test
/// takes time proportional to the trace.
///
/// # Errors
///
/// If the trace has nothing of a name in the spec, or a time has a unit and the
/// trace's clock has no frequency.
pub fn run(trace: &Trace, spec: &Spec) -> Result<Vec<TestResult>, SpecError> {
    let plans = bind::bind(trace, spec)?;
    Ok(plans.iter().map(|plan| runner::run(trace, plan)).collect())
}
