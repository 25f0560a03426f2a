use super::control::TraceControl;
use super::full_buffer::{FullBuffer, FullNotify};
use super::memory::BufferParts;
use super::{EventGroups, TraceMemory, TraceStatus, Ulong, WordWidth};
use crate::port::{Clock, Mask};
use core::ffi::c_void;
use core::mem::align_of;
use core::slice;
use rtoscope_wire::threadx::TIMER_MASK_32;

/// A recorder of ThreadX event traces: one for each core and buffer, a `static`.
///
/// ```
/// use core::mem::MaybeUninit;
/// use rtoscope_record::port::{Spin, Stopped};
/// use rtoscope_record::threadx::{buffer_words, Recorder, Ulong};
///
/// static TRACE: Recorder<Spin, Stopped> = Recorder::new(Spin::new(), Stopped);
/// # fn memory() -> &'static mut [MaybeUninit<Ulong>] {
/// #     Box::leak(vec![MaybeUninit::uninit(); WORDS].into_boxed_slice())
/// # }
/// /// Room for 8 objects and 100 events.
/// const WORDS: usize = buffer_words::<Ulong>(8, 100);
///
/// TRACE.enable(memory(), 8)?;
/// TRACE.user_event(4096, [1, 2, 3, 4]);
/// # Ok::<(), rtoscope_record::threadx::Status>(())
/// ```
#[repr(C)]
pub struct ThreadxRecorder<M, C, W = Ulong> {
    // First, so that its fields are reached with the shortest instructions.
    pub(super) control: TraceControl<W>,
    pub(super) mask: M,
    pub(super) clock: C,
    timer_mask: u32,
}

// SAFETY: what is not the mask or the clock is only used while the mask keeps
// others away, but for an atomic.
unsafe impl<M: Mask + Sync, C: Clock + Sync, W: WordWidth> Sync for ThreadxRecorder<M, C, W> {}
// SAFETY: nothing in it belongs to a thread.
unsafe impl<M: Mask + Send, C: Clock + Send, W: WordWidth> Send for ThreadxRecorder<M, C, W> {}

impl<M: Mask, C: Clock, W: WordWidth> ThreadxRecorder<M, C, W> {
    /// A recorder that is not enabled, of a clock that counts with 32 bits.
    pub const fn new(mask: M, clock: C) -> Self {
        Self {
            control: TraceControl::new(),
            mask,
            clock,
            timer_mask: TIMER_MASK_32 as u32,
        }
    }

    /// The same for a clock that counts with fewer bits: `TX_TRACE_TIME_MASK`,
    /// 0xFFFF for 16 bits. Readers apply it; stamps are written as they are.
    pub const fn with_timer_mask(mut self, timer_mask: u32) -> Self {
        self.timer_mask = timer_mask;
        self
    }

    /// Lays out header, registry and ring in this memory, sets it to 0 where it
    /// says nothing yet, and records all events into it (`tx_trace_enable`).
    /// The first two are RUNNING, as ThreadX has it. Objects are registered
    /// [one by one](ThreadxRecorder::register) after this.
    ///
    /// # Errors
    /// [`TraceStatus::SizeError`] if not even one event has room,
    /// [`TraceStatus::NotDone`] if the recorder is enabled already.
    pub fn enable(
        &self,
        memory: impl Into<TraceMemory<W>>,
        registry_entries: usize,
    ) -> Result<(), TraceStatus> {
        let (words, length) = memory.into().into_raw();
        // SAFETY: the words are this recorder's own for ever.
        unsafe { self.lay_out(words, length, registry_entries, length) }
    }

    /// As [`ThreadxRecorder::enable`], with `bytes` of memory from `memory` on, for
    /// C. It is not given back by [`ThreadxRecorder::take_buffer`].
    ///
    /// # Safety
    /// The bytes must be writable, and nobody else may write them until the
    /// recorder is disabled.
    ///
    /// # Errors
    /// Besides those, [`TraceStatus::PointerError`] if `memory` is null or no
    /// multiple of the size of a word.
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
        // SAFETY: promised to this function.
        unsafe { self.lay_out(words, bytes / word_bytes::<W>(), registry_entries, 0) }
    }

    /// # Safety
    /// The words must be writable and the recorder's own until it is disabled,
    /// for ever if `owned_words` is not 0.
    unsafe fn lay_out(
        &self,
        words: *mut W,
        length: usize,
        registry_entries: usize,
        owned_words: usize,
    ) -> Result<(), TraceStatus> {
        let parts = BufferParts::lay_out(words, length, registry_entries)?;
        self.with_control(TraceControl::begin)?;
        // With interrupts let in, since this takes long.
        // SAFETY: promised to this function.
        unsafe { parts.clear(length, self.timer_mask) };
        self.with_control(|control| {
            // SAFETY: promised to this function.
            unsafe { control.start(&parts, owned_words) };
            for _ in 0..2 {
                control.write_event(self.timestamp(), super::RUNNING, [W::ZERO; 4]);
            }
        });
        Ok(())
    }

    /// Records nothing more (`tx_trace_disable`). The buffer stays as it is, a
    /// whole trace; objects must be registered anew after the next
    /// [`ThreadxRecorder::enable`].
    ///
    /// # Errors
    /// [`TraceStatus::NotDone`] if the recorder is not enabled.
    pub fn disable(&self) -> Result<(), TraceStatus> {
        self.with_control(TraceControl::stop)
    }

    /// Gives back the memory of a recorder that was disabled, with its trace.
    /// Once only, and not if it came from C.
    pub fn take_buffer(&self) -> Option<&'static mut [W]> {
        let (words, length) = self.with_control(TraceControl::take_buffer)?;
        // SAFETY: the memory that `enable` was given for ever. All of it was
        // initialised, and the recorder has forgotten it.
        Some(unsafe { slice::from_raw_parts_mut(words, length) })
    }

    /// Whether the recorder is enabled.
    pub fn is_enabled(&self) -> bool {
        self.with_control(TraceControl::is_on)
    }

    /// Records events of these groups no more (`tx_trace_event_filter`).
    /// Enabling the recorder lets all groups in again.
    pub fn event_filter(&self, groups: EventGroups) {
        self.with_control(|control| control.set_enabled(|now| EventGroups(now.0 & !groups.0)));
    }

    /// Records events of these groups again (`tx_trace_event_unfilter`).
    pub fn event_unfilter(&self, groups: EventGroups) {
        self.with_control(|control| control.set_enabled(|now| now | groups));
    }

    /// Calls this function whenever the ring has been written to its end
    /// (`tx_trace_buffer_full_notify`), also after it was enabled anew; [`None`]
    /// ends that.
    ///
    /// It is called inside the recording of the event that fills the ring,
    /// with the mask held: interrupts wait. What is recorded meanwhile is lost.
    pub fn buffer_full_notify(&self, function: Option<fn(&FullBuffer<'_>)>) {
        let notify = function.map_or(FullNotify::Disabled, FullNotify::Function);
        self.with_control(|control| control.notify.set(notify));
    }

    /// As [`ThreadxRecorder::buffer_full_notify`] with a function of C, which gets the
    /// address of the control header.
    ///
    /// # Safety
    /// The function must be sound to call with that address from wherever
    /// events are recorded.
    pub unsafe fn buffer_full_notify_raw(
        &self,
        function: Option<unsafe extern "C" fn(*mut c_void)>,
    ) {
        let notify = function.map_or(FullNotify::Disabled, FullNotify::Raw);
        self.with_control(|control| control.notify.set(notify));
    }

    /// Does something with nobody else in the recorder.
    #[inline(always)]
    pub(super) fn with_control<T>(&self, work: impl FnOnce(&TraceControl<W>) -> T) -> T {
        let before = self.mask.acquire();
        let result = work(&self.control);
        // SAFETY: what the matching `acquire` gave.
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
