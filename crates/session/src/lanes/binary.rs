//! The binary format of lane queries.
//!
//! All numbers are little-endian, and every column starts at a multiple of four bytes,
//! so a browser reads columns as typed arrays without copying. Positions `x` are `f32`,
//! in pixels from the start of the window.
//!
//! ```text
//! u32 0x334C5452 ("RTL3")
//! u32 width                pixels of the window
//! f64 start, f64 end       the window
//! f64 base                 the number in the recording of the trace's first event: all
//!                          event numbers below count from it
//! u32 lanes                number of lanes that follow
//! u32 switches, wakes, inversions, gaps
//!                          number of each; TOO_MANY: too many to list
//! u32 shares               contexts with inversions too close to each other to list
//! u32 hits                 1 if the query has a search
//! then per lane:
//!   u32 lane               its number
//!   u32 bars               number; TOO_MANY: aggregated by pixel
//!   u32 events             number; TOO_MANY: aggregated by pixel
//!   u32 layers             layers by pixel; 0 if bars are listed
//!   bars listed:           f32 start[bars], f32 end[bars], u32 event[bars],
//!                          u32 subject[bars], u8 class[bars] (padded to 4),
//!                          u32 labels, then u32 bar[labels] (the place of a wide bar
//!                          in the list), u32 length[labels] (bytes of its UTF-8 text),
//!                          and all texts (padded to 4)
//!   bars by pixel:         layer class: the class with the largest share of the pixel
//!                          layer busy: the share in which the lane is busy (of a
//!                          machine: in a known state), 0-255
//!                          layer isr: the share in which a core runs
//!                          interrupts (lanes of cores only: 3 layers)
//!   events listed:         f32 x[events], u32 event[events],
//!                          u32 kind[events] (index into the overview's kinds)
//!   events by pixel:       layer density: 0 for no event, otherwise
//!                          1 + round(7.9 * log2(number of events))
//!   hits:                  layer, if the query has a search: 1 for pixels with a hit
//! switches:   f32 x[], u32 from[], u32 to[] (contexts), u32 event[]
//! wakes:      f32 x0[], f32 x1[], u32 by[], u32 thread[] (contexts),
//!             u32 cause[], u32 effect[] (events)
//! inversions: f32 x0[], f32 x1[], u32 number[], u32 blocked[], u32 owner[]
//!             (contexts), u32 unbounded[] (0 no, 1 yes, 2 unknown)
//! gaps:       f32 x[], u32 event[] (the first after the gap)
//! shares:     for each context: u32 context (TOO_MANY: all contexts together),
//!             layer bounded, layer unbounded: the sum of the parts of the pixel
//!             during which inversions that are not listed last, at most 255 for 1
//! hits:       layer, if the query has a search: 1 for pixels with a hit
//! layer:      u32 runs; if 0: u8 value[width] (padded to 4), else for every run
//!             of pixels with the same value u16 length[runs] (padded to 4) and
//!             u8 value[runs] (padded to 4); the lengths add up to the width
//! ```
//!
//! `TOO_MANY` is 0xFFFFFFFF, which also means no context, object or resource. The
//! `subject` of a bar is the context or activation that a core runs, the activation of
//! a routine, the resource that blocks a thread, or the number of a machine's state in
//! the overview. On the event axis, what happens at an event is in the middle of the
//! event's unit interval.

/// Means "too many to list", and "no number".
pub const TOO_MANY: u32 = u32::MAX;

/// The first word.
pub const MAGIC: u32 = u32::from_le_bytes(*b"RTL3");
