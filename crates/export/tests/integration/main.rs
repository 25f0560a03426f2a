//! Exports, read back.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod btf;
mod call_stacks;
mod chrome;
mod common;
mod ctf;
mod ctf_reader;
mod ctf_round_trip;
mod diagrams;
mod hostile;
mod html;
mod lines;
mod perfetto;
mod perfetto_reader;
mod sigrok;
mod vcd;
