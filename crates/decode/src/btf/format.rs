//! The files as a format of the registry.

use super::line_reader::LineReader;
use super::{catalogue, file_info, probe};
use crate::container::MemoryImage;
use crate::format::detection::ProbeWindow;
use crate::format::{FormatDefinition, FormatInput};
use crate::live::FormatDecoder;
use crate::packet_stream::{RawInput, StreamDecoder};
use crate::{BufferChoice, DecodeError, DecodeOptions};
use crate::{Format, FormatDescription};
use rtoscope_trace::Catalogue;
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
            extensions: &["btf"],
            code: 6,
            settings: &["clock-override", "text-encoding"],
            unrecorded_tables: &[
                FormatDescription::ACTIVE_OBJECTS,
                &[
                    "interrupts_off",
                    "call_stack_frames",
                    "inversions",
                    "stacks",
                    "levels",
                ],
            ],
            ..FormatDescription::SENT
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
        let decode_file = StreamDecoder::<LineReader>::decode_file;
        Ok(Box::new(RawInput::new(image, decode_file)))
    }

    fn decoder(&self, options: &DecodeOptions, offset: u64) -> Box<dyn FormatDecoder> {
        Box::new(StreamDecoder::<LineReader>::new(options, offset))
    }
}
