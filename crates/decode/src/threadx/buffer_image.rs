//! Selects the trace buffers of an input.

use super::buffer_candidates::{self, BufferSelection, Candidate, RingContent};
use super::timeline::{self, TimelinePart};
use crate::DecodeError;
use crate::container::{self, Compression, Container, MemoryImage};
use crate::format::no_trace;
use crate::memory::Memory;
use crate::source::Input;
use crate::threadx::{self, DecodedBuffer, ExtractedBuffer, TraceBuffer, extract, header_scan};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::events::records::ByteSource;
use rtoscope_trace::{Address, Diagnostic, DiagnosticKind, Diagnostics, Progress};
use rtoscope_wire::ByteOrder;
use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

/// Selects one of several buffers in an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BufferChoice {
    /// The first sound buffer, and those that continue it.
    #[default]
    First,
    /// The buffer with this number, counted from 0 by address.
    Number(usize),
    /// The buffer whose header is at this address on the target or in the
    /// container, or at this offset in the input.
    At(Address),
}

impl fmt::Display for BufferChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::First => write!(f, "number 0"),
            Self::Number(number) => write!(f, "number {number}"),
            Self::At(address) => write!(f, "at {address}"),
        }
    }
}

/// An unpacked input that contains trace buffers.
#[derive(Debug)]
pub struct BufferImage<'a> {
    /// The container of the bytes.
    pub container: Container,
    /// The compression layers, the outermost first.
    pub compression: Vec<Compression>,
    /// The memory in the container.
    pub memory: Memory<'a>,
    /// The input as a file.
    file: Option<Arc<dyn ByteSource>>,
    /// All buffers, by address; at least one.
    pub buffers: Vec<TraceBuffer>,
    /// The selected buffers, the oldest first; at least one.
    pub timeline: Vec<TimelinePart>,
    diagnostics: Diagnostics,
}

/// Unpacks an input and finds its trace buffers.
pub fn open(input: Input<'_>, choice: BufferChoice) -> Result<BufferImage<'_>, DecodeError> {
    from_image(container::read(input)?, choice)
}

/// Finds the trace buffers of an unpacked input.
pub(super) fn from_image(
    image: MemoryImage<'_>,
    choice: BufferChoice,
) -> Result<BufferImage<'_>, DecodeError> {
    let found = find_buffers(&image);
    let (selection, timeline) = match choice {
        BufferChoice::First => {
            let selection = found?;
            let timeline = best_timeline(&image, &selection);
            (selection, timeline)
        }
        BufferChoice::Number(number) => {
            let selection = found?;
            let chosen = selection.buffers.get(number).map(TimelinePart::new);
            let chosen = chosen.ok_or_else(|| DecodeError::NoSuchBuffer {
                wanted: choice,
                buffers: buffer_list(&selection.buffers),
            })?;
            (selection, vec![chosen])
        }
        BufferChoice::At(address) => {
            let mut selection = found.unwrap_or_else(|_| BufferSelection::default());
            let chosen = buffer_at(&image, &mut selection.buffers, address)?;
            (selection, vec![chosen])
        }
    };
    let MemoryImage {
        container,
        compression,
        memory,
        file,
        mut diagnostics,
        ..
    } = image;
    if choice == BufferChoice::First {
        diagnostics.extend(selection.diagnostics);
        diagnostics.extend(report_appended(&timeline));
        diagnostics.extend(report_several(&selection.buffers, &timeline));
    }
    let buffers: Vec<_> = selection.buffers.iter().map(|it| it.buffer).collect();
    let is_first = |buffer: &TraceBuffer| buffer.address == 0;
    Ok(BufferImage {
        container: match container {
            Container::Raw if !buffers.iter().any(is_first) => Container::RamImage,
            container => container,
        },
        compression,
        memory,
        file,
        buffers,
        timeline,
        diagnostics,
    })
}

/// All trace buffers in an image; at least one.
fn find_buffers(image: &MemoryImage<'_>) -> Result<BufferSelection, DecodeError> {
    let memory = &image.memory;
    let mut ignored = Vec::new();
    let mut candidates = Vec::new();
    let mut refused = None;
    let mut searched = 0;
    if image.container == Container::Raw {
        // A file that starts with an id was meant to be a buffer: report its
        // error.
        let first = TraceBuffer::locate(memory, 0, &mut ignored)?;
        // A copy of a header can also be at the start of an image.
        let candidate = Candidate::new(memory, first);
        searched = match candidate.content {
            RingContent::Entries => first.bytes(),
            _ => first.layout.header_bytes() as u64,
        };
        candidates.push(candidate);
    }
    let following = image
        .data_ranges
        .iter()
        .map(|part| part.start.max(searched)..part.end);
    let following: Vec<_> = following.filter(|part| !part.is_empty()).collect();
    for address in header_scan::find_headers(memory, &following) {
        match TraceBuffer::locate(memory, address, &mut ignored) {
            Ok(buffer) => candidates.push(Candidate::new(memory, buffer)),
            Err(error) => {
                refused.get_or_insert(error);
            }
        }
    }
    if candidates.is_empty() {
        return Err(refused.unwrap_or_else(|| no_trace(image)));
    }
    Ok(buffer_candidates::select(
        memory,
        candidates,
        image.container == Container::Raw,
    ))
}

/// The timeline that contains the best buffer.
fn best_timeline(image: &MemoryImage<'_>, selection: &BufferSelection) -> Vec<TimelinePart> {
    let is_file = image.container == Container::Raw;
    let timelines = timeline::timelines(&image.memory, &selection.buffers, is_file);
    let best = selection.buffers.get(selection.best).map(|it| it.buffer);
    let mut timelines = timelines.into_iter();
    let contains_best = |parts: &Vec<TimelinePart>| {
        let mut parts = parts.iter();
        parts.any(|part| Some(part.buffer) == best)
    };
    timelines.find(contains_best).unwrap_or_default()
}

/// The buffer at an address, which is added to `buffers` if it is not among
/// them.
fn buffer_at(
    image: &MemoryImage<'_>,
    buffers: &mut Vec<Candidate>,
    address: Address,
) -> Result<TimelinePart, DecodeError> {
    let memory = &image.memory;
    let find = |place: &dyn Fn(&TraceBuffer) -> Option<u64>| {
        let is_there = |it: &&Candidate| place(&it.buffer) == Some(address.0);
        buffers.iter().find(is_there).map(TimelinePart::new)
    };
    let at_address = || find(&|buffer| memory.has_addresses().then_some(buffer.address));
    let with_base = || find(&|buffer| Some(buffer.header.base_address));
    let at_offset = || find(&|buffer| memory.offset_of(buffer.address));
    let known = at_address().or_else(with_base).or_else(at_offset);
    if let Some(known) = known {
        return Ok(known);
    }
    // One whose marker words are wrong, or the copy of a header.
    let with_base = header_scan::find_headers_with_base(memory, &image.data_ranges, address.0);
    let locate = |address| {
        let buffer = TraceBuffer::locate(memory, address, &mut Vec::new())?;
        Ok(Candidate::new(memory, buffer))
    };
    let located = with_base.into_iter().flat_map(locate).collect();
    let mut located = buffer_candidates::select(memory, located, false);
    let chosen = match located.buffers.is_empty() {
        true => None,
        false => Some(located.buffers.swap_remove(located.best)),
    };
    let chosen = match chosen {
        Some(chosen) => chosen,
        None => locate(address.0).map_err(|error| match error {
            DecodeError::NoHeader { .. } if buffers.is_empty() => error,
            DecodeError::NoHeader { .. } => DecodeError::NoSuchBuffer {
                wanted: BufferChoice::At(address),
                buffers: buffer_list(buffers),
            },
            error => error,
        })?,
    };
    let part = TimelinePart::new(&chosen);
    let place = buffers.partition_point(|it| it.buffer.address < part.buffer.address);
    buffers.insert(place, chosen);
    Ok(part)
}

fn buffer_list(buffers: &[Candidate]) -> String {
    const MAX_LISTED_BUFFERS: usize = 8;
    let mut listed: Vec<String> = (0..)
        .zip(buffers.iter().take(MAX_LISTED_BUFFERS))
        .map(|(number, it)| format!("{number} at {}", Address(it.buffer.header.base_address)))
        .collect();
    if buffers.len() > MAX_LISTED_BUFFERS {
        listed.push(format!("and {} more", buffers.len() - MAX_LISTED_BUFFERS));
    }
    listed.join(", ")
}

/// Says which of several buffers are shown.
fn report_several(buffers: &[Candidate], timeline: &[TimelinePart]) -> Option<Diagnostic> {
    let count = buffers.len();
    if count < 2 {
        return None;
    }
    let (kind, shown) = match timeline {
        [only] => {
            let number = buffers.iter().position(|it| it.buffer == only.buffer);
            let shown = match number {
                None | Some(0) => "the first is shown".to_owned(),
                Some(number) => format!("number {number} is shown"),
            };
            (DiagnosticKind::SeveralBuffers, shown)
        }
        parts if parts.len() == count => (
            DiagnosticKind::JoinedBuffers,
            "their timestamps continue, so they are shown as one trace".to_owned(),
        ),
        parts => (
            DiagnosticKind::SeveralBuffers,
            format!(
                "the {} whose timestamps continue are shown as one trace",
                parts.len()
            ),
        ),
    };
    let message = format!(
        "the input contains {count} trace buffers ({}); {shown}",
        buffer_list(buffers)
    );
    Some(Diagnostic::new(kind, message).with_count(count as u64))
}

/// Says that entries after a buffer are shown.
fn report_appended(timeline: &[TimelinePart]) -> Option<Diagnostic> {
    let part = timeline.last().filter(|it| it.appended_entries > 0)?;
    let message = format!(
        "{} after the ring continue it, although the header does not include them: they are \
         shown as the newest",
        pluralise(part.appended_entries, "entry", "entries")
    );
    let offset = part.buffer.address.saturating_add(part.buffer.bytes());
    let diagnostic = Diagnostic::new(DiagnosticKind::AppendedEntries, message);
    Some(
        diagnostic
            .at_offset(offset)
            .with_count(part.appended_entries),
    )
}

impl BufferImage<'_> {
    /// Decodes the selected buffers.
    pub fn decode(&self, options: &threadx::ThreadXOptions) -> Result<DecodedBuffer, DecodeError> {
        self.decode_with_progress(options, &Progress::default())
    }

    /// The same; reports the progress.
    pub(super) fn decode_with_progress(
        &self,
        options: &threadx::ThreadXOptions,
        progress: &Progress,
    ) -> Result<DecodedBuffer, DecodeError> {
        let mut recording = threadx::decode(
            &self.memory,
            self.file.as_ref(),
            &self.timeline,
            options,
            progress,
        )?;
        let mut diagnostics = self.diagnostics.clone();
        diagnostics.extend(recording.trace.diagnostics);
        recording.trace.diagnostics = diagnostics;
        Ok(recording)
    }

    /// Writes the selected buffers in a byte order, by default their own.
    pub fn write(
        &self,
        order: Option<ByteOrder>,
        output: &mut dyn Write,
    ) -> io::Result<ExtractedBuffer> {
        let mut sum = ExtractedBuffer::default();
        for part in &self.timeline {
            let order = order.unwrap_or(part.buffer.layout.order);
            let written = extract(&self.memory, &part.extended(), order, &mut *output)?;
            sum.bytes += written.bytes;
            sum.missing_bytes += written.missing_bytes;
        }
        Ok(sum)
    }

    /// Damaged, unusual or missing parts of the container.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }
}
