//! The input of a command: which file, which buffer, and what the user knows
//! better than the file.

mod cswitch;
mod decode;
mod file;
mod folder;
mod quantity;
mod rkh;
mod symbols;

pub(crate) use cswitch::Order;
pub(crate) use decode::{CatalogueArguments, DecodeArguments};
#[cfg(feature = "viewer")]
pub(crate) use file::FilesArguments;
pub(crate) use file::{FileArguments, InputFormat, Packing};
pub(crate) use folder::History;
pub(crate) use quantity::{number, size, time};
