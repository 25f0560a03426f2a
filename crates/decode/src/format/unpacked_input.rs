//! Inputs of all formats.

use super::{
    Conversion, DecodeOptions, DecodedRecording, FORMATS, Format, Transmissions, detection,
};
use crate::container::{self, Compression, Container, MemoryImage};
use crate::source::Input;
use crate::{BufferChoice, DecodeError};
use rtoscope_trace::{Diagnostics, ProgressPhase};
use rtoscope_wire::ByteOrder;
use std::fmt::Debug;

/// An unpacked input and its format.
#[derive(Debug)]
pub struct UnpackedInput<'a> {
    format: Format,
    input: Box<dyn FormatInput + 'a>,
}

/// An opened input of a format.
pub(crate) trait FormatInput: Debug + Send + Sync {
    /// The container of the bytes.
    fn container(&self) -> Container;

    /// The compression layers, the outermost first.
    fn compression(&self) -> &[Compression];

    /// Damaged, unusual or missing parts around the trace.
    fn diagnostics(&self) -> &Diagnostics;

    /// Decodes the input.
    fn decode(&self, options: &DecodeOptions) -> Result<DecodedRecording, DecodeError>;

    /// Prepares the trace for writing it without its container; `None` if it
    /// never has one.
    fn convert(
        &self,
        _options: &DecodeOptions,
        _order: Option<ByteOrder>,
    ) -> Option<Result<Box<dyn Conversion + '_>, DecodeError>> {
        None
    }

    /// What a target would send.
    fn transmissions(&self, options: &DecodeOptions) -> Result<Transmissions<'_>, DecodeError>;
}

impl<'a> UnpackedInput<'a> {
    /// Unpacks an input and detects its format, unless `format` is given.
    /// `choice` selects one of several trace buffers.
    ///
    /// # Errors
    ///
    /// If the input has no trace, or one of another format.
    pub fn open(
        input: Input<'a>,
        choice: BufferChoice,
        format: Option<Format>,
    ) -> Result<Self, DecodeError> {
        // Only some formats have several buffers to select from.
        let has_buffers = |format: &Format| format.description().has_buffers;
        let of_choice = || FORMATS.into_iter().find(has_buffers);
        let wanted = match choice {
            BufferChoice::First => format,
            _ => format.or_else(of_choice),
        };
        let decompressed = container::decompress(input)?;
        let image = match wanted.map(Format::description) {
            Some(description) if !description.is_in_memory_images => {
                container::plain_image(decompressed)
            }
            _ => container::unpack_image(decompressed)?,
        };
        let detected = detect(&image);
        let of_detected = detected.filter(|it| format.is_none() && has_buffers(it));
        let Some(format) = of_detected.or(wanted).or(detected) else {
            return Err(no_trace(&image));
        };
        match format.open(image, choice) {
            Ok(input) => Ok(Self { format, input }),
            Err(error @ DecodeError::NoBuffer { .. }) => Err(match detected {
                Some(found) if found != format => DecodeError::OtherFormat {
                    found: found.title_with_article(),
                    expected: format.title_with_article(),
                },
                _ => error,
            }),
            Err(error) => Err(error),
        }
    }

    /// Decodes the input.
    ///
    /// # Errors
    ///
    /// If it contains nothing usable.
    pub fn decode(&self, options: &DecodeOptions) -> Result<DecodedRecording, DecodeError> {
        options.progress.start(ProgressPhase::Decoding, None);
        self.input.decode(options)
    }

    /// The format.
    pub const fn format(&self) -> Format {
        self.format
    }

    /// The container of the bytes.
    pub fn container(&self) -> Container {
        self.input.container()
    }

    /// The compression layers, the outermost first.
    pub fn compression(&self) -> &[Compression] {
        self.input.compression()
    }

    /// Damaged, unusual or missing parts around the trace.
    pub fn diagnostics(&self) -> &Diagnostics {
        self.input.diagnostics()
    }

    /// Prepares the trace for writing it without its container, in a byte order
    /// (by default its own).
    ///
    /// # Errors
    ///
    /// If the format has nothing to convert, or the trace is unusable, or its
    /// byte order cannot be changed.
    pub fn convert(
        &self,
        options: &DecodeOptions,
        order: Option<ByteOrder>,
    ) -> Result<Box<dyn Conversion + '_>, DecodeError> {
        let conversion = self.input.convert(options, order);
        conversion.unwrap_or_else(|| {
            Err(DecodeError::OtherFormat {
                found: self.format.title_with_article(),
                expected: "a trace in the target's memory".to_owned(),
            })
        })
    }

    /// What a target would send for this recording.
    ///
    /// # Errors
    ///
    /// If it contains nothing usable.
    pub fn transmissions(&self, options: &DecodeOptions) -> Result<Transmissions<'_>, DecodeError> {
        self.input.transmissions(options)
    }
}

fn detect(image: &MemoryImage<'_>) -> Option<Format> {
    let is_plain = !image.memory.has_addresses();
    detection::detect(&image.memory, &image.data_ranges, is_plain)
}

/// The error for an input without a trace.
pub(crate) fn no_trace(image: &MemoryImage<'_>) -> DecodeError {
    let mut problems = image.diagnostics.iter();
    DecodeError::NoBuffer {
        container: image.container.name(),
        bytes: image.memory.total_bytes(),
        problem: problems.next().map(|it| it.message.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{rkh, threadx};

    fn data(name: &str) -> Vec<u8> {
        rtoscope_fixtures::read_testdata(name)
    }

    fn format(bytes: &[u8], wanted: Option<Format>) -> Result<Format, DecodeError> {
        let content = UnpackedInput::open(Input::new(bytes), BufferChoice::First, wanted)?;
        let recording = content.decode(&DecodeOptions::default())?;
        Ok(recording.format_info.format())
    }

    #[test]
    fn a_given_format_overrides_detection() {
        let stream = data("rkh/nat_short.bin");
        let buffer = data("threadx/cm3_short.trx");
        assert_eq!(format(&stream, None).unwrap(), rkh::FORMAT);
        assert_eq!(format(&buffer, None).unwrap(), threadx::FORMAT);
        // Memory that contains a stream and a buffer.
        let memory = [&stream[1..], &buffer].concat();
        assert_eq!(format(&memory, None).unwrap(), rkh::FORMAT);
        for wanted in [threadx::FORMAT, rkh::FORMAT] {
            assert_eq!(format(&memory, Some(wanted)).unwrap(), wanted);
        }
    }

    #[test]
    fn another_format_than_the_wanted_is_an_error() {
        let stream = data("rkh/nat_short.bin");
        let error = format(&stream, Some(threadx::FORMAT)).unwrap_err();
        assert!(matches!(error, DecodeError::OtherFormat { .. }), "{error}");
        let buffer = data("threadx/cm3_short.trx");
        assert!(format(&buffer, Some(rkh::FORMAT)).is_err());
    }
}
