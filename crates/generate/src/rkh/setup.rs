use rtoscope_record::rkh::{FieldWidth, StreamConfiguration, StreamSetup, Unfiltered};

/// What is fixed when the simulated firmware is built.
pub(super) enum SimulatedBoard {}

/// Ticks of the stamps' clock in a second.
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
