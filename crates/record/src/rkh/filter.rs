//! The filter of records at run time.
//!
//! This is RKH's filter with its selections ([`FilterSelection`]) and its rules, with one
//! exception: RKH looks up the bit of a signal above 255 at the wrong position, so that
//! it passes together with another signal; here each signal has its own bit. Signals and
//! priorities outside the tables pass.

pub use rtoscope_wire::rkh::filter::{FilterError, FilterSelection};

use core::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use rtoscope_wire::rkh::Group;
use rtoscope_wire::rkh::filter::{GROUP_TABLE_RANGES, RuntimeFilter};

/// The event and group switches as set by the program.
pub(super) type EventFilter = RuntimeFilter<[u8; 0], [u8; 0]>;

/// The passing events in the form that records look up: one word per group, one bit per
/// event. All are clear while the recorder is stopped. The header of the C interface reads
/// the words.
#[derive(Debug)]
#[repr(C)]
pub(super) struct PassingEvents {
    groups: [AtomicU32; Group::ALL.len()],
    /// Nonzero while records that are never filtered are recorded.
    always: AtomicU32,
}

impl PassingEvents {
    pub(super) const fn new() -> Self {
        #[allow(clippy::declare_interior_mutable_const)]
        const NONE: AtomicU32 = AtomicU32::new(0);
        Self {
            groups: [NONE; Group::ALL.len()],
            always: NONE,
        }
    }

    /// Whether an event passes, without regard to active objects and signals.
    #[inline(always)]
    pub(super) fn event(&self, id: u8) -> bool {
        let group = self.groups.get(usize::from(Group::from_id(id).number()));
        let word = group.map_or(0, |word| word.load(Ordering::Relaxed));
        word >> Group::event_number(id) & 1 != 0
    }

    /// Whether records that are never filtered are recorded.
    #[inline(always)]
    pub(super) fn always(&self) -> bool {
        self.always.load(Ordering::Relaxed) != 0
    }

    /// Applies the switches; `None` lets all events pass.
    pub(super) fn set(&self, running: bool, events: Option<&EventFilter>) {
        for (group, (word, (first, count))) in
            (0..).zip(self.groups.iter().zip(GROUP_TABLE_RANGES.iter()))
        {
            let bits = match events {
                _ if !running => 0,
                None => u32::MAX,
                Some(events) if events.groups >> group & 1 == 0 => 0,
                Some(events) => {
                    let bytes = events.events.iter().skip(*first).take(*count).rev();
                    bytes.fold(0, |bits, byte| bits << 8 | u32::from(*byte))
                }
            };
            word.store(bits, Ordering::Relaxed);
        }
        self.always.store(running.into(), Ordering::Relaxed);
    }
}

/// A filter with one bit per number: of active objects by their priorities, or of
/// signals.
pub trait FilterTable: sealed::SealedTable {}

/// No filter: everything passes.
#[derive(Debug)]
pub struct Unfiltered;

/// A filter for the numbers below 8 × `BYTES`.
#[derive(Debug)]
pub struct FilterBits<const BYTES: usize>([AtomicU8; BYTES]);

impl FilterTable for Unfiltered {}
impl<const BYTES: usize> FilterTable for FilterBits<BYTES> {}

pub(super) mod sealed {
    /// The operations of a filter.
    pub trait SealedTable: Sync {
        /// A filter in which nothing passes.
        const CLEAR: Self;
        /// Number of entries in the table.
        const ENTRIES: usize;
        /// Whether a number passes.
        fn passes(&self, number: u32) -> bool;
        /// Sets whether a number passes. Returns `false` if it is outside the table. Must
        /// not be interrupted by another `set`.
        fn set(&self, number: u32, pass: bool) -> bool;
        /// Sets whether all numbers pass.
        fn fill(&self, pass: bool);
    }
}

impl sealed::SealedTable for Unfiltered {
    const CLEAR: Self = Self;
    const ENTRIES: usize = 0;

    #[inline(always)]
    fn passes(&self, _: u32) -> bool {
        true
    }

    fn set(&self, _: u32, _: bool) -> bool {
        false
    }

    fn fill(&self, _: bool) {}
}

impl<const BYTES: usize> FilterBits<BYTES> {
    #[allow(clippy::declare_interior_mutable_const)]
    const BYTE: AtomicU8 = AtomicU8::new(0);

    #[inline(always)]
    fn byte(&self, number: u32) -> Option<&AtomicU8> {
        self.0.get((number >> 3) as usize)
    }
}

impl<const BYTES: usize> sealed::SealedTable for FilterBits<BYTES> {
    #[allow(clippy::declare_interior_mutable_const)]
    const CLEAR: Self = Self([Self::BYTE; BYTES]);
    const ENTRIES: usize = 8 * BYTES;

    #[inline(always)]
    fn passes(&self, number: u32) -> bool {
        self.byte(number).map_or(true, |byte| {
            u32::from(byte.load(Ordering::Relaxed)) >> (number & 7) & 1 != 0
        })
    }

    fn set(&self, number: u32, pass: bool) -> bool {
        let byte = self.byte(number);
        if let Some(byte) = byte {
            let mask = 1 << (number & 7);
            let others = byte.load(Ordering::Relaxed) & !mask;
            byte.store(others | if pass { mask } else { 0 }, Ordering::Relaxed);
        }
        byte.is_some()
    }

    fn fill(&self, pass: bool) {
        let bits = if pass { 0xFF } else { 0 };
        for byte in &self.0 {
            byte.store(bits, Ordering::Relaxed);
        }
    }
}
