//! Symbols of programs.

use anyhow::Context as _;
use object::{Object as _, ObjectSymbol as _};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// The symbols of a program: addresses by name.
#[derive(Debug)]
pub(crate) struct Symbols(HashMap<String, u32>);

impl Symbols {
    /// Reads the symbols of an ELF file.
    pub(crate) fn read(program: &Path) -> anyhow::Result<Self> {
        let bytes = fs::read(program).with_context(|| program.display().to_string())?;
        let file = object::File::parse(bytes.as_slice())?;
        let mut symbols = HashMap::new();
        for symbol in file.symbols().filter(object::ObjectSymbol::is_definition) {
            let address = u32::try_from(symbol.address())?;
            symbols.insert(symbol.name()?.to_owned(), address);
        }
        Ok(Self(symbols))
    }

    /// The address of a symbol.
    pub(crate) fn address(&self, name: &str) -> anyhow::Result<u32> {
        let address = self.0.get(name).copied();
        address.with_context(|| format!("the program has no symbol {name}"))
    }

    /// All names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}
