//! The model that every trace format becomes.
//!
//! A [`Trace`] holds [`Events`] in columns, the [`Contexts`] that executed, the
//! [`Objects`] they used, the [`Clock`] that stamped them, the [`Catalogue`]
//! that explains them, and the [`Diagnostics`] that say what cannot be trusted.
//! Nothing here knows a format or does I/O.

#![forbid(unsafe_code)]

pub mod act;
pub mod catalogue;
pub mod clock;
pub mod code;
pub mod context;
pub mod diagnostic;
pub mod event;
pub mod extras;
pub mod filter;
pub mod id;
pub mod name;
pub mod object;
pub mod printable;
pub mod reaction;
pub mod render;
pub mod statistic;
pub mod telling;
pub mod trace;
pub mod unit;

pub use act::{Act, Flow, Interpret, Resource, ResourceId, Wait};
pub use catalogue::{Catalogue, Kind};
pub use clock::Clock;
pub use code::{CodePlace, Places, Routine};
pub use context::{Context, ContextKind, Contexts};
pub use diagnostic::{Diagnostic, DiagnosticKind, Diagnostics, Severity};
pub use event::{Event, Events, Presence};
pub use id::{ContextId, EventIndex, KindId, ObjectId};
pub use name::Name;
pub use object::{Object, ObjectClass, Objects};
pub use reaction::{Party, Reaction, Signal, Vertex};
pub use statistic::Statistic;
pub use telling::Telling;
pub use trace::{Base, Gap, Trace};
pub use unit::{Address, Frequency, Nanoseconds, Ticks};
