//! sigrok sessions: ZIP archives of metadata and samples. Runs of equal samples become edges.

use super::capture_reader::CaptureReader;
use super::edge_writer::Level;
use super::signal_table::{SignalId, SignalTable, SignalType, Syntax, frequency};
use super::trace_builder;
use super::{FORMAT, LogicOptions};
use crate::packet_stream::StreamStatus;
use crate::{DecodeError, DecodedRecording};
use rtoscope_trace::{Diagnostic, DiagnosticKind};
use std::io::{self, Cursor, Read};
use std::sync::Arc;
use zip::ZipArchive;

/// The start of an archive.
pub(super) const MAGIC: &[u8] = b"PK\x03\x04";

/// The position and the start of the first file's name in an archive.
const NAME_OFFSET: usize = 30;
/// Not `metadata`, with which an archive of a CTF trace may begin.
const FIRST_NAMES: [&[u8]; 3] = [b"version", b"logic-1", b"analog-1"];

/// The end of the first file's name, if it is one of a session.
pub(super) fn proof_end(bytes: &[u8]) -> Option<usize> {
    let name = bytes
        .strip_prefix(MAGIC)?
        .get(NAME_OFFSET - MAGIC.len()..)?;
    let known = FIRST_NAMES.iter().find(|known| name.starts_with(known))?;
    Some(NAME_OFFSET + known.len())
}

/// Maximum size of the metadata.
const MAX_METADATA_BYTES: u64 = 1 << 20;

/// Maximum number of edges: few bytes of an archive can contain any number of them.
const MAX_EDGES: usize = 1 << 26;

/// Maximum number of bytes of samples.
const MAX_SAMPLE_BYTES: u64 = 1 << 36;

/// Maximum number of files of samples.
const MAX_CHUNKS: usize = 1 << 20;

const BUFFER_BYTES: usize = 1 << 16;

/// Decodes a session.
pub(super) fn decode(
    bytes: &[u8],
    options: &LogicOptions,
) -> Result<DecodedRecording, DecodeError> {
    let error = |problem: String| FORMAT.no_event(bytes.len() as u64, &problem);
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|it| error(it.to_string()))?;
    let mut text = Vec::new();
    archive
        .by_name("metadata")
        .map_err(io::Error::other)
        .and_then(|file| file.take(MAX_METADATA_BYTES).read_to_end(&mut text))
        .map_err(|it| error(format!("metadata: {it}")))?;
    let session = Session::read(&text).ok_or_else(|| error("no device has samples".to_owned()))?;
    let mut reader = CaptureReader::with_options(options);
    let numbers = 0..archive.len().min(MAX_CHUNKS);
    let mut chunks: Vec<_> = numbers
        .filter_map(|place| {
            let name = archive.name_for_index(place)?;
            Some((session.chunk_number(name.as_bytes())?, place))
        })
        .collect();
    chunks.sort_by_key(|(number, _)| *number);
    let mut sampler = Sampler::new(&session);
    reader.table = Arc::new(session.table);
    let mut problem = None;
    for (number, place) in chunks {
        let file = archive.by_index(place).map_err(io::Error::other);
        let read = file.and_then(|mut data| sampler.read(&mut data, &mut reader));
        if let Err(error) = read {
            let samples = sampler.samples;
            let file = if number == 0 {
                String::new()
            } else {
                format!(" in part {number}")
            };
            let message = format!("the samples end after sample {samples}{file}: {error}");
            problem = Some(Diagnostic::new(DiagnosticKind::Truncated, message));
            break;
        }
    }
    sampler.finish(&mut reader);
    let page = std::mem::take(&mut reader.writer.page);
    if page.len() == 0 {
        return Err(error(
            problem.map_or("there are no samples".to_owned(), |it| it.message),
        ));
    }
    let mut decoded = trace_builder::build(page, &reader, &StreamStatus::default());
    decoded.trace.diagnostics.extend(problem);
    Ok(decoded)
}

/// What the metadata says.
#[derive(Debug, Default)]
struct Session {
    table: SignalTable,
    /// The name of the files with samples, to which a number may be added.
    capture_file: Vec<u8>,
    unit_bytes: usize,
    /// The bit of each signal.
    bits: Vec<usize>,
}

impl Session {
    /// Reads the metadata; only the first device with logic samples counts.
    fn read(text: &[u8]) -> Option<Self> {
        let mut session = Self::default();
        session.table.syntax = Syntax::Session;
        let mut probes: Vec<(usize, Vec<u8>)> = Vec::new();
        let mut devices = 0_u32;
        for line in text.split(|byte| *byte == b'\n') {
            let line = line.trim_ascii();
            if line.starts_with(b"[") {
                devices += u32::from(!session.capture_file.is_empty());
            }
            let Some(equals) = line.iter().position(|byte| *byte == b'=') else {
                continue;
            };
            let (key, value) = line.split_at(equals);
            let (key, value) = (key.trim_ascii(), value.get(1..).unwrap_or_default());
            let value = value.trim_ascii_start();
            let number = |text: &[u8]| std::str::from_utf8(text).ok()?.parse::<usize>().ok();
            match key {
                b"sigrok version" => session.table.set_property("sigrok", value),
                _ if devices > 0 => {
                    session.table.skipped += u64::from(key.starts_with(b"probe"));
                }
                b"capturefile" => session.capture_file = value.to_vec(),
                b"unitsize" => session.unit_bytes = number(value)?,
                b"samplerate" => {
                    session.table.frequency = frequency(value);
                    session.table.set_property("samplerate", value);
                }
                _ => {
                    let probe = key.strip_prefix(b"probe").and_then(number);
                    if let Some(bit) = probe.and_then(|probe| probe.checked_sub(1)) {
                        probes.push((bit, unescape(value)));
                    }
                    let is_analog = key.strip_prefix(b"analog").and_then(number).is_some();
                    session.table.skipped += u64::from(is_analog);
                }
            }
        }
        // Old sessions have samples of a byte.
        session.unit_bytes = session.unit_bytes.max(1);
        probes.sort_by_key(|(bit, _)| *bit);
        probes.dedup_by_key(|(bit, _)| *bit);
        for (bit, name) in probes {
            if bit / 8 < session.unit_bytes
                && session.table.add(&name, SignalType::Digital, 1).is_some()
            {
                session.bits.push(bit);
            }
        }
        let is_usable = !session.capture_file.is_empty() && session.unit_bytes <= 1 << 10;
        is_usable.then_some(session)
    }

    /// The number of a file with samples: 0 if it has none.
    fn chunk_number(&self, name: &[u8]) -> Option<u64> {
        match name.strip_prefix(self.capture_file.as_slice())? {
            [] => Some(0),
            [b'-', number @ ..] => std::str::from_utf8(number).ok()?.parse().ok(),
            _ => None,
        }
    }
}

/// The text of a value of a key file.
fn unescape(value: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut rest = value;
    while let [byte, after @ ..] = rest {
        rest = after;
        let (b'\\', [escaped, after @ ..]) = (byte, after) else {
            text.push(*byte);
            continue;
        };
        rest = after;
        text.push(match escaped {
            b's' => b' ',
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            other => *other,
        });
    }
    text
}

/// Finds the edges in samples.
struct Sampler {
    unit_bytes: usize,
    bits: Vec<usize>,
    /// The last sample; empty before the first.
    last: Vec<u8>,
    samples: u64,
    bytes: u64,
}

impl Sampler {
    fn new(session: &Session) -> Self {
        Self {
            unit_bytes: session.unit_bytes,
            bits: session.bits.clone(),
            last: Vec::new(),
            samples: 0,
            bytes: 0,
        }
    }

    /// Reads a file of samples; a sample may continue in the next file.
    fn read(&mut self, data: &mut dyn Read, reader: &mut CaptureReader) -> io::Result<()> {
        let mut buffer = vec![0; BUFFER_BYTES.max(self.unit_bytes)];
        let mut held = 0;
        loop {
            let space = buffer.get_mut(held..).unwrap_or_default();
            let count = match data.read(space) {
                Ok(0) => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                count => count?,
            };
            self.bytes += count as u64;
            if self.bytes > MAX_SAMPLE_BYTES {
                return Err(io::Error::other("more than 64 GiB of samples"));
            }
            let end = held + count;
            let whole = end - end % self.unit_bytes;
            self.push(buffer.get(..whole).unwrap_or_default(), reader)?;
            buffer.copy_within(whole..end, 0);
            held = end - whole;
        }
    }

    fn push(&mut self, mut samples: &[u8], reader: &mut CaptureReader) -> io::Result<()> {
        while !samples.is_empty() {
            let same = self.run_length(samples);
            self.samples += (same / self.unit_bytes) as u64;
            let Some((sample, rest)) = samples
                .get(same..)
                .and_then(|it| it.split_at_checked(self.unit_bytes))
            else {
                return Ok(());
            };
            if reader.writer.page.len() >= MAX_EDGES {
                return Err(io::Error::other("it has more than 67 million edges"));
            }
            self.change(sample, reader);
            self.samples += 1;
            samples = rest;
        }
        Ok(())
    }

    /// Number of bytes of the samples at the start that equal the last one.
    fn run_length(&self, samples: &[u8]) -> usize {
        let differs = match self.last.as_slice() {
            [] => Some(0),
            [last] => samples.iter().position(|byte| byte != last),
            last => {
                let units = samples.chunks_exact(self.unit_bytes);
                let mut units = units.enumerate();
                let found = units.find(|(_, unit)| *unit != last);
                found.map(|(number, _)| number * self.unit_bytes)
            }
        };
        differs.unwrap_or(samples.len())
    }

    fn change(&mut self, sample: &[u8], reader: &mut CaptureReader) {
        reader.writer.time = self.samples;
        let is_first = self.last.is_empty();
        for (signal, bit) in (0..).map(SignalId).zip(&self.bits) {
            let byte = |of: &[u8]| of.get(bit / 8).map_or(0, |byte| byte >> (bit % 8) & 1);
            let is_high = byte(sample) == 1;
            if is_first || byte(&self.last) != byte(sample) {
                let level = if is_high { Level::High } else { Level::Low };
                reader.writer.set_level(signal, level);
            }
        }
        self.last.clear();
        self.last.extend_from_slice(sample);
    }

    /// The last sample was read.
    fn finish(&self, reader: &mut CaptureReader) {
        reader.writer.time = self.samples;
        reader.writer.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_names_probes_and_files() {
        let text = b"[global]\nsigrok version=0.5.2\n\n[device 1]\ncapturefile=logic-1\n\
                     total probes=9\nsamplerate=62.5 MHz\ntotal analog=1\nprobe9=\\sisr\\\\\n\
                     probe1=D0\nanalog10=A0\nunitsize=2\n[device 2]\nprobe1=no\n";
        let session = Session::read(text).unwrap();
        assert_eq!(session.bits, [0, 8]);
        let names: Vec<_> = session.table.all.iter().map(|it| &*it.name).collect();
        assert_eq!(names, [&b"D0"[..], b" isr\\"]);
        assert_eq!(session.table.skipped, 2);
        assert_eq!(session.table.frequency.unwrap().hertz(), 62_500_000);
        assert_eq!(session.chunk_number(b"logic-1"), Some(0));
        assert_eq!(session.chunk_number(b"logic-1-12"), Some(12));
        assert_eq!(session.chunk_number(b"logic-10-1"), None);
        assert!(Session::read(b"[global]\n").is_none());
    }

    #[test]
    fn runs_become_edges() {
        let text = b"[device 1]\ncapturefile=logic-1\nprobe1=a\nprobe10=b\nunitsize=2\n";
        let session = Session::read(text).unwrap();
        let mut sampler = Sampler::new(&session);
        let mut reader = CaptureReader::default();
        // The last byte is no whole sample.
        let samples = [[1, 0]; 3].concat();
        let samples = [samples, [[0, 2]; 70_000].concat(), vec![0, 0, 0]].concat();
        sampler.read(&mut samples.as_slice(), &mut reader).unwrap();
        sampler.finish(&mut reader);
        let events = reader.writer.page.time.iter().zip(&reader.writer.page.kind);
        let events: Vec<_> = events.map(|(time, kind)| (*time, kind.0)).collect();
        let expected = [(0, 3), (0, 4), (3, 2), (3, 1), (70_003, 2), (70_004, 11)];
        assert_eq!(events, expected);
    }
}
