//! The streams as a format of the registry.

use super::{probe, reader, stream_info};
use crate::container::MemoryImage;
use crate::format::{FormatDefinition, FormatInput};
use crate::packet_stream::RawInput;
use crate::{BufferChoice, DecodeError};
use crate::{Format, FormatDescription};
use schemars::{Schema, SchemaGenerator};

/// Streams of Tonbandgeraet.
pub const FORMAT: Format = Format::new(&Tonbandgeraet);

struct Tonbandgeraet;

impl FormatDefinition for Tonbandgeraet {
    fn description(&self) -> &'static FormatDescription {
        &FormatDescription {
            name: "tband",
            title: "Tonbandgeraet stream",
            plural: "Tonbandgeraet streams",
            extensions: &["tband"],
            code: 10,
            settings: &["clock-override", "mapping", "text-encoding"],
            unrecorded_tables: &[
                FormatDescription::ACTIVE_OBJECTS,
                &[
                    "interrupts_off",
                    "call_stack_frames",
                    "inversions",
                    "stacks",
                ],
            ],
            ..FormatDescription::SENT
        }
    }

    fn members_schema(&self, generator: &mut SchemaGenerator) -> Schema {
        stream_info::members_schema(generator)
    }

    fn resembles(&self, bytes: &[u8]) -> bool {
        probe::resembles(bytes)
    }

    fn open<'a>(
        &self,
        image: MemoryImage<'a>,
        _choice: BufferChoice,
    ) -> Result<Box<dyn FormatInput + 'a>, DecodeError> {
        Ok(Box::new(RawInput::new(image, |bytes, options, _| {
            reader::decode(bytes, &options.mapping)
        })))
    }
}
