//! Encodes the recorder's frames again, in another configuration of ids and
//! checksums.

use super::setup::SimulatedBoard;
use super::tracer::Output;
use crate::GenerateError;
use rtoscope_record::rkh::{StreamConfiguration, StreamSetup};
use rtoscope_wire::rkh::encode::{encode, encode_items};
use rtoscope_wire::rkh::frame::{FLAG, unescape};
use rtoscope_wire::rkh::header::split_frame;
use rtoscope_wire::rkh::record::record_spec;
use rtoscope_wire::rkh::user::UserItems;
use rtoscope_wire::rkh::{ArgumentLayout, ArgumentValues, TargetConfiguration};

/// An output that changes the configuration of a stream's frames.
pub(super) struct Reframer<'a> {
    output: &'a mut dyn Output,
    configuration: StreamConfiguration,
    /// Bytes since the last flag.
    partial: Vec<u8>,
    encoded: Vec<u8>,
}

impl<'a> Reframer<'a> {
    pub(super) fn new(output: &'a mut dyn Output, configuration: StreamConfiguration) -> Self {
        Self {
            output,
            configuration,
            partial: Vec::new(),
            encoded: Vec::new(),
        }
    }

    /// Encodes the frame before a flag again, and the flag. Keeps what is not a
    /// record, such as an aborted frame.
    fn close_frame(&mut self) {
        let start = self.encoded.len();
        if self.encode_frame().is_none() {
            self.encoded.truncate(start);
            self.encoded.extend_from_slice(&self.partial);
            self.encoded.push(FLAG);
        }
        self.partial.clear();
    }

    fn encode_frame(&mut self) -> Option<()> {
        let mut frame = vec![0; self.partial.len()];
        let length = unescape(&self.partial, &mut frame).ok()?;
        let frame = frame.get(..length)?;
        let recorded = SimulatedBoard::CONFIGURATION;
        let sent = &self.configuration;
        let encoded = &mut self.encoded;
        let sink = |byte| encoded.push(byte);
        if let Some(target) = TargetConfiguration::parse(frame) {
            let target = TargetConfiguration {
                id: sent.id,
                ..target
            };
            return target.encode(sink, 0, 0).ok();
        }
        let (header, arguments) = split_frame(frame, &recorded).ok()?;
        let sequence = header.sequence.unwrap_or_default();
        let timestamp = header.timestamp.unwrap_or_default();
        let record = record_spec(recorded.dialect, header.id)?;
        if record.layout == ArgumentLayout::Items {
            let items = UserItems::new(&recorded, arguments).collect::<Result<Vec<_>, _>>();
            return encode_items(sink, sent, header.id, sequence, timestamp, &items.ok()?).ok();
        }
        let values = ArgumentValues::new(record, &recorded, arguments);
        let values = values.map(|value| value.map(|(_, value)| value));
        let values = values.collect::<Result<Vec<_>, _>>().ok()?;
        encode(sink, sent, header.id, sequence, timestamp, &values).ok()
    }
}

impl Output for Reframer<'_> {
    fn append(&mut self, bytes: &[u8]) -> Result<(), GenerateError> {
        for byte in bytes {
            match *byte {
                FLAG => self.close_frame(),
                byte => self.partial.push(byte),
            }
        }
        self.output.append(&std::mem::take(&mut self.encoded))
    }
}
