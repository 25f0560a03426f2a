//! A channel of SEGGER's Real Time Transfer in each direction, as
//! `crates/record-c/include/rtoscope_rtt.h` has it. A debug probe reads and writes the rings in
//! memory while the target runs.

use core::cell::UnsafeCell;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, Ordering};

const TO_HOST_BYTES: usize = 65_536;
const TO_TARGET_BYTES: usize = 64;

/// The control block, which debug probes find by its first 16 bytes.
#[repr(C)]
struct ControlBlock {
    identification: [AtomicU8; 16],
    channels_to_host: AtomicU32,
    channels_to_target: AtomicU32,
    to_host: Ring,
    to_target: Ring,
}

/// A ring that one side writes and the other one reads.
#[repr(C)]
struct Ring {
    name: AtomicPtr<u8>,
    buffer: AtomicPtr<u8>,
    size: AtomicU32,
    write: AtomicU32,
    read: AtomicU32,
    flags: AtomicU32,
}

#[unsafe(export_name = "_SEGGER_RTT")]
static BLOCK: ControlBlock = ControlBlock {
    identification: [const { AtomicU8::new(0) }; 16],
    channels_to_host: AtomicU32::new(0),
    channels_to_target: AtomicU32::new(0),
    to_host: Ring::EMPTY,
    to_target: Ring::EMPTY,
};

/// Memory that the probe uses too.
struct Shared<const BYTES: usize>(UnsafeCell<[u8; BYTES]>);

// SAFETY: the target accesses the bytes only within one task.
unsafe impl<const BYTES: usize> Sync for Shared<BYTES> {}

static TO_HOST: Shared<TO_HOST_BYTES> = Shared(UnsafeCell::new([0; TO_HOST_BYTES]));
static TO_TARGET: Shared<TO_TARGET_BYTES> = Shared(UnsafeCell::new([0; TO_TARGET_BYTES]));

const NAME: &[u8] = b"rtoscope\0";

/// Complete only at run time, so that a probe does not find a copy in flash.
const REVERSED: &[u8] = b"TTR REGGES";

impl Ring {
    #[allow(clippy::declare_interior_mutable_const)]
    const EMPTY: Self = Self {
        name: AtomicPtr::new(null_mut()),
        buffer: AtomicPtr::new(null_mut()),
        size: AtomicU32::new(0),
        write: AtomicU32::new(0),
        read: AtomicU32::new(0),
        flags: AtomicU32::new(0),
    };

    fn start<const BYTES: usize>(&self, memory: &'static Shared<BYTES>) {
        self.name.store(NAME.as_ptr().cast_mut(), Ordering::Relaxed);
        self.buffer.store(memory.0.get().cast(), Ordering::Relaxed);
        self.size.store(BYTES as u32, Ordering::Relaxed);
    }

    fn filled(&self) -> u32 {
        let (write, read) = (
            self.write.load(Ordering::Acquire),
            self.read.load(Ordering::Acquire),
        );
        let size = self.size.load(Ordering::Relaxed);
        if write >= read {
            write - read
        } else {
            size - read + write
        }
    }

    /// The position after another one.
    fn next(&self, position: u32) -> u32 {
        let next = position + 1;
        if next >= self.size.load(Ordering::Relaxed) {
            0
        } else {
            next
        }
    }

    /// The address of a byte.
    fn byte(&self, position: u32) -> *mut u8 {
        let buffer = self.buffer.load(Ordering::Relaxed);
        buffer.wrapping_add(position as usize)
    }
}

pub(crate) fn start() {
    BLOCK.to_host.start(&TO_HOST);
    BLOCK.to_target.start(&TO_TARGET);
    BLOCK.channels_to_host.store(1, Ordering::Relaxed);
    BLOCK.channels_to_target.store(1, Ordering::Relaxed);
    for (place, byte) in BLOCK.identification.iter().zip(REVERSED.iter().rev()) {
        place.store(*byte, Ordering::Release);
    }
}

/// Number of bytes that the channel to the host has room for.
pub(crate) fn room() -> usize {
    (TO_HOST_BYTES - 1).saturating_sub(BLOCK.to_host.filled() as usize)
}

/// Writes bytes for the host, for which there is room.
pub(crate) fn send(bytes: &[u8]) {
    let ring = &BLOCK.to_host;
    let mut write = ring.write.load(Ordering::Relaxed);
    for byte in bytes {
        // SAFETY: the position is within the buffer, because only this function changes it.
        unsafe { ring.byte(write).write_volatile(*byte) };
        write = ring.next(write);
    }
    ring.write.store(write, Ordering::Release);
}

/// Moves bytes of the host to `bytes` and returns their number.
pub(crate) fn receive(bytes: &mut [u8]) -> usize {
    let ring = &BLOCK.to_target;
    let count = (ring.filled() as usize).min(bytes.len());
    let mut read = ring.read.load(Ordering::Relaxed);
    for place in bytes.iter_mut().take(count) {
        // SAFETY: the position is within the buffer, because only this function changes it.
        *place = unsafe { ring.byte(read).read_volatile() };
        read = ring.next(read);
    }
    ring.read.store(read, Ordering::Release);
    count
}
