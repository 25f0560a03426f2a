use crate::Name;
#[cfg(not(all(target_arch = "arm", target_os = "none")))]
use core::sync::atomic::{Ordering, compiler_fence};

/// An entry in this target's memory: 16 bytes with pointers of four bytes, 24 with
/// pointers of eight. [`rtoscope_wire::cswitch::LogEntry`] reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct LogEntry {
    /// The number of an [`EntryKind`](super::EntryKind), optionally with
    /// [`PREVIOUSLY_DISABLED`](super::PREVIOUSLY_DISABLED), or [`UNFINISHED`].
    pub kind: u32,
    /// The clock's value in ticks.
    pub counter: u32,
    /// The code address, or the value of a marker.
    pub address: usize,
    /// The name of the thread, handler or marker.
    pub name: Name,
}

/// The kind of an entry that was claimed but not written: its other fields are invalid.
pub const UNFINISHED: u32 = 0xFFFF_FFFF;

impl LogEntry {
    /// An entry without content.
    pub const UNFINISHED: Self = Self {
        kind: UNFINISHED,
        counter: 0,
        address: 0,
        name: Name::NONE,
    };

    /// Writes the entry into a slot and returns the next slot.
    ///
    /// # Safety
    /// The slot must be valid for writes and aligned.
    #[cfg(not(all(target_arch = "arm", target_os = "none")))]
    #[inline(always)]
    pub(super) unsafe fn store(self, slot: *mut Self) -> *mut Self {
        // SAFETY: the caller guarantees this.
        unsafe { slot.write(self) };
        // The entry precedes the position, for a fault handler that stops the writer.
        compiler_fence(Ordering::Release);
        slot.wrapping_add(1)
    }

    /// As above, with a single instruction, which compilers do not generate reliably.
    ///
    /// # Safety
    /// The slot must be valid for writes and aligned.
    #[cfg(all(target_arch = "arm", target_os = "none"))]
    #[inline(always)]
    pub(super) unsafe fn store(self, mut slot: *mut Self) -> *mut Self {
        // SAFETY: writes the four words of the slot in ascending order; the caller
        // guarantees that the slot is writable.
        unsafe {
            core::arch::asm!(
                "stm {slot}!, {{r0, r1, r2, r3}}",
                slot = inout(reg) slot,
                in("r0") self.kind,
                in("r1") self.counter,
                in("r2") self.address,
                in("r3") self.name.as_ptr(),
                options(nostack, preserves_flags),
            );
        }
        slot
    }
}

/// The behaviour of a full buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BufferMode {
    /// Keeps the first entries and counts later ones as lost.
    OneShot,
    /// Overwrites the oldest entries.
    Cyclic,
}
