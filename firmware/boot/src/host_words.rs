//! Words in memory that the host may write.

use core::cell::UnsafeCell;

/// Words that a debugger or an emulator may write before the program starts. No code of the
/// program writes to them.
///
/// The static is found by its symbol; it belongs into the section `.noinit`.
#[repr(C)]
pub struct HostWords<const N: usize> {
    /// [`SET`] if the other words are valid.
    is_set: UnsafeCell<u32>,
    words: UnsafeCell<[u32; N]>,
}

/// "ROOM".
const SET: u32 = 0x524F_4F4D;

// SAFETY: the program only reads it.
unsafe impl<const N: usize> Sync for HostWords<N> {}

impl<const N: usize> HostWords<N> {
    /// Words that are not written.
    pub const fn new() -> Self {
        Self {
            is_set: UnsafeCell::new(0),
            words: UnsafeCell::new([0; N]),
        }
    }

    /// The words, if the host has written them.
    pub fn get(&self) -> Option<[u32; N]> {
        // SAFETY: no code writes to it while the program runs, and every bit pattern is valid.
        let (is_set, words) = unsafe {
            (
                self.is_set.get().read_volatile(),
                self.words.get().read_volatile(),
            )
        };
        (is_set == SET).then_some(words)
    }
}

impl<const N: usize> Default for HostWords<N> {
    fn default() -> Self {
        Self::new()
    }
}
