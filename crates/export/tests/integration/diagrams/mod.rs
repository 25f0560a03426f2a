//! Diagrams of handmade traces and of recordings.

mod common;
mod machine;
mod names;
mod recordings;
mod sequence;
