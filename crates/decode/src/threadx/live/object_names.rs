//! The objects of all registries so far.

use super::snapshot::BufferSnapshot;
use crate::memory::Memory;
use crate::threadx::registry::{self, ObjectRegistry};
use rtoscope_trace::{Address, Diagnostic, Name, Object, Objects};
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

/// The objects of the last registry, and earlier ones that are no longer in it.
pub(super) struct ObjectNames {
    /// The bytes of the last registry.
    bytes: Vec<u8>,
    live_objects: Vec<Object>,
    /// Objects whose slots were reused or cleared, the oldest first.
    past_objects: VecDeque<Object>,
    shared: Arc<SharedObjects>,
}

/// Objects shared with chunks.
#[derive(Default)]
pub(super) struct SharedObjects {
    /// All objects: those of the last registry in its order, then the others.
    pub(super) objects: Objects,
    /// Whether every slot of the last registry has been used.
    pub(super) is_full: bool,
    /// Diagnostics about the last registry.
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Maximum number of past objects to keep.
const MAX_PAST_OBJECTS: usize = 4096;

impl ObjectNames {
    pub(super) fn new() -> Self {
        Self {
            bytes: Vec::new(),
            live_objects: Vec::new(),
            past_objects: VecDeque::new(),
            shared: Arc::default(),
        }
    }

    /// The current objects.
    pub(super) fn shared(&self) -> Arc<SharedObjects> {
        Arc::clone(&self.shared)
    }

    /// Updates the objects from the registry of the next buffer.
    pub(super) fn update(&mut self, snapshot: &BufferSnapshot) {
        if self.bytes == snapshot.registry() {
            return;
        }
        self.bytes = snapshot.registry().to_vec();
        let memory = Memory::from_file_bytes(snapshot.bytes());
        let mut found = Vec::new();
        let ObjectRegistry {
            objects,
            is_full: full,
        } = registry::read(&memory, &snapshot.buffer, &mut found);
        let next: Vec<Object> = objects.iter().cloned().collect();
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
        for diagnostic in &mut found {
            diagnostic.offset = None;
        }
        let all = next.iter().chain(&self.past_objects).cloned().collect();
        self.shared = Arc::new(SharedObjects {
            objects: Objects::new(all),
            is_full: full,
            diagnostics: found,
        });
        drop(named);
        self.live_objects = next;
    }
}

/// The identity of an object: two entries with the same identity are one
/// object.
fn identity(object: &Object) -> (Address, u8, &Name) {
    (object.address, object.type_number, &object.name)
}
