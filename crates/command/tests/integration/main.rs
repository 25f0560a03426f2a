//! Commands that signals end.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod killed;
