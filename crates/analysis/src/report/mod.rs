//! Reports on a trace, one per module.
//!
//! Every report is a fold over the trace, the schedule, the active objects and
//! the event counts, all in a [`View`], and is plain data that serialises into
//! its part of the JSON document `rtoscope/report/1`.

pub mod active;
pub mod communication;
pub mod components;
pub mod context_switches;
pub mod critical_path;
pub mod cycles;
pub mod deadlines;
pub mod findings;
pub mod hardware;
pub mod health;
pub mod intervals;
pub mod inversions;
pub mod isr;
pub mod latency;
pub mod load;
pub mod locks;
pub mod markers;
pub mod objects;
pub mod performance;
pub mod periods;
pub mod pipeline;
pub mod preemptions;
pub mod profile;
pub mod services;
pub mod signals;
pub mod stacks;
pub mod states;
pub mod threads;
pub mod timers;
pub mod transitions;

mod baseline;
mod cpu_time_index;
mod cpu_times;
mod described_table;
mod distribution;
mod document;
mod hex;
mod kind;
mod rounding;
mod table;
#[cfg(test)]
mod typescript;
mod view;

pub use cpu_time_index::CpuTimeIndex;
pub use cpu_times::{CoreCpuTimes, CpuContext, CpuTimes};
pub use described_table::{ColumnDescription, DescribedTable};
pub(crate) use distribution::bin_ranges;
pub use distribution::{Distribution, HistogramBin, LongestInterval, Samples, bins};
pub use document::{ReportDocument, ReportOptions};
pub use findings::FINDINGS_TITLE;
pub use hex::Hex;
pub use kind::ReportKind;
pub use rounding::share_of_time;
pub use table::{
    Cell, CellKind, FrontEnd, LinkTarget, ReportColumn, ReportTable, TableRow, TimeInterval,
    format_decimal, format_flag, format_percent,
};
pub use view::{Scope, View};
