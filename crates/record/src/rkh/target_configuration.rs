//! The record of the target's configuration.

use super::RkhRecorder;
use super::packed::PackedArguments;
use super::recorder::RecorderState;
use super::setup::{SetupConstants, StreamSetup};
use crate::port::{Clock, Mask};
use core::marker::PhantomData;
use rtoscope_wire::rkh::tcfg::TargetOptions;
use rtoscope_wire::rkh::{FieldWidth, StreamConfiguration};

/// `RKH_TE_FWK_TCFG` of RKH 3.
const FWK_TCFG: u8 = 0xAC;

/// Length of the content of `FWK TCFG` in bytes.
pub const TARGET_CONTENT_BYTES: usize = 13;

impl<S: StreamSetup, M: Mask, C: Clock> RkhRecorder<S, M, C> {
    /// `RKH_TR_FWK_TCFG`: the target's configuration, the first record of every stream.
    /// Sent again later, it helps a host that missed the first one; the host may take it
    /// for a restart.
    pub fn fwk_tcfg(&self) {
        if self.passing.always() {
            self.with_state(|state| Self::write_configuration(state));
        }
    }

    /// [`fwk_tcfg`](Self::fwk_tcfg) with a frequency of the clock in Hz that the setup does not
    /// know; also at later starts. Replaces the first record of a stream that contains no
    /// other.
    pub fn fwk_tcfg_at(&self, timestamp_hz: u32) {
        self.declare(configuration_arguments::<S>(timestamp_hz));
    }

    /// [`fwk_tcfg_at`](Self::fwk_tcfg_at) with the content that `RKH_TR_FWK_TCFG` of RKH 3
    /// sends after the id, for a program that encodes its records with sizes of its own. What
    /// the recorder adds to each record remains that of the setup; records by methods with
    /// other sizes are damaged frames to the host.
    pub fn fwk_tcfg_of(&self, content: &[u8; TARGET_CONTENT_BYTES]) {
        let [
            version_0,
            version_1,
            option_0,
            option_1,
            option_2,
            option_3,
            sizes,
            others @ ..,
        ] = *content;
        let own = target_options::<S>(&S::CONFIGURATION);
        let options = u32::from_le_bytes([option_0, option_1, option_2, option_3]);
        let options = (options & !OF_HEADER | own & OF_HEADER) & (own | !OF_FILTER);
        let sizes = nibbles((sizes >> 4).into(), SetupConstants::<S>::TIMESTAMP_BYTES);
        let mut target = PackedArguments::new()
            .with(u16::from_le_bytes([version_0, version_1]).into(), 2)
            .with(options, 4)
            .with(sizes, 1);
        for byte in others {
            target = target.with(byte.into(), 1);
        }
        self.declare(target);
    }

    fn declare(&self, target: PackedArguments) {
        self.with_state(|state| {
            state.target = target;
            if state.running {
                if state.ring.is_untouched() {
                    state.ring.start(None);
                }
                Self::write_configuration(state);
            }
        });
    }

    /// The record has neither sequence number nor timestamp.
    pub(super) fn write_configuration(state: &mut RecorderState) {
        let contents = match state.target.bytes {
            0 => configuration_arguments::<S>(S::TIMESTAMP_HZ),
            _ => state.target,
        };
        let ring = &mut state.ring;
        ring.unnumbered = ring.unnumbered.wrapping_add(1);
        ring.append(Self::FRAME_RULES, contents.bytes, |cursor| {
            let id = ConfigurationId::<S>::BYTES.get(..SetupConstants::<S>::ID_BYTES);
            cursor.bytes(id.unwrap_or_default());
            contents.write(cursor);
        });
    }
}

/// The options that concern what the recorder adds to each record.
const OF_HEADER: u32 = TargetOptions::SEQUENCE | TargetOptions::TIMESTAMP | TargetOptions::CHECKSUM;

/// The options that need the recorder's filters.
const OF_FILTER: u32 =
    TargetOptions::FILTER | TargetOptions::OBJECT_FILTER | TargetOptions::SIGNAL_FILTER;

/// The record's id on the wire, in static memory.
struct ConfigurationId<S>(PhantomData<S>);

impl<S: StreamSetup> ConfigurationId<S> {
    const BYTES: &'static [u8; 4] = &SetupConstants::<S>::wire_id(FWK_TCFG).to_le_bytes();
}

/// The sizes as nibbles, in the order of `RKH_TR_FWK_TCFG`
/// (`source/trc/inc/rkhtrc_record.h`).
fn configuration_arguments<S: StreamSetup>(timestamp_hz: u32) -> PackedArguments {
    let configuration = S::CONFIGURATION;
    PackedArguments::new()
        .with(S::VERSION.0.into(), 2)
        .with(target_options::<S>(&configuration), 4)
        .with(
            nibbles(
                bytes(configuration.signal),
                SetupConstants::<S>::TIMESTAMP_BYTES,
            ),
            1,
        )
        .with(
            nibbles(
                bytes(configuration.pointer),
                bytes(configuration.timer_ticks),
            ),
            1,
        )
        .with(
            nibbles(
                bytes(configuration.block_count),
                bytes(configuration.element_count),
            ),
            1,
        )
        .with(nibbles(0, bytes(configuration.event_size)), 1)
        .with(
            nibbles(
                bytes(configuration.block_size),
                S::EVENT_POOLS.min(15).into(),
            ),
            1,
        )
        .with(timestamp_hz, 2)
}

fn target_options<S: StreamSetup>(configuration: &StreamConfiguration) -> u32 {
    use super::filter::sealed::SealedTable;

    let always = TargetOptions::USER
        | TargetOptions::ALL
        | TargetOptions::POOLS
        | TargetOptions::QUEUES
        | TargetOptions::OBJECTS
        | TargetOptions::TIMERS
        | TargetOptions::MACHINES
        | TargetOptions::FRAMEWORK
        | TargetOptions::ASSERTIONS;
    let option_if = |is_on: bool, option: u32| if is_on { option } else { 0 };
    always
        | option_if(configuration.sender, TargetOptions::SENDER)
        | option_if(S::FILTERS, TargetOptions::FILTER)
        | option_if(
            configuration.queue_low_water,
            TargetOptions::QUEUE_LOW_WATER,
        )
        | option_if(configuration.pool_low_water, TargetOptions::POOL_LOW_WATER)
        | option_if(S::Objects::ENTRIES > 0, TargetOptions::OBJECT_FILTER)
        | option_if(S::Signals::ENTRIES > 0, TargetOptions::SIGNAL_FILTER)
        | option_if(configuration.sequence, TargetOptions::SEQUENCE)
        | option_if(configuration.timestamp.is_some(), TargetOptions::TIMESTAMP)
        | option_if(configuration.checksum, TargetOptions::CHECKSUM)
}

const fn bytes(width: FieldWidth) -> usize {
    width.bytes()
}

const fn nibbles(high: usize, low: usize) -> u32 {
    (high << 4 | low) as u32
}
