//! A stream as it was sent.

use crate::container::{Compression, Container, MemoryImage};
use crate::format::{FormatInput, Transmissions};
use crate::{DecodeError, DecodeOptions, DecodedRecording};
use rtoscope_trace::Diagnostics;

/// Decodes a whole stream; whether it keeps the offsets of events is the last argument.
type DecodeFile = fn(&[u8], &DecodeOptions, bool) -> Result<DecodedRecording, DecodeError>;

/// The bytes of a stream, and the function that decodes them.
#[derive(Debug)]
pub(crate) struct RawInput<'a> {
    image: MemoryImage<'a>,
    container: Container,
    decode_file: DecodeFile,
}

impl<'a> RawInput<'a> {
    /// A file that is a stream.
    pub(crate) const fn new(image: MemoryImage<'a>, decode_file: DecodeFile) -> Self {
        Self {
            image,
            container: Container::Raw,
            decode_file,
        }
    }

    /// A stream from the memory of a target.
    pub(crate) const fn of_memory(image: MemoryImage<'a>, decode_file: DecodeFile) -> Self {
        Self {
            container: image.container,
            image,
            decode_file,
        }
    }

    fn bytes(&self) -> &[u8] {
        let segments = self.image.memory.segments();
        segments.first().map_or(&[], |segment| &segment.bytes)
    }

    fn decode_bytes(
        &self,
        options: &DecodeOptions,
        keeps_offsets: bool,
    ) -> Result<DecodedRecording, DecodeError> {
        let mut decoded = (self.decode_file)(self.bytes(), options, keeps_offsets)?;
        let mut diagnostics = self.image.diagnostics.clone();
        diagnostics.extend(decoded.trace.diagnostics);
        decoded.trace.diagnostics = diagnostics;
        Ok(decoded)
    }
}

impl FormatInput for RawInput<'_> {
    fn container(&self) -> Container {
        self.container
    }

    fn compression(&self) -> &[Compression] {
        &self.image.compression
    }

    fn diagnostics(&self) -> &Diagnostics {
        &self.image.diagnostics
    }

    fn decode(&self, options: &DecodeOptions) -> Result<DecodedRecording, DecodeError> {
        self.decode_bytes(options, false)
    }

    fn transmissions(&self, options: &DecodeOptions) -> Result<Transmissions<'_>, DecodeError> {
        Ok(Transmissions::Records {
            bytes: self.bytes(),
            recording: Box::new(self.decode_bytes(options, true)?),
        })
    }
}
