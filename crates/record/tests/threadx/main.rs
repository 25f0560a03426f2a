//! Compares the recorder of ThreadX traces with a model, the decoder, and traces of the
//! kernel itself.

#![allow(clippy::unwrap_used, reason = "a test may fail")]
#![allow(clippy::indexing_slicing, reason = "a test may fail")]
#![allow(clippy::panic, reason = "a test may fail")]

mod buffer;
mod interrupts;
mod kernel;
mod model;
mod properties;
mod run;
mod schedule;
mod status;
mod support;
