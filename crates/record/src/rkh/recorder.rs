use super::ActiveObject;
use super::filter::sealed::SealedTable;
use super::filter::{EventFilter, FilterError, FilterSelection, PassingEvents};
use super::ring::{BufferTooSmall, FrameRules, MIN_BUFFER_BYTES, Ring};
use super::setup::{SetupConstants, StreamSetup};
use crate::port::{Clock, Mask};
use core::cell::UnsafeCell;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::slice;
use rtoscope_wire::rkh::filter::EVENT_TABLE_BYTES;
use rtoscope_wire::rkh::signal::ReservedSignal;

/// Records RKH's trace stream, from threads and interrupts alike.
///
/// Everything that changes the stream happens within the mask; what a record is
/// made of is at hand before, so that no code of others runs there but the
/// clock's.
#[repr(C)]
pub struct RkhRecorder<S: StreamSetup, M, C> {
    pub(super) passing: PassingEvents,
    state: UnsafeCell<RecorderState>,
    pub(super) objects: S::Objects,
    pub(super) signals: S::Signals,
    mask: M,
    clock: C,
    setup: PhantomData<fn() -> S>,
}

/// What only the holder of the mask touches.
#[repr(C)]
struct RecorderState {
    ring: Ring,
    events: EventFilter,
    running: bool,
}

// SAFETY: the state is touched within the mask only, and the rest is `Sync`.
unsafe impl<S: StreamSetup, M: Mask + Sync, C: Clock + Sync> Sync for RkhRecorder<S, M, C> {}

impl<S: StreamSetup, M: Mask, C: Clock> RkhRecorder<S, M, C> {
    pub(super) const FRAME_RULES: FrameRules = FrameRules {
        overrun: S::OVERRUN,
        sequence: S::CONFIGURATION.sequence,
        checksum: S::CONFIGURATION.checksum,
    };

    /// A recorder that records nothing until it is started.
    pub const fn new(mask: M, clock: C) -> Self {
        #[allow(clippy::let_unit_value)]
        let () = SetupConstants::<S>::VALIDATED;
        Self {
            passing: PassingEvents::new(),
            state: UnsafeCell::new(RecorderState {
                ring: Ring::new(),
                events: EventFilter {
                    events: [0; EVENT_TABLE_BYTES],
                    groups: 0,
                    objects: [],
                    signals: [],
                },
                running: false,
            }),
            objects: S::Objects::CLEAR,
            signals: S::Signals::CLEAR,
            mask,
            clock,
            setup: PhantomData,
        }
    }

    /// Begins a stream in `buffer`, which it keeps for ever, with the target's
    /// configuration. What is in a buffer before is lost. The filter stays as it
    /// is; at first nothing passes that can be filtered.
    ///
    /// An error if the buffer has fewer than 64 bytes: nothing changes then.
    pub fn start(&self, buffer: &'static mut [MaybeUninit<u8>]) -> Result<(), BufferTooSmall> {
        if buffer.len() < MIN_BUFFER_BYTES {
            return Err(BufferTooSmall);
        }
        self.begin(Some(buffer));
        Ok(())
    }

    /// [`start`](Self::start) for memory that a C program owns.
    ///
    /// # Safety
    /// `buffer` must be the address of `bytes` bytes that nobody else reads or
    /// writes from now on.
    pub unsafe fn start_raw(&self, buffer: *mut u8, bytes: usize) -> Result<(), BufferTooSmall> {
        if buffer.is_null() {
            return Err(BufferTooSmall);
        }
        // SAFETY: promised by the caller.
        self.start(unsafe { slice::from_raw_parts_mut(buffer.cast(), bytes) })
    }

    /// Begins a stream anew in the same buffer, as a target does after a reset:
    /// numbers and counts begin at 0, what was not taken is lost. Nothing
    /// happens if there never was a buffer.
    pub fn restart(&self) {
        self.begin(None);
    }

    fn begin(&self, buffer: Option<&'static mut [MaybeUninit<u8>]>) {
        self.with_state(|state| {
            state.ring.start(buffer);
            if state.ring.has_buffer() {
                Self::write_configuration(&mut state.ring);
                state.running = true;
                self.update_passing(state);
            }
        });
    }

    /// Stops recording. What was recorded can still be taken; a record that an
    /// interrupt finds half made may follow.
    pub fn stop(&self) {
        self.with_state(|state| {
            state.running = false;
            self.update_passing(state);
        });
    }

    /// Takes up the next bytes of the stream for the host, and returns how many:
    /// as many as there are and as `into` has room for. The mask is held for 32
    /// bytes at a time.
    ///
    /// Each byte is taken once. Two that take at the same time get each a part.
    pub fn take(&self, into: &mut [u8]) -> usize {
        let mut taken = 0;
        loop {
            let rest = into.get_mut(taken..).unwrap_or_default();
            let piece = rest.chunks_mut(TAKE_CHUNK_BYTES).next().unwrap_or_default();
            match self.with_state(|state| state.ring.take(S::OVERRUN, piece)) {
                0 => return taken,
                more => taken += more,
            }
        }
    }

    /// Bytes that wait to be taken.
    pub fn available(&self) -> usize {
        self.with_state(|state| state.ring.available())
    }

    /// Frames that were lost since the start: that had no room, or that were
    /// overwritten before they were taken, the target's configuration among
    /// them.
    ///
    /// With [`OverwriteOldest`](super::Overrun::OverwriteOldest) the mask is held
    /// while all frames of the buffer are counted.
    pub fn lost(&self) -> u32 {
        self.with_state(|state| state.ring.lost(S::OVERRUN))
    }

    /// Lets a selection pass (`RKH_FILTER_OFF_…`).
    pub fn pass(&self, selection: FilterSelection) -> Result<(), FilterError> {
        self.select(selection, true)
    }

    /// Suppresses a selection (`RKH_FILTER_ON_…`).
    pub fn suppress(&self, selection: FilterSelection) -> Result<(), FilterError> {
        self.select(selection, false)
    }

    fn select(&self, selection: FilterSelection, pass: bool) -> Result<(), FilterError> {
        self.with_state(|state| match selection {
            FilterSelection::Object(priority) if self.objects.set(priority.into(), pass) => Ok(()),
            FilterSelection::Object(priority) => Err(FilterError::Object {
                priority,
                entries: S::Objects::ENTRIES,
            }),
            FilterSelection::Signal(signal) if self.signals.set(signal, pass) => Ok(()),
            FilterSelection::Signal(signal) => Err(FilterError::Signal {
                signal,
                entries: S::Signals::ENTRIES,
            }),
            FilterSelection::AllObjects => {
                self.objects.fill(pass);
                Ok(())
            }
            FilterSelection::AllSignals => {
                self.signals.fill(pass);
                Ok(())
            }
            _ if pass => self.change_events(state, EventFilter::pass, selection),
            _ => self.change_events(state, EventFilter::suppress, selection),
        })
    }

    fn change_events(
        &self,
        state: &mut RecorderState,
        change: fn(&mut EventFilter, FilterSelection) -> Result<(), FilterError>,
        selection: FilterSelection,
    ) -> Result<(), FilterError> {
        change(&mut state.events, selection)?;
        self.update_passing(state);
        Ok(())
    }

    fn update_passing(&self, state: &RecorderState) {
        let events = Some(&state.events).filter(|_| S::FILTERS);
        self.passing.set(state.running, events);
    }

    /// Whether an active object passes.
    #[inline(always)]
    pub(super) fn passes_object(&self, object: ActiveObject) -> bool {
        self.objects.passes(object.priority.into())
    }

    /// Whether a signal passes. The completion event always does.
    #[inline(always)]
    pub(super) fn passes_signal(&self, signal: u32) -> bool {
        S::Signals::ENTRIES == 0
            || signal == ReservedSignal::Completion.number(S::CONFIGURATION.signal)
            || self.signals.passes(signal)
    }

    #[inline(always)]
    fn with_state<R>(&self, act: impl FnOnce(&mut RecorderState) -> R) -> R {
        let before = self.mask.acquire();
        // SAFETY: nobody else is within the mask, and what is called there
        // does not come here again.
        let result = act(unsafe { &mut *self.state.get() });
        // SAFETY: `before` is of the `acquire` above.
        unsafe { self.mask.release(before) };
        result
    }

    /// Makes a record: gives the ring and the stamp to `write`, within the mask.
    #[inline(always)]
    pub(super) fn with_ring(&self, write: impl FnOnce(&mut Ring, u32)) {
        self.with_state(|state| {
            let stamp = match S::CONFIGURATION.timestamp {
                Some(_) => self.clock.now(),
                None => 0,
            };
            write(&mut state.ring, stamp);
        });
    }
}

/// Bytes that are taken while the mask is held.
const TAKE_CHUNK_BYTES: usize = 32;
