//! Lanes of the timeline: their tracks, bars and events.

mod bar_class;
pub(crate) mod bars;
pub mod binary;
pub(crate) mod cores;
pub(crate) mod events;
mod galloping_search;
pub(crate) mod interrupts_off;
pub(crate) mod inversions;
pub(crate) mod isr;
mod list;
pub(crate) mod machine;
pub(crate) mod markers;
pub(crate) mod per_axis;
pub(crate) mod pipelines;
pub(crate) mod prefix_sums;
pub(crate) mod text_logs;
pub(crate) mod thread;
pub(crate) mod track;

pub use bar_class::BarClass;
pub(crate) use list::{LaneData, Lanes};
