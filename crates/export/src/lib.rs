//! Exports of traces for other tools: one module per output format.
//!
//! A diagram is first built as a model ([`SequenceDiagram`], [`StateMachine`],
//! [`CommunicationGraph`]), which each format then renders. Names come from the target and may hold anything:
//! no format lets them end a string, a line or the document.

#![forbid(unsafe_code)]

pub mod btf;
pub mod chrome;
pub mod communication;
pub mod ctf;
mod escape;
pub mod html;
mod lanes;
pub mod machine;
mod naming;
pub mod page;
pub mod perfetto;
pub mod sequence;
mod signals;
pub mod sigrok;
pub mod table_lines;
pub mod vcd;

pub use communication::CommunicationGraph;
pub use machine::StateMachine;
pub use sequence::SequenceDiagram;

/// The progress callback of an export. It gets the number of events written since the
/// last call. Calls more often than 100 times per second are pointless.
pub type Progress<'p> = dyn FnMut(u64) + 'p;
