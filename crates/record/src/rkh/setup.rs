use super::filter::FilterTable;
use rtoscope_wire::rkh::tcfg::RkhVersion;
use rtoscope_wire::rkh::{Dialect, StreamConfiguration};

/// What is to be lost where records come faster than they are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverrunPolicy {
    /// New records, whole, until there is room again.
    ///
    /// The host sees a gap in the sequence numbers. Where it would not, since
    /// records have none or a multiple of 256 is missing, an aborted frame
    /// (an escape and a flag) stands in the gap's place.
    KeepOldest,
    /// The oldest bytes, as RKH does it: a flight recorder.
    ///
    /// At the next [`take`](super::Recorder::take) the cut frame is passed
    /// over. The host sees a gap, and always an aborted frame in its place
    /// unless it has nothing yet.
    OverwriteOldest,
}

/// What is fixed when a firmware is built: RKH's `rkhcfg.h`.
///
/// Of every number and address that a record has, the low bytes are sent, as
/// many as the configuration says.
pub trait StreamSetup {
    /// The sizes and switches of the stream. Its dialect has to be
    /// [`Dialect::V3`].
    const CONFIGURATION: StreamConfiguration;

    /// What is lost where the buffer is full.
    const OVERRUN: OverrunPolicy = OverrunPolicy::KeepOldest;

    /// Whether records are filtered at run time (`RKH_CFG_TRC_RTFIL_EN`). With
    /// filters nothing that can be filtered is recorded until it is let
    /// [`pass`](super::Recorder::pass); without, everything is.
    const FILTERS: bool = true;

    /// The filter of active objects: [`Bits`](super::Bits) with a bit a
    /// priority, or [`Unfiltered`](super::Unfiltered)
    /// (`RKH_CFG_TRC_RTFIL_SMA_EN`).
    type Objects: FilterTable;

    /// The filter of signals: [`Bits`](super::Bits) with a bit a signal, or
    /// [`Unfiltered`](super::Unfiltered) (`RKH_CFG_TRC_RTFIL_SIGNAL_EN`).
    type Signals: FilterTable;

    /// The version of RKH that the stream tells.
    const VERSION: RkhVersion = RkhVersion(0x3400);

    /// Event pools that there may be (`RKH_CFG_FWK_MAX_EVT_POOL`); the stream
    /// can tell 15 at most.
    const EVENT_POOLS: u8 = 0;

    /// Ticks of the clock in a second. The stream tells the low 16 bits, so that
    /// the host has to be told of clocks of 65 536 Hz and more; 0 if unknown.
    const TIMESTAMP_HZ: u32 = 0;
}

/// Facts that follow from a [`StreamSetup`].
pub(super) struct SetupConstants<S>(core::marker::PhantomData<S>);

impl<S: StreamSetup> SetupConstants<S> {
    /// Refuses at compile time what cannot be recorded.
    pub(super) const VALIDATED: () = assert!(
        matches!(S::CONFIGURATION.dialect, Dialect::V3),
        "records are those of RKH 3"
    );

    /// Bytes of a stamp.
    pub(super) const TIMESTAMP_BYTES: usize = match S::CONFIGURATION.timestamp {
        Some(width) => width.bytes(),
        None => 0,
    };

    /// Bytes of what stands before the arguments.
    pub(super) const HEADER_BYTES: usize =
        1 + S::CONFIGURATION.sequence as usize + Self::TIMESTAMP_BYTES;

    /// Bytes of a frame without escapes, its flag among them, beside the
    /// arguments.
    pub(super) const OVERHEAD_BYTES: usize =
        Self::HEADER_BYTES + S::CONFIGURATION.checksum as usize + 1;
}
