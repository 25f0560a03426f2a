#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod active;
pub mod alignment;
mod analysis_builder;
mod analyzed_recording;
mod batches;
pub mod check;
pub mod compare;
pub mod critical_path;
pub mod deadlines;
pub mod doctor;
pub mod event_counts;
mod event_time;
pub mod event_value;
#[cfg(test)]
mod fixture;
pub mod flows;
pub mod hardware;
pub mod intervals;
pub mod levels;
mod live_analysis;
pub mod markers;
pub mod messages;
pub mod naming;
pub mod packed_vec;
pub mod pipelines;
mod rendezvous;
pub mod report;
pub mod schedule;
pub mod sequence;
pub mod timeline;
pub mod timing;
mod waiting_list;

pub use active::ActiveObjects;
pub use analysis_builder::AnalysisBuilder;
pub use analyzed_recording::{Analysis, AnalyzedRecording, RecordingInfo, ScopeStats};
pub use event_counts::EventCounts;
pub use levels::Levels;
pub use live_analysis::LiveAnalysis;
pub use markers::Markers;
pub use packed_vec::PackedVec;
pub use report::{Scope, View};
pub use schedule::{Schedule, ScheduleBuilder};
