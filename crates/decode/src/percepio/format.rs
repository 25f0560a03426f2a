//! The recordings of TraceRecorder as a format of the registry.

use super::event_reader::EventReader;
use super::kernel::Kernel;
use super::ring::RingStream;
use super::{EVENT, probe, stream_info};
use crate::container::{Compression, Container, MemoryImage};
use crate::format::detection::ProbeWindow;
use crate::format::{FormatDefinition, FormatInput, TargetCommand, Transmissions};
use crate::live::FormatDecoder;
use crate::packet_stream::StreamDecoder;
use crate::{BufferChoice, DecodeError, DecodeOptions, DecodedRecording};
use crate::{Format, FormatDescription};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Catalogue, Diagnostic, DiagnosticKind, Diagnostics};
use schemars::{Schema, SchemaGenerator};

/// The recordings of Percepio TraceRecorder.
pub const FORMAT: Format = Format::new(&Percepio);

struct Percepio;

impl FormatDefinition for Percepio {
    fn description(&self) -> &'static FormatDescription {
        &FormatDescription {
            name: "percepio",
            title: "TraceRecorder recording",
            plural: "TraceRecorder recordings",
            extensions: &["psf", "psfs"],
            shared_extensions: &["mem"],
            code: 5,
            settings: &["clock-override", "text-encoding"],
            unrecorded_tables: &[
                "interrupts_off",
                "call_stack_frames",
                "mutex_holds",
                "locks",
                "inversions",
                "stacks",
                "levels",
                "posts",
                "steps",
                "state_intervals",
                "transitions",
                "timers",
            ],
            is_in_memory_images: true,
            ..FormatDescription::SENT
        }
    }

    fn members_schema(&self, generator: &mut SchemaGenerator) -> Schema {
        stream_info::members_schema(generator)
    }

    fn catalogue(&self, _options: &DecodeOptions) -> Catalogue {
        Kernel::freertos().catalogue(&[])
    }

    fn target_command(&self, wanted: TargetCommand) -> Option<Vec<u8>> {
        let starts = match wanted {
            TargetCommand::Start => 1,
            TargetCommand::Stop => 0,
            TargetCommand::Names | TargetCommand::Snapshot => return None,
        };
        Some(rtoscope_wire::percepio::set_active(starts).to_vec())
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
        let segments = image.memory.segments().iter();
        let mut rings = segments.filter_map(|segment| RingStream::find(&segment.bytes));
        let ring = rings.next();
        drop(rings);
        Ok(Box::new(RecordingInput { image, ring }))
    }

    fn decoder(&self, options: &DecodeOptions, offset: u64) -> Box<dyn FormatDecoder> {
        Box::new(StreamDecoder::<EventReader>::new(options, offset))
    }
}

/// The bytes of a stream, or a ring buffer in memory.
#[derive(Debug)]
struct RecordingInput<'a> {
    image: MemoryImage<'a>,
    ring: Option<RingStream>,
}

impl RecordingInput<'_> {
    fn stream(&self) -> &[u8] {
        match &self.ring {
            Some(ring) => &ring.bytes,
            None => {
                let segments = self.image.memory.segments();
                segments.first().map_or(&[], |segment| &segment.bytes)
            }
        }
    }

    fn decode_stream(
        &self,
        options: &DecodeOptions,
        keeps_offsets: bool,
    ) -> Result<DecodedRecording, DecodeError> {
        let bytes = self.stream();
        let mut options = options.clone();
        options.percepio.is_image = self.ring.is_some();
        let mut decoded =
            StreamDecoder::<EventReader>::decode_file(bytes, &options, keeps_offsets)?;
        let mut diagnostics = self.image.diagnostics.clone();
        diagnostics.extend(decoded.trace.diagnostics);
        diagnostics.extend(self.ring.as_ref().and_then(RingStream::diagnostic));
        decoded.trace.diagnostics = diagnostics;
        Ok(decoded)
    }
}

impl RingStream {
    /// What the image of a ring buffer does not have.
    fn diagnostic(&self) -> Option<Diagnostic> {
        let [one, several] = EVENT;
        if self.dropped > 0 {
            let message = format!(
                "the ring buffer was full: {} after the last one",
                pluralise(self.dropped, "event is missing", "events are missing")
            );
            let diagnostic = Diagnostic::new(DiagnosticKind::Gap, message);
            return Some(diagnostic.with_count(self.dropped));
        }
        let before = self.overwritten.filter(|count| *count > 1)?;
        let message = format!(
            "the image of a ring buffer: {} of the recorder may precede the first one",
            pluralise(before - 1, one, several)
        );
        Some(Diagnostic::new(DiagnosticKind::SuppressedEntries, message))
    }
}

impl FormatInput for RecordingInput<'_> {
    fn container(&self) -> Container {
        match (&self.ring, self.image.container) {
            // A file without addresses is no image of memory.
            (None, Container::RamImage) => Container::Raw,
            (_, container) => container,
        }
    }

    fn compression(&self) -> &[Compression] {
        &self.image.compression
    }

    fn diagnostics(&self) -> &Diagnostics {
        &self.image.diagnostics
    }

    fn decode(&self, options: &DecodeOptions) -> Result<DecodedRecording, DecodeError> {
        self.decode_stream(options, false)
    }

    fn transmissions(&self, options: &DecodeOptions) -> Result<Transmissions<'_>, DecodeError> {
        Ok(Transmissions::Records {
            bytes: self.stream(),
            recording: Box::new(self.decode_stream(options, true)?),
        })
    }
}
