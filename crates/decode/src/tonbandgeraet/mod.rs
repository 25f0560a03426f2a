//! Decodes streams of Tonbandgeraet, a recorder for FreeRTOS.
//!
//! ```text
//! bytes ──frame (COBS)──▶ FrameEvent (fields) ──reader──▶ EventMapper (tables) ──▶ trace
//!                                             ──names───▶ names of ids
//! ```
//!
//! The [format](https://github.com/schilkp/Tonbandgeraet) has names apart from events, in frames of
//! their own, which may come late or from the metadata buffer: all of them are read first.

mod catalogue;
mod format;
mod frame;
mod names;
mod probe;
mod reader;
mod stream_info;

pub use format::FORMAT;
