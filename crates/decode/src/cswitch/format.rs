//! The context-switch log as a format of the registry.

use super::live::CswitchLiveDecoder;
use super::packed::is_packed;
use super::{
    CswitchInterpreter, DecodedLog, LogImage, LogInfo, SwitchLog, catalogue, cswl_reader, facts,
    layout_guess, target_commands,
};
use crate::container::{Compression, Container, MemoryImage};
use crate::format::detection::ProbeWindow;
use crate::format::{
    Conversion, ConvertedBytes, EventInterpreter, FilterSettingError, FormatDefinition,
    FormatDetails, FormatFacts, FormatInput, TargetCommand, TargetMemory, Transmissions,
};
use crate::live::{self, FormatDecoder};
use crate::sections::{self, SIGNATURE_BYTES, is_sequence};
use crate::{BufferChoice, DecodeError, DecodeOptions, DecodedRecording};
use crate::{Format, FormatDescription, FormatInfo};
use rtoscope_trace::{Catalogue, Diagnostics, Trace};
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::CswlHeader;
use schemars::{JsonSchema as _, Schema, SchemaGenerator};
use std::io::{self, Write};

/// The context-switch log.
pub const FORMAT: Format = Format::new(&Cswitch);

struct Cswitch;

impl FormatDefinition for Cswitch {
    fn description(&self) -> &'static FormatDescription {
        &FormatDescription {
            name: "cswitch",
            title: "context-switch log",
            plural: "context-switch logs",
            article: "a",
            extensions: &["cswl"],
            shared_extensions: &["bin"],
            code: 3,
            settings: &[
                "log-start",
                "log-current",
                "log-end",
                "log-cyclic",
                "log-base",
                "log-pointer-size",
                "log-byte-order",
                "counter-bits",
                "clock-direction",
                "clock-mask",
                "clock-period",
                "clock-override",
                "symbols",
                "text-encoding",
            ],
            unrecorded_tables: &[
                FormatDescription::ACTIVE_OBJECTS,
                FormatDescription::LOCKS,
                &["stacks", "levels"],
            ],
            is_in_memory_images: true,
            has_buffers: false,
            is_record_stream: false,
            target_memory: TargetMemory::Log {
                variables: &["rtoscope_cswitch_log", "profile_switch_log_start"],
            },
        }
    }

    fn members_schema(&self, generator: &mut SchemaGenerator) -> Schema {
        facts::LogMembers::json_schema(generator)
    }

    fn catalogue(&self, _options: &DecodeOptions) -> Catalogue {
        catalogue::catalogue()
    }

    fn probe(&self, window: &ProbeWindow<'_>) -> Option<usize> {
        Some(cswl_reader::find(window.bytes)? + SIGNATURE_BYTES)
    }

    fn resembles(&self, bytes: &[u8]) -> bool {
        layout_guess::layout(bytes, |_, _| true).is_some()
    }

    fn open<'a>(
        &self,
        image: MemoryImage<'a>,
        _choice: BufferChoice,
    ) -> Result<Box<dyn FormatInput + 'a>, DecodeError> {
        Ok(Box::new(LogImage::new(image)))
    }

    fn filter_command(&self, setting: &str) -> Option<Result<Vec<u8>, FilterSettingError>> {
        Some(target_commands::encode_setting(setting))
    }

    fn target_command(&self, command: TargetCommand) -> Option<Vec<u8>> {
        Some(target_commands::encode(command))
    }

    fn decoder(&self, options: &DecodeOptions, offset: u64) -> Box<dyn FormatDecoder> {
        Box::new(CswitchLiveDecoder::new(&options.cswitch, offset))
    }
}

impl FormatDetails for LogInfo {
    fn format(&self) -> Format {
        FORMAT
    }

    fn interpreter(&self, _trace: &Trace) -> EventInterpreter {
        EventInterpreter::new(CswitchInterpreter::default())
    }

    fn facts(&self, _trace: &Trace) -> FormatFacts {
        facts::facts(self)
    }
}

impl LogImage<'_> {
    /// The bytes of an input with containers that were sent one after the other.
    fn container_sequence(&self) -> Option<&[u8]> {
        let bytes = self.container_bytes()?;
        (is_sequence::<CswlHeader>(bytes) || is_packed(bytes)).then_some(bytes)
    }
}

impl FormatInput for LogImage<'_> {
    fn container(&self) -> Container {
        self.container
    }

    fn compression(&self) -> &[Compression] {
        &self.compression
    }

    fn diagnostics(&self) -> &Diagnostics {
        LogImage::diagnostics(self)
    }

    fn decode(&self, options: &DecodeOptions) -> Result<DecodedRecording, DecodeError> {
        if let Some(containers) = self.container_sequence() {
            let decoder = CswitchLiveDecoder::new(&options.cswitch, 0);
            let units = ["container", "containers"];
            return live::decode_sent(
                decoder,
                FORMAT,
                containers,
                units,
                LogImage::diagnostics(self),
            );
        }
        let decoded = LogImage::decode(self, &options.cswitch)?;
        Ok(DecodedRecording {
            trace: decoded.trace,
            format_info: FormatInfo::new(decoded.log_info),
        })
    }

    fn convert(
        &self,
        options: &DecodeOptions,
        order: Option<ByteOrder>,
    ) -> Option<Result<Box<dyn Conversion + '_>, DecodeError>> {
        let conversion = || -> Result<Box<dyn Conversion + '_>, DecodeError> {
            if self.container_sequence().is_some() {
                return Err(DecodeError::Extraction {
                    problem: "its containers were sent one after the other".to_owned(),
                });
            }
            let log = self.log(&options.cswitch)?;
            if order.is_some_and(|order| order != log.layout.order) {
                return Err(DecodeError::FixedByteOrder {
                    format: FORMAT.title_with_article(),
                    order: log.layout.order.name(),
                });
            }
            let decoded = super::decode(&log, &options.cswitch);
            Ok(Box::new(LogConversion { log, decoded }))
        };
        Some(conversion())
    }

    fn transmissions(&self, options: &DecodeOptions) -> Result<Transmissions<'_>, DecodeError> {
        let bytes = match self.container_bytes() {
            Some(bytes) => bytes.to_vec(),
            None => {
                let log = self.log(&options.cswitch)?;
                let decoded = super::decode(&log, &options.cswitch);
                let mut bytes = Vec::new();
                super::write(&log, &decoded, &mut bytes).map_err(|error| {
                    DecodeError::Extraction {
                        problem: error.to_string(),
                    }
                })?;
                bytes
            }
        };
        let ends = sections::ends::<CswlHeader>(&bytes);
        Ok(Transmissions::Dumps { bytes, ends })
    }
}

/// Writes a log in a container.
struct LogConversion<'a> {
    log: SwitchLog<'a>,
    decoded: DecodedLog,
}

impl Conversion for LogConversion<'_> {
    fn diagnostics(&self) -> &Diagnostics {
        &self.decoded.trace.diagnostics
    }

    fn write(&self, output: &mut dyn Write) -> io::Result<ConvertedBytes> {
        let mut output = CountingWriter { output, bytes: 0 };
        super::write(&self.log, &self.decoded, &mut output)?;
        Ok(ConvertedBytes {
            bytes: output.bytes,
            missing_bytes: 0,
            cut_bytes: 0,
        })
    }
}

struct CountingWriter<'a> {
    output: &'a mut dyn Write,
    bytes: u64,
}

impl Write for CountingWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.output.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
