//! Dumps of ThreadX buffers that were not taken at one instant, or whose bytes are not
//! those of the target: the truth or an error, never a wrong time without one.

mod builders;
mod damage;
mod live;
mod order;
mod sound;
