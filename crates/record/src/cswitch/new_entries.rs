//! Containers with the entries that are new since the last one, for a log that is sent
//! while it runs.

use super::cswl::{BYTE_ORDER, ENTRY_BYTES};
use super::{ByteSink, CswlWriter, LogEntry, LogSource, MAX_NAME_LEN, ReadableMemory, UNFINISHED};
use crate::Name;
use rtoscope_wire::cswitch::{
    CORE_HEADER_BYTES, CORE_HISTORY_BYTES, CSWL_HEADER_BYTES, CoreHistory, SECTION_HEADER_BYTES,
    SectionTag, UnknownFields,
};

/// The position up to which a log was sent, and the names that were sent. Memory of zeros
/// is the start of any log.
#[derive(Debug)]
#[repr(C)]
pub struct LogCursor {
    next_entry: u64,
    session: u32,
    /// Recently sent names, by the low bits of their addresses: text is rarely aligned.
    names: [Name; NAMES],
}

/// Number of names in a cursor; a power of two.
const NAMES: usize = 32;

/// The size of a container without cores and names, in bytes.
pub const CONTAINER_BYTES: usize = CSWL_HEADER_BYTES + SECTION_HEADER_BYTES + 4;

/// The size of the sections of a core without entries, in bytes.
const CORE_BYTES: usize = 2 * SECTION_HEADER_BYTES + CORE_HISTORY_BYTES + CORE_HEADER_BYTES;

impl LogCursor {
    /// A cursor at the start of any log.
    pub const fn new() -> Self {
        Self {
            next_entry: 0,
            session: 0,
            names: [Name::NONE; NAMES],
        }
    }

    /// Sends all names again with the next entries, as for a host that has just connected.
    pub fn forget_names(&mut self) {
        self.names = [Name::NONE; NAMES];
    }

    /// Whether a log has entries that were not sent.
    pub fn has_new_entries(&self, log: &impl LogSource) -> bool {
        log.snapshot().map_or(false, |snapshot| {
            snapshot.session != self.session || snapshot.next_entry != self.next_entry
        })
    }

    fn has_sent(&self, name: Name) -> bool {
        self.names.get(Self::slot(name)) == Some(&name)
    }

    fn set_sent(&mut self, name: Name) {
        if let Some(slot) = self.names.get_mut(Self::slot(name)) {
            *slot = name;
        }
    }

    fn slot(name: Name) -> usize {
        name.as_ptr() as usize % NAMES
    }
}

impl Default for LogCursor {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: ByteSink> CswlWriter<S> {
    /// Writes entries of a core's log that `cursor` has not passed, and their names, in at
    /// most `max_bytes` bytes; moves the cursor past them. The log may keep recording. The
    /// host reports entries that were overwritten before they could be written as missing.
    ///
    /// Writes a header without entries if there is no new entry or if `max_bytes` has no
    /// room for one.
    pub fn write_new_entries(
        &mut self,
        number: u16,
        log: &impl LogSource,
        readable: ReadableMemory<'_>,
        cursor: &mut LogCursor,
        max_bytes: usize,
    ) {
        let snapshot = match log.snapshot() {
            Some(snapshot) => snapshot,
            None => return self.write_log(number, log, None, UnknownFields::default()),
        };
        if snapshot.session != cursor.session {
            cursor.session = snapshot.session;
            cursor.next_entry = 0;
        }
        let mut sent = snapshot;
        sent.first_entry = cursor.next_entry.max(snapshot.first_entry);
        sent.next_entry = sent.first_entry;
        let mut room = max_bytes.saturating_sub(CORE_BYTES);
        let mut chunk = [LogEntry::UNFINISHED; super::cswl::CHUNK_ENTRIES];
        'entries: while sent.next_entry < snapshot.next_entry {
            let (first, copied) = log.copy_entries(snapshot.session, sent.next_entry, &mut chunk);
            if copied == 0 {
                break;
            }
            if first != sent.next_entry {
                // Entries were overwritten: start again after them, or with the next call.
                if sent.next_entry != sent.first_entry {
                    break;
                }
                sent.first_entry = first;
                sent.next_entry = first;
            }
            for entry in chunk.iter().take(copied) {
                // The host waits for an unfinished entry until the next container, so that it
                // must be the first one there.
                let is_unfinished = entry.kind == UNFINISHED;
                if is_unfinished && sent.next_entry != sent.first_entry {
                    break 'entries;
                }
                match self.write_new_name(*entry, readable, cursor, room) {
                    Some(rest) => room = rest,
                    None => break 'entries,
                }
                sent.next_entry = sent.next_entry.wrapping_add(1);
            }
        }
        cursor.next_entry = sent.next_entry;
        let past = CoreHistory {
            core: number,
            session: sent.session,
            preceding_entries: sent.first_entry,
        };
        self.write_section_header(SectionTag::PAST, CORE_HISTORY_BYTES as u64);
        self.write(&past.to_bytes(BYTE_ORDER));
        self.write_log(number, log, Some(sent), UnknownFields::default());
    }

    /// Writes the name of an entry if it was not sent. Returns the room in bytes that remains
    /// after name and entry; [`None`] if there is not enough.
    fn write_new_name(
        &mut self,
        entry: LogEntry,
        readable: ReadableMemory<'_>,
        cursor: &mut LogCursor,
        room: usize,
    ) -> Option<usize> {
        let room = room.checked_sub(ENTRY_BYTES)?;
        if entry.kind == UNFINISHED || cursor.has_sent(entry.name) {
            return Some(room);
        }
        let mut text = [0; MAX_NAME_LEN];
        let text = match readable.read_name(entry.name, &mut text) {
            Some(text) => text,
            None => return Some(room),
        };
        let room = room.checked_sub(SECTION_HEADER_BYTES + 8 + text.len())?;
        self.write_name_bytes(entry.name, text);
        cursor.set_sent(entry.name);
        Some(room)
    }
}
