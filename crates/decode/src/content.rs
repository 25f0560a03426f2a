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

/// A trace format.
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

/// Decode options: properties of an input that it does not contain itself, or
/// overrides.
#[derive(Debug, Clone, Default)]
pub struct DecodeOptions {
    /// Options for ThreadX trace buffers.
    pub threadx: threadx::ThreadXOptions,
    /// Options for RKH streams.
    pub rkh: rkh::RkhOptions,
    /// Options for context-switch logs.
    pub cswitch: cswitch::CswitchOptions,
}

/// An unpacked input and its format.
#[derive(Debug)]
pub enum UnpackedInput<'a> {
    /// Memory that contains ThreadX trace buffers.
    ThreadX(BufferImage<'a>),
    /// An RKH stream.
    Rkh(RkhStreamBytes<'a>),
    /// A context-switch log, or memory that contains one.
    Cswitch(Box<cswitch::LogImage<'a>>),
}

/// The decompressed bytes of an RKH stream.
#[derive(Debug)]
pub struct RkhStreamBytes<'a> {
    /// The compression layers, the outermost first.
    pub compression: Vec<Compression>,
    /// Its bytes.
    pub input: Input<'a>,
    diagnostics: Diagnostics,
}

/// A decoded recording of any format.
#[derive(Debug, Clone, PartialEq)]
pub struct DecodedRecording {
    /// The trace.
    pub trace: Trace,
    /// Properties specific to the format.
    pub format_info: FormatInfo,
}

/// Properties of a recording that only its format has.
#[derive(Debug, Clone, PartialEq)]
pub enum FormatInfo {
    /// A ThreadX trace buffer.
    ThreadX {
        /// The location of the buffer's parts.
        buffer: threadx::TraceBuffer,
        /// Whether the ring has wrapped, so that older events may be lost.
        wrapped: bool,
        /// The network stack.
        netx: threadx::NetxDialect,
    },
    /// An RKH stream.
    Rkh(Box<rkh::StreamInfo>),
    /// A context-switch log.
    Cswitch(Box<cswitch::LogInfo>),
}

/// Interprets the events of a trace of any format as scheduler events.
pub enum EventInterpreter<'t> {
    /// A ThreadX trace.
    ThreadX(Box<threadx::ThreadXInterpreter>),
    /// An RKH trace.
    Rkh(Box<rkh::RkhInterpreter<'t>>),
    /// A context-switch log.
    Cswitch(Box<cswitch::CswitchInterpreter<'t>>),
}

/// The error for a stream, which has no trace buffers.
const NOT_THREADX_ERROR: DecodeError = DecodeError::OtherFormat {
    found: "an RKH trace stream",
    expected: "a ThreadX trace buffer",
};

impl<'a> UnpackedInput<'a> {
    /// Unpacks an input and detects its format, unless `format` is given.
    /// `choice` selects one of several trace buffers.
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

    /// Decodes the input.
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

    /// The trace buffers, for operations that need them.
    ///
    /// # Errors
    ///
    /// If the input is not a ThreadX buffer.
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

    /// Damaged, unusual or missing parts around the trace.
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

/// Whether memory that looks like a stream by chance contains trace buffers. A
/// recorded stream usually begins with a flag.
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

    /// The stream properties of an RKH trace.
    pub fn stream(&self) -> Option<&rkh::StreamInfo> {
        match self {
            Self::ThreadX { .. } | Self::Cswitch(_) => None,
            Self::Rkh(stream) => Some(stream),
        }
    }

    /// Creates an interpreter of the trace's events.
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

    /// The statistics that the target's components report.
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
    fn formats_are_detected_by_content() {
        let stream = data("rkh/nat_short.bin");
        let buffer = data("threadx/cm3_short.trx");
        assert_eq!(format(&stream, None).unwrap(), Format::Rkh);
        assert_eq!(format(&buffer, None).unwrap(), Format::ThreadX);
        // Starts after the first flag.
        assert_eq!(format(&stream[1..], None).unwrap(), Format::Rkh);
        // Memory that contains a stream and a buffer.
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
