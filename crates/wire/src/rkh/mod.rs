//! The RKH trace stream.
//!
//! A stream of frames between flags (0x7E), each one record: an event id, a
//! sequence number, a time stamp, the record's arguments and a checksum. How
//! many bytes each of them takes is configured in the firmware
//! ([`StreamConfiguration`]), which a stream may say about itself
//! ([`TargetConfiguration`]); which arguments a record has depends on the
//! version of RKH ([`Dialect`]).
//!
//! Source of every fact: `source/trc` of RKH 3.4.00, and
//! `source/include/rkhtrc.h` of RKH 2.2 to 2.4.06.

pub mod config;
pub mod encode;
pub mod filter;
pub mod frame;
pub mod header;
pub mod record;
pub mod signal;
pub mod tcfg;
pub mod user;
pub mod value;

pub use config::{FieldWidth, StreamConfiguration};
pub use header::RecordHeader;
pub use record::{
    ActionRole, ArgumentKind, ArgumentLayout, ArgumentSpec, Dialect, FilterLevel, Group,
    ObjectClass, RecordSpec,
};
pub use tcfg::TargetConfiguration;
pub use value::{ArgumentValue, ArgumentValues};
