//! What rtoscope's traces become for other tools: one module an output format.
//!
//! A diagram is a model first ([`SequenceDiagram`], [`StateMachine`]), which each format
//! then only writes down. Names come from a target and can hold anything; no
//! format lets them end a text, a line or the diagram.

#![forbid(unsafe_code)]

pub mod chrome;
pub mod ctf;
mod escape;
pub mod html;
pub mod machine;
mod naming;
pub mod perfetto;
mod progress;
mod queue_messages;
pub mod sequence;
mod signals;
pub mod sigrok;
pub mod table_lines;
mod timescale;
pub mod vcd;

pub use machine::StateMachine;
pub use progress::Progress;
pub use sequence::SequenceDiagram;
