//! Lanes of the timeline.

mod bar_class;
mod bars;
pub mod binary;
mod cores;
mod encode;
mod events;
mod galloping_search;
mod interrupts_off;
mod inversions;
mod isr;
mod list;
mod machine;
mod overlays;
mod per_axis;
mod prefix_sums;
mod probe;
#[cfg(test)]
mod tests;
mod thread;
mod track;
mod writer;

pub use bar_class::BarClass;
pub(crate) use list::{LaneData, Lanes};
