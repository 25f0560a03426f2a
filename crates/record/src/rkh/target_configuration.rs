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

/// What `RKH_TR_FWK_TCFG` of RKH 3 sends after the id: the target's configuration.
pub type TargetContent = [u8; 13];

impl<S: StreamSetup, M: Mask, C: Clock> RkhRecorder<S, M, C> {
    /// `RKH_TR_FWK_TCFG`: the target's configuration, the first record of every stream.
    /// Sent again later, it helps a host that missed the first one; the host may take it
    /// for a restart.
    pub fn fwk_tcfg(&self) {
        if self.passing.always() {
            self.with_ring(|ring, _| Self::write_configuration(ring));
        }
    }

    /// Sends the configuration after `change` has changed what [`StreamSetup::target`] returns:
    /// in place of the first record, if the stream contains no other and none was taken.
    pub fn change_target(&self, change: impl FnOnce()) {
        self.with_state(|state| {
            change();
            if state.running {
                if state.ring.is_untouched() {
                    state.ring.start(None);
                }
                Self::write_configuration(&mut state.ring);
            }
        });
    }

    /// The record has neither sequence number nor timestamp.
    pub(super) fn write_configuration(ring: &mut Ring) {
        ring.unnumbered = ring.unnumbered.wrapping_add(1);
        let contents = match S::target() {
            None => configuration_arguments::<S>(S::TIMESTAMP_HZ),
            Some([a, b, c, d, e, f, g, h, i, j, k, l, m]) => PackedArguments {
                words: [
                    u32::from_le_bytes([a, b, c, d]),
                    u32::from_le_bytes([e, f, g, h]),
                    u32::from_le_bytes([i, j, k, l]),
                    m.into(),
                    0,
                    0,
                ],
                bytes: core::mem::size_of::<TargetContent>(),
            },
        };
        ring.append(Self::FRAME_RULES, contents.bytes, |cursor| {
            let id = ConfigurationId::<S>::BYTES.get(..SetupConstants::<S>::ID_BYTES);
            cursor.bytes(id.unwrap_or_default());
            contents.write(cursor);
        });
    }
}

/// The configuration of a setup with a frequency of the clock in Hz that it does not know.
pub fn target_at<S: StreamSetup>(timestamp_hz: u32) -> TargetContent {
    let packed = configuration_arguments::<S>(timestamp_hz);
    let mut target = TargetContent::default();
    let words = packed.words.iter().flat_map(|word| word.to_le_bytes());
    for (to, byte) in target.iter_mut().zip(words) {
        *to = byte;
    }
    target
}

/// The configuration of a program that encodes its records with sizes of its own, which
/// `target` contains. What the recorder adds to each record is that of the setup; records by
/// methods with other sizes are damaged frames to the host.
pub fn target_with_sizes<S: StreamSetup>(target: &TargetContent) -> TargetContent {
    let [
        version_0,
        version_1,
        option_0,
        option_1,
        option_2,
        option_3,
        sizes,
        ..,
    ] = *target;
    let own = target_options::<S>(&S::CONFIGURATION);
    let options = u32::from_le_bytes([option_0, option_1, option_2, option_3]);
    let options = (options & !OF_HEADER | own & OF_HEADER) & (own | !OF_FILTER);
    let [option_0, option_1, option_2, option_3] = options.to_le_bytes();
    let sizes = sizes & 0xF0 | SetupConstants::<S>::TIMESTAMP_BYTES as u8;
    let head = [
        version_0, version_1, option_0, option_1, option_2, option_3, sizes,
    ];
    let mut target = *target;
    for (to, byte) in target.iter_mut().zip(head) {
        *to = byte;
    }
    target
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
