//! Tests of whole buffers, read back through `rtoscope-wire`.

mod buffers;
mod checker;
mod courses;
mod reading;
mod truths;
