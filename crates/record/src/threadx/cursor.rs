use super::WordWidth;
use super::control::RingState;
use super::registry::ObjectRegistry;
use rtoscope_wire::threadx::RingPosition;

/// The position up to which a trace was read with
/// [`read_new`](super::ThreadXRecorder::read_new), and the objects that were read. Memory of
/// zeros is the start of any trace.
#[derive(Debug)]
#[repr(C)]
pub struct TraceCursor {
    position: RingPosition,
    /// Laps of the ring in the session, up to `lap`.
    laps: u64,
    /// The recorder's lap at the last read.
    lap: u32,
    /// 0 before the first read: no session has this number.
    session: u32,
    /// Changes of the registry that were read.
    changes: u32,
    /// The slots from here on were not read since the session started, or since
    /// [`TraceCursor::forget_objects`].
    next_slot: u32,
}

impl TraceCursor {
    /// A cursor at the start of any trace.
    pub const fn new() -> Self {
        Self {
            position: RingPosition {
                first_entry: 0,
                overwritten: 0,
            },
            laps: 0,
            lap: 0,
            session: 0,
            changes: 0,
            next_slot: 0,
        }
    }

    /// Reads all objects again with the next entries, as for a host that has just connected.
    pub fn forget_objects(&mut self) {
        self.next_slot = 0;
    }

    /// Number of entries that were overwritten before they were read, in this session.
    pub fn overwritten_entries(&self) -> u64 {
        self.position.overwritten
    }

    pub(super) fn position(&self) -> RingPosition {
        self.position
    }

    /// Moves the cursor to the start of the ring's session if it is another one.
    pub(super) fn follow_session<W: WordWidth>(
        &mut self,
        ring: &RingState<W>,
        registry: &ObjectRegistry<W>,
    ) {
        if ring.session != self.session {
            *self = Self {
                lap: ring.session,
                session: ring.session,
                changes: registry.changes(),
                ..Self::new()
            };
        }
    }

    /// Number of entries that the session wrote so far. Correct if fewer than 2^32 laps
    /// passed since the last read.
    pub(super) fn written_entries<W>(&mut self, ring: &RingState<W>) -> u64 {
        let laps = ring.lap.wrapping_sub(self.lap);
        self.laps = self.laps.wrapping_add(u64::from(laps));
        self.lap = ring.lap;
        let before_lap = self.laps.wrapping_mul(ring.slots as u64);
        before_lap.wrapping_add(ring.index as u64)
    }

    /// Skips entries that were overwritten. Returns whether there were any.
    pub(super) fn skip_overwritten(&mut self, written: u64, slots: usize) -> bool {
        let oldest = written.saturating_sub(slots as u64);
        let lost = oldest.saturating_sub(self.position.first_entry);
        self.position.first_entry = self.position.first_entry.wrapping_add(lost);
        self.position.overwritten = self.position.overwritten.wrapping_add(lost);
        lost > 0
    }

    /// Moves past entries that were read.
    pub(super) fn advance(&mut self, entries: usize) {
        self.position.first_entry = self.position.first_entry.wrapping_add(entries as u64);
    }

    /// The next slot of the registry to read, if there is one.
    pub(super) fn next_object<W: WordWidth>(
        &mut self,
        registry: &ObjectRegistry<W>,
    ) -> Option<u32> {
        while self.changes != registry.changes() {
            match registry.changed_slot(self.changes).map(u32::from) {
                // The slots from there on are read anyway.
                Some(slot) if slot >= self.next_slot => {
                    self.changes = self.changes.wrapping_add(1);
                }
                Some(slot) => return Some(slot),
                None => {
                    self.next_slot = 0;
                    self.changes = registry.changes();
                }
            }
        }
        (u64::from(self.next_slot) < registry.slot_count() as u64).then_some(self.next_slot)
    }

    /// Moves past the slot that [`TraceCursor::next_object`] returned.
    pub(super) fn advance_object(&mut self, slot: u32) {
        if slot == self.next_slot {
            self.next_slot = self.next_slot.saturating_add(1);
        } else {
            self.changes = self.changes.wrapping_add(1);
        }
    }
}

impl Default for TraceCursor {
    fn default() -> Self {
        Self::new()
    }
}
