//! Tests of complete buffers, read back through `rtoscope-wire`.

mod buffers;
mod checker;
mod pipelines;
mod reading;
mod truths;
mod workloads;
