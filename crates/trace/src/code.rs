//! Code locations.

use crate::{Address, Name};
use std::fmt;

/// The location of a code address.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CodeLocation {
    /// The address.
    pub address: Address,
    /// The function that contains it.
    pub function: Option<Name>,
    /// The source file, as in the symbols.
    pub file: Option<Name>,
    /// The line in that file, from 1.
    pub line: Option<u32>,
}

/// The code addresses of a trace with a known location.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CodeLocations(
    /// Sorted by address, each once.
    Vec<CodeLocation>,
);

/// An interrupt service routine that is identified by its address.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IsrFunction {
    /// Its function's name.
    pub name: Option<Name>,
    /// Its address.
    pub address: Address,
}

impl CodeLocations {
    /// Sorts the locations by address. If several share an address, the first
    /// one counts.
    pub fn new(mut all: Vec<CodeLocation>) -> Self {
        // Stable: the first one given stays the first.
        all.sort_by_key(|location| location.address);
        all.dedup_by_key(|location| location.address);
        Self(all)
    }

    /// The location of an address.
    pub fn get(&self, address: Address) -> Option<&CodeLocation> {
        let at = self
            .0
            .binary_search_by_key(&address, |location| location.address);
        self.0.get(at.ok()?)
    }

    /// Displays an address as its [`CodeLocation`], or in hexadecimal if none
    /// is known.
    pub fn display(&self, address: Address) -> DisplayAddress<'_> {
        let location = self.get(address);
        DisplayAddress { address, location }
    }

    /// All locations, by address.
    pub fn iter(&self) -> std::slice::Iter<'_, CodeLocation> {
        self.0.iter()
    }

    /// Number of locations.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no location is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'a> IntoIterator for &'a CodeLocations {
    type Item = &'a CodeLocation;
    type IntoIter = std::slice::Iter<'a, CodeLocation>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// See [`CodeLocations::display`].
#[derive(Debug, Clone, Copy)]
pub struct DisplayAddress<'p> {
    address: Address,
    location: Option<&'p CodeLocation>,
}

impl fmt::Display for DisplayAddress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.location {
            Some(location) => location.fmt(f),
            None => self.address.fmt(f),
        }
    }
}

impl fmt::Display for CodeLocation {
    /// `function (file:line)`, as far as known; the address if neither function
    /// nor file is known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.function, &self.file) {
            (None, None) => self.address.fmt(f),
            (Some(function), None) => function.fmt(f),
            (None, Some(file)) => write_source(f, file, self.line),
            (Some(function), Some(file)) => {
                write!(f, "{function} (")?;
                write_source(f, file, self.line)?;
                f.write_str(")")
            }
        }
    }
}

fn write_source(f: &mut fmt::Formatter<'_>, file: &Name, line: Option<u32>) -> fmt::Result {
    write!(f, "{file}")?;
    line.map_or(Ok(()), |line| write!(f, ":{line}"))
}

impl fmt::Display for IsrFunction {
    /// Its name, or its address.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) if !name.is_empty() => name.fmt(f),
            _ => self.address.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn location(address: u64, function: Option<&str>, source: Option<(&str, u32)>) -> CodeLocation {
        let name = |text: &str| Name::new(text.as_bytes());
        CodeLocation {
            address: Address(address),
            function: function.map(name),
            file: source.map(|(file, _)| name(file)),
            line: source.map(|(_, line)| line),
        }
    }

    #[test]
    fn locations_are_found_and_displayed() {
        let locations = CodeLocations::new(vec![
            location(0x30, None, Some(("queue.c", 7))),
            location(0x10, Some("send"), Some(("queue.c", 41))),
            location(0x20, Some("lock"), None),
            location(0x10, Some("later"), None),
        ]);
        let shown = |address| locations.display(Address(address)).to_string();
        assert_eq!(shown(0x10), "send (queue.c:41)");
        assert_eq!(shown(0x20), "lock");
        assert_eq!(shown(0x30), "queue.c:7");
        assert_eq!(shown(0x18), "0x18");
        assert_eq!(locations.len(), 3);
    }

    #[test]
    fn an_isr_without_a_name_displays_its_address() {
        let isr_function = |name: &[u8]| IsrFunction {
            name: Some(Name::new(name)),
            address: Address(0x80),
        };
        assert_eq!(isr_function(b"uart_isr").to_string(), "uart_isr");
        assert_eq!(isr_function(b"").to_string(), "0x80");
    }
}
