//! The compact stream: context switches, readiness, interrupts and markers for hours, in 4
//! to 12 bytes an entry.
//!
//! A [`CompactStream`] keeps packed entries in a ring until the host receives them. Threads
//! and interrupt handlers record; a thread of low priority calls [`CompactStream::read`],
//! and sends the bytes. If the transport works in both directions, it passes the host's
//! bytes to [`CompactStream::take`]: the host starts, stops and filters the recording.
//!
//! ```
//! use core::mem::MaybeUninit;
//! use rtoscope_record::port::{NullClock, SpinLock};
//! use rtoscope_record::stream::CompactStream;
//!
//! // On a microcontroller: `CompactStream<Primask, CycleCounter>`.
//! static STREAM: CompactStream<SpinLock, NullClock> =
//!     CompactStream::new(SpinLock::new(), NullClock);
//!
//! // Once, at the start. Here the ring is allocated; firmware uses a static array.
//! let ring: &'static mut [MaybeUninit<u32>] =
//!     Box::leak(Box::new([MaybeUninit::uninit(); 1024]));
//! assert!(STREAM.start(ring, 168_000_000));
//! STREAM.name(0x2000_1000, "camera");
//! STREAM.name_handler(15, "SysTick");
//!
//! // In the scheduler, and in each interrupt handler first and last.
//! STREAM.resume(0x2000_1000);
//! STREAM.isr_enter(15);
//! STREAM.isr_exit(15);
//!
//! // In a thread of low priority.
//! let mut bytes = [0; 512];
//! let length = STREAM.read(&mut bytes);
//! assert!(bytes.starts_with(b"CSWL") && length > 0);
//! assert_eq!(STREAM.read(&mut bytes), 0);
//! ```

mod container;
mod filter;
mod name_table;
mod read;
mod recorder;
mod ring;

pub use crate::threadx::ThreadState;
pub use filter::MAX_MARKER_FILTERS;
pub use name_table::MAX_NAME_LEN;
pub use read::MIN_READ_BYTES;
pub use recorder::CompactStream;
pub use ring::MIN_RING_WORDS;
pub use rtoscope_wire::cswitch::command::EntryGroup;
