//! The binary form of what lanes show.
//!
//! All numbers are little endian, and everything begins at a multiple of four
//! bytes, so that a browser reads columns as typed arrays without copying.
//! Positions `x` are `f32`, in pixels from the window's start.
//!
//! ```text
//! u32 0x314C5452 ("RTL1")
//! u32 width                pixels of the window
//! f64 from, f64 to         the window
//! u32 lanes                how many lanes follow
//! u32 switches, wakes, inversions, gaps
//!                          how many follow; MANY: too many to be shown
//! u32 0
//! then per lane:
//!   u32 lane               its number
//!   u32 bars               how many; MANY: by pixel instead
//!   u32 events             how many; MANY: by pixel instead
//!   u32 layers             layers by pixel; 0 if bars are listed
//!   bars listed:           f32 start[bars], f32 end[bars], u32 event[bars],
//!                          u32 what[bars], u8 class[bars] (padded to 4)
//!   bars by pixel:         layer class: what takes most of the pixel
//!                          layer busy: the part in which it executes (of a
//!                          machine: is in a state), 0-255
//!                          layer isr: the part in which a core executes
//!                          interrupts (lanes of cores only: 3 layers)
//!   events listed:         f32 x[events], u32 event[events],
//!                          u32 kind[events] (position among the overview's kinds)
//!   events by pixel:       layer count (255: 255 or more)
//! switches:   f32 x[], u32 from[], u32 to[] (contexts), u32 event[]
//! wakes:      f32 x0[], f32 x1[], u32 by[], u32 thread[] (contexts),
//!             u32 cause[], u32 effect[] (events)
//! inversions: f32 x0[], f32 x1[], u32 number[], u32 blocked[], u32 owner[]
//!             (contexts), u32 unbounded[] (0 no, 1 yes, 2 unknown)
//! gaps:       f32 x[], u32 event[] (the first behind it)
//! layer:      u32 runs; if 0: u8 value[width] (padded to 4), else for every run
//!             of pixels with the same value u16 length[runs] (padded to 4) and
//!             u8 value[runs] (padded to 4); the lengths add up to the width
//! ```
//!
//! `MANY` is 0xFFFFFFFF, which also stands for no context, object or resource.
//! `what` of a bar is the context or the activation that a core executes, the
//! activation of a routine, the resource that a thread waits for, or the number
//! of the state in which a machine is, among the overview's. A position
//! on the axis of events lies in the middle of an event's place for what
//! happens at the event.

/// Stands for "too many to be listed", and for no number.
pub const TOO_MANY: u32 = u32::MAX;

/// The first word.
pub const MAGIC: u32 = u32::from_le_bytes(*b"RTL1");
