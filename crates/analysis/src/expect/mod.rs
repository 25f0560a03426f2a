//! A small language that says which records a trace must have: tests of state
//! machines, tasks and drivers as text files.
//!
//! A [`Spec`] is read once ([`Spec::parse`]) and compared with a trace
//! ([`run()`]), which looks its names up in the trace's catalogue: nothing here
//! knows a format. [`record_line()`] writes a record as the line that expects it.
//! [`TargetTests`] does the same with tests that the recording holds itself.
//!
//! ```text
//! # Holds for every test of the file, as it stands in front of the first.
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
//! Each line is one of these; blanks at its ends do not count, and `#` where a
//! word could begin starts a comment.
//!
//! ```text
//! test     = "test" name
//! head     = "only" pattern
//!          | "ignore" name { name }
//!          | ( "after" | "from" ) pattern
//!          | "until" pattern
//!          | "never" pattern
//! step     = [ count "x" ] name { argument } [ "..." ]
//!          | "..."
//!          | "never" pattern
//!          | "within" number ( "ns" | "us" | "ms" | "s" | "ticks" )
//! pattern  = name { argument } | argument { argument }
//! argument = name "=" value
//! name     = word | quoted
//! value    = word | quoted
//! ```
//!
//! - A **name** of a line is that of a kind of event or its symbol, with points
//!   for blanks (`SM.TRN` is `SM TRN`), a pattern with `*` and `?`, or a number
//!   of a kind. If no kind has it, it is the name of a group (component). Case
//!   does not count.
//! - An **argument** has the name that the catalogue gives it (`_` for blanks).
//!   Those that are not named may be anything. Of several with one name the
//!   first mention is the first argument. `context` is what executed, for events
//!   that have no such argument.
//! - A **value** is a name as it is shown, a pattern with `*` and `?`, a number
//!   (decimal, `0x` or negative), which is compared with the raw value, or `*`
//!   for any. `none` is a null pointer. Case counts but for patterns and names
//!   that the format gives to values.
//! - What stands in `"` or `'` is taken as it is: never a keyword, a number or a
//!   pattern. Its escapes are `\\`, `\"`, `\'`, `\t`, `\r`, `\n` and `\xNN`.
//!
//! # Meaning
//!
//! - Without a `...` the records must come one directly after the other. `...`
//!   lets any come until one fits the next expectation, or the end. `3x` stands
//!   for three equal lines.
//! - `only` leaves everything else out, as if it were not in the trace. Several
//!   add up: a record counts if it fits one of them.
//! - `ignore` lets records come that are not expected. One that is expected
//!   next counts all the same.
//! - `never` forbids a record between its neighbours, in front of the steps in
//!   the whole test. It sees what `ignore` lets come, and what `...` does, but
//!   not what `only` leaves out.
//! - `within` is the time from the last match to the next expectation, all its
//!   repetitions included; in front of the first from the start, which is the
//!   record of `after` or `from`, or else the trace's first event.
//! - `after` begins to compare behind the first record that fits, `from` with
//!   it; `until` ends before the first that fits. Without them all of the trace
//!   is compared: what comes behind the last expectation must be nothing.
//! - What stands in front of the first `test` holds for every test; a test's own
//!   `after`, `from` and `until` replace it. Expectations there are a test
//!   without a name.
//!
//! # Missing records
//!
//! A test is [inconclusive](TestOutcome::Inconclusive) if records are missing in the
//! part that was compared: it would pass without them, or they could be why it
//! does not. Only a record that must nowhere occur is a failure in any case.

mod bind;
mod error;
mod lexer;
mod names;
mod outcome;
mod parser;
mod pattern;
mod plan;
mod recorded;
mod runner;
mod spec;
#[cfg(test)]
mod tests;
mod value_site;
mod write;

pub use error::SpecError;
pub use outcome::{
    Difference, DifferenceKind, ExpectDocument, RecordMatch, TestOutcome, TestResult, TraceRecord,
    Uncertainty,
};
pub use recorded::{ExpectedArgument, TargetTests};
pub use spec::Spec;
pub use write::record_line;

use rtoscope_trace::Trace;

/// Compares a trace with each test of a spec, in the spec's order. Every test
/// takes time in proportion to the trace.
///
/// # Errors
///
/// If a name of the spec stands for nothing in the trace, or a time has a unit
/// and the trace's clock has no frequency.
pub fn run(trace: &Trace, spec: &Spec) -> Result<Vec<TestResult>, SpecError> {
    let plans = bind::bind(trace, spec)?;
    Ok(plans.iter().map(|plan| runner::run(trace, plan)).collect())
}
