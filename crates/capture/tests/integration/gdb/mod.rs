//! Traces in the memory of targets: with a scripted stub, and with a board in QEMU.

mod board;
mod buffer;
mod find;
mod follow;
mod hostile;
mod qemu;
mod rtt;
mod stream_board;
mod stub;
mod watched_source;
