//! Names and properties, which the stream or the metadata buffer has anywhere.

use super::frame::FrameEvent;
use rtoscope_trace::Frequency;
use std::collections::{HashMap, HashSet};

/// What the metadata say of the ids in events.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Names {
    /// The names by the field with the id, and the id.
    names: HashMap<(&'static str, u64), Box<[u8]>>,
    kinds: HashMap<u64, u8>,
    idle_tasks: HashSet<u64>,
    ns_per_tick: Option<u64>,
}

/// Maximum number of names.
const MAX_NAMES: usize = 1 << 16;

impl Names {
    /// Learns from an event without a time.
    pub(super) fn add(&mut self, event: &FrameEvent<'_>) {
        let first = event.layout.fields.first().map(|(name, _)| *name);
        let id = first.and_then(|field| Some((field, event.number(field)?)));
        let Some((field, id)) = id else {
            return;
        };
        if self.names.len() + self.kinds.len() + self.idle_tasks.len() >= MAX_NAMES {
            return;
        }
        if let Some(name) = event.text("name") {
            self.names.insert((field, id), name.into());
        }
        match event.layout.name {
            "ts_resolution_ns" => self.ns_per_tick = Some(id),
            "task_is_idle_task" => {
                self.idle_tasks.insert(id);
            }
            "queue_kind" => {
                let kind = event.number("kind").unwrap_or_default();
                self.kinds.insert(id, kind as u8);
            }
            _ => {}
        }
    }

    pub(super) fn name(&self, field: &'static str, id: u64) -> Option<&[u8]> {
        self.names.get(&(field, id)).map(AsRef::as_ref)
    }

    /// The kind of a queue: mutexes and semaphores are queues, too.
    pub(super) fn queue_kind(&self, queue: u64) -> &'static str {
        match self.kinds.get(&queue) {
            Some(1 | 2) => "semaphore",
            Some(3 | 4) => "mutex",
            _ => "queue",
        }
    }

    pub(super) fn is_idle_task(&self, task: u64) -> bool {
        self.idle_tasks.contains(&task)
    }

    pub(super) fn frequency(&self) -> Option<Frequency> {
        let hertz = 1_000_000_000_u64.checked_div(self.ns_per_tick?)?;
        Frequency::from_hertz(hertz)
    }
}
