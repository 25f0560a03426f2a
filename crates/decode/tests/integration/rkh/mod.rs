//! RKH streams against independent decodings of them.

mod configurations;
mod framings;
mod guesses;
mod live;
mod live_breaks;
mod names;
mod old_versions;
mod other_text;
mod properties;
mod random_input;
mod reference;
mod semantics;
mod streams;
mod transfers;
