//! The parts that `rtoscope` and `rtoscope-sql` share: arguments that name
//! recordings, scopes and exports, and output as text, JSON and files.

#![forbid(unsafe_code)]

mod config_file;
mod exit_code;
#[cfg(not(target_family = "wasm"))]
pub mod export;
pub mod input;
pub mod output;
mod parse_args;
#[cfg(not(target_family = "wasm"))]
pub mod progress;
pub mod query;
pub mod scope;
#[cfg(not(target_family = "wasm"))]
pub mod signals;
#[cfg(not(target_family = "wasm"))]
pub mod sql_process;
pub mod sql_protocol;

pub use exit_code::{CheckOutcome, Undecided, exit_code, is_broken_pipe, message_with_causes};
pub use parse_args::{arguments, is_from_config, parse, parse_from};
