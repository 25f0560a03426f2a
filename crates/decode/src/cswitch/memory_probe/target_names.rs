//! Reads names of threads that are not in the firmware's files from the target.

use crate::cswitch::firmware::FirmwareFiles;
use crate::cswitch::log::{CoreLog, EntryLayout};
use crate::cswitch::name_source::MAX_NAME_BYTES;
use std::collections::HashMap;

/// Texts by their addresses; `None` if there is none.
#[derive(Debug, Default)]
pub(super) struct TargetNames(HashMap<u64, Option<Vec<u8>>>);

/// Maximum number of names to cache; more cannot be valid names.
const MAX_NAMES: usize = 4096;

impl TargetNames {
    /// Reads the names of entries.
    pub(super) fn read_names(
        &mut self,
        logs: &[CoreLog<'_>],
        layout: EntryLayout,
        firmware: FirmwareFiles<'_>,
        memory: &mut impl FnMut(u64, usize) -> Option<Vec<u8>>,
    ) {
        let parts = logs.iter().flat_map(|log| &log.parts);
        let entries = parts.flat_map(|part| part.bytes.chunks_exact(layout.entry_bytes()));
        let mut before = None;
        for entry in entries.filter_map(|bytes| layout.read(bytes)) {
            let pointer = entry.name;
            if before.replace(pointer) == Some(pointer)
                || pointer == 0
                || self.0.len() >= MAX_NAMES
                || self.0.contains_key(&pointer)
                || !firmware.text(pointer).is_empty()
            {
                continue;
            }
            self.0.insert(pointer, read_text(pointer, memory));
        }
    }

    /// The cached texts.
    pub(super) fn texts(&self) -> HashMap<u64, &[u8]> {
        let known = self.0.iter();
        known
            .filter_map(|(pointer, text)| Some((*pointer, text.as_deref()?)))
            .collect()
    }
}

/// The text at an address, up to its NUL. Memory may end after a short text.
fn read_text(
    pointer: u64,
    memory: &mut impl FnMut(u64, usize) -> Option<Vec<u8>>,
) -> Option<Vec<u8>> {
    let lengths = [MAX_NAME_BYTES + 1, 32, 8];
    let mut bytes = lengths
        .into_iter()
        .find_map(|length| memory(pointer, length))?;
    bytes.truncate(bytes.iter().position(|byte| *byte == 0)?);
    Some(bytes)
}
