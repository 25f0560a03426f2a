use rtoscope_record::rkh::{FieldWidth, StreamConfiguration, StreamSetup, Unfiltered};

/// Compile-time configuration of the simulated firmware.
pub(super) enum SimulatedBoard {}

/// Frequency of the timestamp clock.
pub(super) const STAMP_HZ: u32 = 50_000;

impl StreamSetup for SimulatedBoard {
    const CONFIGURATION: StreamConfiguration = StreamConfiguration {
        timestamp: Some(FieldWidth::Four),
        sender: true,
        queue_low_water: true,
        pool_low_water: true,
        ..StreamConfiguration::DEFAULT
    };
    const FILTERS: bool = false;
    type Objects = Unfiltered;
    type Signals = Unfiltered;
    const EVENT_POOLS: u8 = 2;
    const TIMESTAMP_HZ: u32 = STAMP_HZ;
}
