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

/// Records RKH's trace stream from threads and interrupts.
///
/// All changes to the stream happen while the mask is held. The content of a record is
/// prepared before; the only foreign code that runs inside the mask is the clock's.
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

/// The state that only the holder of the mask accesses.
#[repr(C)]
pub(super) struct RecorderState {
    pub(super) ring: Ring,
    events: EventFilter,
    pub(super) running: bool,
}

// SAFETY: the state is accessed only while the mask is held; the rest is `Sync`.
unsafe impl<S: StreamSetup, M: Mask + Sync, C: Clock + Sync> Sync for RkhRecorder<S, M, C> {}

impl<S: StreamSetup, M: Mask, C: Clock> RkhRecorder<S, M, C> {
    pub(super) const FRAME_RULES: FrameRules = FrameRules {
        overrun: S::OVERRUN,
        sequence: S::CONFIGURATION.sequence,
        checksum: S::CONFIGURATION.checksum,
    };

    /// Creates a recorder that records nothing until it is started.
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

    /// Starts a stream in `buffer`, which the recorder keeps for ever. The stream begins
    /// with the target's configuration. The content of a previous buffer is lost. The
    /// filter keeps its state; initially it suppresses everything that can be filtered.
    ///
    /// # Errors
    /// [`BufferTooSmall`] if the buffer has less than 64 bytes; the recorder is then
    /// unchanged.
    pub fn start(&self, buffer: &'static mut [MaybeUninit<u8>]) -> Result<(), BufferTooSmall> {
        if buffer.len() < MIN_BUFFER_BYTES {
            return Err(BufferTooSmall);
        }
        self.begin(Some(buffer));
        Ok(())
    }

    /// [`start`](Self::start) for memory of a C program.
    ///
    /// # Safety
    /// `buffer` must be the address of `bytes` bytes that no other code accesses from now
    /// on.
    pub unsafe fn start_raw(&self, buffer: *mut u8, bytes: usize) -> Result<(), BufferTooSmall> {
        if buffer.is_null() {
            return Err(BufferTooSmall);
        }
        // SAFETY: the caller guarantees this.
        self.start(unsafe { slice::from_raw_parts_mut(buffer.cast(), bytes) })
    }

    /// Restarts the stream in the same buffer, as a target does after a reset: numbers
    /// and counters start at 0, and bytes that were not taken are lost. Does nothing if
    /// the recorder was never started.
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

    /// Stops recording. The recorded bytes can still be taken. A record that an interrupt
    /// found in progress may follow.
    pub fn stop(&self) {
        self.with_state(|state| {
            state.running = false;
            self.update_passing(state);
        });
    }

    /// Moves the next bytes of the stream to `into` and returns their number: as many as
    /// are available and fit. The mask is held for 32 bytes at a time.
    ///
    /// Each byte is returned once. Concurrent callers each get a part of the stream.
    pub fn take(&self, into: &mut [u8]) -> usize {
        let mut taken = 0;
        loop {
            let rest = into.get_mut(taken..).unwrap_or_default();
            let chunk = rest.chunks_mut(TAKE_CHUNK_BYTES).next().unwrap_or_default();
            match self.with_state(|state| state.ring.take(S::OVERRUN, chunk)) {
                0 => return taken,
                more => taken += more,
            }
        }
    }

    /// Number of bytes available to [`take`](Self::take).
    pub fn available(&self) -> usize {
        self.with_state(|state| state.ring.available())
    }

    /// Number of frames lost since the start, including the target's configuration: those
    /// that found no room, or were overwritten before they were taken.
    ///
    /// With [`OverwriteOldest`](super::OverrunPolicy::OverwriteOldest), the mask is held
    /// while all frames of the buffer are counted.
    pub fn lost(&self) -> u32 {
        self.with_state(|state| state.ring.lost(S::OVERRUN))
    }

    /// Lets the selected records pass (`RKH_FILTER_OFF_…`).
    pub fn pass(&self, selection: FilterSelection) -> Result<(), FilterError> {
        self.select(selection, true)
    }

    /// Suppresses the selected records (`RKH_FILTER_ON_…`).
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

    /// Whether a signal passes. The completion event always passes.
    #[inline(always)]
    pub(super) fn passes_signal(&self, signal: u32) -> bool {
        S::Signals::ENTRIES == 0
            || signal == ReservedSignal::Completion.number(S::CONFIGURATION.signal)
            || self.signals.passes(signal)
    }

    #[inline(always)]
    pub(super) fn with_state<R>(&self, work: impl FnOnce(&mut RecorderState) -> R) -> R {
        let before = self.mask.acquire();
        // SAFETY: no other code is here while the mask is held, and `work` does not call
        // the recorder.
        let result = work(unsafe { &mut *self.state.get() });
        // SAFETY: `before` comes from the `acquire` above.
        unsafe { self.mask.release(before) };
        result
    }

    /// Writes a record: calls `write` with the ring and the timestamp while the mask is
    /// held.
    #[inline(always)]
    pub(super) fn with_ring(&self, write: impl FnOnce(&mut Ring, u32)) {
        self.with_state(|state| {
            let timestamp = match S::CONFIGURATION.timestamp {
                Some(_) => self.clock.now(),
                None => 0,
            };
            write(&mut state.ring, timestamp);
        });
    }
}

/// Maximum number of bytes taken while the mask is held.
const TAKE_CHUNK_BYTES: usize = 32;
