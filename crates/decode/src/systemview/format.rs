//! The stream as a format of the registry.

use super::descriptions::Descriptions;
use super::event_reader::EventReader;
use super::{catalogue, probe, stream_info};
use crate::container::MemoryImage;
use crate::format::detection::ProbeWindow;
use crate::format::{FormatDefinition, FormatInput, TargetCommand};
use crate::live::FormatDecoder;
use crate::packet_stream::{RawInput, StreamDecoder};
use crate::{BufferChoice, DecodeError, DecodeOptions};
use crate::{Format, FormatDescription};
use rtoscope_trace::Catalogue;
use rtoscope_wire::systemview::command;
use schemars::{Schema, SchemaGenerator};

/// The SystemView stream.
pub const FORMAT: Format = Format::new(&SystemView);

struct SystemView;

/// The hello of a host, which recorders for UART and TCP/IP wait for, with a version that is no
/// command, and the command to start. Others ignore the hello.
const START: [u8; 5] = [b'S', b'V', 0x20, 0x20, command::START];

impl FormatDefinition for SystemView {
    fn description(&self) -> &'static FormatDescription {
        &FormatDescription {
            name: "systemview",
            title: "SystemView stream",
            plural: "SystemView streams",
            extensions: &["svdat"],
            code: 4,
            settings: &["clock-override", "custom-events", "text-encoding"],
            unrecorded_tables: &[
                FormatDescription::ACTIVE_OBJECTS,
                FormatDescription::LOCKS,
                &["interrupts_off", "call_stack_frames", "stacks", "levels"],
            ],
            ..FormatDescription::SENT
        }
    }

    fn members_schema(&self, generator: &mut SchemaGenerator) -> Schema {
        stream_info::members_schema(generator)
    }

    fn catalogue(&self, options: &DecodeOptions) -> Catalogue {
        let mut catalogue = catalogue::standard().clone();
        let own = options.systemview.descriptions.clone();
        let name = if own.is_some() { "calls" } else { "FreeRTOS" };
        if let Some(calls) = own.or_else(|| Descriptions::of_system(name)) {
            catalogue.extend(calls.kinds(name));
        }
        catalogue
    }

    fn target_command(&self, wanted: TargetCommand) -> Option<Vec<u8>> {
        Some(match wanted {
            TargetCommand::Start => START.to_vec(),
            TargetCommand::Stop => vec![command::STOP],
            TargetCommand::Names => vec![
                command::GET_SYSTEM_DESCRIPTION,
                command::GET_TASK_LIST,
                command::GET_MODULE_DESCRIPTIONS,
            ],
            TargetCommand::Snapshot => return None,
        })
    }

    fn greeting(&self) -> &'static [u8] {
        &START
    }

    fn probe(&self, window: &ProbeWindow<'_>) -> Option<usize> {
        probe::probe(window)
    }

    fn resembles(&self, bytes: &[u8]) -> bool {
        probe::resembles(bytes)
    }

    fn open<'a>(
        &self,
        image: MemoryImage<'a>,
        _choice: BufferChoice,
    ) -> Result<Box<dyn FormatInput + 'a>, DecodeError> {
        let decode_file = StreamDecoder::<EventReader>::decode_file;
        Ok(Box::new(RawInput::new(image, decode_file)))
    }

    fn decoder(&self, options: &DecodeOptions, offset: u64) -> Box<dyn FormatDecoder> {
        Box::new(StreamDecoder::<EventReader>::new(options, offset))
    }
}
