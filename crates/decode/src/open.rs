//! From an input of any container to a trace.

use crate::DecodeError;
use crate::container::{self, Compression, Container, Image};
use crate::memory::Memory;
use crate::scan;
use crate::source::Input;
use crate::threadx::{self, Buffer, Recording};
use rtoscope_trace::{Address, Diagnostic, DiagnosticKind, Diagnostics};

/// Which of several buffers in an input is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Choice {
    /// The first.
    #[default]
    First,
    /// The one of that number, counted from 0 by address.
    Number(usize),
    /// The one whose header lies there: its address on the target or in the
    /// container, or its offset in the input.
    At(Address),
}

/// An unpacked input, and the trace buffers in it.
#[derive(Debug)]
pub struct Opened<'a> {
    /// What the bytes were packed in.
    pub container: Container,
    /// How they were compressed, the outermost layer first.
    pub compression: Vec<Compression>,
    /// The memory that the container holds.
    pub memory: Memory<'a>,
    /// All buffers in it, by address; at least one.
    pub buffers: Vec<Buffer>,
    /// The number of the chosen one among them.
    pub chosen: usize,
    /// The chosen one.
    pub buffer: Buffer,
    diagnostics: Diagnostics,
}

/// Unpacks an input and finds the trace buffers in it.
pub fn open(input: Input<'_>, choice: Choice) -> Result<Opened<'_>, DecodeError> {
    let image = container::read(input)?;
    let buffers = buffers(&image)?;
    opened(image, buffers, choice)
}

/// All trace buffers in an image, by address; at least one.
pub(crate) fn buffers(image: &Image<'_>) -> Result<Vec<Buffer>, DecodeError> {
    let memory = &image.memory;
    let mut ignored = Vec::new();
    let mut buffers = Vec::new();
    if image.container == Container::Raw {
        // What starts with an id was meant to be a buffer: say what is wrong with it.
        buffers.push(Buffer::locate(memory, 0, &mut ignored)?);
    }
    let end = buffers.first().map_or(0, Buffer::bytes);
    let behind = image.data.iter().map(|part| part.start.max(end)..part.end);
    let behind: Vec<_> = behind.filter(|part| !part.is_empty()).collect();
    let mut refused = None;
    for address in scan::headers(memory, &behind) {
        match Buffer::locate(memory, address, &mut ignored) {
            Ok(buffer) => buffers.push(buffer),
            Err(error) => {
                refused.get_or_insert(error);
            }
        }
    }
    if buffers.is_empty() {
        let mut problems = image.diagnostics.iter();
        return Err(refused.unwrap_or(DecodeError::NoBuffer {
            container: image.container.name(),
            bytes: memory.total_bytes(),
            problem: problems.next().map(|it| it.message.clone()),
        }));
    }
    Ok(buffers)
}

/// The image with the chosen one of its buffers.
pub(crate) fn opened(
    image: Image<'_>,
    buffers: Vec<Buffer>,
    choice: Choice,
) -> Result<Opened<'_>, DecodeError> {
    let Image {
        container,
        compression,
        memory,
        diagnostics,
        ..
    } = image;
    let (chosen, buffer) = choose(&memory, &buffers, choice)?;
    let mut opened = Opened {
        container,
        compression,
        memory,
        buffers,
        chosen,
        buffer,
        diagnostics,
    };
    if choice == Choice::First {
        opened.report_others();
    }
    Ok(opened)
}

fn choose(
    memory: &Memory<'_>,
    buffers: &[Buffer],
    choice: Choice,
) -> Result<(usize, Buffer), DecodeError> {
    let (wanted, number) = match choice {
        Choice::First => ("first".to_owned(), Some(0)),
        Choice::Number(number) => (format!("number {number}"), Some(number)),
        Choice::At(address) => {
            let position = |place: &dyn Fn(&Buffer) -> Option<u64>| {
                let is_there = |buffer: &Buffer| place(buffer) == Some(address.0);
                buffers.iter().position(is_there)
            };
            let number = position(&|buffer| Some(buffer.address))
                .or_else(|| position(&|buffer| Some(buffer.header.base)))
                .or_else(|| position(&|buffer| memory.offset_of(buffer.address)));
            (format!("at {address}"), number)
        }
    };
    let chosen = number.and_then(|number| Some((number, *buffers.get(number)?)));
    chosen.ok_or_else(|| DecodeError::NoSuchBuffer {
        wanted,
        buffers: list(buffers),
    })
}

fn list(buffers: &[Buffer]) -> String {
    const MOST: usize = 8;
    let mut listed: Vec<String> = (0..)
        .zip(buffers.iter().take(MOST))
        .map(|(number, buffer)| format!("{number} at {}", Address(buffer.header.base)))
        .collect();
    if buffers.len() > MOST {
        listed.push(format!("and {} more", buffers.len() - MOST));
    }
    listed.join(", ")
}

impl Opened<'_> {
    /// Decodes the chosen buffer.
    pub fn decode(&self, options: &threadx::Options) -> Result<Recording, DecodeError> {
        let mut recording = threadx::decode(&self.memory, self.buffer.address, options)?;
        let mut diagnostics = self.diagnostics.clone();
        diagnostics.extend(recording.trace.diagnostics);
        recording.trace.diagnostics = diagnostics;
        Ok(recording)
    }

    /// What is damaged, odd or missing in the container.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    fn report_others(&mut self) {
        if self.buffers.len() < 2 {
            return;
        }
        let message = format!(
            "the input holds {} trace buffers ({}); the first is shown",
            self.buffers.len(),
            list(&self.buffers)
        );
        let count = self.buffers.len() as u64;
        let diagnostic = Diagnostic::new(DiagnosticKind::SeveralBuffers, message);
        self.diagnostics.push(diagnostic.times(count));
    }
}
