//! Files in memory, which the host reads by their symbols.

use core::cell::UnsafeCell;

const BYTES: usize = 96 << 10;

/// A file: its length, then its bytes.
#[repr(C)]
pub(crate) struct File {
    length: UnsafeCell<u32>,
    bytes: UnsafeCell<[u8; BYTES]>,
}

// SAFETY: one core, and files are written with interrupts off.
unsafe impl Sync for File {}

impl File {
    const EMPTY: Self = Self {
        length: UnsafeCell::new(0),
        bytes: UnsafeCell::new([0; BYTES]),
    };

    /// Appends bytes; those for which there is no room are missing.
    pub(crate) fn push(&self, bytes: &[u8]) {
        // SAFETY: nothing else uses the file.
        let (length, target) = unsafe { (&mut *self.length.get(), &mut *self.bytes.get()) };
        for (target, byte) in target.iter_mut().skip(*length as usize).zip(bytes) {
            *target = *byte;
            *length += 1;
        }
    }
}

#[unsafe(no_mangle)]
pub(crate) static LOG_FILE: File = File::EMPTY;
#[unsafe(no_mangle)]
pub(crate) static C_LOG_FILE: File = File::EMPTY;
