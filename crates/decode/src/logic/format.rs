//! The captures as a format of the registry.

use super::capture_reader::CaptureReader;
use super::{capture_info, catalogue, probe, sigrok};
use crate::container::MemoryImage;
use crate::format::detection::ProbeWindow;
use crate::format::{FormatDefinition, FormatInput};
use crate::live::FormatDecoder;
use crate::packet_stream::{RawInput, StreamDecoder};
use crate::{BufferChoice, DecodeError, DecodeOptions};
use crate::{Format, FormatDescription};
use rtoscope_trace::Catalogue;
use schemars::{Schema, SchemaGenerator};

/// Captures of logic analysers.
pub const FORMAT: Format = Format::new(&LogicCapture);

struct LogicCapture;

impl FormatDefinition for LogicCapture {
    fn description(&self) -> &'static FormatDescription {
        &FormatDescription {
            name: "logic",
            title: "logic analyser capture",
            plural: "logic analyser captures",
            extensions: &["sr"],
            shared_extensions: &["vcd", "csv"],
            code: 8,
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
        capture_info::members_schema(generator)
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
        Ok(Box::new(RawInput::new(
            image,
            |bytes, options, keeps_offsets| match bytes.starts_with(sigrok::MAGIC) {
                true => sigrok::decode(bytes, &options.logic),
                false => StreamDecoder::<CaptureReader>::decode_file(bytes, options, keeps_offsets),
            },
        )))
    }

    fn decoder(&self, options: &DecodeOptions, offset: u64) -> Box<dyn FormatDecoder> {
        Box::new(StreamDecoder::<CaptureReader>::new(options, offset))
    }
}
