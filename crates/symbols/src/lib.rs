#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod code_location;
mod demangle;
mod elf;
mod entry;
mod error;
mod extents;
mod file_bytes;
mod firmware;
mod lines;
pub mod macros;
mod nm;
mod target;
mod unwind;

pub use code_location::{Function, SourceLine, Variable};
pub use error::SymbolError;
pub use firmware::Firmware;
pub use target::TargetInfo;
pub use unwind::{StackSample, UnwoundFrame};

use demangle::demangle;
use entry::{SymbolEntry, SymbolKind};
use rtoscope_trace::{Diagnostics, Name, ObjectClass};

/// The name of an address or a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// The class of the object; `None` if it is unknown, except that it is not
    /// a function.
    pub class: Option<ObjectClass>,
    /// Its address, or the number.
    pub address: u64,
    /// Its size in bytes; 0 if unknown.
    pub size: u64,
    /// The name.
    pub name: Name,
    /// The address of the active object that owns it; 0 for none.
    pub owner: u64,
}

/// Names by address. If two have the same address, the first given takes
/// precedence.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Symbols {
    /// Sorted by address.
    all: Vec<Symbol>,
}

impl Symbols {
    /// Creates a table of these names.
    pub fn new(mut all: Vec<Symbol>) -> Self {
        // Stable: the first given stays the first.
        all.sort_by_key(|symbol| symbol.address);
        Self { all }
    }

    /// Reads the names in a file: the functions and data of an ELF file or of
    /// the output of `nm`, including local ones, demangled for C++ and Rust.
    /// `None` if it is neither.
    ///
    /// # Errors
    ///
    /// If the ELF file is damaged.
    pub fn read(bytes: &[u8]) -> Result<Option<Self>, SymbolError> {
        if bytes.starts_with(elf::MAGIC) {
            let (entries, _) = elf::read(bytes)?;
            Ok(Some(Self::of_program(&entries, bytes)))
        } else if let Some(style) = nm::NmFormat::detect(bytes) {
            let entries = style.read(bytes, &mut Diagnostics::default());
            let mut all = Self::of_program(&entries, bytes).all;
            // Records refer to functions with the Thumb bit, `nm` lists them
            // without it.
            let thumb = all
                .iter()
                .filter(|it| it.class == Some(ObjectClass::Function));
            let thumb = thumb.filter(|it| it.address % 2 == 0).map(|it| Symbol {
                address: it.address + 1,
                ..it.clone()
            });
            all.extend(thumb.collect::<Vec<_>>());
            Ok(Some(Self::new(all)))
        } else {
            Ok(None)
        }
    }

    /// The functions and data among `entries` of the file `bytes`.
    fn of_program(entries: &[SymbolEntry], bytes: &[u8]) -> Self {
        // Damaged symbols may share one long name.
        let mut left = bytes.len().saturating_mul(4);
        let mut all = Vec::new();
        // A global name takes precedence over a local one.
        for global in [true, false] {
            for entry in entries.iter().filter(|entry| entry.is_global == global) {
                let class = match entry.kind {
                    SymbolKind::Function => Some(ObjectClass::Function),
                    SymbolKind::Object => None,
                    SymbolKind::Label | SymbolKind::DataLabel => continue,
                };
                if entry.address == 0 {
                    continue;
                }
                let Some(rest) = left.checked_sub(entry.name.len()) else {
                    break;
                };
                left = rest;
                all.push(Symbol {
                    class,
                    address: entry.address,
                    size: entry.size,
                    name: demangle(bytes.get(entry.name.clone()).unwrap_or_default()),
                    owner: 0,
                });
            }
        }
        Self::new(all)
    }

    /// All names, by address.
    pub fn iter(&self) -> std::slice::Iter<'_, Symbol> {
        self.all.iter()
    }

    /// Number of names.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}
