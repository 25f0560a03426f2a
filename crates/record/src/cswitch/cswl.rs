use super::{
    Entry, NAME_CHARACTERS, Readable, Reader, Recording, Sink, Snapshot, Source, UNFINISHED,
};
use crate::Name;
use core::mem::size_of;
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::{
    self as wire, CORE_BYTES, CoreHeader, CorePast, Crc32, CswlHeader, PAST_BYTES, PointerSize,
    SYMBOL_BYTES, SectionHeader, Tag, VERSION,
};

/// Writes a CSWL container, which `rtoscope` reads without knowing anything
/// else of the target, from its first byte to its last.
///
/// Logs may run on meanwhile: what is overwritten before it could be written
/// comes as an unfinished entry in its place.
pub struct Cswl<S> {
    sink: S,
    sum: Crc32,
}

/// The byte order of this target.
const ORDER: ByteOrder = if cfg!(target_endian = "big") {
    ByteOrder::Big
} else {
    ByteOrder::Little
};

/// A pointer of this target.
const POINTER: PointerSize = if size_of::<usize>() == 8 {
    PointerSize::Eight
} else {
    PointerSize::Four
};

const ENTRY_BYTES: usize = POINTER.entry_bytes();

// The entries of the log are those of the format.
const _: () = assert!(size_of::<Entry>() == ENTRY_BYTES);

/// Entries that are copied at once.
const CHUNK: usize = 8;

/// Names that are remembered as written; a power of two.
const REMEMBERED: usize = 32;

impl<S: Sink> Cswl<S> {
    /// Begins a container of that many cores' logs, whose clock counts with
    /// `frequency` Hz (0 if unknown) and `counter_bits` bits (1 to 32).
    pub fn begin(sink: S, frequency: u64, counter_bits: u8, cores: u16) -> Self {
        let mut container = Self {
            sink,
            sum: Crc32::new(),
        };
        let header = CswlHeader {
            order: ORDER,
            version: VERSION,
            pointer: POINTER,
            counter_bits: counter_bits.clamp(1, 32),
            cores,
            frequency,
        };
        container.write(&header.to_bytes());
        container
    }

    /// Writes the log of a core: its names as far as they are readable, and
    /// its entries. A log that holds no recording comes without entries.
    pub fn core(&mut self, number: u16, log: &impl Source, names: Readable<'_>) {
        // Names first: they are few, so that a log that runs has hardly moved
        // when its entries follow.
        self.names(log, names);
        let snapshot = log.snapshot();
        let entries = snapshot.map_or(0, |snapshot| {
            u32::try_from(snapshot.entries()).unwrap_or(u32::MAX)
        });
        let header = CoreHeader {
            core: number,
            cyclic: snapshot.map_or(false, |snapshot| snapshot.cyclic),
            wrapped: snapshot.map_or(false, |snapshot| snapshot.wrapped()),
            entries,
            oldest: 0,
            lost: snapshot.map_or(0, |snapshot| snapshot.lost),
            idle: snapshot.map_or(0, |snapshot| snapshot.idle),
        };
        if let Some(snapshot) = snapshot {
            let past = CorePast {
                core: number,
                session: snapshot.session,
                before: snapshot.first,
            };
            self.section(Tag::PAST, PAST_BYTES as u64);
            self.write(&past.to_bytes(ORDER));
        }
        let bytes = (CORE_BYTES as u64).wrapping_add(u64::from(entries) * ENTRY_BYTES as u64);
        self.section(Tag::CORE, bytes);
        self.write(&header.to_bytes(ORDER));
        if let Some(snapshot) = snapshot {
            self.entries(log, snapshot, entries);
        }
    }

    /// Writes the text of a name that is not read from memory: up to 63
    /// characters of printable ASCII.
    pub fn name(&mut self, name: Name, text: &str) {
        self.text(name, text.as_bytes());
    }

    /// Writes a symbol, for readers that have no ELF file: `size` is 0 if it
    /// is not known.
    pub fn symbol(&mut self, address: usize, size: usize, name: &str) {
        self.section(
            Tag::SYMBOL,
            (SYMBOL_BYTES as u64).wrapping_add(name.len() as u64),
        );
        self.number(address as u64);
        self.number(size as u64);
        self.write(name.as_bytes());
    }

    /// Ends the container and gives the sink back.
    pub fn end(mut self) -> S {
        self.section(Tag::END, 4);
        let sum = self.sum.value();
        self.write(&in_order(sum.to_le_bytes(), sum.to_be_bytes()));
        self.sink
    }

    fn text(&mut self, name: Name, text: &[u8]) {
        self.section(Tag::NAME, (text.len() as u64).wrapping_add(8));
        self.number(name.as_ptr() as u64);
        self.write(text);
    }

    fn names(&mut self, log: &impl Source, readable: Readable<'_>) {
        if readable.is_nothing() {
            return;
        }
        let mut reader = match Reader::new(log) {
            Some(reader) => reader,
            None => return,
        };
        let mut written = [Name::NONE; REMEMBERED];
        let mut text = [0; NAME_CHARACTERS];
        let mut chunk = [Entry::UNFINISHED; CHUNK];
        let mut left = log.snapshot().map_or(0, |snapshot| snapshot.entries());
        while left > 0 {
            let entries = reader.read(&mut chunk);
            if entries.is_empty() {
                return;
            }
            left = left.saturating_sub(entries.len() as u64);
            for entry in entries.iter().filter(|entry| entry.kind != UNFINISHED) {
                // Text is rarely aligned: all low bits of its address count.
                let place = written.get_mut(entry.name.as_ptr() as usize % REMEMBERED);
                match place {
                    Some(place) if *place != entry.name => *place = entry.name,
                    _ => continue,
                }
                if let Some(text) = readable.text(entry.name, &mut text) {
                    self.text(entry.name, text);
                }
            }
        }
    }

    fn entries(&mut self, log: &impl Source, snapshot: Snapshot, entries: u32) {
        let mut next = snapshot.first;
        let end = snapshot.first.wrapping_add(u64::from(entries));
        while next < end {
            let mut chunk = [Entry::UNFINISHED; CHUNK];
            let (first, copied) = log.copy(snapshot.session, next, &mut chunk);
            // The recording may have ended, or another have begun.
            let first = if copied == 0 { end } else { first.min(end) };
            while next < first {
                self.entry(Entry::UNFINISHED);
                next = next.wrapping_add(1);
            }
            for entry in chunk.iter().take(copied) {
                if next < end {
                    self.entry(*entry);
                    next = next.wrapping_add(1);
                }
            }
        }
    }

    fn entry(&mut self, entry: Entry) {
        self.write(&bytes(entry));
    }

    fn section(&mut self, tag: Tag, length: u64) {
        self.write(&SectionHeader { tag, length }.to_bytes(ORDER));
    }

    fn number(&mut self, number: u64) {
        self.write(&in_order(number.to_le_bytes(), number.to_be_bytes()));
    }

    fn write(&mut self, bytes: &[u8]) {
        self.sum.update(bytes);
        self.sink.write(bytes);
    }
}

/// Writes the entries of a recording as they lie in memory. A reader also
/// needs to know [`Recording::oldest`].
pub fn save_raw(recording: &Recording, mut sink: impl Sink) {
    for entry in recording.memory() {
        sink.write(&bytes(*entry));
    }
}

fn bytes(entry: Entry) -> [u8; ENTRY_BYTES] {
    let mut bytes = [0; ENTRY_BYTES];
    let entry = wire::Entry {
        kind: entry.kind,
        counter: entry.counter,
        address: entry.address as u64,
        name: entry.name.as_ptr() as u64,
    };
    // It fits: the bytes are as many as the size says.
    let _ = entry.write(&mut bytes, POINTER, ORDER);
    bytes
}

fn in_order<T>(little: T, big: T) -> T {
    match ORDER {
        ByteOrder::Little => little,
        ByteOrder::Big => big,
    }
}
