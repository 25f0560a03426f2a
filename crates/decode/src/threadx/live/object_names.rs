//! The objects of all registries so far.

use super::snapshot::BufferSnapshot;
use crate::TextEncoding;
use crate::memory::Memory;
use crate::threadx::registry::{self, ObjectRegistry, identity};
use rtoscope_trace::{Object, Objects};
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

/// The objects of the last registry, and earlier ones that are no longer in it.
#[derive(Default)]
pub(super) struct ObjectNames {
    /// The bytes of the last registry.
    bytes: Vec<u8>,
    live_objects: Vec<Object>,
    /// Objects whose slots were reused or cleared, the oldest first.
    past_objects: VecDeque<Object>,
    /// The last registry, shared with chunks, whose objects are followed by the past ones.
    shared: Arc<ObjectRegistry>,
}

/// Maximum number of past objects to keep.
const MAX_PAST_OBJECTS: usize = 4096;

impl ObjectNames {
    /// The current objects: those of the last registry in its order, then the others.
    pub(super) fn shared(&self) -> Arc<ObjectRegistry> {
        Arc::clone(&self.shared)
    }

    /// Updates the objects from the registry of the next buffer.
    pub(super) fn update(&mut self, snapshot: &BufferSnapshot, encoding: TextEncoding) {
        if self.bytes == snapshot.registry() {
            return;
        }
        self.bytes = snapshot.registry().to_vec();
        let memory = Memory::from_file_bytes(&*snapshot.bytes);
        let mut registry = registry::read(&memory, &snapshot.buffer, encoding);
        let next: Vec<Object> = registry.objects.iter().cloned().collect();
        let named: HashSet<_> = next.iter().map(identity).collect();
        self.past_objects
            .retain(|object| !named.contains(&identity(object)));
        for mut object in std::mem::take(&mut self.live_objects) {
            if !named.contains(&identity(&object)) {
                object.deleted = true;
                self.past_objects.push_back(object);
            }
        }
        let surplus = self.past_objects.len().saturating_sub(MAX_PAST_OBJECTS);
        self.past_objects.drain(..surplus);
        // The offset of an object in the input is meaningless for a whole
        // recording.
        for diagnostic in &mut registry.diagnostics {
            diagnostic.offset = None;
        }
        let all = next.iter().chain(&self.past_objects).cloned().collect();
        registry.objects = Objects::new(all);
        self.shared = Arc::new(registry);
        drop(named);
        self.live_objects = next;
    }
}
