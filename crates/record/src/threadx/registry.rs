use super::memory::{BufferParts, NAME_BYTES, RegistrySlot};
use super::{TraceStatus, WordWidth};
use core::cell::Cell;
use core::ptr::{addr_of, addr_of_mut, null_mut};
use rtoscope_wire::threadx::SLOT_AVAILABLE;

/// The location and state of the object registry. Its slots are accessed while the mask
/// is held.
pub(super) struct ObjectRegistry<W> {
    /// Null while nothing may be registered.
    pub(super) slots: Cell<*mut RegistrySlot<W>>,
    entries: Cell<usize>,
    /// Number of slots marked available.
    available: Cell<usize>,
    /// Slot at which the search for a free slot starts.
    search_start: Cell<usize>,
    /// Number of changed slots since the recorder exists.
    changes: Cell<u32>,
    /// The slots of the last changes, by the number of the change.
    changed_slots: [Cell<u16>; RECENT_CHANGES],
}

/// Number of changes that a reader can follow one by one. After more, it reads all slots
/// again.
const RECENT_CHANGES: usize = 4;

// The initial value of an array's elements.
#[allow(clippy::declare_interior_mutable_const)]
const NO_SLOT: Cell<u16> = Cell::new(0);

/// The content of a slot, without the name.
pub(super) struct ObjectDescription<W> {
    pub(super) object_type: u8,
    pub(super) reserved: [u8; 2],
    pub(super) pointer: W,
    pub(super) parameters: [W; 2],
}

impl<W: WordWidth> ObjectRegistry<W> {
    pub(super) const fn new() -> Self {
        Self {
            slots: Cell::new(null_mut()),
            entries: Cell::new(0),
            available: Cell::new(0),
            search_start: Cell::new(0),
            changes: Cell::new(0),
            changed_slots: [NO_SLOT; RECENT_CHANGES],
        }
    }

    /// Number of slots, also after the recorder was disabled.
    pub(super) fn slot_count(&self) -> usize {
        self.entries.get()
    }

    /// Number of changed slots since the recorder exists.
    pub(super) fn changes(&self) -> u32 {
        self.changes.get()
    }

    /// The slot of a change; [`None`] if there were too many changes since.
    pub(super) fn changed_slot(&self, change: u32) -> Option<u16> {
        let age = self.changes.get().wrapping_sub(change) as usize;
        let slot = self.changed_slots.get(change as usize % RECENT_CHANGES)?;
        (age <= RECENT_CHANGES).then(|| slot.get())
    }

    fn set_changed(&self, index: usize) {
        let change = self.changes.get();
        if let Some(slot) = self.changed_slots.get(change as usize % RECENT_CHANGES) {
            slot.set(index as u16);
        }
        self.changes.set(change.wrapping_add(1));
    }

    /// Uses the empty registry of a buffer.
    pub(super) fn start(&self, parts: &BufferParts<W>) {
        self.slots.set(parts.registry);
        self.entries.set(parts.registry_entries);
        self.available.set(parts.registry_entries);
        self.search_start.set(0);
    }

    /// Inserts an object, or returns the reason why it cannot.
    pub(super) fn insert(
        &self,
        object: &ObjectDescription<W>,
        name: impl Iterator<Item = u8>,
    ) -> Result<(), TraceStatus> {
        if object.pointer == W::ZERO {
            return Err(TraceStatus::PointerError);
        }
        let (slot, index) = self.find_free(object.pointer).ok_or(TraceStatus::NotDone)?;
        // SAFETY: a slot of the registry, whose words are all initialised and which no
        // other code uses now.
        unsafe {
            if addr_of!((*slot).available).read() == SLOT_AVAILABLE {
                self.available.set(self.available.get().wrapping_sub(1));
            }
            addr_of_mut!((*slot).available).write(0);
            addr_of_mut!((*slot).object_type).write(object.object_type);
            addr_of_mut!((*slot).reserved).write(object.reserved);
            addr_of_mut!((*slot).pointer).write(object.pointer);
            addr_of_mut!((*slot).parameters).write(object.parameters);
            let text = addr_of_mut!((*slot).name).cast::<u8>();
            text.write_bytes(0, NAME_BYTES);
            for (index, byte) in name.take(NAME_BYTES - 1).enumerate() {
                text.add(index).write(byte);
            }
        }
        self.set_changed(index);
        Ok(())
    }

    /// Marks the slots of an object available and keeps their content.
    pub(super) fn remove(&self, pointer: W) -> Result<(), TraceStatus> {
        if pointer == W::ZERO {
            return Err(TraceStatus::PointerError);
        }
        let mut result = Err(TraceStatus::NotDone);
        for index in 0..self.entries() {
            // SAFETY: `index` is below the number of entries.
            let (slot, state) = unsafe { self.slot(index) };
            if state.pointer != pointer || state.available {
                continue;
            }
            // SAFETY: a slot that no other code uses now.
            unsafe { addr_of_mut!((*slot).available).write(SLOT_AVAILABLE) };
            self.available.set(self.available.get().wrapping_add(1));
            self.set_changed(index);
            if result.is_err() {
                self.search_start.set(index);
                result = Ok(());
            }
        }
        result
    }

    /// The slot that ThreadX uses for an object (`tx_trace_object_register.c`).
    ///
    /// From the end of the last search, the first slot that was never used or that
    /// contains or contained an object at the same address. If there is none, the last
    /// available slot.
    fn find_free(&self, pointer: W) -> Option<(*mut RegistrySlot<W>, usize)> {
        let entries = self.entries();
        if self.available.get() == 0 {
            return None;
        }
        let start = self.search_start.get();
        let mut found = None;
        for index in (start..entries).chain(0..start.min(entries)) {
            // SAFETY: `index` is below the number of entries.
            let (slot, state) = unsafe { self.slot(index) };
            let settled = state.pointer == W::ZERO || state.pointer == pointer;
            if settled || state.available {
                found = Some((slot, index));
            }
            if settled {
                break;
            }
        }
        let (slot, index) = found?;
        let next = index.wrapping_add(1);
        self.search_start.set(if next < entries { next } else { 0 });
        Some((slot, index))
    }

    fn entries(&self) -> usize {
        if self.slots.get().is_null() {
            return 0;
        }
        self.entries.get()
    }

    /// # Safety
    /// `index` must be below [`ObjectRegistry::entries`].
    unsafe fn slot(&self, index: usize) -> (*mut RegistrySlot<W>, SlotStatus<W>) {
        let slot = self.slots.get().wrapping_add(index);
        // SAFETY: one of the slots, all of whose words are initialised.
        let state = unsafe {
            SlotStatus {
                available: addr_of!((*slot).available).read() == SLOT_AVAILABLE,
                pointer: addr_of!((*slot).pointer).read(),
            }
        };
        (slot, state)
    }
}

/// The fields of a slot that the search reads.
struct SlotStatus<W> {
    available: bool,
    pointer: W,
}
