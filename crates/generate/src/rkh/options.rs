use crate::GenerateError;
use crate::options::in_range;

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
            seed: 1,
        }
    }
}

impl RkhOptions {
    /// Rejects options that cannot be simulated, before anything is written.
    pub(super) fn check(&self) -> Result<(), GenerateError> {
        in_range("records", self.records, 1, u64::MAX)?;
        in_range("pumps", self.pumps.into(), 1, 32)?;
        in_range("load", self.load.into(), 1, 80)
    }
}
