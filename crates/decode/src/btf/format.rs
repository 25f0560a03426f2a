//! The files as a format of the registry.

use super::decoder::LineDecoder;
use super::{catalogue, file_info, probe};
use crate::container::{Compression, Container, MemoryImage};
use crate::format::detection::ProbeWindow;
use crate::format::{FormatDefinition, FormatInput, TargetMemory, Transmissions};
use crate::live::FormatDecoder;
use crate::{BufferChoice, DecodeError, DecodeOptions, DecodedRecording};
use crate::{Format, FormatDescription};
use rtoscope_trace::{Catalogue, Diagnostics};
use schemars::{Schema, SchemaGenerator};

/// The Best Trace Format.
pub const FORMAT: Format = Format::new(&BestTraceFormat);

struct BestTraceFormat;

impl FormatDefinition for BestTraceFormat {
    fn description(&self) -> &'static FormatDescription {
        &FormatDescription {
            name: "btf",
            title: "BTF trace",
            plural: "BTF traces",
            article: "a",
            extensions: &["btf"],
            code: 6,
            settings: &["clock-override", "text-encoding"],
            unrecorded_tables: &[
                "interrupts_off",
                "call_stack_frames",
                "inversions",
                "stacks",
                "levels",
                "posts",
                "steps",
                "state_intervals",
                "transitions",
                "timers",
            ],
            is_in_memory_images: false,
            has_buffers: false,
            is_record_stream: false,
            target_memory: TargetMemory::Sent,
        }
    }

    fn members_schema(&self, generator: &mut SchemaGenerator) -> Schema {
        file_info::members_schema(generator)
    }

    fn catalogue(&self, _options: &DecodeOptions) -> Catalogue {
        catalogue::standard().clone()
    }

    fn probe(&self, window: &ProbeWindow<'_>) -> Option<usize> {
        probe::probe(window)
    }

    fn is_text(&self, bytes: &[u8]) -> bool {
        probe::is_text(bytes)
    }

    fn open<'a>(
        &self,
        image: MemoryImage<'a>,
        _choice: BufferChoice,
    ) -> Result<Box<dyn FormatInput + 'a>, DecodeError> {
        Ok(Box::new(FileInput { image }))
    }

    fn decoder(&self, options: &DecodeOptions, offset: u64) -> Box<dyn FormatDecoder> {
        Box::new(LineDecoder::new(&options.btf, offset))
    }
}

/// The bytes of a file.
#[derive(Debug)]
struct FileInput<'a> {
    image: MemoryImage<'a>,
}

impl FileInput<'_> {
    fn bytes(&self) -> &[u8] {
        let segments = self.image.memory.segments();
        segments.first().map_or(&[], |segment| &segment.bytes)
    }

    fn decode_file(
        &self,
        options: &DecodeOptions,
        keeps_offsets: bool,
    ) -> Result<DecodedRecording, DecodeError> {
        let mut decoded = LineDecoder::decode_file(self.bytes(), &options.btf, keeps_offsets)?;
        let mut diagnostics = self.image.diagnostics.clone();
        diagnostics.extend(decoded.trace.diagnostics);
        decoded.trace.diagnostics = diagnostics;
        Ok(decoded)
    }
}

impl FormatInput for FileInput<'_> {
    fn container(&self) -> Container {
        Container::Raw
    }

    fn compression(&self) -> &[Compression] {
        &self.image.compression
    }

    fn diagnostics(&self) -> &Diagnostics {
        &self.image.diagnostics
    }

    fn decode(&self, options: &DecodeOptions) -> Result<DecodedRecording, DecodeError> {
        self.decode_file(options, false)
    }

    fn transmissions(&self, options: &DecodeOptions) -> Result<Transmissions<'_>, DecodeError> {
        Ok(Transmissions::Records {
            bytes: self.bytes(),
            recording: Box::new(self.decode_file(options, true)?),
        })
    }
}
