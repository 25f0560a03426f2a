#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod active_object;
pub mod call_stack;
pub mod catalogue;
pub mod clock;
pub mod code;
pub mod context;
pub mod diagnostic;
pub mod event;
pub mod events;
pub mod extras;
pub mod filter;
mod format;
pub mod id;
pub mod name;
pub mod object;
pub mod parallel;
pub mod printable;
pub mod progress;
pub mod quoted;
pub mod render;
pub mod sched_event;
pub mod statistic;
pub mod text;
pub mod text_encoding;
pub mod text_log;
mod time_map;
pub mod timescale;
pub mod trace;
mod trace_position;
pub mod unit;
pub mod unit_test;

pub use active_object::{ActiveObjectEvent, Endpoint, Signal, Vertex};
pub use call_stack::{CallStack, CallStacks, StackStop};
pub use catalogue::{Catalogue, EventKind};
pub use clock::Clock;
pub use code::{CodeLocation, CodeLocations, IsrFunction};
pub use context::{Context, ContextKind, Contexts};
pub use diagnostic::{Diagnostic, DiagnosticKind, Diagnostics, Severity};
pub use event::{Event, EventHeader};
pub use events::{EventColumns, Events};
pub use format::TraceFormat;
pub use id::{ContextId, EventIndex, EventKindId, ObjectId};
pub use name::Name;
pub use object::{Object, ObjectClass, Objects};
pub use progress::{EventDensity, Progress, ProgressPhase};
pub use sched_event::{
    Interpret, LevelEffect, Resource, ResourceId, SchedEvent, SwitchModel, WaitReason,
};
pub use statistic::Statistic;
pub use text_encoding::TextEncoding;
pub use text_log::{TextLog, TextLogLine};
pub use time_map::TimeMap;
pub use timescale::{Frequency, NoTime, Timescale};
pub use trace::{Gap, Trace, TraceOrigin};
pub use trace_position::TracePosition;
pub use unit::{Address, Nanoseconds, Ticks};
