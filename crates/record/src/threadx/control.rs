use super::context::RunningContext;
use super::full_buffer::{FullBuffer, FullNotify};
use super::memory::{BufferHeader, BufferParts, EventEntry};
use super::registry::ObjectRegistry;
use super::{EventGroups, PendingField, TraceStatus, WordWidth};
use core::cell::Cell;
use core::mem::size_of;
use core::ptr::{addr_of, addr_of_mut, null_mut};
use core::sync::atomic::{AtomicU32, Ordering, compiler_fence};

/// The state of a recorder, without its mask and clock. It is accessed only while the
/// mask is held, except for [`TraceControl::records`].
///
/// The fields that every event needs come first.
#[repr(C)]
pub(super) struct TraceControl<W> {
    /// The recorded groups; none while no event may be written.
    active: AtomicU32,
    /// The entry to write next; null while no event may be written.
    current: Cell<*mut EventEntry<W>>,
    /// The two words for the running context in events.
    pub(super) context: Cell<W>,
    pub(super) priority: Cell<W>,
    end: Cell<*mut EventEntry<W>>,
    header: Cell<*mut BufferHeader<W>>,
    start: Cell<*mut EventEntry<W>>,
    /// Number of laps of the ring over all sessions.
    lap: Cell<u32>,
    /// The value of `lap` at the start of the session, which identifies it.
    first_lap: Cell<u32>,
    pub(super) running: RunningContext<W>,
    phase: Cell<Phase>,
    /// The groups that are not filtered.
    enabled: Cell<u32>,
    pub(super) notify: Cell<FullNotify>,
    pub(super) registry: ObjectRegistry<W>,
    /// Number of words from the header on, if the memory can be returned to its owner.
    owned_words: Cell<usize>,
}

/// The position of the ring at one time.
#[derive(Clone, Copy)]
pub(super) struct RingState<W> {
    pub(super) header: *const BufferHeader<W>,
    /// The first entry.
    pub(super) start: *const EventEntry<W>,
    /// Number of entries of the ring, at least 1.
    pub(super) slots: usize,
    /// The entry to write next.
    pub(super) index: usize,
    pub(super) session: u32,
    pub(super) lap: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Off,
    /// The buffer is being initialised.
    Starting,
    On,
    /// The application is reading the full buffer.
    Notifying,
    /// The application is reading the full buffer and has disabled the recorder.
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
            first_lap: Cell::new(0),
            running: RunningContext::new(),
            phase: Cell::new(Phase::Off),
            enabled: Cell::new(0),
            notify: Cell::new(FullNotify::Disabled),
            registry: ObjectRegistry::new(),
            owned_words: Cell::new(0),
        }
    }

    /// Whether events of any of these groups are recorded. The result may be outdated
    /// immediately, which does no harm: an event at the time of a change may or may not
    /// be recorded.
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

    /// Writes an event if events may be written.
    #[inline(always)]
    pub(super) fn write_event(&self, timestamp: W, id: u32, info: [W; 4]) {
        let entry = self.current.get();
        if entry.is_null() {
            return;
        }
        // SAFETY: `current` is an entry of the ring, to which no other code writes.
        unsafe {
            entry.write(EventEntry {
                context: self.context.get(),
                priority: self.priority.get(),
                id: W::from(id),
                timestamp,
                info,
            });
        }
        // The entry precedes the position, for a fault handler that stops the writer.
        compiler_fence(Ordering::Release);
        let next = entry.wrapping_add(1);
        if next == self.end.get() {
            self.wrap();
        } else {
            self.set_current(next);
        }
    }

    /// As [`TraceControl::write_event`]. Returns one of the four fields for a later
    /// value.
    pub(super) fn write_pending(
        &self,
        timestamp: W,
        id: u32,
        info: [W; 4],
        field: usize,
    ) -> PendingField<W> {
        let entry = self.current.get();
        let lap = self.lap.get();
        self.write_event(timestamp, id, info);
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
        // SAFETY: with a current entry there is a header, to which no other code writes.
        unsafe {
            addr_of_mut!((*self.header.get()).current).write(W::from_address(next as usize));
        }
    }

    /// The ring is full and continues at its start after the application has read it.
    #[cold]
    #[inline(never)]
    fn wrap(&self) {
        self.lap.set(self.lap.get().wrapping_add(1));
        self.set_current(self.start.get());
        let notify = self.notify.get();
        if matches!(notify, FullNotify::Disabled) {
            return;
        }
        // While the application reads the buffer, no other code may write to it.
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

    /// Changes the recorded groups.
    pub(super) fn set_enabled(&self, change: impl FnOnce(EventGroups) -> EventGroups) {
        self.enabled.set(change(EventGroups(self.enabled.get())).0);
        if self.phase.get() == Phase::On {
            self.active.store(self.enabled.get(), Ordering::Relaxed);
        }
    }

    /// Reserves the recorder for a new buffer, which is then initialised with interrupts
    /// enabled.
    pub(super) fn begin(&self) -> Result<(), TraceStatus> {
        if self.phase.get() != Phase::Off {
            return Err(TraceStatus::NotDone);
        }
        self.phase.set(Phase::Starting);
        Ok(())
    }

    /// Starts recording all groups into this buffer.
    ///
    /// # Safety
    /// The parts must be in writable memory that only the recorder uses until
    /// [`TraceControl::stop`], or for ever if `owned_words`, its length, is not 0.
    pub(super) unsafe fn start(&self, parts: &BufferParts<W>, owned_words: usize) {
        self.header.set(parts.header);
        self.start.set(parts.events);
        self.end.set(parts.events_end);
        // Invalidates pending fields of an earlier buffer: they are more than one lap
        // old.
        self.lap.set(self.lap.get().wrapping_add(2));
        self.first_lap.set(self.lap.get());
        self.owned_words.set(owned_words);
        self.registry.start(parts);
        self.enabled.set(EventGroups::ALL.0);
        self.resume(parts.events);
    }

    /// Stops recording. The buffer keeps its content.
    pub(super) fn stop(&self) -> Result<(), TraceStatus> {
        match self.phase.get() {
            Phase::On => self.suspend(Phase::Off),
            Phase::Notifying => self.phase.set(Phase::Stopping),
            Phase::Off | Phase::Starting | Phase::Stopping => return Err(TraceStatus::NotDone),
        }
        Ok(())
    }

    /// Ends the trace with an event, from a fault handler that may have interrupted a
    /// writer at any instruction. The event overwrites the entry that may be half
    /// written. Returns `false` if the recorder is not enabled.
    pub(super) fn freeze(&self, timestamp: W, id: u32, info: [W; 4]) -> bool {
        if !self.is_on() {
            return false;
        }
        self.active.store(0, Ordering::Relaxed);
        // While the application reads the full buffer, the position is the start.
        let entry = match self.current.get() {
            current if current.is_null() => self.start.get(),
            current => current,
        };
        let next = match entry.wrapping_add(1) {
            next if next == self.end.get() => self.start.get(),
            next => next,
        };
        // SAFETY: an entry of the ring and its header. The interrupted writer does not run
        // meanwhile.
        unsafe {
            entry.write_volatile(EventEntry {
                context: self.context.get(),
                priority: self.priority.get(),
                id: W::from(id),
                timestamp,
                info,
            });
            addr_of_mut!((*self.header.get()).current)
                .write_volatile(W::from_address(next as usize));
        }
        self.current.set(null_mut());
        self.phase.set(Phase::Off);
        true
    }

    /// Returns the memory of a buffer that is no longer written to.
    pub(super) fn take_buffer(&self) -> Option<(*mut W, usize)> {
        let idle = self.phase.get() == Phase::Off;
        let words = self.owned_words.get();
        (idle && words > 0).then(|| {
            self.owned_words.set(0);
            (self.header.get().cast(), words)
        })
    }

    /// The ring, if its memory contains a trace and belongs to the recorder.
    pub(super) fn ring(&self) -> Option<RingState<W>> {
        let is_kept = self.phase.get() == Phase::Off && self.owned_words.get() > 0;
        if self.phase.get() != Phase::On && !is_kept {
            return None;
        }
        let header = self.header.get();
        let start = self.start.get();
        // SAFETY: the header was initialised, and is in the recorder's memory.
        let current = unsafe { addr_of!((*header).current).read() };
        let bytes = current.distance(W::from_address(start as usize));
        let ring_bytes = (self.end.get() as usize).wrapping_sub(start as usize);
        Some(RingState {
            header,
            start,
            slots: ring_bytes / size_of::<EventEntry<W>>(),
            index: bytes / size_of::<EventEntry<W>>(),
            session: self.first_lap.get(),
            lap: self.lap.get(),
        })
    }

    /// Bytes from the header to the end of the ring.
    fn bytes(&self) -> usize {
        (self.end.get() as usize).wrapping_sub(self.header.get() as usize)
    }

    /// Writes an information field of an earlier event, unless its entry has been
    /// overwritten since or belongs to another buffer.
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
            // SAFETY: a field of an entry that was written in this lap or the previous
            // one, and therefore in this ring, to which no other code writes.
            unsafe { pending.field.write(value) };
        }
    }
}
