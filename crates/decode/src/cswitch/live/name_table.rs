//! The names in containers.

use super::super::log::{EntryLayout, SwitchLog};
use super::super::name_source::NameSource;
use super::super::{cswl_reader, cswl_writer};
use crate::sections;
use rtoscope_symbols::Symbol;
use rtoscope_trace::{Frequency, Name};
use rtoscope_wire::cswitch::CswlHeader;
use std::collections::BTreeMap;

/// Names of threads and functions of a stream. The newest text for an address
/// takes precedence.
#[derive(Debug, Clone, Default)]
pub(super) struct NameTable {
    names: BTreeMap<u64, Box<[u8]>>,
    functions: BTreeMap<u64, Symbol>,
    bytes: usize,
}

/// Maximum size of all names.
const MAX_NAME_TABLE_BYTES: usize = 64 << 20;
/// Estimated memory per name in addition to its text.
const NAME_OVERHEAD_BYTES: usize = 64;

impl NameTable {
    /// Whether a container has names that are not in the table.
    pub(super) fn lacks_names_of(&self, log: &SwitchLog<'_>) -> bool {
        let known = |(pointer, text): (&u64, &&[u8])| {
            self.names
                .get(pointer)
                .is_some_and(|known| **known == **text)
        };
        let is_known = |symbol: &Symbol| self.functions.get(&symbol.address) == Some(symbol);
        !log.name_source.container_names.iter().all(known) || !log.symbols.iter().all(is_known)
    }

    /// Adds the names of a container.
    pub(super) fn merge(&mut self, log: &SwitchLog<'_>) {
        for (pointer, text) in &log.name_source.container_names {
            let old = self.names.get(pointer).map(|old| old.len());
            if self.reserve(text.len(), old) {
                self.names.insert(*pointer, (*text).into());
            }
        }
        for symbol in &log.symbols {
            let old = self.functions.get(&symbol.address);
            let old = old.map(|old| old.name.as_bytes().len());
            if self.reserve(symbol.name.as_bytes().len(), old) {
                self.functions.insert(symbol.address, symbol.clone());
            }
        }
    }

    /// Counts the bytes of a name that replaces an old one. Returns whether it fits.
    fn reserve(&mut self, length: usize, old: Option<usize>) -> bool {
        let added = NAME_OVERHEAD_BYTES + length;
        let fits = self.bytes + added <= MAX_NAME_TABLE_BYTES;
        if fits {
            self.bytes += added;
            self.bytes -= old.map_or(0, |old| NAME_OVERHEAD_BYTES + old);
        }
        fits
    }

    /// The names of threads, as in a container.
    pub(super) fn thread_names(&self) -> NameSource<'_> {
        let names = self.names.iter();
        NameSource {
            container_names: names.map(|(pointer, text)| (*pointer, &**text)).collect(),
            memory: None,
        }
    }

    /// The functions, as in a container.
    pub(super) fn symbols(&self) -> Vec<Symbol> {
        self.functions.values().cloned().collect()
    }

    /// Writes all names as a container without core logs.
    pub(super) fn to_bytes(&self, layout: EntryLayout, frequency: Option<Frequency>) -> Vec<u8> {
        let names = self.names.iter();
        let names = names.map(|(pointer, text)| (*pointer, Name::new(text)));
        let names: Vec<_> = names.collect();
        let log = SwitchLog::contained(layout, frequency);
        let mut bytes = Vec::new();
        let written =
            cswl_writer::write_container(&log, frequency, &names, &self.symbols(), &mut bytes);
        // Writing to memory cannot fail.
        written.map(|()| bytes).unwrap_or_default()
    }

    /// Reads the output of [`NameTable::to_bytes`]; `None` for anything else.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        if !sections::starts::<CswlHeader>(bytes) {
            return None;
        }
        let log = cswl_reader::read(bytes, 0, None).ok()?;
        if !log.diagnostics.is_empty() {
            return None;
        }
        let mut vocabulary = Self::default();
        vocabulary.merge(&log);
        Some(vocabulary)
    }
}
