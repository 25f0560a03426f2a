use super::setup::SimulatedBoard;
use crate::GenerateError;
use crate::options::in_range;
use rtoscope_record::rkh::{FieldWidth, StreamConfiguration, StreamSetup};

/// What to simulate. Equal options give equal bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RkhOptions {
    /// Records that the target makes, including its configuration and names.
    pub records: u64,
    /// Pumps, 1 to 32; the station is an additional active object.
    pub pumps: u8,
    /// Approximate CPU load of the target in percent, 1 to 80.
    pub load: u8,
    /// Whether the host pauses occasionally, so that the recorder's buffer
    /// fills up and records are lost.
    pub losses: bool,
    /// Size of an event's id in bytes: 1, 2 or 4.
    pub id_bytes: u8,
    /// Whether checksums cover timestamps, as in RKH's code.
    pub checksum_covers_timestamp: bool,
    /// Seed of the pseudo-random event sequence.
    pub seed: u64,
}

impl Default for RkhOptions {
    fn default() -> Self {
        Self {
            records: 100_000,
            pumps: 3,
            load: 20,
            losses: false,
            id_bytes: 1,
            checksum_covers_timestamp: true,
            seed: 1,
        }
    }
}

impl RkhOptions {
    /// Rejects options that cannot be simulated, before anything is written.
    pub(super) fn check(&self) -> Result<(), GenerateError> {
        in_range("records", self.records, 1, u64::MAX)?;
        in_range("pumps", self.pumps.into(), 1, 32)?;
        in_range("load", self.load.into(), 1, 80)?;
        match FieldWidth::from_bytes(self.id_bytes) {
            Some(_) => Ok(()),
            None => Err(GenerateError::IdSize {
                bytes: self.id_bytes,
            }),
        }
    }

    /// The configuration of the stream's records.
    pub(super) fn configuration(&self) -> StreamConfiguration {
        StreamConfiguration {
            id: FieldWidth::from_bytes(self.id_bytes).unwrap_or(FieldWidth::One),
            checksum_covers_timestamp: self.checksum_covers_timestamp,
            ..SimulatedBoard::CONFIGURATION
        }
    }
}
