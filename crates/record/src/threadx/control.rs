use super::context::RunningContext;
use super::full_buffer::{FullBuffer, FullNotify};
use super::memory::{BufferHeader, BufferParts, EventEntry};
use super::registry::ObjectRegistry;
use super::{EventGroups, PendingField, TraceStatus, WordWidth};
use core::cell::Cell;
use core::ptr::{addr_of_mut, null_mut};
use core::sync::atomic::{AtomicU32, Ordering};

/// What a recorder knows, but for its mask and clock. Only used with the mask
/// held, except [`TraceControl::records`].
///
/// What every event needs comes first.
#[repr(C)]
pub(super) struct TraceControl<W> {
    /// Groups that are recorded; none while nothing may be written.
    active: AtomicU32,
    /// The entry that is written next; null while nothing may be written.
    current: Cell<*mut EventEntry<W>>,
    /// The two words that say in whose name an event is logged.
    pub(super) context: Cell<W>,
    pub(super) priority: Cell<W>,
    end: Cell<*mut EventEntry<W>>,
    header: Cell<*mut BufferHeader<W>>,
    start: Cell<*mut EventEntry<W>>,
    /// How often a ring has started anew, over all sessions.
    lap: Cell<u32>,
    pub(super) running: RunningContext<W>,
    phase: Cell<Phase>,
    /// Groups that are not filtered out.
    enabled: Cell<u32>,
    pub(super) notify: Cell<FullNotify>,
    pub(super) registry: ObjectRegistry<W>,
    /// Words of the memory from the header on, if it may be given back.
    owned_words: Cell<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Off,
    /// The buffer is being laid out.
    Starting,
    On,
    /// The application looks at the full buffer.
    Notifying,
    /// The same, and has asked to record nothing more.
    Stopping,
}

impl<W: WordWidth> TraceControl<W> {
    pub(super) const fn new() -> Self {
        Self {
            active: AtomicU32::new(0),
            current: Cell::new(null_mut()),
            context: Cell::new(W::INITIALIZE),
            priority: Cell::new(W::ZERO),
            end: Cell::new(null_mut()),
            header: Cell::new(null_mut()),
            start: Cell::new(null_mut()),
            lap: Cell::new(0),
            running: RunningContext::new(),
            phase: Cell::new(Phase::Off),
            enabled: Cell::new(0),
            notify: Cell::new(FullNotify::Disabled),
            registry: ObjectRegistry::new(),
            owned_words: Cell::new(0),
        }
    }

    /// Whether events of any of these groups are recorded. The answer may be
    /// old as soon as it is given, which is no harm: an event at the moment of
    /// a change may be recorded or not.
    #[inline(always)]
    pub(super) fn records(&self, groups: EventGroups) -> bool {
        self.active.load(Ordering::Relaxed) & groups.0 != 0
    }

    /// Whether the recorder is enabled.
    pub(super) fn is_on(&self) -> bool {
        matches!(self.phase.get(), Phase::On | Phase::Notifying)
    }

    /// [`TraceStatus::NotDone`] if the recorder is not enabled.
    pub(super) fn check_on(&self) -> Result<(), TraceStatus> {
        if self.is_on() {
            Ok(())
        } else {
            Err(TraceStatus::NotDone)
        }
    }

    /// Writes an event, if events may be written.
    #[inline(always)]
    pub(super) fn write_event(&self, stamp: W, id: u32, info: [W; 4]) {
        let entry = self.current.get();
        if entry.is_null() {
            return;
        }
        // SAFETY: `current` is an entry of the ring, which nobody else writes.
        unsafe {
            entry.write(EventEntry {
                context: self.context.get(),
                priority: self.priority.get(),
                id: W::from(id),
                timestamp: stamp,
                info,
            });
        }
        let next = entry.wrapping_add(1);
        if next == self.end.get() {
            self.wrap();
        } else {
            self.set_current(next);
        }
    }

    /// As [`TraceControl::write_event`]. What comes out is for one of the four fields.
    pub(super) fn write_pending(
        &self,
        stamp: W,
        id: u32,
        info: [W; 4],
        field: usize,
    ) -> PendingField<W> {
        let entry = self.current.get();
        let lap = self.lap.get();
        self.write_event(stamp, id, info);
        if entry.is_null() {
            return PendingField::NONE;
        }
        // SAFETY: an entry of the ring.
        let info = unsafe { addr_of_mut!((*entry).info) };
        PendingField {
            field: info.cast::<W>().wrapping_add(field),
            lap,
        }
    }

    #[inline(always)]
    fn set_current(&self, next: *mut EventEntry<W>) {
        self.current.set(next);
        // SAFETY: with an entry to write there is a header, which nobody else
        // writes.
        unsafe {
            addr_of_mut!((*self.header.get()).current).write(W::from_address(next as usize));
        }
    }

    /// The ring is full and goes on at its start, as soon as the application
    /// has seen it.
    #[cold]
    #[inline(never)]
    fn wrap(&self) {
        self.lap.set(self.lap.get().wrapping_add(1));
        self.set_current(self.start.get());
        let notify = self.notify.get();
        if matches!(notify, FullNotify::Disabled) {
            return;
        }
        // While the application reads the buffer nothing else may write it.
        let slots = self.registry.slots.get();
        self.suspend(Phase::Notifying);
        let full = FullBuffer::new(self.header.get().cast(), self.bytes());
        notify.call(&full);
        if full.disable_requested() || self.phase.get() == Phase::Stopping {
            self.phase.set(Phase::Off);
        } else {
            self.registry.slots.set(slots);
            self.resume(self.start.get());
        }
    }

    fn suspend(&self, phase: Phase) {
        self.active.store(0, Ordering::Relaxed);
        self.current.set(null_mut());
        self.registry.slots.set(null_mut());
        self.phase.set(phase);
    }

    fn resume(&self, current: *mut EventEntry<W>) {
        self.phase.set(Phase::On);
        self.current.set(current);
        self.active.store(self.enabled.get(), Ordering::Relaxed);
    }

    /// Changes which groups are recorded.
    pub(super) fn set_enabled(&self, change: impl FnOnce(EventGroups) -> EventGroups) {
        self.enabled.set(change(EventGroups(self.enabled.get())).0);
        if self.phase.get() == Phase::On {
            self.active.store(self.enabled.get(), Ordering::Relaxed);
        }
    }

    /// Reserves the recorder for a new buffer, to be laid out with interrupts
    /// let in.
    pub(super) fn begin(&self) -> Result<(), TraceStatus> {
        if self.phase.get() != Phase::Off {
            return Err(TraceStatus::NotDone);
        }
        self.phase.set(Phase::Starting);
        Ok(())
    }

    /// Records into this buffer from now on, everything.
    ///
    /// # Safety
    /// The parts must lie in writable memory that is the recorder's own until
    /// [`TraceControl::stop`], for ever if `owned_words`, its length, is not 0.
    pub(super) unsafe fn start(&self, parts: &BufferParts<W>, owned_words: usize) {
        self.header.set(parts.header);
        self.start.set(parts.events);
        self.end.set(parts.events_end);
        // What was written to an earlier buffer is more than a lap ago.
        self.lap.set(self.lap.get().wrapping_add(2));
        self.owned_words.set(owned_words);
        self.registry.start(parts);
        self.enabled.set(EventGroups::ALL.0);
        self.resume(parts.events);
    }

    /// Records nothing more. The buffer stays as it is.
    pub(super) fn stop(&self) -> Result<(), TraceStatus> {
        match self.phase.get() {
            Phase::On => self.suspend(Phase::Off),
            Phase::Notifying => self.phase.set(Phase::Stopping),
            Phase::Off | Phase::Starting | Phase::Stopping => return Err(TraceStatus::NotDone),
        }
        Ok(())
    }

    /// The memory of a buffer that is not written any more, for its owner.
    pub(super) fn take_buffer(&self) -> Option<(*mut W, usize)> {
        let idle = self.phase.get() == Phase::Off;
        let words = self.owned_words.get();
        (idle && words > 0).then(|| {
            self.owned_words.set(0);
            (self.header.get().cast(), words)
        })
    }

    /// Bytes from the header to the end of the ring.
    fn bytes(&self) -> usize {
        (self.end.get() as usize).wrapping_sub(self.header.get() as usize)
    }

    /// Writes an information field of an event that was written before, unless
    /// its entry has been overwritten since or the ring is another.
    pub(super) fn write_field(&self, pending: &PendingField<W>, value: W) {
        let current = self.current.get();
        if current.is_null() || pending.field.is_null() {
            return;
        }
        let before_current = pending.field < current.cast();
        let still_there = match self.lap.get().wrapping_sub(pending.lap) {
            0 => before_current,
            1 => !before_current,
            _ => false,
        };
        if still_there {
            // SAFETY: a field of an entry that was written in this lap or the
            // one before, so in this ring, which nobody else writes.
            unsafe { pending.field.write(value) };
        }
    }
}
