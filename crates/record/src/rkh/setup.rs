use super::filter::FilterTable;
use super::target_configuration::TargetContent;
use rtoscope_wire::rkh::id::{EVENT_BITS, EVENT_MASK, FIRST_USER_ID, wire_id};
use rtoscope_wire::rkh::tcfg::RkhVersion;
use rtoscope_wire::rkh::{Dialect, StreamConfiguration};

/// The records to lose when records arrive faster than they are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverrunPolicy {
    /// Drops complete new records until there is room again.
    ///
    /// The host sees a gap in the sequence numbers. If it would not, because records have
    /// none or a multiple of 256 is missing, an aborted frame (an escape byte and a flag)
    /// marks the gap.
    KeepOldest,
    /// Overwrites the oldest bytes, as in RKH: a flight recorder.
    ///
    /// The next [`take`](super::RkhRecorder::take) skips the cut frame. The host sees a
    /// gap, and always an aborted frame in its place, unless it has received nothing yet.
    OverwriteOldest,
}

/// The build-time configuration of a firmware: RKH's `rkhcfg.h`.
///
/// Of each number and address in a record, the low bytes are sent, with the size in the
/// configuration.
pub trait StreamSetup {
    /// The sizes and switches of the stream. Its dialect must be [`Dialect::V3`].
    const CONFIGURATION: StreamConfiguration;

    /// The behaviour of a full buffer.
    const OVERRUN: OverrunPolicy = OverrunPolicy::KeepOldest;

    /// Whether records are filtered at run time (`RKH_CFG_TRC_RTFIL_EN`). With filters,
    /// records that can be filtered are suppressed until the program lets them
    /// [`pass`](super::RkhRecorder::pass); without, all records are recorded.
    const FILTERS: bool = true;

    /// The filter of active objects: [`FilterBits`](super::FilterBits) with one bit per
    /// priority, or [`Unfiltered`](super::Unfiltered) (`RKH_CFG_TRC_RTFIL_SMA_EN`).
    type Objects: FilterTable;

    /// The filter of signals: [`FilterBits`](super::FilterBits) with one bit per signal,
    /// or [`Unfiltered`](super::Unfiltered) (`RKH_CFG_TRC_RTFIL_SIGNAL_EN`).
    type Signals: FilterTable;

    /// The version of RKH in the target's configuration.
    const VERSION: RkhVersion = RkhVersion(0x3400);

    /// Maximum number of event pools (`RKH_CFG_FWK_MAX_EVT_POOL`); the stream contains at
    /// most 15.
    const EVENT_POOLS: u8 = 0;

    /// Frequency of the clock in Hz; 0 if unknown. The stream contains the low 16 bits,
    /// so that the user must pass frequencies of 65 536 Hz and more to the host.
    const TIMESTAMP_HZ: u32 = 0;

    /// The target's configuration, if the program knows it only at run time; see
    /// [`change_target`](super::RkhRecorder::change_target).
    #[inline(always)]
    fn target() -> Option<TargetContent> {
        None
    }
}

/// Constants derived from a [`StreamSetup`].
pub(super) struct SetupConstants<S>(core::marker::PhantomData<S>);

impl<S: StreamSetup> SetupConstants<S> {
    /// Rejects invalid setups at compile time.
    pub(super) const VALIDATED: () = assert!(
        matches!(S::CONFIGURATION.dialect, Dialect::V3),
        "records are those of RKH 3"
    );

    /// Size of a timestamp in bytes.
    pub(super) const TIMESTAMP_BYTES: usize = match S::CONFIGURATION.timestamp {
        Some(width) => width.bytes(),
        None => 0,
    };

    /// Length of the fields before the arguments in bytes.
    pub(super) const HEADER_BYTES: usize = S::CONFIGURATION.header_len();

    /// Size of an event's id in bytes.
    pub(super) const ID_BYTES: usize = S::CONFIGURATION.id.bytes();

    /// An event's id as on the wire.
    #[inline(always)]
    pub(super) const fn wire_id(id: u8) -> u32 {
        wire_id(id, S::CONFIGURATION.id, Dialect::V3)
    }

    /// The number of the application's event, 0 to 31: of the number itself, or of
    /// `RKH_TE_USER` + 0 to 31 in one byte or as on the wire.
    #[inline(always)]
    pub(super) const fn user_event(number: u32) -> Option<u8> {
        let group = number >> EVENT_BITS;
        let is_user = group == 0
            || group == FIRST_USER_ID as u32 >> EVENT_BITS
            || group == Self::wire_id(FIRST_USER_ID) >> EVENT_BITS;
        if is_user {
            Some((number & EVENT_MASK) as u8)
        } else {
            None
        }
    }

    /// The sum of a timestamp's bytes if the checksum omits them, otherwise 0. Only the
    /// low byte is valid.
    #[inline(always)]
    pub(super) const fn uncovered_sum(timestamp: u32) -> u32 {
        if !S::CONFIGURATION.has_uncovered_timestamp() {
            return 0;
        }
        let [one, two, three, four] = match Self::TIMESTAMP_BYTES {
            4 => timestamp,
            2 => timestamp & 0xFFFF,
            _ => timestamp & 0xFF,
        }
        .to_le_bytes();
        one as u32 + two as u32 + three as u32 + four as u32
    }

    /// Length of a frame without escapes and without the arguments, including its flag,
    /// in bytes.
    pub(super) const OVERHEAD_BYTES: usize =
        Self::HEADER_BYTES + S::CONFIGURATION.checksum as usize + 1;
}
