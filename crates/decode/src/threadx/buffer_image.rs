//! Selects the trace buffer of an input.

use crate::DecodeError;
use crate::container::{self, Compression, Container, MemoryImage};
use crate::format::no_trace;
use crate::memory::Memory;
use crate::source::Input;
use crate::threadx::{self, DecodedBuffer, TraceBuffer, header_scan};
use rtoscope_trace::{Address, Diagnostic, DiagnosticKind, Diagnostics, Progress};

/// Selects one of several buffers in an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BufferChoice {
    /// The first buffer.
    #[default]
    First,
    /// The buffer with this number, counted from 0 by address.
    Number(usize),
    /// The buffer whose header is at this address on the target or in the
    /// container, or at this offset in the input.
    At(Address),
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
    /// All buffers, by address; at least one.
    pub buffers: Vec<TraceBuffer>,
    /// The index of the selected buffer.
    pub chosen: usize,
    /// The selected buffer.
    pub buffer: TraceBuffer,
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
    let buffers = find_buffers(&image)?;
    select_buffer(image, buffers, choice)
}

/// All trace buffers in an image, by address; at least one.
fn find_buffers(image: &MemoryImage<'_>) -> Result<Vec<TraceBuffer>, DecodeError> {
    let memory = &image.memory;
    let mut ignored = Vec::new();
    let mut buffers = Vec::new();
    if image.container == Container::Raw {
        // A file that starts with an id was meant to be a buffer: report its
        // error.
        buffers.push(TraceBuffer::locate(memory, 0, &mut ignored)?);
    }
    let end = buffers.first().map_or(0, TraceBuffer::bytes);
    let following = image
        .data_ranges
        .iter()
        .map(|part| part.start.max(end)..part.end);
    let following: Vec<_> = following.filter(|part| !part.is_empty()).collect();
    let mut refused = None;
    for address in header_scan::find_headers(memory, &following) {
        match TraceBuffer::locate(memory, address, &mut ignored) {
            Ok(buffer) => buffers.push(buffer),
            Err(error) => {
                refused.get_or_insert(error);
            }
        }
    }
    if buffers.is_empty() {
        return Err(refused.unwrap_or_else(|| no_trace(image)));
    }
    Ok(buffers)
}

/// Selects a buffer of the image.
fn select_buffer(
    image: MemoryImage<'_>,
    buffers: Vec<TraceBuffer>,
    choice: BufferChoice,
) -> Result<BufferImage<'_>, DecodeError> {
    let MemoryImage {
        container,
        compression,
        memory,
        diagnostics,
        ..
    } = image;
    let (chosen, buffer) = choose_buffer(&memory, &buffers, choice)?;
    let mut opened = BufferImage {
        container,
        compression,
        memory,
        buffers,
        chosen,
        buffer,
        diagnostics,
    };
    if choice == BufferChoice::First {
        opened.report_other_buffers();
    }
    Ok(opened)
}

fn choose_buffer(
    memory: &Memory<'_>,
    buffers: &[TraceBuffer],
    choice: BufferChoice,
) -> Result<(usize, TraceBuffer), DecodeError> {
    let (wanted, number) = match choice {
        BufferChoice::First => ("first".to_owned(), Some(0)),
        BufferChoice::Number(number) => (format!("number {number}"), Some(number)),
        BufferChoice::At(address) => {
            let position = |place: &dyn Fn(&TraceBuffer) -> Option<u64>| {
                let is_there = |buffer: &TraceBuffer| place(buffer) == Some(address.0);
                buffers.iter().position(is_there)
            };
            let number = position(&|buffer| Some(buffer.address))
                .or_else(|| position(&|buffer| Some(buffer.header.base_address)))
                .or_else(|| position(&|buffer| memory.offset_of(buffer.address)));
            (format!("at {address}"), number)
        }
    };
    let chosen = number.and_then(|number| Some((number, *buffers.get(number)?)));
    chosen.ok_or_else(|| DecodeError::NoSuchBuffer {
        wanted,
        buffers: buffer_list(buffers),
    })
}

fn buffer_list(buffers: &[TraceBuffer]) -> String {
    const MAX_LISTED_BUFFERS: usize = 8;
    let mut listed: Vec<String> = (0..)
        .zip(buffers.iter().take(MAX_LISTED_BUFFERS))
        .map(|(number, buffer)| format!("{number} at {}", Address(buffer.header.base_address)))
        .collect();
    if buffers.len() > MAX_LISTED_BUFFERS {
        listed.push(format!("and {} more", buffers.len() - MAX_LISTED_BUFFERS));
    }
    listed.join(", ")
}

impl BufferImage<'_> {
    /// Decodes the selected buffer.
    pub fn decode(&self, options: &threadx::ThreadXOptions) -> Result<DecodedBuffer, DecodeError> {
        self.decode_with_progress(options, &Progress::default())
    }

    /// The same; reports the progress.
    pub(super) fn decode_with_progress(
        &self,
        options: &threadx::ThreadXOptions,
        progress: &Progress,
    ) -> Result<DecodedBuffer, DecodeError> {
        let address = self.buffer.address;
        let mut recording = threadx::decode(&self.memory, address, options, progress)?;
        let mut diagnostics = self.diagnostics.clone();
        diagnostics.extend(recording.trace.diagnostics);
        recording.trace.diagnostics = diagnostics;
        Ok(recording)
    }

    /// Damaged, unusual or missing parts of the container.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    fn report_other_buffers(&mut self) {
        if self.buffers.len() < 2 {
            return;
        }
        let message = format!(
            "the input contains {} trace buffers ({}); the first is shown",
            self.buffers.len(),
            buffer_list(&self.buffers)
        );
        let count = self.buffers.len() as u64;
        let diagnostic = Diagnostic::new(DiagnosticKind::SeveralBuffers, message);
        self.diagnostics.push(diagnostic.with_count(count));
    }
}
