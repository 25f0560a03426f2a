use rtoscope_record::rkh::{Configuration, Setup, Unfiltered, Width};

/// What is fixed when the simulated firmware is built.
pub(super) enum Board {}

/// Ticks of the stamps' clock in a second.
pub(super) const STAMP_HZ: u32 = 50_000;

impl Setup for Board {
    const CONFIGURATION: Configuration = Configuration {
        stamp: Some(Width::Four),
        sender: true,
        queue_marks: true,
        pool_marks: true,
        ..Configuration::DEFAULT
    };
    const FILTERS: bool = false;
    type Objects = Unfiltered;
    type Signals = Unfiltered;
    const POOLS: u8 = 2;
    const STAMP_HZ: u32 = STAMP_HZ;
}
