//! The RKH trace stream as a format of the registry.

use super::decoder::StreamDecoder;
use super::{
    RkhInterpreter, StreamInfo, catalogue, facts, filter_command, probe, record_members,
    transfer_fault, unit_test,
};
use crate::container::{Compression, Container, MemoryImage};
use crate::format::detection::ProbeWindow;
use crate::format::{
    EventInterpreter, FilterSettingError, FormatDefinition, FormatDetails, FormatFacts,
    FormatInput, TargetMemory, Transmissions,
};
use crate::live::FormatDecoder;
use crate::memory::Memory;
use crate::{BufferChoice, DecodeError, DecodeOptions, DecodedRecording};
use crate::{Format, FormatDescription, FormatInfo};
use rtoscope_trace::unit_test::RecordedTests;
use rtoscope_trace::{Catalogue, DiagnosticKind, Diagnostics, EventIndex, Trace};
use rtoscope_wire::rkh::StreamConfiguration;
use schemars::{JsonSchema as _, Schema, SchemaGenerator};
use serde_json::{Map, Value};

/// The RKH trace stream.
pub const FORMAT: Format = Format::new(&Rkh);

struct Rkh;

impl FormatDefinition for Rkh {
    fn description(&self) -> &'static FormatDescription {
        &FormatDescription {
            name: "rkh",
            title: "RKH trace stream",
            plural: "RKH trace streams",
            article: "an",
            extensions: &["rkh"],
            shared_extensions: &["bin"],
            code: 2,
            settings: &[
                "rkh-config",
                "rkh-set",
                "rkh-version",
                "guess",
                "split-glued",
                "clock-override",
                "symbols",
                "custom-events",
                "text-encoding",
            ],
            unrecorded_tables: &[
                FormatDescription::LOCKS,
                &["interrupts_off", "call_stack_frames", "stacks"],
            ],
            is_in_memory_images: false,
            has_buffers: false,
            is_record_stream: true,
            target_memory: TargetMemory::Sent,
        }
    }

    /// The kinds with all their arguments.
    fn members_schema(&self, generator: &mut SchemaGenerator) -> Schema {
        facts::StreamMembers::json_schema(generator)
    }

    fn catalogue(&self, _options: &DecodeOptions) -> Catalogue {
        catalogue::catalogue(&StreamConfiguration {
            sender: true,
            queue_low_water: true,
            pool_low_water: true,
            ..StreamConfiguration::default()
        })
    }

    fn probe(&self, window: &ProbeWindow<'_>) -> Option<usize> {
        probe::probe(window)
    }

    fn resembles(&self, bytes: &[u8]) -> bool {
        probe::is_stream(bytes) || transfer_fault::is_proven(bytes)
    }

    fn open<'a>(
        &self,
        mut image: MemoryImage<'a>,
        _choice: BufferChoice,
    ) -> Result<Box<dyn FormatInput + 'a>, DecodeError> {
        if let segments @ [_, _, ..] = image.memory.segments()
            && !image.memory.has_addresses()
        {
            // A text whose unreadable lines left gaps: sequence numbers show them, too.
            let parts: Vec<&[u8]> = segments.iter().map(|each| &*each.bytes).collect();
            image.memory = Memory::from_file_bytes(parts.concat());
        }
        let fault = image.memory.segments().first();
        if let Some(fault) = fault.and_then(|stream| transfer_fault::find(&stream.bytes)) {
            image.diagnostics.push(fault.diagnostic);
            if let Some(restored) = fault.restored {
                image.memory = Memory::from_file_bytes(restored);
            }
        }
        Ok(Box::new(StreamInput { image }))
    }

    fn filter_command(&self, setting: &str) -> Option<Result<Vec<u8>, FilterSettingError>> {
        let catalogue = self.catalogue(&DecodeOptions::default());
        Some(filter_command::encode(setting, &catalogue))
    }

    fn decoder(&self, options: &DecodeOptions, offset: u64) -> Box<dyn FormatDecoder> {
        Box::new(StreamDecoder::new(&options.rkh, offset))
    }
}

impl FormatDetails for StreamInfo {
    fn format(&self) -> Format {
        FORMAT
    }

    fn interpreter(&self, trace: &Trace) -> EventInterpreter {
        EventInterpreter::new(RkhInterpreter::new(trace))
    }

    fn facts(&self, trace: &Trace) -> FormatFacts {
        facts::facts(self, trace)
    }

    fn recorded_tests(&self, trace: &Trace) -> Option<RecordedTests> {
        Some(RecordedTests {
            component: unit_test::COMPONENT,
            directives: unit_test::directives(trace).collect(),
        })
    }

    fn encode_test_result(&self, line: u32, failure: Option<&str>) -> Option<Vec<u8>> {
        Some(unit_test::encode_result(line, failure))
    }

    fn record_offset(&self, event: EventIndex) -> Option<u64> {
        self.offset(event)
    }

    fn record_sequence(&self, event: EventIndex) -> Option<u8> {
        self.sequence(event)
    }

    fn has_sequences(&self) -> bool {
        self.runs.iter().any(|run| run.configuration.sequence)
    }

    fn record_members(&self, trace: &Trace, event: EventIndex) -> Option<Map<String, Value>> {
        Some(record_members::record_members(self, trace, event))
    }
}

/// The bytes of a stream.
#[derive(Debug)]
struct StreamInput<'a> {
    image: MemoryImage<'a>,
}

impl StreamInput<'_> {
    fn bytes(&self) -> &[u8] {
        let segments = self.image.memory.segments();
        segments.first().map_or(&[], |segment| &segment.bytes)
    }

    /// An error with its cause, if it is known.
    fn explain(&self, error: DecodeError) -> DecodeError {
        let mut found = self.image.diagnostics.iter();
        match found.find(|it| it.kind == DiagnosticKind::FlowControl) {
            Some(cause) => DecodeError::ChangedStream {
                error: Box::new(error),
                problem: cause.message.clone(),
            },
            None => error,
        }
    }
}

impl FormatInput for StreamInput<'_> {
    fn container(&self) -> Container {
        match self.image.container {
            text @ Container::HexText => text,
            _ => Container::Raw,
        }
    }

    fn compression(&self) -> &[Compression] {
        &self.image.compression
    }

    fn diagnostics(&self) -> &Diagnostics {
        &self.image.diagnostics
    }

    fn decode(&self, options: &DecodeOptions) -> Result<DecodedRecording, DecodeError> {
        let decoded = super::decode(self.bytes(), &options.rkh);
        let decoded = decoded.map_err(|error| self.explain(error))?;
        let mut trace = decoded.trace;
        let mut diagnostics = self.image.diagnostics.clone();
        diagnostics.extend(trace.diagnostics);
        trace.diagnostics = diagnostics;
        Ok(DecodedRecording {
            trace,
            format_info: FormatInfo::new(decoded.stream_info),
        })
    }

    fn transmissions(&self, options: &DecodeOptions) -> Result<Transmissions<'_>, DecodeError> {
        Ok(Transmissions::Records {
            bytes: self.bytes(),
            recording: Box::new(self.decode(options)?),
        })
    }
}
