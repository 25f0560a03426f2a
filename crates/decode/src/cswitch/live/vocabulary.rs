//! The names that containers brought.

use super::super::log::{Log, Shape};
use super::super::texts::Texts;
use super::super::{container, write};
use crate::symbols::Symbol;
use rtoscope_trace::{Frequency, Name, ObjectClass};
use std::collections::BTreeMap;

/// Names of threads and functions of a stream. The newest text for an address
/// counts.
#[derive(Debug, Clone, Default)]
pub(super) struct Vocabulary {
    names: BTreeMap<u64, Box<[u8]>>,
    functions: BTreeMap<u64, Function>,
    bytes: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Function {
    size: u64,
    name: Box<[u8]>,
}

/// Bytes of all names at most.
const MOST_BYTES: usize = 64 << 20;
/// Bytes that a name takes beside its text.
const NAME_BYTES: usize = 64;

impl Vocabulary {
    /// Whether a container brings what is not known yet.
    pub(super) fn lacks(&self, log: &Log<'_>) -> bool {
        let known = |(pointer, text): (&u64, &&[u8])| {
            self.names
                .get(pointer)
                .is_some_and(|known| **known == **text)
        };
        let is_known = |symbol: &Symbol| {
            let known = self.functions.get(&symbol.address);
            known.is_some_and(|known| {
                known.size == symbol.size && *known.name == *symbol.name.as_bytes()
            })
        };
        !log.texts.brought.iter().all(known) || !log.symbols.iter().all(is_known)
    }

    /// Learns what a container brings.
    pub(super) fn learn(&mut self, log: &Log<'_>) {
        for (pointer, text) in &log.texts.brought {
            let added = NAME_BYTES + text.len();
            if self.bytes + added <= MOST_BYTES {
                let old = self.names.insert(*pointer, (*text).into());
                self.bytes += added;
                self.bytes -= old.map_or(0, |old| NAME_BYTES + old.len());
            }
        }
        for symbol in &log.symbols {
            let name = symbol.name.as_bytes();
            let added = NAME_BYTES + name.len();
            if self.bytes + added <= MOST_BYTES {
                let function = Function {
                    size: symbol.size,
                    name: name.into(),
                };
                let old = self.functions.insert(symbol.address, function);
                self.bytes += added;
                self.bytes -= old.map_or(0, |old| NAME_BYTES + old.name.len());
            }
        }
    }

    /// The names of threads, as a container brings them.
    pub(super) fn texts(&self) -> Texts<'_> {
        let names = self.names.iter();
        Texts {
            brought: names.map(|(pointer, text)| (*pointer, &**text)).collect(),
            memory: None,
        }
    }

    /// The functions, as a container brings them.
    pub(super) fn symbols(&self) -> Vec<Symbol> {
        let functions = self.functions.iter();
        let symbol = |(address, function): (&u64, &Function)| Symbol {
            class: Some(ObjectClass::Function),
            address: *address,
            size: function.size,
            name: Name::new(&function.name),
            owner: 0,
        };
        functions.map(symbol).collect()
    }

    /// All of it as a container without a core's log.
    pub(super) fn to_bytes(&self, shape: Shape, frequency: Option<Frequency>) -> Vec<u8> {
        let names = self.names.iter();
        let names = names.map(|(pointer, text)| (*pointer, Name::new(text)));
        let names: Vec<_> = names.collect();
        let log = Log::contained(shape, frequency);
        let mut bytes = Vec::new();
        let written = write::container(&log, frequency, &names, &self.symbols(), &mut bytes);
        // Memory takes everything.
        written.map(|()| bytes).unwrap_or_default()
    }

    /// Learns what [`Vocabulary::to_bytes`] gave; `None` of anything else.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        if !container::starts(bytes) {
            return None;
        }
        let log = container::read(bytes, 0).ok()?;
        if !log.diagnostics.is_empty() {
            return None;
        }
        let mut vocabulary = Self::default();
        vocabulary.learn(&log);
        Some(vocabulary)
    }
}
