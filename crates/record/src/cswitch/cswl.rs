use super::{
    FinishedLog, LogEntry, LogReader, LogSnapshot, LogSource, MAX_NAME_LEN, ReadableMemory,
    UNFINISHED,
};
use crate::Name;
use core::mem::size_of;
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::{
    self as wire, CORE_HEADER_BYTES, CORE_HISTORY_BYTES, CoreHeader, CoreHistory, Crc32,
    CswlHeader, PointerSize, SYMBOL_FIXED_BYTES, SectionHeader, SectionTag, UnknownFields, VERSION,
};

/// The destination of a sequentially written file: a serial line, a flash page, a socket.
/// Closures that take bytes implement it.
pub trait ByteSink {
    /// Takes the next bytes.
    fn write(&mut self, bytes: &[u8]);
}

impl<F: FnMut(&[u8])> ByteSink for F {
    fn write(&mut self, bytes: &[u8]) {
        self(bytes);
    }
}

/// Writes a self-contained CSWL container sequentially.
///
/// Logs may keep recording meanwhile. An entry that is overwritten before it is saved
/// appears as an unfinished entry.
pub struct CswlWriter<S> {
    sink: S,
    sum: Crc32,
}

/// The byte order of this target.
pub(super) const BYTE_ORDER: ByteOrder = if cfg!(target_endian = "big") {
    ByteOrder::Big
} else {
    ByteOrder::Little
};

/// The pointer size of this target.
const POINTER_SIZE: PointerSize = if size_of::<usize>() == 8 {
    PointerSize::Eight
} else {
    PointerSize::Four
};

pub(super) const ENTRY_BYTES: usize = POINTER_SIZE.entry_bytes();

// The entries of the log have the layout of the format.
const _: () = assert!(size_of::<LogEntry>() == ENTRY_BYTES);

/// Number of entries copied at a time.
pub(super) const CHUNK_ENTRIES: usize = 8;

/// Number of slots for names already written; a power of two.
const NAME_CACHE_LEN: usize = 32;

impl<S: ByteSink> CswlWriter<S> {
    /// Starts a container with the logs of `cores` cores. Their clock has `frequency` Hz
    /// (0 if unknown) and `counter_bits` bits (1 to 32).
    pub fn new(sink: S, frequency: u64, counter_bits: u8, cores: u16) -> Self {
        let mut container = Self {
            sink,
            sum: Crc32::new(),
        };
        let header = CswlHeader {
            order: BYTE_ORDER,
            version: VERSION,
            pointer_size: POINTER_SIZE,
            counter_bits: counter_bits.clamp(1, 32),
            cores,
            frequency_hz: frequency,
        };
        container.write(&header.to_bytes());
        container
    }

    /// Writes the log of a core: its readable names and its entries. A log without a
    /// session is written without entries.
    pub fn write_core(&mut self, number: u16, log: &impl LogSource, names: ReadableMemory<'_>) {
        // Names first: there are few of them, so that a running log has hardly moved when
        // its entries follow.
        self.write_names(log, names);
        let snapshot = log.snapshot();
        if let Some(snapshot) = snapshot {
            let past = CoreHistory {
                core: number,
                session: snapshot.session,
                preceding_entries: snapshot.first_entry,
            };
            self.write_section_header(SectionTag::PAST, CORE_HISTORY_BYTES as u64);
            self.write(&past.to_bytes(BYTE_ORDER));
        }
        self.write_log(number, log, snapshot, UnknownFields::default());
    }

    /// Writes the log of a core that was recovered after a reset, and the header of its
    /// black box.
    pub(crate) fn write_recovered(
        &mut self,
        log: &FinishedLog,
        names: ReadableMemory<'_>,
        black_box: &[u8],
    ) {
        self.write_section_header(SectionTag::BLACK_BOX, black_box.len() as u64);
        self.write(black_box);
        self.write_names(log, names);
        // The idle time is in the log's control block, which the reset has cleared.
        let unknown = UnknownFields {
            idle: true,
            ..UnknownFields::default()
        };
        self.write_log(0, log, Some(log.snapshot()), unknown);
    }

    pub(super) fn write_log(
        &mut self,
        number: u16,
        log: &impl LogSource,
        snapshot: Option<LogSnapshot>,
        unknown: UnknownFields,
    ) {
        let entries = snapshot.map_or(0, |snapshot| {
            u32::try_from(snapshot.entries()).unwrap_or(u32::MAX)
        });
        let header = CoreHeader {
            core: number,
            cyclic: snapshot.map_or(false, |snapshot| snapshot.cyclic),
            wrapped: snapshot.map_or(false, |snapshot| snapshot.wrapped()),
            entries,
            oldest_index: 0,
            lost: snapshot.map_or(0, |snapshot| snapshot.lost),
            idle_ticks: snapshot.map_or(0, |snapshot| snapshot.idle_ticks),
        };
        let bytes =
            (CORE_HEADER_BYTES as u64).wrapping_add(u64::from(entries) * ENTRY_BYTES as u64);
        self.write_section_header(SectionTag::CORE, bytes);
        self.write(&header.to_bytes_with_unknown(unknown, BYTE_ORDER));
        if let Some(snapshot) = snapshot {
            self.write_entries(log, snapshot, entries);
        }
    }

    /// Writes the text of a name that is not in readable memory: up to 63 characters of
    /// printable ASCII.
    pub fn write_name(&mut self, name: Name, text: &str) {
        self.write_name_bytes(name, text.as_bytes());
    }

    /// Writes a symbol, for readers without an ELF file. `size` is 0 if unknown.
    pub fn write_symbol(&mut self, address: usize, size: usize, name: &str) {
        self.write_section_header(
            SectionTag::SYMBOL,
            (SYMBOL_FIXED_BYTES as u64).wrapping_add(name.len() as u64),
        );
        self.write_u64(address as u64);
        self.write_u64(size as u64);
        self.write(name.as_bytes());
    }

    /// Ends the container and returns the sink.
    pub fn finish(mut self) -> S {
        self.write_section_header(SectionTag::END, 4);
        let sum = self.sum.value();
        self.write(&in_byte_order(sum.to_le_bytes(), sum.to_be_bytes()));
        self.sink
    }

    pub(super) fn write_name_bytes(&mut self, name: Name, text: &[u8]) {
        self.write_section_header(SectionTag::NAME, (text.len() as u64).wrapping_add(8));
        self.write_u64(name.as_ptr() as u64);
        self.write(text);
    }

    fn write_names(&mut self, log: &impl LogSource, readable: ReadableMemory<'_>) {
        if readable.is_empty() {
            return;
        }
        let mut reader = match LogReader::new(log) {
            Some(reader) => reader,
            None => return,
        };
        let mut written = [Name::NONE; NAME_CACHE_LEN];
        let mut text = [0; MAX_NAME_LEN];
        let mut chunk = [LogEntry::UNFINISHED; CHUNK_ENTRIES];
        let mut remaining = log.snapshot().map_or(0, |snapshot| snapshot.entries());
        while remaining > 0 {
            let entries = reader.read(&mut chunk);
            if entries.is_empty() {
                return;
            }
            remaining = remaining.saturating_sub(entries.len() as u64);
            for entry in entries.iter().filter(|entry| entry.kind != UNFINISHED) {
                // Text is rarely aligned, so that all low bits of its address differ.
                let cached = written.get_mut(entry.name.as_ptr() as usize % NAME_CACHE_LEN);
                match cached {
                    Some(cached) if *cached != entry.name => *cached = entry.name,
                    _ => continue,
                }
                if let Some(text) = readable.read_name(entry.name, &mut text) {
                    self.write_name_bytes(entry.name, text);
                }
            }
        }
    }

    fn write_entries(&mut self, log: &impl LogSource, snapshot: LogSnapshot, entries: u32) {
        let mut next = snapshot.first_entry;
        let end = snapshot.first_entry.wrapping_add(u64::from(entries));
        while next < end {
            let mut chunk = [LogEntry::UNFINISHED; CHUNK_ENTRIES];
            let (first, copied) = log.copy_entries(snapshot.session, next, &mut chunk);
            // The session may have ended, or another one may have started.
            let first = if copied == 0 { end } else { first.min(end) };
            while next < first {
                self.write_entry(LogEntry::UNFINISHED);
                next = next.wrapping_add(1);
            }
            for entry in chunk.iter().take(copied) {
                if next < end {
                    self.write_entry(*entry);
                    next = next.wrapping_add(1);
                }
            }
        }
    }

    fn write_entry(&mut self, entry: LogEntry) {
        self.write(&entry_bytes(entry));
    }

    pub(super) fn write_section_header(&mut self, tag: SectionTag, length: u64) {
        self.write(&SectionHeader { tag, length }.to_bytes(BYTE_ORDER));
    }

    fn write_u64(&mut self, number: u64) {
        self.write(&in_byte_order(number.to_le_bytes(), number.to_be_bytes()));
    }

    pub(super) fn write(&mut self, bytes: &[u8]) {
        self.sum.update(bytes);
        self.sink.write(bytes);
    }
}

/// Writes the entries as in memory. A reader also needs [`FinishedLog::oldest_index`].
pub fn write_raw(recording: &FinishedLog, mut sink: impl ByteSink) {
    for entry in recording.memory() {
        sink.write(&entry_bytes(*entry));
    }
}

fn entry_bytes(entry: LogEntry) -> [u8; ENTRY_BYTES] {
    let mut bytes = [0; ENTRY_BYTES];
    let entry = wire::LogEntry {
        kind: entry.kind,
        counter: entry.counter,
        address: entry.address as u64,
        name: entry.name.as_ptr() as u64,
    };
    // Cannot fail: `bytes` has the length of an entry.
    let _ = entry.write(&mut bytes, POINTER_SIZE, BYTE_ORDER);
    bytes
}

fn in_byte_order<T>(little: T, big: T) -> T {
    match BYTE_ORDER {
        ByteOrder::Little => little,
        ByteOrder::Big => big,
    }
}
