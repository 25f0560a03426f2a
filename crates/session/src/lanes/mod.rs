//! What lanes show.

pub mod answer;
mod bars;
mod class;
mod cores;
mod events;
mod inversions;
mod isr;
mod list;
mod machine;
mod marks;
mod masked;
mod near;
mod per_axis;
mod probe;
mod shown;
mod sums;
#[cfg(test)]
mod tests;
mod thread;
mod track;
mod writer;

pub use class::Class;
pub(crate) use list::{Lane, Lanes};
