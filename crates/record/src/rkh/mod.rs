//! RKH's trace stream in the format of RKH 3.
//!
//! An [`RkhRecorder`] has a method for every record of RKH 3, with RKH's name:
//! [`RkhRecorder::sm_trn`] is `RKH_TR_SM_TRN`. Each method writes its complete frame in
//! one critical section, or nothing; [`RkhRecorder::user`] writes the application's own
//! records. A [`StreamSetup`] determines the size of each field at compile time.
//! [`RkhRecorder::receive`] takes what the host sends back.
//!
//! ```
//! use rtoscope_record::port::{NullClock, SpinLock};
//! use rtoscope_record::rkh::filter::FilterSelection;
//! use rtoscope_record::rkh::{
//!     item, ActiveObject, Address, RkhRecorder, StreamConfiguration, StreamSetup, Unfiltered,
//! };
//!
//! enum Small {}
//! impl StreamSetup for Small {
//!     const CONFIGURATION: StreamConfiguration = StreamConfiguration::DEFAULT;
//!     type Objects = Unfiltered;
//!     type Signals = Unfiltered;
//! }
//! static TRACE: RkhRecorder<Small, SpinLock, NullClock> =
//!     RkhRecorder::new(SpinLock::new(), NullClock);
//!
//! let buffer = Box::leak(Box::new([core::mem::MaybeUninit::uninit(); 256]));
//! TRACE.start(buffer).unwrap();
//! TRACE.pass(FilterSelection::AllEvents).unwrap();
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
mod encoded;
mod expected;
pub mod filter;
mod frame;
mod host;
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

pub use encoded::EncodedArguments;
pub use expected::ExpectedEvent;
pub use filter::{FilterBits, Unfiltered};
pub use host::{HostMessageError, HostMessageParser, MAX_KEPT_TEXT_BYTES, Received};
pub use recorder::RkhRecorder;
pub use ring::BufferTooSmall;
pub use rtoscope_wire::rkh::id::{FIRST_USER_ID, any_id, user_event};
pub use rtoscope_wire::rkh::record::has_record;
pub use rtoscope_wire::rkh::tcfg::RkhVersion;
pub use rtoscope_wire::rkh::{ActionRole, Dialect, FieldWidth, StreamConfiguration};
pub use setup::{OverrunPolicy, StreamSetup};
pub use target_configuration::{TargetContent, target_at, target_with_sizes};
pub use value::{ActiveObject, Address};
