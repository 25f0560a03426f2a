//! The server, as its clients see it.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod captures;
mod clients;
mod live;
mod notes;
mod page;
mod recent;
mod sql;
mod strangers;
mod support;
mod traces;
mod viewers;
