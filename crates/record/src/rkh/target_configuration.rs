//! The record of the target's configuration.

use super::RkhRecorder;
use super::packed::PackedArguments;
use super::ring::Ring;
use super::setup::{SetupConstants, StreamSetup};
use crate::port::{Clock, Mask};
use core::marker::PhantomData;
use rtoscope_wire::rkh::tcfg::TargetOptions;
use rtoscope_wire::rkh::{FieldWidth, StreamConfiguration};

/// `RKH_TE_FWK_TCFG` of RKH 3.
const FWK_TCFG: u8 = 0xAC;

impl<S: StreamSetup, M: Mask, C: Clock> RkhRecorder<S, M, C> {
    /// `RKH_TR_FWK_TCFG`: the target's configuration, the first record of every stream.
    /// Sent again later, it helps a host that missed the first one; the host may take it
    /// for a restart.
    pub fn fwk_tcfg(&self) {
        if self.passing.always() {
            self.with_ring(|ring, _| Self::write_configuration(ring));
        }
    }

    /// The record has neither sequence number nor timestamp.
    pub(super) fn write_configuration(ring: &mut Ring) {
        ring.unnumbered = ring.unnumbered.wrapping_add(1);
        let contents = configuration_arguments::<S>();
        ring.append(Self::FRAME_RULES, contents.bytes, |cursor| {
            let id = ConfigurationId::<S>::BYTES.get(..SetupConstants::<S>::ID_BYTES);
            cursor.bytes(id.unwrap_or_default());
            contents.write(cursor);
        });
    }
}

/// The record's id on the wire, in static memory.
struct ConfigurationId<S>(PhantomData<S>);

impl<S: StreamSetup> ConfigurationId<S> {
    const BYTES: &'static [u8; 4] = &SetupConstants::<S>::wire_id(FWK_TCFG).to_le_bytes();
}

/// The sizes as nibbles, in the order of `RKH_TR_FWK_TCFG`
/// (`source/trc/inc/rkhtrc_record.h`).
fn configuration_arguments<S: StreamSetup>() -> PackedArguments {
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
        .with(S::TIMESTAMP_HZ, 2)
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
