//! The parts of the buffer as ThreadX's C structures, written in place, and their memory.

use super::{TraceStatus, WordWidth};
use core::mem::{MaybeUninit, size_of};
use core::ptr::addr_of_mut;
use core::slice;
use rtoscope_wire::threadx::{DEFAULT_NAME_SIZE, MARKERS, SLOT_AVAILABLE, TXTB_ID};

/// Length of a registered name in bytes, including its NUL
/// (`TX_TRACE_OBJECT_REGISTRY_NAME`).
pub(super) const NAME_BYTES: usize = match option_env!("RTOSCOPE_THREADX_NAME_BYTES") {
    Some(digits) => parse(digits.as_bytes()),
    None => DEFAULT_NAME_SIZE as usize,
};

const _: () = assert!(
    NAME_BYTES % 8 == 0 && NAME_BYTES >= 8 && NAME_BYTES <= 1024,
    "RTOSCOPE_THREADX_NAME_BYTES must be a multiple of 8 from 8 to 1024"
);

const fn parse(mut digits: &[u8]) -> usize {
    let mut value = 0;
    while let [digit @ b'0'..=b'9', rest @ ..] = digits {
        value = 10 * value + (*digit - b'0') as usize;
        digits = rest;
    }
    assert!(
        digits.is_empty(),
        "RTOSCOPE_THREADX_NAME_BYTES must be a number"
    );
    value
}

/// `TX_TRACE_HEADER`.
#[repr(C)]
pub(super) struct BufferHeader<W> {
    id: W,
    pub(super) timer_mask: W,
    base_address: W,
    registry_start: W,
    reserved: u16,
    name_size: u16,
    registry_end: W,
    buffer_start: W,
    buffer_end: W,
    pub(super) current: W,
    markers: [W; 3],
}

/// `TX_TRACE_OBJECT_ENTRY`.
#[repr(C)]
pub(super) struct RegistrySlot<W> {
    pub(super) available: u8,
    pub(super) object_type: u8,
    pub(super) reserved: [u8; 2],
    pub(super) pointer: W,
    pub(super) parameters: [W; 2],
    pub(super) name: [u8; NAME_BYTES],
}

/// `TX_TRACE_BUFFER_ENTRY`.
#[repr(C)]
pub(super) struct EventEntry<W> {
    pub(super) context: W,
    pub(super) priority: W,
    pub(super) id: W,
    pub(super) timestamp: W,
    pub(super) info: [W; 4],
}

/// Memory for a trace buffer: `&'static mut` words, initialised or not.
pub struct TraceMemory<W: 'static>(&'static mut [MaybeUninit<W>]);

impl<W: WordWidth> From<&'static mut [MaybeUninit<W>]> for TraceMemory<W> {
    fn from(words: &'static mut [MaybeUninit<W>]) -> Self {
        Self(words)
    }
}

impl<W: WordWidth> From<&'static mut [W]> for TraceMemory<W> {
    fn from(words: &'static mut [W]) -> Self {
        let first = words.as_mut_ptr().cast();
        // SAFETY: the same words with a type of the same layout. Only initialised words
        // are written to them.
        Self(unsafe { slice::from_raw_parts_mut(first, words.len()) })
    }
}

impl<W: WordWidth, const N: usize> From<&'static mut [MaybeUninit<W>; N]> for TraceMemory<W> {
    fn from(words: &'static mut [MaybeUninit<W>; N]) -> Self {
        Self(words)
    }
}

impl<W: WordWidth, const N: usize> From<&'static mut [W; N]> for TraceMemory<W> {
    fn from(words: &'static mut [W; N]) -> Self {
        Self::from(&mut words[..])
    }
}

impl<W: WordWidth> TraceMemory<W> {
    pub(super) fn into_raw(self) -> (*mut W, usize) {
        (self.0.as_mut_ptr().cast(), self.0.len())
    }
}

/// Number of words of a buffer with this many registry entries and events: the length of
/// an array for [`ThreadXRecorder::enable`](super::ThreadXRecorder::enable).
pub const fn buffer_words<W: WordWidth>(registry_entries: usize, events: usize) -> usize {
    let bytes = size_of::<BufferHeader<W>>()
        + registry_entries * size_of::<RegistrySlot<W>>()
        + events * size_of::<EventEntry<W>>();
    bytes / size_of::<W>()
}

/// The locations of the parts in memory.
pub(super) struct BufferParts<W> {
    pub(super) header: *mut BufferHeader<W>,
    pub(super) registry: *mut RegistrySlot<W>,
    pub(super) registry_entries: usize,
    pub(super) events: *mut EventEntry<W>,
    pub(super) events_end: *mut EventEntry<W>,
}

impl<W: WordWidth> BufferParts<W> {
    /// Divides `length` words from `words` on into the parts, as in `tx_trace_enable`:
    /// the words after the last complete event remain unused.
    pub(super) fn lay_out(
        words: *mut W,
        length: usize,
        registry_entries: usize,
    ) -> Result<Self, TraceStatus> {
        let bytes = length.saturating_mul(size_of::<W>());
        let registry_bytes = registry_entries
            .checked_mul(size_of::<RegistrySlot<W>>())
            .ok_or(TraceStatus::SizeError)?;
        let remaining = bytes
            .checked_sub(size_of::<BufferHeader<W>>())
            .and_then(|remaining| remaining.checked_sub(registry_bytes))
            .filter(|remaining| *remaining >= size_of::<EventEntry<W>>())
            .ok_or(TraceStatus::SizeError)?;
        let header = words.cast::<BufferHeader<W>>();
        let registry = header.wrapping_add(1).cast::<RegistrySlot<W>>();
        let events = registry
            .wrapping_add(registry_entries)
            .cast::<EventEntry<W>>();
        let events_end = events.wrapping_add(remaining / size_of::<EventEntry<W>>());
        Ok(Self {
            header,
            registry,
            registry_entries,
            events,
            events_end,
        })
    }

    /// Initialises an empty buffer: all words are 0, except those of the header and the
    /// flags of the registry's slots.
    ///
    /// # Safety
    /// The parts must be in `length` writable words that no other code uses.
    pub(super) unsafe fn clear(&self, length: usize, timer_mask: u32) {
        let word = |pointer: usize| W::from_address(pointer);
        let header = self.header;
        // SAFETY: the caller guarantees the words; every part is inside them.
        unsafe {
            header.cast::<W>().write_bytes(0, length);
            addr_of_mut!((*header).id).write(W::from(TXTB_ID as u32));
            addr_of_mut!((*header).timer_mask).write(W::from(timer_mask));
            addr_of_mut!((*header).base_address).write(word(header as usize));
            addr_of_mut!((*header).registry_start).write(word(self.registry as usize));
            addr_of_mut!((*header).name_size).write(NAME_BYTES as u16);
            addr_of_mut!((*header).registry_end).write(word(self.events as usize));
            addr_of_mut!((*header).buffer_start).write(word(self.events as usize));
            addr_of_mut!((*header).buffer_end).write(word(self.events_end as usize));
            addr_of_mut!((*header).current).write(word(self.events as usize));
            let markers = MARKERS.map(|marker| W::from(marker as u32));
            addr_of_mut!((*header).markers).write(markers);
            for index in 0..self.registry_entries {
                addr_of_mut!((*self.registry.add(index)).available).write(SLOT_AVAILABLE);
            }
        }
    }
}

/// Checks a buffer that an earlier run of the program left in memory: `length` words
/// from `words` on. If the ring was not `frozen`, an event that repeats the previous one
/// under the number `end` overwrites the entry that may be half written. Returns whether
/// the buffer is valid.
///
/// # Safety
/// The words must be readable and writable, and no other code may use them.
pub(crate) unsafe fn check_and_end<W: WordWidth>(
    words: *mut W,
    length: usize,
    frozen: bool,
    end: u32,
) -> bool {
    let header = words.cast::<BufferHeader<W>>();
    if length < size_of::<BufferHeader<W>>() / size_of::<W>() {
        return false;
    }
    // SAFETY: the words of a header are readable, and any content is valid.
    let found = unsafe { header.read_volatile() };
    let markers = MARKERS.map(|marker| W::from(marker as u32));
    let slots = (0..=length).find(|slots| {
        BufferParts::<W>::lay_out(words, length, *slots)
            .map_or(true, |parts| found.registry_end == word_of(parts.events))
    });
    let parts = match slots.map(|slots| BufferParts::<W>::lay_out(words, length, slots)) {
        Some(Ok(parts)) => parts,
        _ => return false,
    };
    let events = (parts.events_end as usize).wrapping_sub(parts.events as usize)
        / size_of::<EventEntry<W>>();
    let current = (0..events)
        .map(|slot| parts.events.wrapping_add(slot))
        .find(|entry| W::from_address(*entry as usize) == found.current);
    let is_valid = found.id == W::from(TXTB_ID as u32)
        && found.base_address == word_of(header)
        && found.registry_start == word_of(parts.registry)
        && found.buffer_start == word_of(parts.events)
        && found.buffer_end == word_of(parts.events_end)
        && usize::from(found.name_size) == NAME_BYTES
        && found.markers == markers;
    let current = match current {
        Some(current) if is_valid => current,
        _ => return false,
    };
    if frozen {
        return true;
    }
    let around = |entry: *mut EventEntry<W>| match entry {
        entry if entry == parts.events_end => parts.events,
        entry => entry,
    };
    let before = match current {
        first if first == parts.events => parts.events_end.wrapping_sub(1),
        other => other.wrapping_sub(1),
    };
    // SAFETY: two entries of the ring; any content is valid.
    unsafe {
        let previous = before.read_volatile();
        if previous.id != W::ZERO {
            current.write_volatile(EventEntry {
                id: W::from(end),
                info: [W::ZERO; 4],
                ..previous
            });
            let next = around(current.wrapping_add(1));
            addr_of_mut!((*header).current).write_volatile(word_of(next));
        }
    }
    true
}

fn word_of<W: WordWidth, T>(pointer: *mut T) -> W {
    W::from_address(pointer as usize)
}
