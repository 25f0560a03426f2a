//! The RKH codec.

mod properties;
