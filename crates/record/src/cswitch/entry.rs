use crate::Name;

/// An entry of the log as this target keeps it: 16 bytes where pointers have
/// four, 24 where they have eight, as [`rtoscope_wire::cswitch::LogEntry`] reads
/// it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct LogEntry {
    /// A number of [`EntryKind`](super::EntryKind), maybe with
    /// [`PREVIOUSLY_DISABLED`](super::PREVIOUSLY_DISABLED), or
    /// [`UNFINISHED`].
    pub kind: u32,
    /// The clock's value, in ticks.
    pub counter: u32,
    /// Where in the code.
    pub address: usize,
    /// Whose code.
    pub name: Name,
}

/// The kind of an entry that was claimed but not written: the other fields
/// say nothing.
pub const UNFINISHED: u32 = 0xFFFF_FFFF;

impl LogEntry {
    /// An entry that says nothing.
    pub const UNFINISHED: Self = Self {
        kind: UNFINISHED,
        counter: 0,
        address: 0,
        name: Name::NONE,
    };

    /// Writes the entry into a slot and gives the next one.
    ///
    /// # Safety
    /// The slot must be valid for writes and aligned.
    #[cfg(not(all(target_arch = "arm", target_os = "none")))]
    #[inline(always)]
    pub(super) unsafe fn store(self, slot: *mut Self) -> *mut Self {
        // SAFETY: as was promised.
        unsafe { slot.write(self) };
        slot.wrapping_add(1)
    }

    /// As above, in one instruction, which compilers find only by chance.
    ///
    /// # Safety
    /// The slot must be valid for writes and aligned.
    #[cfg(all(target_arch = "arm", target_os = "none"))]
    #[inline(always)]
    pub(super) unsafe fn store(self, mut slot: *mut Self) -> *mut Self {
        // SAFETY: writes the four words of a slot, as was promised, in the
        // order of their places.
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

/// What happens when the buffer is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BufferMode {
    /// The first entries stay; later ones are counted as lost.
    OneShot,
    /// The newest entries overwrite the oldest.
    Cyclic,
}
