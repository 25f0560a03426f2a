//! Properties of a code address.

use rtoscope_trace::{Address, Name};

/// The function that contains an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its name, demangled for C++ and Rust.
    pub name: Name,
    /// Its start, without the Thumb bit.
    pub start: Address,
    /// Its size in bytes; 0 if the file does not contain it.
    pub size: u64,
    /// Offset of the address from the start.
    pub offset: u64,
}

/// A line of source code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceLine {
    /// The file as passed to the compiler; a relative path is prefixed with the
    /// compilation directory.
    pub file: Name,
    /// Counted from 1; `None` if the code belongs to no single line.
    pub line: Option<u64>,
}

/// An object in the target's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable {
    /// Its address.
    pub address: Address,
    /// Its size in bytes; 0 if the file does not contain it.
    pub size: u64,
}
