//! Trace buffers of a running target, stitched.

mod clocks;
mod damage;
mod event_listener;
mod names;
mod packets;
mod random_input;
mod real_recordings;
mod restarts;
mod resumed;
mod stitching;
mod target;
