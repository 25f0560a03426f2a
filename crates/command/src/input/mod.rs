//! The input of a command: which file, which buffer, and what the user knows
//! better than the file.

mod cswitch;
mod decode;
mod file;
mod folder;
mod keep;
mod quantity;
mod rkh;
mod symbols;

pub use cswitch::Order;
pub use decode::{CatalogueArguments, DecodeArguments};
pub(crate) use file::BufferArguments;
pub use file::{FileArguments, FilesArguments, InputFormat, Packing};
pub use folder::History;
pub use keep::keep;
pub use quantity::{number, size, time};
