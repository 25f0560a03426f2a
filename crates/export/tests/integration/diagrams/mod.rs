//! Diagrams of handmade traces and of recordings.

mod common;
mod communication;
mod machine;
mod names;
mod recordings;
mod sequence;
