//! The texts as a format of the registry.

use super::{file_info, probe, reader};
use crate::container::MemoryImage;
use crate::format::detection::ProbeWindow;
use crate::format::{FormatDefinition, FormatInput};
use crate::packet_stream::RawInput;
use crate::{BufferChoice, DecodeError};
use crate::{Format, FormatDescription};
use schemars::{Schema, SchemaGenerator};

/// Texts with an event per line.
pub const FORMAT: Format = Format::new(&TextEvents);

struct TextEvents;

impl FormatDefinition for TextEvents {
    fn description(&self) -> &'static FormatDescription {
        &FormatDescription {
            name: "text-events",
            title: "text with events",
            plural: "texts with events",
            shared_extensions: &["csv", "jsonl"],
            code: 9,
            settings: &["clock-override", "mapping", "text-encoding"],
            unrecorded_tables: &[
                FormatDescription::ACTIVE_OBJECTS,
                &["interrupts_off", "call_stack_frames"],
            ],
            ..FormatDescription::SENT
        }
    }

    fn members_schema(&self, generator: &mut SchemaGenerator) -> Schema {
        file_info::members_schema(generator)
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
        Ok(Box::new(RawInput::new(image, |bytes, options, _| {
            reader::decode(bytes, &options.mapping)
        })))
    }
}
