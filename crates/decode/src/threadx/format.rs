//! The ThreadX trace buffer as a format of the registry.

use super::facts;
use super::live::ThreadXLiveDecoder;
use super::packet_file::PacketFile;
use super::{BufferImage, NetxDialect, ThreadXInterpreter, TraceBuffer, buffer_image, extract};
use super::{catalogue, header_scan, packet};
use crate::black_box::BlackBox;
use crate::container::{Compression, Container, MemoryImage};
use crate::format::detection::ProbeWindow;
use crate::format::{
    Conversion, ConvertedBytes, EventInterpreter, FormatDefinition, FormatDetails, FormatFacts,
    FormatInput, RegistryTypes, TargetMemory, Transmissions,
};
use crate::live::FormatDecoder;
use crate::sections::SIGNATURE_BYTES;
use crate::{BufferChoice, DecodeError, DecodeOptions, DecodedRecording};
use crate::{Format, FormatDescription, FormatInfo};
use rtoscope_trace::{Catalogue, Diagnostics, Statistic, Trace};
use rtoscope_wire::ByteOrder;
use rtoscope_wire::threadx::BufferLayout;
use schemars::{JsonSchema as _, Schema, SchemaGenerator};
use std::collections::HashMap;
use std::io::{self, Write};

/// The ThreadX trace buffer.
pub const FORMAT: Format = Format::new(&ThreadX);

struct ThreadX;

/// Properties of a recording that only a trace buffer has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BufferInfo {
    /// The location of the buffer's parts.
    pub buffer: TraceBuffer,
    /// Whether the target sent the trace as packets, so that the addresses of the buffer are
    /// unknown.
    pub is_sent: bool,
    /// Whether the ring has wrapped, so that older events may be lost.
    pub is_wrapped: bool,
    /// The black box that contains the buffer.
    pub black_box: Option<BlackBox>,
    /// The network stack.
    pub netx: NetxDialect,
    /// All buffers of the input; empty for a recording that arrived live, whose
    /// buffers form one trace.
    pub buffers: Vec<ListedBuffer>,
}

/// A buffer of an input with several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedBuffer {
    /// The buffer.
    pub buffer: TraceBuffer,
    /// The offset in the (decompressed) input, if the buffer is contiguous
    /// there.
    pub offset: Option<u64>,
    /// Its place in the decoded timeline, from 0; `None` if it is no part of it.
    pub position: Option<usize>,
}

impl FormatDefinition for ThreadX {
    fn description(&self) -> &'static FormatDescription {
        &FormatDescription {
            name: "threadx",
            title: "ThreadX event trace",
            plural: "ThreadX event traces",
            article: "a",
            extensions: &["trx", "txts"],
            shared_extensions: &["bin"],
            code: 1,
            settings: &[
                "core-bits",
                "netx",
                "custom-events",
                "text-encoding",
                "clock-direction",
                "clock-mask",
                "clock-period",
                "symbols",
            ],
            unrecorded_tables: &[FormatDescription::ACTIVE_OBJECTS, &["interrupts_off"]],
            is_in_memory_images: true,
            has_buffers: true,
            is_record_stream: false,
            target_memory: TargetMemory::Buffer {
                // `tx_trace.h`
                pointer: "_tx_trace_header_ptr",
            },
        }
    }

    fn members_schema(&self, generator: &mut SchemaGenerator) -> Schema {
        facts::BufferMembers::json_schema(generator)
    }

    fn catalogue(&self, options: &DecodeOptions) -> Catalogue {
        super::catalogue(&options.threadx)
    }

    fn registry_types(&self) -> Option<RegistryTypes> {
        Some(catalogue::registry_types())
    }

    fn probe(&self, window: &ProbeWindow<'_>) -> Option<usize> {
        if window.is_start
            && let Some(id_bytes) = header_scan::id_bytes_at_start(window.bytes)
        {
            return Some(id_bytes);
        }
        let packet = packet::find(window.bytes).map(|start| start + SIGNATURE_BYTES);
        let buffer = || {
            let start = header_scan::first_header(window.bytes)?;
            let header = window.bytes.get(start..)?;
            Some(start + BufferLayout::detect(header)?.header_bytes())
        };
        [packet, buffer()].into_iter().flatten().min()
    }

    fn open<'a>(
        &self,
        image: MemoryImage<'a>,
        choice: BufferChoice,
    ) -> Result<Box<dyn FormatInput + 'a>, DecodeError> {
        if choice == BufferChoice::First && PacketFile::is_in(&image) {
            return Ok(Box::new(PacketFile::new(image)));
        }
        Ok(Box::new(buffer_image::from_image(image, choice)?))
    }

    fn decoder(&self, options: &DecodeOptions, offset: u64) -> Box<dyn FormatDecoder> {
        Box::new(ThreadXLiveDecoder::new(&options.threadx, offset))
    }
}

impl FormatDetails for BufferInfo {
    fn format(&self) -> Format {
        FORMAT
    }

    fn interpreter(&self, trace: &Trace) -> EventInterpreter {
        EventInterpreter::new(ThreadXInterpreter::new(trace))
    }

    fn statistics(&self) -> &'static [Statistic] {
        catalogue::statistics(self.netx)
    }

    fn facts(&self, _trace: &Trace) -> FormatFacts {
        facts::facts(self)
    }
}

impl FormatInput for BufferImage<'_> {
    fn container(&self) -> Container {
        self.container
    }

    fn compression(&self) -> &[Compression] {
        &self.compression
    }

    fn diagnostics(&self) -> &Diagnostics {
        BufferImage::diagnostics(self)
    }

    fn decode(&self, options: &DecodeOptions) -> Result<DecodedRecording, DecodeError> {
        let decoded = self.decode_with_progress(&options.threadx, &options.progress)?;
        let parts = self.timeline.iter().map(|part| part.buffer.address);
        let positions: HashMap<u64, usize> = parts.zip(0..).collect();
        let listed = |buffer: &TraceBuffer| ListedBuffer {
            buffer: *buffer,
            offset: self.memory.offset_of(buffer.address),
            position: positions.get(&buffer.address).copied(),
        };
        let buffers = self.buffers.iter().map(listed).collect();
        Ok(DecodedRecording {
            trace: decoded.trace,
            format_info: FormatInfo::new(BufferInfo {
                buffer: decoded.buffer,
                is_sent: false,
                is_wrapped: decoded.is_wrapped,
                black_box: decoded.black_box,
                netx: options.threadx.netx,
                buffers,
            }),
        })
    }

    fn convert(
        &self,
        _options: &DecodeOptions,
        order: Option<ByteOrder>,
    ) -> Option<Result<Box<dyn Conversion + '_>, DecodeError>> {
        Some(Ok(Box::new(BufferConversion { image: self, order })))
    }

    fn transmissions(&self, _options: &DecodeOptions) -> Result<Transmissions<'_>, DecodeError> {
        let mut bytes = Vec::new();
        let mut ends = Vec::new();
        for buffer in &self.buffers {
            extract(&self.memory, buffer, buffer.layout.order, &mut bytes)
                .map_err(|error| unwritable(&error))?;
            ends.push(bytes.len());
        }
        Ok(Transmissions::Dumps { bytes, ends })
    }
}

fn unwritable(error: &io::Error) -> DecodeError {
    DecodeError::Extraction {
        problem: error.to_string(),
    }
}

/// Writes the selected buffers of an image.
struct BufferConversion<'a> {
    image: &'a BufferImage<'a>,
    order: Option<ByteOrder>,
}

impl Conversion for BufferConversion<'_> {
    fn diagnostics(&self) -> &Diagnostics {
        self.image.diagnostics()
    }

    fn write(&self, output: &mut dyn Write) -> io::Result<ConvertedBytes> {
        let parts = self.image.timeline.iter();
        let wanted = parts.map(|part| part.extended().bytes());
        let wanted = wanted.fold(0, u64::saturating_add);
        let written = self.image.write(self.order, output)?;
        Ok(ConvertedBytes {
            bytes: written.bytes,
            missing_bytes: written.missing_bytes,
            cut_bytes: wanted.saturating_sub(written.bytes),
        })
    }
}
