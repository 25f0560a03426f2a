//! The names in containers.

use super::super::log::{EntryLayout, SwitchLog};
use super::super::name_source::NameSource;
use super::super::packed::HANDLER_NAME;
use super::super::{cswl_reader, cswl_writer};
use crate::sections;
use rtoscope_symbols::Symbol;
use rtoscope_trace::{Frequency, Name};
use rtoscope_wire::cswitch::CswlHeader;
use std::collections::BTreeMap;

/// Names of threads and functions of a stream.
///
/// A thread's number has its name until a container brings another one for it, or the target
/// restarts. Both begin an *epoch*, in which each number has at most one name.
#[derive(Debug, Clone, Default)]
pub(in crate::cswitch) struct NameTable {
    /// The names of each number, oldest first.
    names: BTreeMap<u64, Vec<NumberName>>,
    functions: BTreeMap<u64, Symbol>,
    bytes: usize,
    epoch: u32,
    /// The epochs that began with a restart of the target.
    restarts: Vec<u32>,
}

/// A name of a number.
#[derive(Debug, Clone)]
struct NumberName {
    text: Box<[u8]>,
    /// The first epoch, and the last one in which a container brought it.
    first: u32,
    last: u32,
}

/// Maximum size of all names.
const MAX_NAME_TABLE_BYTES: usize = 64 << 20;
/// Estimated memory per name in addition to its text.
const NAME_OVERHEAD_BYTES: usize = 64;

impl NameTable {
    /// The current epoch.
    pub(super) fn epoch(&self) -> u32 {
        self.epoch
    }

    /// Whether a container of this run of the target brought a name.
    pub(super) fn has_names(&self) -> bool {
        let begin = self.begin_after(self.restarts.len());
        let mut all = self
            .names
            .iter()
            .flat_map(|(number, all)| all.iter().map(move |it| (number, it)));
        // The reader itself names handlers.
        all.any(|(number, name)| *number != HANDLER_NAME && name.last >= begin)
    }

    /// The target restarted: it names everything again.
    pub(super) fn restart(&mut self) {
        self.epoch += 1;
        self.restarts.push(self.epoch);
    }

    /// Number of restarts up to an epoch.
    pub(in crate::cswitch) fn restarts_until(&self, epoch: u32) -> usize {
        self.restarts.partition_point(|begin| *begin <= epoch)
    }

    /// The first epoch after a number of restarts.
    fn begin_after(&self, restarts: usize) -> u32 {
        let last = restarts.checked_sub(1);
        last.and_then(|last| self.restarts.get(last).copied())
            .unwrap_or_default()
    }

    /// The name of a number in an epoch.
    pub(in crate::cswitch) fn text(&self, number: u64, epoch: u32) -> Option<&[u8]> {
        let names = self.names.get(&number)?;
        let later = names.partition_point(|name| name.first <= epoch);
        let name = names.get(later.checked_sub(1)?)?;
        let begin = self.begin_after(self.restarts_until(epoch));
        (name.last >= begin).then_some(&*name.text)
    }

    /// Whether a container has names that are not in the table.
    pub(super) fn lacks_names_of(&self, log: &SwitchLog<'_>) -> bool {
        let known = |(number, text): (&u64, &&[u8])| self.text(*number, self.epoch) == Some(*text);
        let is_known = |symbol: &Symbol| self.functions.get(&symbol.address) == Some(symbol);
        !log.name_source.container_names.iter().all(known) || !log.symbols.iter().all(is_known)
    }

    /// Adds the names of a container.
    pub(super) fn merge(&mut self, log: &SwitchLog<'_>) {
        let names = &log.name_source.container_names;
        let differs = |(number, text): (&u64, &&[u8])| {
            let known = self.text(*number, self.epoch);
            known.is_some_and(|known| known != *text)
        };
        if names.iter().any(differs) {
            self.epoch += 1;
        }
        for (number, text) in names {
            self.add(*number, text);
        }
        for symbol in &log.symbols {
            let old = self.functions.get(&symbol.address);
            let old = old.map(|old| old.name.as_bytes().len());
            if self.reserve(symbol.name.as_bytes().len(), old) {
                self.functions.insert(symbol.address, symbol.clone());
            }
        }
    }

    fn add(&mut self, number: u64, text: &[u8]) {
        let restarts = self.restarts.len();
        let (begin, before) = (
            self.begin_after(restarts),
            self.begin_after(restarts.saturating_sub(1)),
        );
        let epoch = self.epoch;
        let newest = self.names.get_mut(&number).and_then(|all| all.last_mut());
        let first = match newest {
            // It is the same after a restart.
            Some(name) if *name.text == *text && name.last >= before => {
                name.last = epoch;
                return;
            }
            Some(name) if name.last >= begin => epoch,
            _ => begin,
        };
        if self.reserve(text.len(), None) {
            self.names.entry(number).or_default().push(NumberName {
                text: text.into(),
                first,
                last: epoch,
            });
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

    /// The newest name of each number.
    fn newest(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let names = self.names.iter();
        names.filter_map(|(number, all)| Some((*number, &*all.last()?.text)))
    }

    /// The names of threads, as in a container.
    pub(super) fn thread_names(&self) -> NameSource<'_> {
        NameSource {
            container_names: self.newest().collect(),
            stream: Some(self),
            memory: None,
        }
    }

    /// The functions, as in a container.
    pub(super) fn symbols(&self) -> Vec<Symbol> {
        self.functions.values().cloned().collect()
    }

    /// Writes the newest names as a container without core logs.
    pub(super) fn to_bytes(&self, layout: EntryLayout, frequency: Option<Frequency>) -> Vec<u8> {
        let names = self.newest();
        let names = names.map(|(pointer, text)| (pointer, Name::new(text)));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_a_name_until_another_one_or_a_restart() {
        let mut table = NameTable::default();
        table.add(7, b"camera");
        table.add(8, b"writer");
        table.epoch += 1;
        table.add(7, b"radio");
        table.restart();
        table.add(7, b"radio");
        table.restart();
        table.restart();
        table.add(8, b"writer");
        let names = |number| {
            (0..5)
                .map(|epoch| table.text(number, epoch))
                .collect::<Vec<_>>()
        };
        let some = |text: &'static str| Some(text.as_bytes());
        let [camera, radio, writer] = ["camera", "radio", "writer"].map(some);
        assert_eq!(names(7), [camera, radio, radio, None, None]);
        assert_eq!(names(8), [writer, writer, None, None, writer]);
        assert_eq!(table.restarts_until(1), 0);
        assert_eq!(table.restarts_until(3), 2);
    }
}
