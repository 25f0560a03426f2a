//! The RKH trace stream.
//!
//! A stream consists of frames between flags (0x7E). Each frame is one record: an event
//! id, a sequence number, a timestamp, the record's arguments and a checksum. The
//! firmware's configuration determines the size of each field ([`StreamConfiguration`]);
//! a stream may contain it ([`TargetConfiguration`]). The version of RKH determines the
//! arguments of a record ([`Dialect`]).
//!
//! All facts come from `source/trc` of RKH 3.4.00, and from `source/include/rkhtrc.h` of
//! RKH 2.2 to 2.4.06.

pub mod config;
pub mod encode;
pub mod filter;
pub mod frame;
pub mod header;
pub mod host;
pub mod id;
pub mod record;
pub mod signal;
pub mod tcfg;
pub mod user;
pub mod value;

pub use config::{FieldWidth, StreamConfiguration};
pub use header::RecordHeader;
pub use record::{
    ActionRole, ArgumentIter, ArgumentKind, ArgumentLayout, ArgumentSpec, Dialect, FilterLevel,
    Group, ObjectClass, RecordSpec,
};
pub use tcfg::TargetConfiguration;
pub use value::{ArgumentValue, ArgumentValues};
