use super::ThreadState;
use super::filter::StreamFilter;
use super::name_table::{NameTable, StreamName};
use super::read::ReadPosition;
use super::ring::{MIN_RING_WORDS, StreamRing};
use crate::port::{Clock, Mask};
use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use rtoscope_wire::cswitch::EntryKind;
use rtoscope_wire::cswitch::command::{CommandDecoder, EntryGroup, StreamCommand};
use rtoscope_wire::cswitch::packed::{HAS_OPERAND, MAX_LONG_TICKS, MAX_SHORT_TICKS};

/// The recorder of one core: a `static` that threads and interrupt handlers share. It has
/// room for `NAMES` names.
///
/// The clock's counter must have 32 bits.
#[repr(C)]
pub struct CompactStream<M, C, const NAMES: usize = 32> {
    state: UnsafeCell<StreamState<NAMES>>,
    mask: M,
    clock: C,
    core: u16,
}

/// The state that only the holder of the mask accesses.
#[repr(C)]
pub(super) struct StreamState<const NAMES: usize> {
    // First, because every entry needs it.
    pub(super) ring: StreamRing,
    pub(super) frequency_hz: u32,
    pub(super) session: u32,
    pub(super) position: ReadPosition,
    /// Whether a reader uses the words that were written.
    pub(super) is_reading: bool,
    /// Whether there may be names that were not sent.
    pub(super) has_unsent_names: bool,
    /// Whether the host does not know the suppressed groups yet.
    pub(super) is_filter_new: bool,
    pub(super) filter: StreamFilter,
    commands: CommandDecoder,
    pub(super) names: NameTable<NAMES>,
}

// SAFETY: the state is accessed only while the mask is held. The words of the ring that a
// reader uses are claimed while the mask is held.
unsafe impl<M: Mask + Sync, C: Clock + Sync, const NAMES: usize> Sync
    for CompactStream<M, C, NAMES>
{
}

impl<M, C, const NAMES: usize> CompactStream<M, C, NAMES> {
    /// Creates a stream of core 0 that records nothing until it is started.
    pub const fn new(mask: M, clock: C) -> Self {
        Self::for_core(0, mask, clock)
    }

    /// [`CompactStream::new`] for another core. Each core has a stream of its own.
    pub const fn for_core(core: u16, mask: M, clock: C) -> Self {
        Self {
            state: UnsafeCell::new(StreamState {
                ring: StreamRing::new(),
                frequency_hz: 0,
                session: 0,
                position: ReadPosition::new(0),
                is_reading: false,
                has_unsent_names: false,
                is_filter_new: false,
                filter: StreamFilter::new(),
                commands: CommandDecoder::new(),
                names: NameTable::new(),
            }),
            mask,
            clock,
            core,
        }
    }

    pub(super) const fn clock(&self) -> &C {
        &self.clock
    }

    pub(super) const fn core(&self) -> u16 {
        self.core
    }
}

impl<M: Mask, C: Clock, const NAMES: usize> CompactStream<M, C, NAMES> {
    /// Sets a number that differs each time the target starts: of a register of random numbers,
    /// or of a variable that a reset keeps and each start increments. The host recognises a
    /// restart without it as well, unless it misses the first containers after it. Call it
    /// before [`CompactStream::start`].
    pub fn set_boot(&self, boot: u16) {
        self.with_state(|state| state.session = u32::from(boot) << 16);
    }

    /// Starts a stream in a ring of at least [`MIN_RING_WORDS`] words, which the recorder
    /// keeps for ever; a previous ring, and what was not read from it, is lost.
    /// `frequency_hz` is that of the clock's counter, 0 if unknown. Names remain, and are sent
    /// again.
    ///
    /// Returns `false` if the ring is too small, if the stream is on, or if another context is
    /// reading; the stream is then unchanged.
    pub fn start(&self, ring: &'static mut [MaybeUninit<u32>], frequency_hz: u32) -> bool {
        ring.len() >= MIN_RING_WORDS && self.begin(Some(ring), frequency_hz)
    }

    /// Starts the stream again in the same ring. What was not read is lost. Returns `false` if
    /// the stream was never started, if it is on, or if another context is reading.
    pub fn restart(&self, frequency_hz: u32) -> bool {
        self.begin(None, frequency_hz)
    }

    fn begin(&self, ring: Option<&'static mut [MaybeUninit<u32>]>, frequency_hz: u32) -> bool {
        let has_started = self.with_state(|state| {
            let has_ring = ring.is_some() || !state.ring.begin.is_null();
            if state.ring.is_on || state.is_reading || !has_ring {
                return false;
            }
            if let Some(ring) = ring {
                state.ring.set_buffer(ring);
            }
            let now = self.clock.now();
            state.ring.start(now);
            state.position = ReadPosition::new(now);
            state.frequency_hz = frequency_hz;
            state.session = state.session.wrapping_add(1);
            true
        });
        if has_started {
            self.resend_names();
        }
        has_started
    }

    /// Ends the stream. What was recorded can still be read.
    pub fn stop(&self) {
        self.with_state(|state| state.ring.stop());
    }

    /// Pauses or continues the recording. Entries of the meantime are lost, and counted.
    pub fn pause(&self, pause: bool) {
        self.with_state(|state| state.ring.pause(pause));
    }

    /// Names a thread or a marker by the number in its entries. Names are cut after
    /// [`MAX_NAME_LEN`](super::MAX_NAME_LEN) bytes. Returns `false` if there are `NAMES`
    /// already.
    pub fn name(&self, id: u32, text: &'static str) -> bool {
        self.set_name(StreamName::new(id, false, text))
    }

    /// As [`CompactStream::name`], for an interrupt handler.
    pub fn name_handler(&self, handler: u32, text: &'static str) -> bool {
        self.set_name(StreamName::new(handler, true, text))
    }

    fn set_name(&self, name: StreamName) -> bool {
        // One slot at a time, so that interrupts need not wait for a search. Slots are used in
        // their order: a name that is added meanwhile is in a slot that is still to come.
        for index in 0..NAMES {
            let is_set = self.with_state(|state| {
                state.has_unsent_names = true;
                state.names.set(index, name)
            });
            match is_set {
                Some(false) => {}
                Some(true) => return true,
                None => break,
            }
        }
        if !name.is_handler {
            self.with_state(|state| {
                state.has_unsent_names = true;
                state.names.refuse(name.id);
            });
        }
        false
    }

    /// Sends all names again with the next entries, as for a host that has just connected.
    pub fn resend_names(&self) {
        for index in 0..NAMES {
            if !self.with_state(|state| state.names.forget_sent(index)) {
                break;
            }
        }
        self.with_state(|state| {
            state.has_unsent_names = true;
            state.names.forget_nameless();
            state.is_filter_new |= state.filter.groups != 0;
        });
    }

    /// Suppresses a group of entries, or no longer does. Suppressed entries use the ring, but
    /// [`CompactStream::read`] leaves them out. Context switches cannot be suppressed.
    pub fn filter(&self, group: EntryGroup, suppress: bool) {
        self.filter_groups(group.bit(), suppress);
    }

    fn filter_groups(&self, groups: u32, suppress: bool) {
        self.with_state(|state| {
            state.is_filter_new |= state.filter.set_groups(groups, suppress);
        });
    }

    /// Suppresses a marker, or no longer does. Returns `false` if
    /// [`MAX_MARKER_FILTERS`](super::MAX_MARKER_FILTERS) are suppressed already.
    pub fn filter_marker(&self, marker: u32, suppress: bool) -> bool {
        self.with_state(|state| state.filter.set_marker(marker, suppress))
    }

    /// Suppresses the begins and ends of an interrupt handler, or no longer does.
    pub fn filter_handler(&self, handler: u8, suppress: bool) {
        self.with_state(|state| state.filter.set_handler(handler, suppress));
    }

    /// Takes bytes from the host, in any pieces, and carries out the commands in them: `live`
    /// sends them for `--target-command` and `--target-filter`.
    pub fn take(&self, bytes: &[u8]) {
        for byte in bytes {
            if let Some(command) = self.with_state(|state| state.commands.push(*byte)) {
                self.carry_out(command);
            }
        }
    }

    fn carry_out(&self, command: StreamCommand) {
        match command {
            StreamCommand::Start => self.pause(false),
            StreamCommand::Stop => self.pause(true),
            StreamCommand::SendNames => self.resend_names(),
            StreamCommand::Filter { groups, suppress } => self.filter_groups(groups, suppress),
            StreamCommand::FilterMarker { marker, suppress } => {
                // The host's view of the filter is best effort.
                let _ = self.filter_marker(marker, suppress);
            }
            StreamCommand::FilterHandler { handler, suppress } => {
                self.filter_handler(handler, suppress);
            }
            // This recorder has no ring that it sends on request only.
            StreamCommand::Snapshot => {}
        }
    }

    /// Number of bytes that [`CompactStream::read`] would find in the ring: a sender waits for some
    /// hundred, because each container has 112 bytes besides its entries.
    pub fn pending(&self) -> usize {
        self.with_state(|state| state.ring.used().wrapping_mul(4))
    }

    /// Number of entries that found no room since the start.
    pub fn lost(&self) -> u32 {
        self.with_state(|state| state.ring.lost_total)
    }

    /// The scheduler resumes a thread: a number that identifies it, such as its address.
    #[inline(always)]
    pub fn resume(&self, thread: u32) {
        self.write::<2>(EntryKind::SyncResume, thread, 0);
    }

    /// As [`CompactStream::resume`], for a small number: half the bytes.
    #[inline(always)]
    pub fn resume_short(&self, thread: u8) {
        self.write::<1>(EntryKind::SyncResume, thread.into(), 0);
    }

    /// The core enters the idle loop.
    #[inline(always)]
    pub fn idle(&self) {
        self.write::<1>(EntryKind::Sleep, 0, 0);
    }

    /// A thread becomes ready to run.
    #[inline(always)]
    pub fn ready(&self, thread: u32) {
        self.write::<2>(EntryKind::Ready, thread, 0);
    }

    /// As [`CompactStream::ready`], for a small number: half the bytes.
    #[inline(always)]
    pub fn ready_short(&self, thread: u8) {
        self.write::<1>(EntryKind::Ready, thread.into(), 0);
    }

    /// The running thread stops being ready. The state is the reason of its wait, such as
    /// [`ThreadState::QUEUE`], or [`ThreadState::READY`] for any other.
    #[inline(always)]
    pub fn wait(&self, reason: ThreadState) {
        self.write::<1>(EntryKind::Wait, reason.0 & 0xFF, 0);
    }

    /// An interrupt handler begins: its number.
    #[inline(always)]
    pub fn isr_enter(&self, handler: u8) {
        self.write::<1>(EntryKind::IsrEnter, handler.into(), 0);
    }

    /// An interrupt handler ends.
    #[inline(always)]
    pub fn isr_exit(&self, handler: u8) {
        self.write::<1>(EntryKind::IsrExit, handler.into(), 0);
    }

    /// An interrupt returns to the thread that it interrupted. Needed only where handlers do
    /// not record their ends.
    #[inline(always)]
    pub fn isr_return(&self, thread: u32) {
        self.write::<2>(EntryKind::IsrReturn, thread, 0);
    }

    /// A span of interest begins: a number with a name, and a value such as the number of a
    /// frame. Spans of the same marker overlap if their values differ, and nest if they are
    /// equal.
    #[inline(always)]
    pub fn marker_begin(&self, marker: u32, value: u32) {
        self.write::<3>(EntryKind::MarkerBegin, marker, value);
    }

    /// The span of the same marker and value ends, in whichever context it began.
    #[inline(always)]
    pub fn marker_end(&self, marker: u32, value: u32) {
        self.write::<3>(EntryKind::MarkerEnd, marker, value);
    }

    /// A point of interest without a duration.
    #[inline(always)]
    pub fn marker(&self, marker: u32, value: u32) {
        self.write::<3>(EntryKind::MarkerInstant, marker, value);
    }

    /// Writes an entry of one to three words.
    #[inline(always)]
    fn write<const WORDS: usize>(&self, kind: EntryKind, operand: u32, value: u32) {
        let max_ticks = if WORDS == 1 {
            MAX_SHORT_TICKS
        } else {
            MAX_LONG_TICKS
        };
        let before = self.mask.acquire();
        // SAFETY: no other code is here while the mask is held, as in `with_state`. There is no
        // closure, because compilers that optimise for size give it a stack frame.
        let ring = unsafe { &mut (*self.state.get()).ring };
        let at = ring.write;
        if at < ring.limit {
            let now = self.clock.now();
            let ticks = now.wrapping_sub(ring.last);
            if ticks <= max_ticks {
                // SAFETY: there is room for three words, because `at` is before the limit.
                unsafe {
                    if WORDS == 1 {
                        at.write(kind as u32 | operand << 6 | ticks << 14);
                    } else {
                        at.write(kind as u32 | HAS_OPERAND | ticks << 6);
                        at.wrapping_add(1).write(operand);
                    }
                    if WORDS > 2 {
                        at.wrapping_add(2).write(value);
                    }
                }
                ring.last = now;
                ring.write = at.wrapping_add(WORDS);
                // SAFETY: `before` comes from the `acquire` above.
                unsafe { self.mask.release(before) };
                return;
            }
        }
        // SAFETY: as above.
        unsafe { self.mask.release(before) };
        self.write_slow(kind as u32, operand, value);
    }

    /// [`CompactStream::write`] at the end of the ring, after a long pause, and of a stream
    /// that is off. It acquires the mask again, so that the common case saves nothing for it.
    #[cold]
    #[inline(never)]
    fn write_slow(&self, kind: u32, operand: u32, value: u32) {
        self.with_state(|state| {
            if state.ring.is_on {
                let now = self.clock.now();
                let ring = &mut state.ring;
                if !ring.push_after_pause(kind, operand, value, now) {
                    ring.push_slow(kind, operand, value, now);
                }
            }
        });
    }

    #[inline(always)]
    pub(super) fn with_state<T>(&self, act: impl FnOnce(&mut StreamState<NAMES>) -> T) -> T {
        let before = self.mask.acquire();
        // SAFETY: no other code is here while the mask is held, and `act` does not call the
        // stream.
        let result = act(unsafe { &mut *self.state.get() });
        // SAFETY: `before` comes from the `acquire` above.
        unsafe { self.mask.release(before) };
        result
    }
}
