//! Tests of whole buffers, read back through `rtoscope-wire`.

mod buffers;
mod checker;
mod control;
mod courses;
mod reading;
mod truths;
