//! A small language for sequences of records that a trace must have: the steps of state
//! machines, tasks and drivers, as text in a rule.
//!
//! A [`Sequence`] is parsed once and compared with a trace, whose catalogue resolves its names:
//! nothing here depends on a format. [`record_line()`] formats a record as the line that expects
//! it. [`TargetTests`] runs the unit tests that a recording contains.
//!
//! ```text
//! ignore MP QUE FWK
//! only ao=server
//! never SM.EVT_NFOUND
//! after SMA.FIFO sig=SG_REQ
//! SMA.GET sig=SG_REQ
//! SM.TRN sst=idle tst=busy
//! 2x SM.ENSTATE
//! ...
//! within 5ms
//! SM.TRN sst=busy tst=idle
//! ```
//!
//! # Grammar
//!
//! Each line is one of these. A `pattern` and its words are those of the [filter
//! language](rtoscope_trace::filter), as are comments.
//!
//! ```text
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
//!   whole occurrence. It applies to records that `ignore` and `...` allow, but not to
//!   those that `only` excludes.
//! - `within` limits the time from the last match to the next expectation, with
//!   all its repetitions; before the first expectation, the time from the start,
//!   which is the record of `after` or `from`, or else the trace's first event.
//! - With `after` or `from`, an occurrence begins after, or with, **each** matching record.
//!   Occurrences may overlap. One ends before the first record that matches `until`, else with
//!   its last expectation. A `...` at the beginning is `from` the first expectation.
//! - Without them the sequence occurs once: from the start of the trace to the first record that
//!   matches `until`, or to the end, and no record may follow the last expectation.
//!
//! # Missing records
//!
//! An occurrence is undecided if records are missing in it: it would match without them, or they
//! could be the reason for its failure. Only a record that must not occur anywhere in it is always
//! a failure.

mod bind;
mod comparison;
mod occurrences;
mod outcome;
mod parser;
mod plan;
mod spec;
#[cfg(test)]
mod tests;
mod unit_tests;
mod write;

pub use spec::Sequence;
pub(crate) use unit_tests::check_recorded;
pub use unit_tests::{RecordAnswer, TargetTests};
pub use write::record_line;
