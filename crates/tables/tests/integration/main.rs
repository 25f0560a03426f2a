//! Tables of all recordings.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;
mod contract;
mod edges;
mod periods;
mod reports;
mod timing;
