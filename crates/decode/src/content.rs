//! Inputs of all formats.

use crate::container::{self, Compression, Decompressed, Image};
use crate::open::{self, Choice, Opened};
use crate::source::Input;
use crate::{DecodeError, cswitch, rkh, threadx};
use rtoscope_trace::{
    Act, Diagnostics, Event, Interpret, Reaction, Resource, Routine, Statistic, Trace,
};
use rtoscope_wire::rkh::frame::FLAG;
use rtoscope_wire::threadx::ID;

/// A format of traces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// The ThreadX event trace buffer.
    ThreadX,
    /// The RKH trace stream.
    Rkh,
    /// The context-switch log.
    Cswitch,
}

impl Format {
    /// The name in machine-readable output and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ThreadX => "threadx",
            Self::Rkh => "rkh",
            Self::Cswitch => "cswitch",
        }
    }
}

/// What the user knows about an input that it does not say itself.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// About a trace buffer of ThreadX.
    pub threadx: threadx::Options,
    /// About a stream of RKH.
    pub rkh: rkh::Options,
    /// About a context-switch log.
    pub cswitch: cswitch::Options,
}

/// An unpacked input of any format.
#[derive(Debug)]
pub enum Content<'a> {
    /// Memory with trace buffers of ThreadX in it.
    ThreadX(Opened<'a>),
    /// A stream of RKH.
    Rkh(StreamBytes<'a>),
    /// A context-switch log, or memory that holds one.
    Cswitch(Box<cswitch::Dump<'a>>),
}

/// The bytes of a stream of RKH, without their compression.
#[derive(Debug)]
pub struct StreamBytes<'a> {
    /// How it was compressed, the outermost layer first.
    pub compression: Vec<Compression>,
    /// Its bytes.
    pub input: Input<'a>,
    diagnostics: Diagnostics,
}

/// A decoded recording of any format.
#[derive(Debug, Clone, PartialEq)]
pub struct Recording {
    /// What happened.
    pub trace: Trace,
    /// What only recordings of its format have.
    pub origin: Origin,
}

/// What only recordings of one format have.
#[derive(Debug, Clone, PartialEq)]
pub enum Origin {
    /// Of a trace buffer of ThreadX.
    ThreadX {
        /// Where the buffer's parts lay.
        buffer: threadx::Buffer,
        /// Whether the ring has wrapped, so that older events may be lost.
        wrapped: bool,
        /// The network stack.
        netx: threadx::NetxDialect,
    },
    /// Of a stream of RKH.
    Rkh(Box<rkh::Stream>),
    /// Of a context-switch log.
    Cswitch(Box<cswitch::Origin>),
}

/// Says what the events of a trace of any format mean.
pub enum Interpreter<'t> {
    /// Of a ThreadX trace.
    ThreadX(Box<threadx::Interpreter>),
    /// Of an RKH trace.
    Rkh(Box<rkh::Interpreter<'t>>),
    /// Of a context-switch log.
    Cswitch(Box<cswitch::Interpreter<'t>>),
}

/// Why a stream has no trace buffers.
const NOT_THREADX: DecodeError = DecodeError::OtherFormat {
    found: "an RKH trace stream",
    expected: "a ThreadX trace buffer",
};

impl<'a> Content<'a> {
    /// Unpacks an input and finds what is in it: of `format` if it is given,
    /// else of the format that its bytes speak for. `choice` says which of
    /// several trace buffers is meant.
    pub fn open(
        input: Input<'a>,
        choice: Choice,
        format: Option<Format>,
    ) -> Result<Self, DecodeError> {
        let decompressed = container::decompress(input)?;
        let bytes = decompressed.input.bytes();
        let is_open = format.is_none() && choice == Choice::First;
        if is_open && cswitch::is_container(bytes) {
            return cswitch_dump(container::image(decompressed)?);
        }
        let looks_like_rkh = format != Some(Format::Rkh) && rkh::is_stream(bytes);
        let is_rkh = match format {
            Some(format) => format == Format::Rkh,
            None => is_open && looks_like_rkh && !may_hold_buffers(bytes),
        };
        if is_rkh {
            let Decompressed {
                input,
                compression,
                diagnostics,
            } = decompressed;
            return Ok(Self::Rkh(StreamBytes {
                compression,
                input,
                diagnostics,
            }));
        }
        let image = container::image(decompressed)?;
        if format == Some(Format::Cswitch) {
            return cswitch_dump(image);
        }
        match open::buffers(&image) {
            Ok(buffers) => open::opened(image, buffers, choice).map(Self::ThreadX),
            Err(DecodeError::NoBuffer { .. }) if looks_like_rkh => Err(NOT_THREADX),
            Err(DecodeError::NoBuffer { .. }) if is_open && cswitch::is_log(&image.memory) => {
                cswitch_dump(image)
            }
            Err(error) => Err(error),
        }
    }

    /// Decodes it.
    pub fn decode(&self, options: &Options) -> Result<Recording, DecodeError> {
        match self {
            Self::ThreadX(opened) => {
                let recording = opened.decode(&options.threadx)?;
                Ok(Recording {
                    trace: recording.trace,
                    origin: Origin::ThreadX {
                        buffer: recording.buffer,
                        wrapped: recording.wrapped,
                        netx: options.threadx.netx,
                    },
                })
            }
            Self::Rkh(stream) => {
                let mut recording = rkh::decode(stream.input.bytes(), &options.rkh)?;
                let mut diagnostics = stream.diagnostics.clone();
                diagnostics.extend(recording.trace.diagnostics);
                recording.trace.diagnostics = diagnostics;
                Ok(Recording {
                    trace: recording.trace,
                    origin: Origin::Rkh(Box::new(recording.stream)),
                })
            }
            Self::Cswitch(dump) => {
                let recording = dump.decode(&options.cswitch)?;
                Ok(Recording {
                    trace: recording.trace,
                    origin: Origin::Cswitch(Box::new(recording.origin)),
                })
            }
        }
    }

    /// The format.
    pub const fn format(&self) -> Format {
        match self {
            Self::ThreadX(_) => Format::ThreadX,
            Self::Rkh(_) => Format::Rkh,
            Self::Cswitch(_) => Format::Cswitch,
        }
    }

    /// The trace buffers, where an operation is about them.
    ///
    /// # Errors
    ///
    /// If it holds none.
    pub fn buffers(&self) -> Result<&Opened<'a>, DecodeError> {
        match self {
            Self::ThreadX(opened) => Ok(opened),
            Self::Rkh(_) => Err(NOT_THREADX),
            Self::Cswitch(_) => Err(DecodeError::OtherFormat {
                found: "a context-switch log",
                expected: "a ThreadX trace buffer",
            }),
        }
    }

    /// What is damaged, odd or missing around the trace.
    pub fn diagnostics(&self) -> &Diagnostics {
        match self {
            Self::ThreadX(opened) => opened.diagnostics(),
            Self::Rkh(stream) => &stream.diagnostics,
            Self::Cswitch(dump) => dump.diagnostics(),
        }
    }
}

fn cswitch_dump(image: Image<'_>) -> Result<Content<'_>, DecodeError> {
    Ok(Content::Cswitch(Box::new(cswitch::Dump::new(image))))
}

/// Whether memory that looks like a stream by chance holds trace buffers. A
/// recorded stream mostly begins with a flag.
fn may_hold_buffers(bytes: &[u8]) -> bool {
    let id = (ID as u32).to_le_bytes();
    let has_id = |order: &[u8]| memchr::memmem::find(bytes, order).is_some();
    let swapped = (ID as u32).to_be_bytes();
    bytes.first() != Some(&FLAG) && (has_id(&id) || has_id(&swapped))
}

impl Origin {
    /// The format.
    pub const fn format(&self) -> Format {
        match self {
            Self::ThreadX { .. } => Format::ThreadX,
            Self::Rkh(_) => Format::Rkh,
            Self::Cswitch(_) => Format::Cswitch,
        }
    }

    /// What a stream says beside its trace.
    pub fn stream(&self) -> Option<&rkh::Stream> {
        match self {
            Self::ThreadX { .. } | Self::Cswitch(_) => None,
            Self::Rkh(stream) => Some(stream),
        }
    }

    /// Says what the events of its trace mean.
    pub fn interpreter<'t>(&self, trace: &'t Trace) -> Interpreter<'t> {
        match self {
            Self::ThreadX { .. } => {
                Interpreter::ThreadX(Box::new(threadx::Interpreter::new(trace)))
            }
            Self::Rkh(_) => Interpreter::Rkh(Box::new(rkh::Interpreter::new(trace))),
            Self::Cswitch(_) => Interpreter::Cswitch(Box::new(cswitch::Interpreter::new(trace))),
        }
    }

    /// What the components of the target count.
    pub fn statistics(&self) -> &'static [Statistic] {
        match self {
            Self::ThreadX { netx, .. } => threadx::catalogue::statistics(*netx),
            Self::Rkh(_) | Self::Cswitch(_) => &[],
        }
    }
}

impl Interpret for Interpreter<'_> {
    fn act(&mut self, event: &Event) -> Act {
        match self {
            Self::ThreadX(interpreter) => interpreter.act(event),
            Self::Rkh(interpreter) => interpreter.act(event),
            Self::Cswitch(interpreter) => interpreter.act(event),
        }
    }

    fn aside(&self) -> Option<Act> {
        match self {
            Self::ThreadX(interpreter) => interpreter.aside(),
            Self::Rkh(interpreter) => interpreter.aside(),
            Self::Cswitch(interpreter) => interpreter.aside(),
        }
    }

    fn resources(&self) -> &[Resource] {
        match self {
            Self::ThreadX(interpreter) => interpreter.resources(),
            Self::Rkh(interpreter) => interpreter.resources(),
            Self::Cswitch(interpreter) => interpreter.resources(),
        }
    }

    fn routines(&self) -> &[Routine] {
        match self {
            Self::ThreadX(interpreter) => interpreter.routines(),
            Self::Rkh(interpreter) => interpreter.routines(),
            Self::Cswitch(interpreter) => interpreter.routines(),
        }
    }

    fn reaction(&self, event: &Event) -> Reaction {
        match self {
            Self::ThreadX(interpreter) => interpreter.reaction(event),
            Self::Rkh(interpreter) => interpreter.reaction(event),
            Self::Cswitch(interpreter) => interpreter.reaction(event),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn data(name: &str) -> Vec<u8> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
        std::fs::read(folder.join(name)).unwrap()
    }

    fn format(bytes: &[u8], wanted: Option<Format>) -> Result<Format, DecodeError> {
        let content = Content::open(Input::new(bytes), Choice::First, wanted)?;
        let recording = content.decode(&Options::default())?;
        Ok(recording.origin.format())
    }

    #[test]
    fn formats_are_told_apart_by_content() {
        let stream = data("rkh/nat_short.bin");
        let buffer = data("threadx/cm3_short.trx");
        assert_eq!(format(&stream, None).unwrap(), Format::Rkh);
        assert_eq!(format(&buffer, None).unwrap(), Format::ThreadX);
        // Begun behind its first flag.
        assert_eq!(format(&stream[1..], None).unwrap(), Format::Rkh);
        // Memory with a stream and a buffer in it.
        let memory = [&stream[1..], &buffer].concat();
        assert_eq!(format(&memory, None).unwrap(), Format::ThreadX);
        assert_eq!(format(&memory, Some(Format::Rkh)).unwrap(), Format::Rkh);
    }

    #[test]
    fn another_format_than_the_wanted_is_an_error() {
        let stream = data("rkh/nat_short.bin");
        let error = format(&stream, Some(Format::ThreadX)).unwrap_err();
        assert!(matches!(error, DecodeError::OtherFormat { .. }), "{error}");
        let buffer = data("threadx/cm3_short.trx");
        assert!(format(&buffer, Some(Format::Rkh)).is_err());
    }
}
