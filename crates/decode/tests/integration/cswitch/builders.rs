//! Builds logs as on a target.

use rtoscope_decode::source::Input;
use rtoscope_decode::{
    BufferChoice, DecodeError, DecodeOptions, DecodedRecording, UnpackedInput, cswitch,
};
use rtoscope_trace::{DiagnosticKind, Trace};
use rtoscope_wire::cswitch::{
    CoreHeader, CswlHeader, LogEntry, PointerSize, SectionHeader, SectionTag, VERSION,
};
use rtoscope_wire::{ByteOrder, Word};

pub(crate) const LAYOUTS: [(PointerSize, ByteOrder); 4] = [
    (PointerSize::Four, ByteOrder::Little),
    (PointerSize::Four, ByteOrder::Big),
    (PointerSize::Eight, ByteOrder::Little),
    (PointerSize::Eight, ByteOrder::Big),
];

pub(crate) const WORKER: u64 = 0x0800_0100;
pub(crate) const LOGGER: u64 = 0x0800_0108;
pub(crate) const ISR: u64 = 0x0800_0110;
pub(crate) const NAMES: [(u64, &str); 3] = [(WORKER, "worker"), (LOGGER, "logger"), (ISR, "ISR")];
/// What is at [`WORKER`].
pub(crate) const TEXTS: &[u8] = b"worker\0\0logger\0\0ISR\0";
pub(crate) const CODE: u64 = 0x0800_1000;

/// Rounds of 12 entries, from a counter value on.
pub(crate) fn example_log(rounds: u32, from: u32) -> Vec<LogEntry> {
    let mut all = Vec::new();
    let mut counter = from;
    for _ in 0..rounds {
        for (kind, step, address, name) in [
            (0, 40, CODE, WORKER),
            (5, 7, CODE + 0x400, ISR),
            (6, 21, CODE + 0x400, ISR),
            (2, 9, CODE + 0x10, WORKER),
            (5, 33, CODE + 0x500, ISR),
            (6, 12, CODE + 0x500, ISR),
            (4, 5, CODE + 0x20, WORKER),
            (3, 90, CODE + 0x30, LOGGER),
            (7, 8, CODE + 0x44, LOGGER),
            (39, 3, CODE + 0x48, LOGGER),
            (8, 14, CODE + 0x4C, LOGGER),
            (1, 50, CODE + 4, LOGGER),
        ] {
            counter = counter.wrapping_add(step);
            all.push(LogEntry {
                kind,
                counter,
                address,
                name,
            });
        }
    }
    all
}

pub(crate) fn memory(pointer: PointerSize, order: ByteOrder, entries: &[LogEntry]) -> Vec<u8> {
    let mut bytes = vec![0; entries.len() * pointer.entry_bytes()];
    for (place, entry) in bytes.chunks_exact_mut(pointer.entry_bytes()).zip(entries) {
        entry.write(place, pointer, order).unwrap();
    }
    bytes
}

/// A container, section by section.
pub(crate) struct Cswl {
    pub(crate) header: CswlHeader,
    pub(crate) bytes: Vec<u8>,
}

impl Cswl {
    pub(crate) fn new(pointer: PointerSize, order: ByteOrder, cores: u16) -> Self {
        Self::with_header(CswlHeader {
            order,
            version: VERSION,
            pointer_size: pointer,
            counter_bits: 32,
            cores,
            frequency_hz: 240_000_000,
        })
    }

    pub(crate) fn with_header(header: CswlHeader) -> Self {
        Self {
            header,
            bytes: header.to_bytes().to_vec(),
        }
    }

    pub(crate) fn section(mut self, tag: SectionTag, content: &[u8]) -> Self {
        let length = content.len() as u64;
        let header = SectionHeader { tag, length };
        self.bytes.extend(header.to_bytes(self.header.order));
        self.bytes.extend(content);
        self
    }

    pub(crate) fn core(self, header: CoreHeader, entries: &[LogEntry]) -> Self {
        let header = CoreHeader {
            entries: entries.len() as u32,
            ..header
        };
        let CswlHeader {
            order,
            pointer_size: pointer,
            ..
        } = self.header;
        let content = [
            &header.to_bytes(order)[..],
            &memory(pointer, order, entries),
        ]
        .concat();
        self.section(SectionTag::CORE, &content)
    }

    pub(crate) fn names(self) -> Self {
        let add = |container: Self, (pointer, name)| container.name(pointer, name);
        NAMES.into_iter().fold(self, add)
    }

    pub(crate) fn name(self, pointer: u64, name: &str) -> Self {
        let content = [&self.word(pointer)[..], name.as_bytes()].concat();
        self.section(SectionTag::NAME, &content)
    }

    pub(crate) fn symbol(self, address: u64, size: u64, name: &str) -> Self {
        let content = [&self.word(address)[..], &self.word(size), name.as_bytes()].concat();
        self.section(SectionTag::SYMBOL, &content)
    }

    pub(crate) fn end(mut self) -> Vec<u8> {
        let header = SectionHeader {
            tag: SectionTag::END,
            length: 4,
        };
        self.bytes.extend(header.to_bytes(self.header.order));
        let mut word = [0; 4];
        crc32fast::hash(&self.bytes)
            .write(&mut word, self.header.order)
            .unwrap();
        self.bytes.extend(word);
        self.bytes
    }

    fn word(&self, value: u64) -> [u8; 8] {
        let mut bytes = [0; 8];
        value.write(&mut bytes, self.header.order).unwrap();
        bytes
    }
}

/// A small but complete container.
pub(crate) fn complete(pointer: PointerSize, order: ByteOrder) -> Vec<u8> {
    let core = CoreHeader {
        cyclic: true,
        idle_ticks: 777,
        lost: 0,
        ..CoreHeader::default()
    };
    Cswl::new(pointer, order, 1)
        .core(core, &example_log(3, 0xFFFF_FF00))
        .names()
        .symbol(CODE, 0x100, "scheduler")
        .symbol(CODE + 0x400, 0x20, "tick_isr")
        .section(SectionTag(*b"NEW "), b"what a later version adds")
        .end()
}

pub(crate) fn open(
    bytes: &[u8],
    options: cswitch::CswitchOptions,
) -> Result<DecodedRecording, DecodeError> {
    let options = DecodeOptions {
        cswitch: options,
        ..DecodeOptions::default()
    };
    let format = Some(rtoscope_decode::cswitch::FORMAT);
    UnpackedInput::open(Input::new(bytes), BufferChoice::First, format)?.decode(&options)
}

/// The same, with the format detected.
pub(crate) fn open_unknown(bytes: &[u8]) -> Result<DecodedRecording, DecodeError> {
    UnpackedInput::open(Input::new(bytes), BufferChoice::First, None)?
        .decode(&DecodeOptions::default())
}

pub(crate) fn kinds(trace: &Trace) -> Vec<DiagnosticKind> {
    trace.diagnostics.iter().map(|found| found.kind).collect()
}

/// The recorded events.
pub(crate) fn entries(trace: &Trace) -> Vec<LogEntry> {
    let entry = |event: rtoscope_trace::Event| {
        let [first, second, ..] = event.arguments;
        // A marker's object comes first.
        let (address, name) = match event.kind.0 {
            16..=18 => (second, first),
            _ => (first, second),
        };
        LogEntry {
            kind: event.kind.0,
            counter: event.timestamp as u32,
            address,
            name,
        }
    };
    trace.events.iter().map(entry).collect()
}
