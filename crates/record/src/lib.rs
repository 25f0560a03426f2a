#![doc = include_str!("../README.md")]
#![cfg_attr(not(any(test, loom)), no_std)]

pub mod black_box;
pub mod cswitch;
pub mod format_string;
pub mod hooks;
pub mod port;
pub mod rkh;
pub mod threadx;

mod name;

pub use cswitch::ByteSink;
pub use name::Name;
