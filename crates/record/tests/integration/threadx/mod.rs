//! Compares the recorder of ThreadX traces with a model, the decoder, and traces of the
//! kernel itself.

pub(crate) mod buffer;
mod interrupts;
mod kernel;
mod model;
mod new_entries;
mod properties;
mod run;
mod schedule;
mod status;
mod support;
