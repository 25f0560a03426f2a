//! The recordings of TraceRecorder as a format of the registry.

use super::event_reader::EventReader;
use super::kernel::Kernel;
use super::ring::RingStream;
use super::{EVENT, probe, stream_info};
use crate::container::{Container, MemoryImage};
use crate::format::detection::ProbeWindow;
use crate::format::{FormatDefinition, FormatInput, TargetCommand};
use crate::line_feeds;
use crate::live::FormatDecoder;
use crate::memory::Memory;
use crate::packet_stream::{RawInput, StreamDecoder};
use crate::{BufferChoice, DecodeError, DecodeOptions};
use crate::{Format, FormatDescription};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Address, Catalogue, Diagnostic, DiagnosticKind};
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
                FormatDescription::ACTIVE_OBJECTS,
                FormatDescription::LOCKS,
                &["interrupts_off", "call_stack_frames", "stacks", "levels"],
            ],
            is_in_memory_images: true,
            has_buffers: true,
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
        mut image: MemoryImage<'a>,
        choice: BufferChoice,
    ) -> Result<Box<dyn FormatInput + 'a>, DecodeError> {
        let decode = StreamDecoder::<EventReader>::decode_file;
        if let [segment] = image.memory.segments()
            && !image.memory.has_addresses()
            && let Some((restored, diagnostic)) = line_feeds::restore(&segment.bytes)
        {
            image.memory = Memory::from_file_bytes(restored);
            image.diagnostics.push(diagnostic);
        }
        let segments = image.memory.segments().iter();
        let rings = segments.flat_map(|segment| {
            let images = RingStream::images(&segment.bytes);
            images.map(|(at, ring)| (Address(segment.address + at as u64), ring))
        });
        let rings: Vec<_> = rings.collect();
        let wanted = match choice {
            BufferChoice::First => Some(0),
            BufferChoice::Number(number) => Some(number),
            BufferChoice::At(address) => rings.iter().position(|(at, _)| *at == address),
        };
        let places: Vec<_> = rings.iter().map(|(at, _)| at.to_string()).collect();
        let places = places.join(", ");
        let (count, found) = (rings.len(), wanted.and_then(|wanted| rings.get(wanted)));
        let Some((_, ring)) = found else {
            if count > 0 {
                return Err(DecodeError::NoSuchBuffer {
                    wanted: choice,
                    buffers: places,
                });
            }
            drop(rings);
            return Ok(Box::new(match image.container {
                // A file without addresses is no image of memory.
                Container::RamImage => RawInput::new(image, decode),
                _ => RawInput::of_memory(image, decode),
            }));
        };
        let ring = RingStream::new(ring);
        drop(rings);
        if count > 1 && choice == BufferChoice::First {
            let message = format!(
                "the input contains {count} images of ring buffers, at {places}; the first is shown"
            );
            let several = Diagnostic::new(DiagnosticKind::SeveralBuffers, message);
            image.diagnostics.push(several.with_count(count as u64));
        }
        image.diagnostics.extend(ring.diagnostics());
        image.memory = Memory::from_file_bytes(ring.bytes);
        let decode_ring = |bytes: &[u8], options: &DecodeOptions, keeps_offsets| {
            let mut options = options.clone();
            options.percepio.is_image = true;
            StreamDecoder::<EventReader>::decode_file(bytes, &options, keeps_offsets)
        };
        Ok(Box::new(RawInput::of_memory(image, decode_ring)))
    }

    fn decoder(&self, options: &DecodeOptions, offset: u64) -> Box<dyn FormatDecoder> {
        Box::new(StreamDecoder::<EventReader>::new(options, offset))
    }
}

impl RingStream {
    /// What the image of a ring buffer does not have.
    fn diagnostics(&self) -> impl Iterator<Item = Diagnostic> {
        let truncated = (self.missing_bytes > 0).then(|| {
            let message = format!(
                "the input ends {} before the ring buffer does: events may be missing",
                pluralise(self.missing_bytes, "byte", "bytes")
            );
            let diagnostic = Diagnostic::new(DiagnosticKind::Truncated, message);
            diagnostic.with_count(self.missing_bytes)
        });
        let skipped = (self.skipped_bytes > 0).then(|| {
            let message = format!(
                "a position of the ring buffer is wrong: {} between the newest event and the oldest \
                 one were written, whose events are missing",
                pluralise(self.skipped_bytes, "byte", "bytes")
            );
            let diagnostic = Diagnostic::new(DiagnosticKind::CurrentPointer, message);
            diagnostic.with_count(self.skipped_bytes)
        });
        let diagnostics = truncated.into_iter().chain(skipped);
        diagnostics.chain(self.missing_events())
    }

    fn missing_events(&self) -> Option<Diagnostic> {
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
