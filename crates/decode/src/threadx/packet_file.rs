//! A file of packets: the recording of a trace that a target sent.

use super::live::ThreadXLiveDecoder;
use super::{header_scan, packet};
use crate::container::{Compression, Container, MemoryImage};
use crate::format::{Conversion, FormatInput, Transmissions};
use crate::{DecodeError, DecodeOptions, DecodedRecording};
use crate::{live, sections};
use rtoscope_trace::Diagnostics;
use rtoscope_wire::ByteOrder;
use rtoscope_wire::threadx::PacketHeader;

/// An unpacked input that contains packets.
#[derive(Debug)]
pub(super) struct PacketFile<'a> {
    image: MemoryImage<'a>,
}

impl<'a> PacketFile<'a> {
    /// Whether a packet comes before the first buffer in an image without addresses.
    pub(super) fn is_in(image: &MemoryImage<'_>) -> bool {
        let [only] = image.memory.segments() else {
            return false;
        };
        let is_before = |first: usize| {
            let before = only.bytes.get(..first).unwrap_or_default();
            header_scan::id_bytes_at_start(before).is_none()
                && header_scan::first_header(before).is_none()
        };
        !image.memory.has_addresses() && packet::find(&only.bytes).is_some_and(is_before)
    }

    /// An image for which [`PacketFile::is_in`].
    pub(super) fn new(image: MemoryImage<'a>) -> Self {
        Self { image }
    }

    fn bytes(&self) -> &[u8] {
        match self.image.memory.segments() {
            [only] => &only.bytes,
            _ => &[],
        }
    }
}

impl FormatInput for PacketFile<'_> {
    fn container(&self) -> Container {
        match self.image.container {
            Container::RamImage if sections::starts::<PacketHeader>(self.bytes()) => Container::Raw,
            other => other,
        }
    }

    fn compression(&self) -> &[Compression] {
        &self.image.compression
    }

    fn diagnostics(&self) -> &Diagnostics {
        &self.image.diagnostics
    }

    fn decode(&self, options: &DecodeOptions) -> Result<DecodedRecording, DecodeError> {
        let decoder = ThreadXLiveDecoder::new(&options.threadx, 0);
        let units = ["packet", "packets"];
        live::decode_sent(
            decoder,
            super::FORMAT,
            self.bytes(),
            units,
            self.diagnostics(),
        )
    }

    fn convert(
        &self,
        _options: &DecodeOptions,
        _order: Option<ByteOrder>,
    ) -> Option<Result<Box<dyn Conversion + '_>, DecodeError>> {
        Some(Err(DecodeError::Extraction {
            problem: "the target sent packets instead of its buffer".to_owned(),
        }))
    }

    fn transmissions(&self, _options: &DecodeOptions) -> Result<Transmissions<'_>, DecodeError> {
        let bytes = self.bytes().to_vec();
        let ends = sections::ends::<PacketHeader>(&bytes);
        Ok(Transmissions::Dumps { bytes, ends })
    }
}
