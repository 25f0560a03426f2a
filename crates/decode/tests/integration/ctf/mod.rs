//! Traces in the Common Trace Format.

mod hostile;
mod kernel;
mod types;
mod writer;
mod zephyr;
