//! Runs the program with the scheduler and the executors of Ballista's release, as processes of
//! their own.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test may fail")]

mod answers;
mod failures;
mod files;
mod support;
