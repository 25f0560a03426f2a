use super::control::TraceControl;
use super::full_buffer::{FullBuffer, FullNotify};
use super::memory::BufferParts;
use super::{EventGroups, TraceMemory, TraceStatus, Ulong, WordWidth};
use crate::port::{Clock, Mask};
use core::ffi::c_void;
use core::mem::align_of;
use core::slice;
use core::sync::atomic::{AtomicU32, Ordering};
use rtoscope_wire::threadx::TIMER_MASK_32;

/// A recorder of ThreadX event traces, one for each core and buffer, in a `static`.
///
/// ```
/// use core::mem::MaybeUninit;
/// use rtoscope_record::port::{NullClock, SpinLock};
/// use rtoscope_record::threadx::{buffer_words, ThreadXRecorder, Ulong};
///
/// static TRACE: ThreadXRecorder<SpinLock, NullClock> =
///     ThreadXRecorder::new(SpinLock::new(), NullClock);
/// # fn memory() -> &'static mut [MaybeUninit<Ulong>] {
/// #     Box::leak(vec![MaybeUninit::uninit(); WORDS].into_boxed_slice())
/// # }
/// /// Room for 8 objects and 100 events.
/// const WORDS: usize = buffer_words::<Ulong>(8, 100);
///
/// TRACE.enable(memory(), 8)?;
/// TRACE.user_event(4096, [1, 2, 3, 4]);
/// # Ok::<(), rtoscope_record::threadx::TraceStatus>(())
/// ```
#[repr(C)]
pub struct ThreadXRecorder<M, C, W = Ulong> {
    // First, so that the shortest instructions reach its fields.
    pub(super) control: TraceControl<W>,
    pub(super) mask: M,
    pub(super) clock: C,
    timer_mask: AtomicU32,
}

// SAFETY: everything except the mask, the clock and atomics is accessed only while the
// mask is held.
unsafe impl<M: Mask + Sync, C: Clock + Sync, W: WordWidth> Sync for ThreadXRecorder<M, C, W> {}
// SAFETY: it contains nothing that belongs to a thread.
unsafe impl<M: Mask + Send, C: Clock + Send, W: WordWidth> Send for ThreadXRecorder<M, C, W> {}

impl<M: Mask, C: Clock, W: WordWidth> ThreadXRecorder<M, C, W> {
    /// Creates a recorder that is not enabled, for a 32-bit clock.
    pub const fn new(mask: M, clock: C) -> Self {
        Self {
            control: TraceControl::new(),
            mask,
            clock,
            timer_mask: AtomicU32::new(TIMER_MASK_32 as u32),
        }
    }

    /// The same for a clock with fewer bits: `TX_TRACE_TIME_MASK`, 0xFFFF for 16 bits.
    /// Readers apply the mask; timestamps are written unmasked.
    pub const fn with_timer_mask(mut self, timer_mask: u32) -> Self {
        self.timer_mask = AtomicU32::new(timer_mask);
        self
    }

    /// Sets the timer mask of traces that are [enabled](Self::enable) from now on, as
    /// [`with_timer_mask`](Self::with_timer_mask).
    pub fn set_timer_mask(&self, timer_mask: u32) {
        self.timer_mask.store(timer_mask, Ordering::Relaxed);
    }

    /// Initialises header, registry and ring in this memory and records all events into
    /// it (`tx_trace_enable`). The first two events are RUNNING, as in ThreadX.
    /// [Register](ThreadXRecorder::register) the objects afterwards.
    ///
    /// # Errors
    /// [`TraceStatus::SizeError`] if there is no room for one event,
    /// [`TraceStatus::NotDone`] if the recorder is already enabled.
    pub fn enable(
        &self,
        memory: impl Into<TraceMemory<W>>,
        registry_entries: usize,
    ) -> Result<(), TraceStatus> {
        let (words, length) = memory.into().into_raw();
        // SAFETY: the recorder owns the words for ever.
        unsafe { self.lay_out(words, length, registry_entries, length) }
    }

    /// As [`ThreadXRecorder::enable`], with `bytes` bytes of memory from `memory` on, for
    /// C. [`ThreadXRecorder::take_buffer`] does not return this memory.
    ///
    /// # Safety
    /// The bytes must be writable, and no other code may write to them until the recorder
    /// is disabled.
    ///
    /// # Errors
    /// Also [`TraceStatus::PointerError`] if `memory` is null or not a multiple of the
    /// size of a word.
    pub unsafe fn enable_raw(
        &self,
        memory: *mut c_void,
        bytes: usize,
        registry_entries: usize,
    ) -> Result<(), TraceStatus> {
        let words = memory.cast::<W>();
        if words.is_null() || (words as usize) % align_of::<W>() != 0 {
            return Err(TraceStatus::PointerError);
        }
        // SAFETY: the caller guarantees this.
        unsafe { self.lay_out(words, bytes / word_bytes::<W>(), registry_entries, 0) }
    }

    /// # Safety
    /// The words must be writable, and only the recorder may use them until it is
    /// disabled, or for ever if `owned_words` is not 0.
    unsafe fn lay_out(
        &self,
        words: *mut W,
        length: usize,
        registry_entries: usize,
        owned_words: usize,
    ) -> Result<(), TraceStatus> {
        let parts = BufferParts::lay_out(words, length, registry_entries)?;
        self.with_control(TraceControl::begin)?;
        // This takes long and runs with interrupts enabled. SAFETY: the caller guarantees
        // this.
        unsafe { parts.clear(length, self.timer_mask.load(Ordering::Relaxed)) };
        self.with_control(|control| {
            // SAFETY: the caller guarantees this.
            unsafe { control.start(&parts, owned_words) };
            for _ in 0..2 {
                control.write_event(self.timestamp(), super::RUNNING, [W::ZERO; 4]);
            }
        });
        Ok(())
    }

    /// Stops recording (`tx_trace_disable`). The buffer keeps its content, a complete
    /// trace. Objects must be registered again after the next
    /// [`ThreadXRecorder::enable`].
    ///
    /// # Errors
    /// [`TraceStatus::NotDone`] if the recorder is not enabled.
    pub fn disable(&self) -> Result<(), TraceStatus> {
        self.with_control(TraceControl::stop)
    }

    /// Stops recording and ends the trace with an event. It acquires no mask: a handler of
    /// HardFault or NMI may call it.
    pub(crate) fn freeze(&self, id: u32, info: [W; 4]) -> bool {
        self.control.freeze(self.timestamp(), id, info)
    }

    /// Returns the memory of a disabled recorder with its trace, once, and not if it
    /// belongs to a C program.
    pub fn take_buffer(&self) -> Option<&'static mut [W]> {
        let (words, length) = self.with_control(TraceControl::take_buffer)?;
        // SAFETY: the memory that the caller of `enable` passed for ever. All of it was
        // initialised, and the recorder no longer refers to it.
        Some(unsafe { slice::from_raw_parts_mut(words, length) })
    }

    /// Whether the recorder is enabled.
    pub fn is_enabled(&self) -> bool {
        self.with_control(TraceControl::is_on)
    }

    /// Stops recording events of these groups (`tx_trace_event_filter`). Enabling the
    /// recorder enables all groups again.
    pub fn event_filter(&self, groups: EventGroups) {
        self.with_control(|control| control.set_enabled(|now| EventGroups(now.0 & !groups.0)));
    }

    /// Records events of these groups again (`tx_trace_event_unfilter`).
    pub fn event_unfilter(&self, groups: EventGroups) {
        self.with_control(|control| control.set_enabled(|now| now | groups));
    }

    /// Calls `function` whenever the ring was written to its end
    /// (`tx_trace_buffer_full_notify`), also after the recorder was enabled again;
    /// [`None`] disables the notification.
    ///
    /// The recorder calls it while it records the event that fills the ring, with the
    /// mask held: interrupts wait, and events recorded in the meantime are lost.
    pub fn buffer_full_notify(&self, function: Option<fn(&FullBuffer<'_>)>) {
        let notify = function.map_or(FullNotify::Disabled, FullNotify::Function);
        self.with_control(|control| control.notify.set(notify));
    }

    /// As [`ThreadXRecorder::buffer_full_notify`] with a C function, which gets the
    /// address of the control header.
    ///
    /// # Safety
    /// The function must be sound to call with this address in every context that records
    /// events.
    pub unsafe fn buffer_full_notify_raw(
        &self,
        function: Option<unsafe extern "C" fn(*mut c_void)>,
    ) {
        let notify = function.map_or(FullNotify::Disabled, FullNotify::Raw);
        self.with_control(|control| control.notify.set(notify));
    }

    /// Calls `work` while the mask is held.
    #[inline(always)]
    pub(super) fn with_control<T>(&self, work: impl FnOnce(&TraceControl<W>) -> T) -> T {
        let before = self.mask.acquire();
        let result = work(&self.control);
        // SAFETY: `before` comes from the matching `acquire`.
        unsafe { self.mask.release(before) };
        result
    }

    #[inline(always)]
    pub(super) fn timestamp(&self) -> W {
        W::from(self.clock.now())
    }
}

const fn word_bytes<W>() -> usize {
    core::mem::size_of::<W>()
}
