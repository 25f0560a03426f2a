#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), no_std)]
// Targets without an operating system need a nightly compiler anyway.
#![cfg_attr(
    all(target_arch = "mips", target_os = "none"),
    feature(asm_experimental_arch)
)]

pub mod black_box;
pub mod call_stack;
pub mod cswitch;
pub mod format_string;
pub mod hooks;
pub mod port;
pub mod rkh;
pub mod stream;
pub mod threadx;

mod name;

pub use cswitch::ByteSink;
pub use name::Name;
