//! Inputs of all formats.

use crate::container::{self, Compression, DecompressedInput, MemoryImage};
use crate::open::{self, BufferChoice, BufferImage};
use crate::source::Input;
use crate::{DecodeError, cswitch, rkh, threadx};
use rtoscope_trace::{
    ActiveObjectEvent, Diagnostics, Event, Interpret, IsrFunction, Resource, SchedEvent, Statistic,
    Trace,
};
use rtoscope_wire::rkh::frame::FLAG;
use rtoscope_wire::threadx::TXTB_ID;

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
pub struct DecodeOptions {
    /// About a trace buffer of ThreadX.
    pub threadx: threadx::ThreadXOptions,
    /// About a stream of RKH.
    pub rkh: rkh::RkhOptions,
    /// About a context-switch log.
    pub cswitch: cswitch::CswitchOptions,
}

/// An unpacked input of any format.
#[derive(Debug)]
pub enum UnpackedInput<'a> {
    /// Memory with trace buffers of ThreadX in it.
    ThreadX(BufferImage<'a>),
    /// A stream of RKH.
    Rkh(RkhStreamBytes<'a>),
    /// A context-switch log, or memory that holds one.
    Cswitch(Box<cswitch::LogImage<'a>>),
}

/// The bytes of a stream of RKH, without their compression.
#[derive(Debug)]
pub struct RkhStreamBytes<'a> {
    /// How it was compressed, the outermost layer first.
    pub compression: Vec<Compression>,
    /// Its bytes.
    pub input: Input<'a>,
    diagnostics: Diagnostics,
}

/// A decoded recording of any format.
#[derive(Debug, Clone, PartialEq)]
pub struct DecodedRecording {
    /// What happened.
    pub trace: Trace,
    /// What only recordings of its format have.
    pub format_info: FormatInfo,
}

/// What only recordings of one format have.
#[derive(Debug, Clone, PartialEq)]
pub enum FormatInfo {
    /// Of a trace buffer of ThreadX.
    ThreadX {
        /// Where the buffer's parts lay.
        buffer: threadx::TraceBuffer,
        /// Whether the ring has wrapped, so that older events may be lost.
        wrapped: bool,
        /// The network stack.
        netx: threadx::NetxDialect,
    },
    /// Of a stream of RKH.
    Rkh(Box<rkh::StreamInfo>),
    /// Of a context-switch log.
    Cswitch(Box<cswitch::LogInfo>),
}

/// Says what the events of a trace of any format mean.
pub enum EventInterpreter<'t> {
    /// Of a ThreadX trace.
    ThreadX(Box<threadx::ThreadXInterpreter>),
    /// Of an RKH trace.
    Rkh(Box<rkh::RkhInterpreter<'t>>),
    /// Of a context-switch log.
    Cswitch(Box<cswitch::CswitchInterpreter<'t>>),
}

/// Why a stream has no trace buffers.
const NOT_THREADX_ERROR: DecodeError = DecodeError::OtherFormat {
    found: "an RKH trace stream",
    expected: "a ThreadX trace buffer",
};

impl<'a> UnpackedInput<'a> {
    /// Unpacks an input and finds what is in it: of `format` if it is given,
    /// else of the format that its bytes speak for. `choice` says which of
    /// several trace buffers is meant.
    pub fn open(
        input: Input<'a>,
        choice: BufferChoice,
        format: Option<Format>,
    ) -> Result<Self, DecodeError> {
        let decompressed = container::decompress(input)?;
        let bytes = decompressed.input.bytes();
        let is_open = format.is_none() && choice == BufferChoice::First;
        if is_open && cswitch::is_container(bytes) {
            return cswitch_image(container::unpack_image(decompressed)?);
        }
        let looks_like_rkh = format != Some(Format::Rkh) && rkh::is_stream(bytes);
        let is_rkh = match format {
            Some(format) => format == Format::Rkh,
            None => is_open && looks_like_rkh && !may_contain_buffers(bytes),
        };
        if is_rkh {
            let DecompressedInput {
                input,
                compression,
                diagnostics,
            } = decompressed;
            return Ok(Self::Rkh(RkhStreamBytes {
                compression,
                input,
                diagnostics,
            }));
        }
        let image = container::unpack_image(decompressed)?;
        if format == Some(Format::Cswitch) {
            return cswitch_image(image);
        }
        match open::find_buffers(&image) {
            Ok(buffers) => open::select_buffer(image, buffers, choice).map(Self::ThreadX),
            Err(DecodeError::NoBuffer { .. }) if looks_like_rkh => Err(NOT_THREADX_ERROR),
            Err(DecodeError::NoBuffer { .. })
                if is_open && cswitch::contains_log(&image.memory) =>
            {
                cswitch_image(image)
            }
            Err(error) => Err(error),
        }
    }

    /// Decodes it.
    pub fn decode(&self, options: &DecodeOptions) -> Result<DecodedRecording, DecodeError> {
        match self {
            Self::ThreadX(opened) => {
                let recording = opened.decode(&options.threadx)?;
                Ok(DecodedRecording {
                    trace: recording.trace,
                    format_info: FormatInfo::ThreadX {
                        buffer: recording.buffer,
                        wrapped: recording.is_wrapped,
                        netx: options.threadx.netx,
                    },
                })
            }
            Self::Rkh(stream) => {
                let mut recording = rkh::decode(stream.input.bytes(), &options.rkh)?;
                let mut diagnostics = stream.diagnostics.clone();
                diagnostics.extend(recording.trace.diagnostics);
                recording.trace.diagnostics = diagnostics;
                Ok(DecodedRecording {
                    trace: recording.trace,
                    format_info: FormatInfo::Rkh(Box::new(recording.stream_info)),
                })
            }
            Self::Cswitch(dump) => {
                let recording = dump.decode(&options.cswitch)?;
                Ok(DecodedRecording {
                    trace: recording.trace,
                    format_info: FormatInfo::Cswitch(Box::new(recording.log_info)),
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
    pub fn buffers(&self) -> Result<&BufferImage<'a>, DecodeError> {
        match self {
            Self::ThreadX(opened) => Ok(opened),
            Self::Rkh(_) => Err(NOT_THREADX_ERROR),
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

fn cswitch_image(image: MemoryImage<'_>) -> Result<UnpackedInput<'_>, DecodeError> {
    Ok(UnpackedInput::Cswitch(Box::new(cswitch::LogImage::new(
        image,
    ))))
}

/// Whether memory that looks like a stream by chance holds trace buffers. A
/// recorded stream mostly begins with a flag.
fn may_contain_buffers(bytes: &[u8]) -> bool {
    let id = (TXTB_ID as u32).to_le_bytes();
    let has_id = |order: &[u8]| memchr::memmem::find(bytes, order).is_some();
    let swapped = (TXTB_ID as u32).to_be_bytes();
    bytes.first() != Some(&FLAG) && (has_id(&id) || has_id(&swapped))
}

impl FormatInfo {
    /// The format.
    pub const fn format(&self) -> Format {
        match self {
            Self::ThreadX { .. } => Format::ThreadX,
            Self::Rkh(_) => Format::Rkh,
            Self::Cswitch(_) => Format::Cswitch,
        }
    }

    /// What a stream says beside its trace.
    pub fn stream(&self) -> Option<&rkh::StreamInfo> {
        match self {
            Self::ThreadX { .. } | Self::Cswitch(_) => None,
            Self::Rkh(stream) => Some(stream),
        }
    }

    /// Says what the events of its trace mean.
    pub fn interpreter<'t>(&self, trace: &'t Trace) -> EventInterpreter<'t> {
        match self {
            Self::ThreadX { .. } => {
                EventInterpreter::ThreadX(Box::new(threadx::ThreadXInterpreter::new(trace)))
            }
            Self::Rkh(_) => EventInterpreter::Rkh(Box::new(rkh::RkhInterpreter::new(trace))),
            Self::Cswitch(_) => {
                EventInterpreter::Cswitch(Box::new(cswitch::CswitchInterpreter::new(trace)))
            }
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

impl Interpret for EventInterpreter<'_> {
    fn sched_event(&mut self, event: &Event) -> SchedEvent {
        match self {
            Self::ThreadX(interpreter) => interpreter.sched_event(event),
            Self::Rkh(interpreter) => interpreter.sched_event(event),
            Self::Cswitch(interpreter) => interpreter.sched_event(event),
        }
    }

    fn secondary_event(&self) -> Option<SchedEvent> {
        match self {
            Self::ThreadX(interpreter) => interpreter.secondary_event(),
            Self::Rkh(interpreter) => interpreter.secondary_event(),
            Self::Cswitch(interpreter) => interpreter.secondary_event(),
        }
    }

    fn resources(&self) -> &[Resource] {
        match self {
            Self::ThreadX(interpreter) => interpreter.resources(),
            Self::Rkh(interpreter) => interpreter.resources(),
            Self::Cswitch(interpreter) => interpreter.resources(),
        }
    }

    fn isr_functions(&self) -> &[IsrFunction] {
        match self {
            Self::ThreadX(interpreter) => interpreter.isr_functions(),
            Self::Rkh(interpreter) => interpreter.isr_functions(),
            Self::Cswitch(interpreter) => interpreter.isr_functions(),
        }
    }

    fn active_object_event(&self, event: &Event) -> ActiveObjectEvent {
        match self {
            Self::ThreadX(interpreter) => interpreter.active_object_event(event),
            Self::Rkh(interpreter) => interpreter.active_object_event(event),
            Self::Cswitch(interpreter) => interpreter.active_object_event(event),
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
        let content = UnpackedInput::open(Input::new(bytes), BufferChoice::First, wanted)?;
        let recording = content.decode(&DecodeOptions::default())?;
        Ok(recording.format_info.format())
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
