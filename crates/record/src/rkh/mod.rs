//! The trace stream of RKH, as RKH 3 itself writes it.
//!
//! A [`RkhRecorder`] has a method for every record of RKH 3, under RKH's name:
//! [`RkhRecorder::sm_trn`] is `RKH_TR_SM_TRN`. Each writes its frame whole, in one
//! critical section, or not at all; the application's own records are
//! [`RkhRecorder::user`]. How many bytes everything takes is said by a [`StreamSetup`]
//! at compile time.
//!
//! ```
//! use rtoscope_record::port::{Spin, Stopped};
//! use rtoscope_record::rkh::filter::Selection;
//! use rtoscope_record::rkh::{item, ActiveObject, Address, Configuration, Recorder, Setup};
//!
//! enum Small {}
//! impl Setup for Small {
//!     const CONFIGURATION: Configuration = Configuration::DEFAULT;
//!     type Objects = rtoscope_record::rkh::Unfiltered;
//!     type Signals = rtoscope_record::rkh::Unfiltered;
//! }
//! static TRACE: Recorder<Small, Spin, Stopped> = Recorder::new(Spin::new(), Stopped);
//!
//! let buffer = Box::leak(Box::new([core::mem::MaybeUninit::uninit(); 256]));
//! TRACE.start(buffer).unwrap();
//! TRACE.pass(Selection::AllEvents).unwrap();
//! let (pump, idle) = (7_u32, 0_u8);
//! let ao = ActiveObject::new(Address::of(&pump), 3);
//! TRACE.fwk_ao(ao.address, b"pump");
//! TRACE.sm_state(ao, Address::of(&idle));
//! TRACE.user(0, &[item::u16(5, 1200), item::text(b"rpm")]);
//! let mut bytes = [0; 64];
//! let taken = TRACE.take(&mut bytes);
//! assert!(taken > 40);
//! ```

mod cursor;
mod expected;
pub mod filter;
mod frame;
pub mod item;
mod packed;
mod recorder;
mod records;
mod ring;
mod ring_read;
mod setup;
mod target_configuration;
mod user;
mod value;
mod word_scan;

pub use expected::ExpectedEvent;
pub use filter::{FilterBits, Unfiltered};
pub use recorder::RkhRecorder;
pub use ring::BufferTooSmall;
pub use rtoscope_wire::rkh::tcfg::RkhVersion;
pub use rtoscope_wire::rkh::{ActionRole, Dialect, FieldWidth, StreamConfiguration};
pub use setup::{OverrunPolicy, StreamSetup};
pub use value::{ActiveObject, Address};
