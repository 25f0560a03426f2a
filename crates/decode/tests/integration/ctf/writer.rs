//! Writes the streams of other recorders, for tests.

use rtoscope_decode::source::Input;
use rtoscope_decode::{
    BufferChoice, DecodeError, DecodeOptions, DecodedRecording, UnpackedInput, ctf,
};
use rtoscope_trace::{Event, EventIndex, Interpret, SchedEvent, Trace};

/// An archive with the files of a folder.
pub(crate) fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (path, bytes) in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, path, *bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

pub(crate) fn decode(bytes: &[u8]) -> Result<DecodedRecording, DecodeError> {
    let content = UnpackedInput::open(Input::new(bytes), BufferChoice::First, None)?;
    assert_eq!(content.format(), ctf::FORMAT);
    content.decode(&DecodeOptions::default())
}

/// Decodes a stream without metadata, which is no archive.
pub(crate) fn decode_zephyr(bytes: &[u8]) -> Result<DecodedRecording, DecodeError> {
    let format = Some(ctf::FORMAT);
    let content = UnpackedInput::open(Input::new(bytes), BufferChoice::First, format)?;
    content.decode(&DecodeOptions::default())
}

/// The events with their meanings.
pub(crate) fn interpreted(recording: &DecodedRecording) -> Vec<(Event, SchedEvent)> {
    let trace = &recording.trace;
    let mut interpreter = recording.format_info.interpreter(trace);
    let numbers = (0..trace.events.len() as u32).map(EventIndex);
    let events = numbers.filter_map(|number| trace.events.get(number));
    let events = events.map(|event| (event, interpreter.sched_event(trace, &event)));
    events.collect()
}

/// The events as text: time, core, name and arguments.
pub(crate) fn lines(trace: &Trace) -> Vec<String> {
    let numbers = (0..trace.events.len() as u32).map(EventIndex);
    let events = numbers.filter_map(|number| trace.events.get(number));
    let lines = events.map(|event| {
        let name = trace.catalogue.name(event.kind);
        let arguments = trace.arguments_line(&event);
        format!("{} {} {name} {arguments}", event.time.0, event.core)
    });
    lines.collect()
}

/// Bits of a packet, lowest first (little-endian) or highest first.
#[derive(Default)]
pub(crate) struct BitWriter {
    pub(crate) bytes: Vec<u8>,
    bits: usize,
    is_big: bool,
}

impl BitWriter {
    pub(crate) fn new(is_big: bool) -> Self {
        Self {
            is_big,
            ..Self::default()
        }
    }

    pub(crate) fn align(&mut self, bits: usize) -> &mut Self {
        self.bits = self.bits.next_multiple_of(bits);
        self.bytes.resize(self.bits.div_ceil(8), 0);
        self
    }

    pub(crate) fn put(&mut self, value: u64, width: usize) -> &mut Self {
        for number in 0..width {
            let bit = if self.is_big {
                width - 1 - number
            } else {
                number
            };
            let place = self.bits % 8;
            if place == 0 {
                self.bytes.push(0);
            }
            let shift = if self.is_big { 7 - place } else { place };
            *self.bytes.last_mut().unwrap() |= ((value >> bit & 1) as u8) << shift;
            self.bits += 1;
        }
        self
    }

    pub(crate) fn bytes_of(&mut self, bytes: impl IntoIterator<Item = u64>) -> &mut Self {
        for byte in bytes {
            self.put(byte, 8);
        }
        self
    }

    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        self.align(8);
        self.bytes.extend(text.as_bytes());
        self.bytes.push(0);
        self.bits = self.bytes.len() * 8;
        self
    }
}

/// A stream of Zephyr.
#[derive(Default, Clone)]
pub(crate) struct ZephyrStream {
    pub(crate) bytes: Vec<u8>,
    pub(crate) is_smp: bool,
    pub(crate) core: u32,
}

impl ZephyrStream {
    pub(crate) fn event(&mut self, time: u64, id: u8, fields: &[u8]) -> &mut Self {
        self.bytes.extend((time as u32).to_le_bytes());
        self.bytes.push(id);
        self.bytes.extend(fields);
        if self.is_smp {
            self.bytes.extend(self.core.to_le_bytes());
        }
        self
    }

    pub(crate) fn thread(&mut self, time: u64, id: u8, thread: u32, name: &str) -> &mut Self {
        let mut fields = thread.to_le_bytes().to_vec();
        fields.extend(name.as_bytes());
        fields.resize(24, 0);
        self.event(time, id, &fields)
    }

    pub(crate) fn words(&mut self, time: u64, id: u8, words: &[u32]) -> &mut Self {
        let fields: Vec<_> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.event(time, id, &fields)
    }
}
