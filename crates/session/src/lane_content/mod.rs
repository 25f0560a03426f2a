//! What lanes show in a window, and at a position.

mod encode;
mod overlays;
mod probe;
#[cfg(test)]
mod tests;
mod writer;
