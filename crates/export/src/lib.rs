//! What rtoscope's traces become for other tools: one module an output format.
//!
//! A diagram is a model first ([`Sequence`], [`Machine`]), which each format
//! then only writes down. Names come from a target and can hold anything; no
//! format lets them end a text, a line or the diagram.

#![forbid(unsafe_code)]

pub mod machine;
mod naming;
mod safe;
pub mod sequence;

pub use machine::Machine;
pub use sequence::Sequence;
