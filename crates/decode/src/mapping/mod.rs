//! What the named events of other recorders mean: tables in TOML, which users extend.
//!
//! Formats such as CTF, CSV and JSON lines record events with names and named fields, but not what
//! they mean to a scheduler. A mapping table says it, as data:
//!
//! ```toml
//! name = "my-kernel"
//!
//! [threads]
//! idle = { ids = [0], names = ["idle*"] }
//!
//! [[rule]]
//! event = "task_switch"
//! when = { reason = "blocked" }
//! meaning = "switch"
//! state = "waiting"
//! fields = { thread = "from", next = "to", next-name = "to_name", core = "cpu" }
//! ```
//!
//! The rules of the user's tables come before the built-in ones. Of those whose pattern matches the
//! name of an event and whose fields the event has, the first whose conditions hold applies. An
//! event without a rule stays an event with its name and fields.
//!
//! ```text
//! name, fields ──add_class──▶ EventMapper (rules of each class, once)
//! values       ──push───────▶ page: columns, scheduler events ──build──▶ DecodedRecording
//! ```
//!
//! A reader of a format adds a class (`add_class`) for each event name and set of
//! fields, pushes (`push`) its events in time order, and builds (`build`)
//! the trace. An event costs a look-up of its rule's conditions and of its thread.

mod apply;
mod class;
mod entities;
mod interpret;
mod mapper;
mod page;
mod rule;
mod table;
#[cfg(test)]
mod tests;
mod text_interner;
mod trace_builder;

pub use table::{MappingError, MappingTables};

pub(crate) use class::{ClassId, FieldDef, FieldType, FieldValue};
pub(crate) use interpret::MappedEvents;
pub(crate) use mapper::{EventMapper, EventTime};
pub(crate) use trace_builder::{ClockInfo, build, build_with_gaps};

use crate::clock::ClockOptions;
use rtoscope_trace::TextEncoding;

/// Options of the formats with named events.
#[derive(Debug, Clone, Default)]
pub struct MappingOptions {
    /// The clock options: only the frequency matters.
    pub clock: ClockOptions,
    /// The encoding of names that are not UTF-8.
    pub text_encoding: TextEncoding,
    /// What events mean.
    pub tables: MappingTables,
}
