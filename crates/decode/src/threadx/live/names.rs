//! The objects of all registries so far.

use super::snapshot::Snapshot;
use crate::memory::Memory;
use crate::threadx::registry::{self, Registry};
use rtoscope_trace::{Address, Diagnostic, Name, Object, Objects};
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

/// What the last registry says, and what earlier ones said of objects that are
/// not in it any more.
pub(super) struct Names {
    /// The bytes of the last registry.
    bytes: Vec<u8>,
    living: Vec<Object>,
    /// Objects whose slots were reused or emptied, the longest gone first.
    gone: VecDeque<Object>,
    shared: Arc<Shared>,
}

/// What pieces that were cut out share.
#[derive(Default)]
pub(super) struct Shared {
    /// All objects: those of the last registry in its order, then the others.
    pub(super) objects: Objects,
    /// Whether no slot of the last registry is left that was never used.
    pub(super) full: bool,
    /// What is odd about the last registry.
    pub(super) found: Vec<Diagnostic>,
}

/// Objects that are gone and still named.
const MOST_GONE: usize = 4096;

impl Names {
    pub(super) fn new() -> Self {
        Self {
            bytes: Vec::new(),
            living: Vec::new(),
            gone: VecDeque::new(),
            shared: Arc::default(),
        }
    }

    /// What is known now.
    pub(super) fn shared(&self) -> Arc<Shared> {
        Arc::clone(&self.shared)
    }

    /// Learns the registry of the next buffer.
    pub(super) fn learn(&mut self, snapshot: &Snapshot) {
        if self.bytes == snapshot.registry() {
            return;
        }
        self.bytes = snapshot.registry().to_vec();
        let memory = Memory::unaddressed(snapshot.bytes());
        let mut found = Vec::new();
        let Registry { objects, full } = registry::read(&memory, &snapshot.buffer, &mut found);
        let next: Vec<Object> = objects.iter().cloned().collect();
        let named: HashSet<_> = next.iter().map(identity).collect();
        self.gone
            .retain(|object| !named.contains(&identity(object)));
        for mut object in std::mem::take(&mut self.living) {
            if !named.contains(&identity(&object)) {
                object.deleted = true;
                self.gone.push_back(object);
            }
        }
        let surplus = self.gone.len().saturating_sub(MOST_GONE);
        self.gone.drain(..surplus);
        // Where an object lies in the input of a whole recording says nothing.
        for diagnostic in &mut found {
            diagnostic.offset = None;
        }
        let all = next.iter().chain(&self.gone).cloned().collect();
        self.shared = Arc::new(Shared {
            objects: Objects::new(all),
            full,
            found,
        });
        drop(named);
        self.living = next;
    }
}

/// What makes two entries speak of the same object.
fn identity(object: &Object) -> (Address, u8, &Name) {
    (object.address, object.type_number, &object.name)
}
