//! What the target tells of itself.

use super::Recorder;
use super::packed::Packed;
use super::ring::Ring;
use super::setup::{Derived, Setup};
use crate::port::{Clock, Mask};
use rtoscope_wire::rkh::tcfg::Options;
use rtoscope_wire::rkh::{Configuration, Width};

/// `RKH_TE_FWK_TCFG` of RKH 3.
const ID: u8 = 0xAC;

impl<S: Setup, M: Mask, C: Clock> Recorder<S, M, C> {
    /// `RKH_TR_FWK_TCFG`: the target's configuration, with which every stream
    /// begins. Told again later, it helps a host that did not see the first; it
    /// may take it for a restart.
    pub fn fwk_tcfg(&self) {
        if self.passing.always() {
            self.recording(|ring, _| Self::tell_configuration(ring));
        }
    }

    /// The record has neither number nor stamp.
    pub(super) fn tell_configuration(ring: &mut Ring) {
        ring.bare = ring.bare.wrapping_add(1);
        let contents = contents::<S>();
        ring.append(Self::RULES, contents.bytes, |cursor| {
            cursor.bytes(&[ID]);
            contents.write(cursor);
        });
    }
}

/// The sizes as nibbles, in the order of `RKH_TR_FWK_TCFG`
/// (`source/trc/inc/rkhtrc_record.h`).
fn contents<S: Setup>() -> Packed {
    let told = S::CONFIGURATION;
    Packed::new()
        .with(S::VERSION.0.into(), 2)
        .with(options::<S>(&told), 4)
        .with(nibbles(bytes(told.signal), Derived::<S>::STAMP), 1)
        .with(nibbles(bytes(told.pointer), bytes(told.timer)), 1)
        .with(nibbles(bytes(told.blocks), bytes(told.elements)), 1)
        .with(nibbles(0, bytes(told.event_size)), 1)
        .with(nibbles(bytes(told.block_size), S::POOLS.min(15).into()), 1)
        .with(S::STAMP_HZ, 2)
}

fn options<S: Setup>(told: &Configuration) -> u32 {
    use super::filter::sealed::Table;

    let always = Options::USER
        | Options::ALL
        | Options::POOLS
        | Options::QUEUES
        | Options::OBJECTS
        | Options::TIMERS
        | Options::MACHINES
        | Options::FRAMEWORK
        | Options::ASSERTIONS;
    let when = |is_on: bool, option: u32| if is_on { option } else { 0 };
    always
        | when(told.sender, Options::SENDER)
        | when(S::FILTERS, Options::FILTER)
        | when(told.queue_marks, Options::QUEUE_MARKS)
        | when(told.pool_marks, Options::POOL_MARKS)
        | when(S::Objects::ENTRIES > 0, Options::OBJECT_FILTER)
        | when(S::Signals::ENTRIES > 0, Options::SIGNAL_FILTER)
        | when(told.sequence, Options::SEQUENCE)
        | when(told.stamp.is_some(), Options::STAMP)
        | when(told.checksum, Options::CHECKSUM)
}

const fn bytes(width: Width) -> usize {
    width.bytes()
}

const fn nibbles(high: usize, low: usize) -> u32 {
    (high << 4 | low) as u32
}
