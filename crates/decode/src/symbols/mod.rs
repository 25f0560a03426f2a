//! Names of addresses from elsewhere than the trace: the firmware's ELF file, a
//! stream of names.

mod elf;

use crate::{DecodeError, rkh};
use rtoscope_trace::{Name, ObjectClass};

/// A name for an address, or for a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// What it names; `None` if that is not known, beside that it is not a function.
    pub class: Option<ObjectClass>,
    /// Where it lies, or the number.
    pub address: u64,
    /// Its bytes; 0 if that is not known.
    pub size: u64,
    /// The name.
    pub name: Name,
    /// The address of the active object that it is part of; 0 for none.
    pub owner: u64,
}

/// Names by address. Where two name one address the first given counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Symbols {
    /// Sorted by address.
    all: Vec<Symbol>,
}

impl Symbols {
    /// These names.
    pub fn new(mut all: Vec<Symbol>) -> Self {
        // Stable: the first given stays the first.
        all.sort_by_key(|symbol| symbol.address);
        Self { all }
    }

    /// The names in a file: an ELF file's functions and data, those of one
    /// source file among them, or what a stream of RKH names. `options` are for
    /// the stream.
    pub fn read(bytes: &[u8], options: &rkh::Options) -> Result<Self, DecodeError> {
        if bytes.starts_with(elf::MAGIC) {
            elf::symbols(bytes)
        } else {
            Ok(rkh::names(&rkh::decode(bytes, options)?.trace))
        }
    }

    /// All names, by address.
    pub fn iter(&self) -> std::slice::Iter<'_, Symbol> {
        self.all.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}
