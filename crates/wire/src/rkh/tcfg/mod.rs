//! The configuration that a firmware sends at the start of its trace: the record FWK
//! TCFG.
//!
//! Source: `RKH_TR_FWK_TCFG` in `source/trc/inc/rkhtrc_record.h` (whose comments swap the
//! names of some nibbles) and, before 3.0, in `source/include/rkhtrc.h`.

mod options;

pub use options::{RkhVersion, TargetOptions};

use core::iter::repeat;

use super::encode::{EncodeError, encode};
use super::frame::{ByteSink, take_number};
use super::id::short_id;
use super::record::record_specs;
use super::{ArgumentLayout, ArgumentValue, Dialect, FieldWidth, StreamConfiguration, header};

/// The configuration of a target, as its trace contains it.
///
/// It contains neither the size of a function's address nor what checksums cover. RKH 2.3 to 2.4.03 send fewer
/// settings, after the header of a regular record; later versions send the record without
/// a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TargetConfiguration {
    /// The dialect of the records that follow.
    pub dialect: Dialect,
    /// The version; `None` in RKH 2.3 and 2.4.
    pub version: Option<RkhVersion>,
    /// Size of an event's id: known from the record's own id, not from its content. Up to
    /// RKH 2.4.03, always one byte.
    pub id: FieldWidth,
    /// The switches. RKH 2.3 and 2.4 send three of them: sequence numbers, timestamps and
    /// checksums.
    pub options: TargetOptions,
    /// Size of a signal in bytes: 1, 2 or 4.
    pub signal: u8,
    /// Size of a timestamp in bytes, 1, 2 or 4, if records have one.
    pub timestamp: u8,
    /// Size of an object's address in bytes, as configured: 1, 2, 4 or 8. RKH sends 2
    /// bytes for 2, and 4 bytes in all other cases.
    pub pointer: u8,
    /// Size of a tick count in bytes: 1, 2 or 4, or 0, for which RKH sends 1 byte. The
    /// other sizes follow the same rule.
    pub timer_ticks: u8,
    /// Size of a block count in bytes.
    pub block_count: u8,
    /// Size of a block's size in bytes; 0 in RKH 2.3 and 2.4, which do not send it.
    pub block_size: u8,
    /// Size of a count of queue elements in bytes. RKH 2.3 and 2.4 send 1 byte
    /// regardless.
    pub element_count: u8,
    /// Size of an event's size in bytes.
    pub event_size: u8,
    /// Maximum number of event pools, 0 to 15. A firmware with more corrupts
    /// [`block_size`](Self::block_size), which is in the same byte; 0 in RKH 2.3 and 2.4.
    pub event_pools: u8,
    /// Frequency of the timestamp in Hz, the low 16 bits: a clock of 1 MHz gives 16 960.
    /// The value is reliable only if the clock is known to be slower than 65 536 Hz. 0
    /// before RKH 2.4.04, which does not send it.
    pub timestamp_hz: u16,
}

/// Up to RKH 2.4.03, the id and up to five bytes of sequence number and timestamp precede
/// the content.
const LAST_START: usize = 6;

/// `RKH_CFG_TRC_NSEQ_EN` and the options after it are not among the switches of 2.4.03.
const OPTIONS_2_4_3: u32 = TargetOptions::SEQUENCE - 1;

impl TargetConfiguration {
    /// Reads an unescaped frame without knowledge of the stream. Returns `None` if it is
    /// not such a record: if its length, checksum or version is wrong, or a size is
    /// impossible.
    ///
    /// Id and length are sufficient, because the content reveals whether there is a
    /// checksum, and the record's own id reveals the size of ids. In RKH 2.3 and 2.4 the record has no version; a frame counts as one if
    /// five bytes agree with its length.
    pub fn parse(frame: &[u8]) -> Option<Self> {
        let mut newest_first = Dialect::ALL.into_iter().rev();
        newest_first.find_map(|dialect| Self::parse_as(dialect, frame))
    }

    /// As [`parse`](Self::parse), for a stream whose dialect is known.
    pub fn parse_as(dialect: Dialect, frame: &[u8]) -> Option<Self> {
        let own_id = Self::id(dialect)?;
        let has_id = |width: FieldWidth| {
            let number = take_number(&mut &*frame, width.bytes())?;
            (short_id(number, width)? == own_id).then_some(width)
        };
        let max_width = match dialect {
            Dialect::V2_3 | Dialect::V2_4_3 => FieldWidth::One,
            _ => FieldWidth::Four,
        };
        let id_widths = FieldWidth::ALL.into_iter().filter_map(has_id);
        let id_widths = id_widths.filter(|width| *width <= max_width);
        let mut starts = id_widths.flat_map(|width| match dialect {
            Dialect::V2_3 | Dialect::V2_4_3 => (1..=LAST_START).zip(repeat(width)),
            _ => (width.bytes()..=width.bytes()).zip(repeat(width)),
        });
        starts.find_map(|(start, id)| {
            let mut rest = frame.get(start..)?;
            let target = Self {
                id,
                ..Self::read(dialect, &mut rest)?
            };
            // The configuration must match the record's own frame.
            let configuration = target.configuration(None);
            let (_, contents) = header::split_frame(frame, &configuration).ok()?;
            let is_whole = contents.len() + rest.len() == frame.len() - start
                && rest.len() == usize::from(configuration.checksum);
            is_whole.then_some(target)
        })
    }

    /// The id of the record; `None` if the dialect has none.
    pub fn id(dialect: Dialect) -> Option<u8> {
        record_specs(dialect)
            .iter()
            .find(|record| record.layout == ArgumentLayout::Configuration)
            .map(|record| record.id)
    }

    /// Reads the content after the header.
    fn read(dialect: Dialect, rest: &mut &[u8]) -> Option<Self> {
        let version = match dialect {
            Dialect::V2_3 => None,
            _ => Some(RkhVersion(take_number(rest, 2)? as u16)),
        };
        let mut options = match dialect {
            Dialect::V2_3 => 0,
            Dialect::V2_4_3 => take_number(rest, 2)?,
            _ => take_number(rest, 4)?,
        };
        let (signal, timestamp) = take_nibbles(rest)?;
        let (pointer, timer) = take_nibbles(rest)?;
        let (blocks, elements) = take_nibbles(rest)?;
        let (high, low) = take_nibbles(rest)?;
        let event_size = match dialect {
            Dialect::V2_3 | Dialect::V2_4_3 => {
                let (checksum, timestamps) = take_nibbles(rest)?;
                if options & !OPTIONS_2_4_3 != 0 {
                    return None;
                }
                options |= option_bit(low, TargetOptions::SEQUENCE)?
                    | option_bit(timestamps, TargetOptions::TIMESTAMP)?
                    | option_bit(checksum, TargetOptions::CHECKSUM)?;
                high
            }
            _ if high == 0 => low,
            _ => return None,
        };
        let (block_size, pools) = match dialect {
            Dialect::V2_3 => (0, 0),
            _ => take_nibbles(rest)?,
        };
        let stamp_hz = match dialect {
            Dialect::V2_3 | Dialect::V2_4_3 => 0,
            _ => take_number(rest, 2)? as u16,
        };
        let target = Self {
            dialect,
            version,
            id: FieldWidth::One,
            options: TargetOptions(options),
            signal,
            timestamp,
            pointer,
            timer_ticks: timer,
            block_count: blocks,
            block_size,
            element_count: elements,
            event_size,
            event_pools: pools,
            timestamp_hz: stamp_hz,
        };
        target.is_plausible().then_some(target)
    }

    /// Whether a firmware of this version can have this configuration.
    fn is_plausible(&self) -> bool {
        let is_wire_size = |size: u8| FieldWidth::from_bytes(size).is_some();
        let others = [
            self.timer_ticks,
            self.block_count,
            self.block_size,
            self.element_count,
            self.event_size,
        ];
        self.version
            .map_or(true, |version| version.dialect() == Some(self.dialect))
            && is_wire_size(self.signal)
            && (is_wire_size(self.timestamp) || !self.options.contains(TargetOptions::TIMESTAMP))
            && (is_wire_size(self.pointer) || self.pointer == 8)
            && others
                .into_iter()
                .all(|size| size == 0 || is_wire_size(size))
    }

    /// The configuration of the records that follow. The record does not contain the size
    /// of a function's address: without `function`, it is assumed to be that of an
    /// object's address. Nor does it contain whether checksums cover timestamps, as they do
    /// in RKH's code: they are assumed to.
    pub fn configuration(&self, function: Option<FieldWidth>) -> StreamConfiguration {
        // The last case of RKH's macros: RKH_TRC_UI32 for addresses, RKH_TRC_UI8 for
        // others.
        let size = |declared| FieldWidth::from_bytes(declared).unwrap_or(FieldWidth::One);
        let pointer = match self.pointer {
            2 => FieldWidth::Two,
            _ => FieldWidth::Four,
        };
        StreamConfiguration {
            sequence: self.options.contains(TargetOptions::SEQUENCE),
            timestamp: self
                .options
                .contains(TargetOptions::TIMESTAMP)
                .then(|| size(self.timestamp)),
            checksum: self.options.contains(TargetOptions::CHECKSUM),
            checksum_covers_timestamp: true,
            id: self.id,
            signal: size(self.signal),
            pointer,
            function: function.unwrap_or(pointer),
            timer_ticks: size(self.timer_ticks),
            block_count: size(self.block_count),
            block_size: size(self.block_size),
            element_count: size(self.element_count),
            event_size: size(self.event_size),
            sender: self.options.contains(TargetOptions::SENDER),
            queue_low_water: self.options.contains(TargetOptions::QUEUE_LOW_WATER),
            pool_low_water: self.options.contains(TargetOptions::POOL_LOW_WATER),
            dialect: self.dialect,
        }
    }

    /// The record of a firmware with this configuration and version, without event pools
    /// and clock; of the switches, those that the configuration contains.
    pub fn from_configuration(configuration: &StreamConfiguration, version: RkhVersion) -> Self {
        let dialect = configuration.dialect;
        let declared_size = |width: FieldWidth| width.bytes() as u8;
        let mut options = TargetOptions::default();
        for (mask, is_on) in [
            (TargetOptions::SENDER, configuration.sender),
            (
                TargetOptions::QUEUE_LOW_WATER,
                configuration.queue_low_water,
            ),
            (TargetOptions::POOL_LOW_WATER, configuration.pool_low_water),
            (TargetOptions::SEQUENCE, configuration.sequence),
            (TargetOptions::TIMESTAMP, configuration.timestamp.is_some()),
            (TargetOptions::CHECKSUM, configuration.checksum),
        ] {
            options.set(mask, is_on);
        }
        Self {
            dialect,
            version: (dialect > Dialect::V2_3).then_some(version),
            id: match dialect {
                Dialect::Flat | Dialect::V2_3 | Dialect::V2_4_3 => FieldWidth::One,
                _ => configuration.id,
            },
            options,
            signal: declared_size(configuration.signal),
            timestamp: configuration.timestamp.map_or(0, declared_size),
            pointer: declared_size(configuration.pointer),
            timer_ticks: declared_size(configuration.timer_ticks),
            block_count: declared_size(configuration.block_count),
            block_size: declared_size(configuration.block_size),
            element_count: declared_size(configuration.element_count),
            event_size: declared_size(configuration.event_size),
            event_pools: 0,
            timestamp_hz: 0,
        }
    }

    /// Writes the record as a frame followed by the flag. Only RKH 2.3 to 2.4.03 use the
    /// sequence number and the timestamp. Returns an error if the dialect has no such
    /// record, or a size or number does not fit into its nibble.
    pub fn encode<S: ByteSink>(
        &self,
        sink: S,
        sequence: u8,
        timestamp: u32,
    ) -> Result<(), EncodeError> {
        let id = Self::id(self.dialect).ok_or(EncodeError::NoConfiguration {
            dialect: self.dialect.name(),
        })?;
        let flag = |mask| u8::from(self.options.contains(mask));
        let version = ArgumentValue::Number(u32::from(self.version.unwrap_or(RkhVersion(0)).0));
        let signal = nibbles("sig_tssize", self.signal, self.timestamp)?;
        let pointer = nibbles("ptr_ntimer", self.pointer, self.timer_ticks)?;
        let blocks = nibbles("nblock_nelem", self.block_count, self.element_count)?;
        let event = nibbles("esize_nseq", self.event_size, flag(TargetOptions::SEQUENCE))?;
        let checksum = nibbles(
            "chk_tstamp",
            flag(TargetOptions::CHECKSUM),
            flag(TargetOptions::TIMESTAMP),
        )?;
        let pools = nibbles("bsize_pools", self.block_size, self.event_pools)?;
        let options = self.options.0;
        let small = ArgumentValue::Number(options & OPTIONS_2_4_3);
        let (old, older, new);
        let values: &[ArgumentValue<'_>] = match self.dialect {
            Dialect::Flat | Dialect::V2_3 => {
                older = [signal, pointer, blocks, event, checksum];
                &older
            }
            Dialect::V2_4_3 => {
                old = [
                    version, small, signal, pointer, blocks, event, checksum, pools,
                ];
                &old
            }
            _ => {
                let event = nibbles("esize", 0, self.event_size)?;
                let hz = ArgumentValue::Number(self.timestamp_hz.into());
                let options = ArgumentValue::Number(options);
                new = [version, options, signal, pointer, blocks, event, pools, hz];
                &new
            }
        };
        encode(
            sink,
            &self.configuration(None),
            id,
            sequence,
            timestamp,
            values,
        )
    }
}

fn take_nibbles(rest: &mut &[u8]) -> Option<(u8, u8)> {
    let byte = take_number(rest, 1)? as u8;
    Some((byte >> 4, byte & 0x0F))
}

fn nibbles(
    argument: &'static str,
    high: u8,
    low: u8,
) -> Result<ArgumentValue<'static>, EncodeError> {
    if high > 0x0F || low > 0x0F {
        return Err(EncodeError::Value { argument });
    }
    Ok(ArgumentValue::Number(u32::from(high << 4 | low)))
}

/// A switch sent as a nibble.
const fn option_bit(nibble: u8, mask: u32) -> Option<u32> {
    match nibble {
        0 => Some(0),
        1 => Some(mask),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
