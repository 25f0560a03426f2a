//! A black box: a recording in memory that survives a reset, so that the next boot can
//! send or store what happened before.
//!
//! Put a [`BlackBox`] into a section that the startup code leaves alone, usually
//! `.noinit`. At boot, first [`recover`](BlackBoxMemory::recover) the recording of the
//! previous run, then start the next one with
//! [`start_log`](BlackBoxMemory::start_log) or [`start_trace`](BlackBoxMemory::start_trace).
//! In a fault handler, [`freeze_log`](BlackBoxMemory::freeze_log) or
//! [`freeze_trace`](BlackBoxMemory::freeze_trace) ends it and stores the registers.
//!
//! # What a fault handler may call
//! Handlers of HardFault and NMI, and trap handlers, may call `freeze_log`,
//! `freeze_trace` and the functions of [`CaptureFault`], and no other function of the
//! recorders: they acquire no mask, wait for nothing, and need about 400 bytes of stack.
//! They may interrupt a recorder at any instruction. An entry that it has not finished is
//! overwritten by the entry of the fault. Only the first fault is stored: a fault within
//! the handler changes nothing. The clock is read once. Recover and save after the reset,
//! not in the handler.

mod fault;
mod recovery;

pub use fault::CaptureFault;
pub use recovery::{RecoveredRecording, Recovery};
pub use rtoscope_wire::black_box::{BlackBoxKind, FaultOrigin, FaultRecord};

use crate::cswitch::{BufferMode, LogEntry, SwitchLog};
use crate::port::{Clock, Mask};
use crate::threadx::{ThreadXRecorder, TraceStatus, WordWidth};
use core::cell::UnsafeCell;
use core::ffi::c_void;
use core::mem::size_of;
use core::sync::atomic::{Ordering, compiler_fence};
use rtoscope_wire::ByteOrder;
use rtoscope_wire::black_box::{
    BLACK_BOX_HEADER_BYTES, BlackBoxHeader, BlackBoxSeal, FAULT_EVENT, OPEN, SEALED, SEALING,
    STATE_OFFSET,
};
use rtoscope_wire::cswitch::PointerSize;

/// Length of the header in units of 8 bytes: the least size of a [`BlackBox`].
pub const HEADER_LONGS: usize = BLACK_BOX_HEADER_BYTES / 8;

const HEADER_WORDS: usize = BLACK_BOX_HEADER_BYTES / 4;
const STATE_WORD: usize = STATE_OFFSET / 4;

pub(crate) const BYTE_ORDER: ByteOrder = if cfg!(target_endian = "big") {
    ByteOrder::Big
} else {
    ByteOrder::Little
};

pub(crate) const POINTER_SIZE: PointerSize = if size_of::<usize>() == 8 {
    PointerSize::Eight
} else {
    PointerSize::Four
};

/// Memory of `8 * LONGS` bytes: a header of [`HEADER_LONGS`], then the recording.
///
/// ```
/// # use rtoscope_record::black_box::BlackBox;
/// #[cfg_attr(target_os = "none", link_section = ".noinit")]
/// static BLACK_BOX: BlackBox<1024> = BlackBox::new();
/// ```
#[repr(C, align(8))]
pub struct BlackBox<const LONGS: usize>(UnsafeCell<[u64; LONGS]>);

// SAFETY: it is accessed only through `BlackBoxMemory`, whose functions state who may.
unsafe impl<const LONGS: usize> Sync for BlackBox<LONGS> {}

impl<const LONGS: usize> BlackBox<LONGS> {
    /// The memory as the linker places it. The section decides whether it is initialised.
    pub const fn new() -> Self {
        assert!(LONGS > HEADER_LONGS && LONGS < 1 << 28);
        Self(UnsafeCell::new([0; LONGS]))
    }

    /// A handle to the memory.
    pub const fn memory(&'static self) -> BlackBoxMemory {
        BlackBoxMemory {
            header: self.0.get().cast(),
            capacity: (LONGS - HEADER_LONGS) * 8,
        }
    }
}

impl<const LONGS: usize> Default for BlackBox<LONGS> {
    fn default() -> Self {
        Self::new()
    }
}

/// A handle to the memory of a black box.
#[derive(Debug, Clone, Copy)]
pub struct BlackBoxMemory {
    header: *mut u32,
    /// Bytes after the header.
    capacity: usize,
}

// SAFETY: an address; the functions that use it state who may call them.
unsafe impl Send for BlackBoxMemory {}
// SAFETY: as above.
unsafe impl Sync for BlackBoxMemory {}

impl BlackBoxMemory {
    /// The memory at an address; [`None`] if it is null, not aligned to 8 bytes, too
    /// small or larger than 2 GiB.
    ///
    /// # Safety
    /// The bytes must be readable and writable for the life of the program, and only the
    /// black box may use them.
    pub unsafe fn from_raw(start: *mut c_void, bytes: usize) -> Option<Self> {
        let capacity = bytes.checked_sub(BLACK_BOX_HEADER_BYTES)? & !7;
        let is_valid = !start.is_null() && start as usize % 8 == 0;
        let is_valid = is_valid && capacity > 0 && bytes < 1 << 31;
        is_valid.then(|| Self {
            header: start.cast(),
            capacity,
        })
    }

    /// The recording of the previous run; [`None`] if there is none: after power-on, when
    /// the memory has random content, or if a checksum, a pointer or a size is wrong.
    ///
    /// A recording that nothing froze, as before a reset by a watchdog, is recovered too.
    /// Of a ring of entries, the order is then taken from their counters: it must be a
    /// counter of 32 bits, and the ring must be shorter than 2^31 ticks. The newest entry
    /// may be half written in this case.
    ///
    /// # Safety
    /// No recorder may be recording into this memory, and none may be started in it while
    /// the result is used.
    pub unsafe fn recover<'a>(self) -> Option<Recovery<'a>> {
        // SAFETY: the caller guarantees that no other code uses the memory.
        unsafe { Recovery::new(self) }
    }

    /// Makes [`BlackBoxMemory::recover`] find nothing, until a recording is started.
    ///
    /// # Safety
    /// No recorder may be recording into this memory.
    pub unsafe fn discard(self) {
        // SAFETY: the first word of the header.
        unsafe { self.header.write_volatile(0) };
    }

    /// Starts a session of a log in this memory. Returns `false` if one is running, or if
    /// there is no room for an entry.
    ///
    /// # Safety
    /// No [`Recovery`] of this memory and no other recorder may use it. The log must be
    /// used by one core only.
    pub unsafe fn start_log<M: Mask, C: Clock>(
        self,
        log: &SwitchLog<M, C>,
        mode: BufferMode,
    ) -> bool {
        let entries = self.capacity / size_of::<LogEntry>();
        if log.is_on() || entries == 0 {
            return false;
        }
        let kind = match mode {
            BufferMode::OneShot => BlackBoxKind::OneShotLog,
            BufferMode::Cyclic => BlackBoxKind::RingLog,
        };
        // SAFETY: the caller guarantees that no other code uses the memory.
        unsafe {
            let boot_count = self.invalidate();
            for slot in 0..entries {
                self.slots().add(slot).write_volatile(LogEntry::UNFINISHED);
            }
            self.open(kind, boot_count);
            log.start_raw(self.slots(), entries, mode)
        }
    }

    /// Enables a trace recorder in this memory.
    ///
    /// # Errors
    /// As [`ThreadXRecorder::enable`]. After an error, there is nothing to recover.
    ///
    /// # Safety
    /// No [`Recovery`] of this memory and no other recorder may use it.
    pub unsafe fn start_trace<M: Mask, C: Clock, W: WordWidth>(
        self,
        trace: &ThreadXRecorder<M, C, W>,
        registry_entries: usize,
    ) -> Result<(), TraceStatus> {
        if trace.is_enabled() {
            return Err(TraceStatus::NotDone);
        }
        // SAFETY: the caller guarantees that no other code uses the memory.
        unsafe {
            let boot_count = self.invalidate();
            trace.enable_raw(self.payload().cast(), self.capacity, registry_entries)?;
            self.open(BlackBoxKind::Trace, boot_count);
        }
        Ok(())
    }

    /// Ends the session of a log in this memory and stores the fault. The log ends with an
    /// entry at the fault's code address, unless it keeps its first entries and is full.
    /// Returns `false` if there is no session here, or if it was frozen before.
    ///
    /// A handler of HardFault or NMI may call it; see the [module](self).
    pub fn freeze_log<M, C: Clock>(self, log: &SwitchLog<M, C>, fault: &FaultRecord) -> bool {
        if self.state() != OPEN {
            return false;
        }
        let position = match log.freeze(fault.pc as usize) {
            Some(position) if position.start == self.slots() => position,
            _ => return false,
        };
        self.seal(BlackBoxSeal {
            next_slot: position.next_slot as u32,
            wrapped: position.wrapped,
            preceding_entries: position.preceding_entries,
            lost: position.lost,
            fault: *fault,
        })
    }

    /// As [`BlackBoxMemory::freeze_log`] for a trace. It ends with the event
    /// [`FAULT_EVENT`]: the code address, the return address, the exception number and
    /// the boot count.
    pub fn freeze_trace<M: Mask, C: Clock, W: WordWidth>(
        self,
        trace: &ThreadXRecorder<M, C, W>,
        fault: &FaultRecord,
    ) -> bool {
        if self.state() != OPEN {
            return false;
        }
        let boot_count = self.read().map_or(0, |header| header.boot_count);
        let info = [
            W::from_address(fault.pc as usize),
            W::from_address(fault.lr as usize),
            W::from(fault.exception),
            W::from(boot_count),
        ];
        trace.freeze(FAULT_EVENT, info)
            && self.seal(BlackBoxSeal {
                fault: *fault,
                ..BlackBoxSeal::default()
            })
    }

    fn payload(self) -> *mut u8 {
        self.header.wrapping_add(HEADER_WORDS).cast()
    }

    fn slots(self) -> *mut LogEntry {
        self.payload().cast()
    }

    fn state(self) -> u32 {
        // SAFETY: a word of the header.
        unsafe { self.header.add(STATE_WORD).read_volatile() }
    }

    fn set_state(self, state: u32) {
        compiler_fence(Ordering::SeqCst);
        // SAFETY: a word of the header.
        unsafe { self.header.add(STATE_WORD).write_volatile(state) };
        compiler_fence(Ordering::SeqCst);
    }

    /// The header's bytes.
    fn header_bytes(self) -> [u8; BLACK_BOX_HEADER_BYTES] {
        let mut bytes = [0; BLACK_BOX_HEADER_BYTES];
        for (word, bytes) in bytes.chunks_exact_mut(4).enumerate() {
            // SAFETY: a word of the header; any content is valid.
            let word = unsafe { self.header.add(word).read_volatile() };
            bytes.copy_from_slice(&word.to_ne_bytes());
        }
        bytes
    }

    /// The header, if it is valid and belongs to this memory and program.
    fn read(self) -> Option<BlackBoxHeader> {
        let header = BlackBoxHeader::read(&self.header_bytes(), BYTE_ORDER)?;
        let is_own =
            header.capacity as usize == self.capacity && header.pointer_size == POINTER_SIZE;
        is_own.then_some(header)
    }

    /// Writes all words of the header except the state.
    fn write(self, header: BlackBoxHeader) {
        let bytes = header.to_bytes(BYTE_ORDER);
        for (at, bytes) in bytes.chunks_exact(4).enumerate() {
            if let (true, Ok(word)) = (at != STATE_WORD, bytes.try_into()) {
                // SAFETY: a word of the header.
                unsafe { self.header.add(at).write_volatile(u32::from_ne_bytes(word)) };
            }
        }
    }

    /// Makes the header invalid. Returns the boot count of the next recording.
    ///
    /// # Safety
    /// No other code may use the memory.
    unsafe fn invalidate(self) -> u32 {
        let boots = self.read().map_or(0, |header| header.boot_count);
        // SAFETY: the caller guarantees this.
        unsafe { self.discard() };
        self.set_state(0);
        boots.saturating_add(1)
    }

    fn open(self, kind: BlackBoxKind, boot_count: u32) {
        self.write(BlackBoxHeader {
            kind,
            pointer_size: POINTER_SIZE,
            capacity: self.capacity as u32,
            boot_count,
            seal: None,
        });
        self.set_state(OPEN);
    }

    /// Writes the seal. If another fault interrupts this for ever, the seal stays invalid.
    fn seal(self, seal: BlackBoxSeal) -> bool {
        self.set_state(SEALING);
        let header = match self.read() {
            Some(header) => header,
            None => return false,
        };
        self.write(BlackBoxHeader {
            seal: Some(seal),
            ..header
        });
        self.set_state(SEALED);
        true
    }
}
