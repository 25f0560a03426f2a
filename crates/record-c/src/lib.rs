#![doc = include_str!("../README.md")]
#![no_std]
#![allow(non_camel_case_types, clippy::missing_safety_doc)]

#[cfg(not(target_os = "none"))]
extern crate std;

pub mod black_box;
pub mod call_stack;
pub mod counter;
pub mod cswitch;
pub mod host;
pub mod rkh;
pub mod save;
pub mod threadx;

mod c;
mod core_log;
mod mask;
#[cfg(target_os = "none")]
mod panic;
