//! What is known of a place in the target's program.

use rtoscope_trace::{Address, Name};

/// The function that an address lies in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its name, readable: of C++ and Rust not the linker's spelling.
    pub name: Name,
    /// Where it starts, without the Thumb bit.
    pub start: Address,
    /// Its bytes; 0 if the file does not say it.
    pub size: u64,
    /// How many bytes the address lies behind its start.
    pub offset: u64,
}

/// A line of source code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceLine {
    /// The file as the compiler was told it, behind the folder that the
    /// compiler ran in if it is relative.
    pub file: Name,
    /// Counted from 1; `None` if the code belongs to no one line.
    pub line: Option<u64>,
}

/// An object in the target's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable {
    /// Where it lies.
    pub address: Address,
    /// Its bytes; 0 if the file does not say it.
    pub size: u64,
}
