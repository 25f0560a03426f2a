//! What rtoscope's traces become for other tools: one module an output format.
//!
//! A diagram is a model first ([`Sequence`], [`Machine`]), which each format
//! then only writes down. Names come from a target and can hold anything; no
//! format lets them end a text, a line or the diagram.

#![forbid(unsafe_code)]

pub mod chrome;
pub mod ctf;
pub mod html;
pub mod lines;
pub mod machine;
mod messages;
mod naming;
pub mod perfetto;
mod progress;
mod safe;
pub mod sequence;
mod signals;
pub mod sigrok;
mod timescale;
pub mod vcd;

pub use machine::Machine;
pub use progress::Progress;
pub use sequence::Sequence;
