//! The fields before and after the arguments of a record in its frame.

use super::frame::{byte_sum, take_number};
use super::id::short_id;
use super::{StreamConfiguration, record};

/// The fields before the arguments of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordHeader {
    /// The event's id, as in ids of one byte.
    pub id: u8,
    /// The record's number modulo 256; `None` if records have none.
    pub sequence: Option<u8>,
    /// The timestamp in ticks; `None` if records have none.
    pub timestamp: Option<u32>,
}

/// Why a frame is not a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeaderError {
    /// The bytes do not sum to 0.
    Checksum {
        /// The sum modulo 256.
        sum: u8,
    },
    /// The frame ends within its header.
    TooShort {
        /// Length of the header and the checksum in bytes.
        needed: usize,
        /// Length of the frame in bytes.
        available: usize,
    },
    /// The id has more than one byte, and no event has it.
    UnknownId {
        /// The id.
        id: u32,
        /// The record's number modulo 256; `None` if records have none.
        sequence: Option<u8>,
    },
}

crate::error_messages::messages! {
    HeaderError {
        Checksum { sum } => "wrong checksum: the bytes of the frame sum to {sum}, not 0",
        TooShort { needed, available } =>
            "a record's header and checksum take {needed} bytes, but the frame has {available}",
        UnknownId { id } => "no record has the id {id:#06x}",
    }
}

/// Splits an unescaped frame into its header and its arguments, without the checksum.
///
/// It neither validates the arguments nor checks whether the event exists.
pub fn split_frame<'a>(
    frame: &'a [u8],
    configuration: &StreamConfiguration,
) -> Result<(RecordHeader, &'a [u8]), HeaderError> {
    let sum = checked_sum(frame, configuration);
    if configuration.checksum && sum != 0 {
        return Err(HeaderError::Checksum { sum });
    }
    let mut rest = frame;
    let number = take_number(&mut rest, configuration.id.bytes());
    let id = number.and_then(|number| short_id(number, configuration.id));
    // Only records with an id lack fields of the header.
    let sizes = HeaderSizes::new(id, configuration);
    let short = HeaderError::TooShort {
        needed: sizes.total(),
        available: frame.len(),
    };
    let number = number.ok_or(short)?;
    let end = rest.len().checked_sub(sizes.checksum).ok_or(short)?;
    rest = rest.get(..end).ok_or(short)?;
    let sequence = take_number(&mut rest, sizes.sequence).ok_or(short)?;
    let timestamp = take_number(&mut rest, sizes.timestamp).ok_or(short)?;
    let sequence = (sizes.sequence > 0).then_some(sequence as u8);
    let header = RecordHeader {
        id: id.ok_or(HeaderError::UnknownId {
            id: number,
            sequence,
        })?,
        sequence,
        timestamp: (sizes.timestamp > 0).then_some(timestamp),
    };
    Ok((header, rest))
}

/// The event's id in an unescaped frame, as in ids of one byte; `None` if the frame is
/// shorter, or no event has the id.
#[inline]
pub fn frame_id(frame: &[u8], configuration: &StreamConfiguration) -> Option<u8> {
    short_id(frame_id_number(frame, configuration)?, configuration.id)
}

/// The event's id in an unescaped frame as on the wire; `None` if the frame is shorter.
#[inline]
pub fn frame_id_number(mut frame: &[u8], configuration: &StreamConfiguration) -> Option<u32> {
    take_number(&mut frame, configuration.id.bytes())
}

/// The sum modulo 256 of the bytes of an unescaped frame that its checksum covers, and of
/// the checksum: 0 for an intact frame, if frames have checksums.
pub fn checked_sum(frame: &[u8], configuration: &StreamConfiguration) -> u8 {
    let sum = byte_sum(frame);
    if !configuration.has_uncovered_timestamp() {
        return sum;
    }
    let sizes = HeaderSizes::new(frame_id(frame, configuration), configuration);
    let start = sizes.id + sizes.sequence;
    let timestamp = frame.get(start..start + sizes.timestamp);
    sum.wrapping_sub(byte_sum(timestamp.unwrap_or_default()))
}

/// Lengths of a frame's fields other than its arguments, in bytes.
pub(super) struct HeaderSizes {
    id: usize,
    pub(super) sequence: usize,
    pub(super) timestamp: usize,
    checksum: usize,
}

impl HeaderSizes {
    #[inline]
    pub(super) fn new(id: Option<u8>, configuration: &StreamConfiguration) -> Self {
        let bare = id
            .and_then(|id| record::record_spec(configuration.dialect, id))
            .map_or(false, |record| record.headerless);
        Self {
            id: configuration.id.bytes(),
            sequence: usize::from(configuration.sequence && !bare),
            timestamp: match configuration.timestamp {
                Some(width) if !bare => width.bytes(),
                _ => 0,
            },
            checksum: usize::from(configuration.checksum),
        }
    }

    fn total(&self) -> usize {
        self.id + self.sequence + self.timestamp + self.checksum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rkh::{FieldWidth, frame};

    fn configuration(
        sequence: bool,
        timestamp: Option<FieldWidth>,
        checksum: bool,
    ) -> StreamConfiguration {
        StreamConfiguration {
            sequence,
            timestamp,
            checksum,
            ..StreamConfiguration::default()
        }
    }

    #[test]
    fn parts_are_there_as_configured() {
        let frame = [0x21, 7, 0x34, 0x12, 0xAA, 0xEA];
        let header = |sequence, timestamp| RecordHeader {
            id: 0x21,
            sequence,
            timestamp,
        };
        let split_as = |configuration| split_frame(&frame, &configuration);
        assert_eq!(
            split_as(configuration(true, Some(FieldWidth::Two), false)),
            Ok((header(Some(7), Some(0x1234)), &[0xAA, 0xEA][..]))
        );
        assert_eq!(
            split_as(configuration(false, Some(FieldWidth::One), false)),
            Ok((header(None, Some(7)), &[0x34, 0x12, 0xAA, 0xEA][..]))
        );
        assert_eq!(
            split_as(configuration(false, None, false)),
            Ok((header(None, None), &frame[1..]))
        );
        let sum = frame.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte));
        assert_eq!(
            split_as(configuration(true, None, true)),
            Err(HeaderError::Checksum { sum })
        );
    }

    /// The record with the target's configuration has no sequence number and no
    /// timestamp.
    #[test]
    fn a_bare_record_has_only_its_id() {
        let all = configuration(true, Some(FieldWidth::Four), false);
        let (header, arguments) = split_frame(&[0xAC, 1, 2], &all).unwrap();
        assert_eq!((header.sequence, header.timestamp), (None, None));
        assert_eq!(arguments, [1, 2]);
    }

    #[test]
    fn wide_ids_are_read_in_both_forms() {
        let wide = StreamConfiguration {
            id: FieldWidth::Two,
            ..configuration(true, None, false)
        };
        for id in [[0x03, 0x03], [0x63, 0x00]] {
            let frame = [&id[..], &[9, 0xAA]].concat();
            let (header, arguments) = split_frame(&frame, &wide).unwrap();
            assert_eq!((header.id, header.sequence), (0x63, Some(9)));
            assert_eq!(arguments, [0xAA]);
        }
        let unknown = HeaderError::UnknownId {
            id: 0x0963,
            sequence: Some(9),
        };
        assert_eq!(split_frame(&[0x63, 0x09, 9, 0xAA], &wide), Err(unknown));
        let short = HeaderError::TooShort {
            needed: 3,
            available: 1,
        };
        assert_eq!(split_frame(&[0x63], &wide), Err(short));
    }

    #[test]
    fn a_checksum_may_omit_the_timestamp() {
        let all = configuration(true, Some(FieldWidth::Two), true);
        let text = StreamConfiguration {
            checksum_covers_timestamp: false,
            ..all
        };
        let covered = [0x25, 1, 2, 3];
        let frame = [0x25, 1, 0x34, 0x12, 2, 3, frame::checksum(&covered)];
        let (header, arguments) = split_frame(&frame, &text).unwrap();
        assert_eq!(header.timestamp, Some(0x1234));
        assert_eq!(arguments, [2, 3]);
        assert_eq!(
            split_frame(&frame, &all),
            Err(HeaderError::Checksum { sum: 0x46 })
        );
        // Without a timestamp, both are the same.
        let none = [0x25, 1, 2, 3, frame::checksum(&covered)];
        for covers in [false, true] {
            let configuration = StreamConfiguration {
                checksum_covers_timestamp: covers,
                ..configuration(true, None, true)
            };
            assert!(split_frame(&none, &configuration).is_ok());
        }
    }

    #[test]
    fn a_frame_that_is_too_short_is_an_error() {
        let all = configuration(true, Some(FieldWidth::Four), true);
        for length in 0..7 {
            let error = HeaderError::TooShort {
                needed: 7,
                available: length,
            };
            assert_eq!(split_frame(&[0; 7][..length], &all), Err(error));
        }
        assert!(split_frame(&[0; 7], &all).is_ok());
        let bare = configuration(false, None, false);
        let error = HeaderError::TooShort {
            needed: 1,
            available: 0,
        };
        assert_eq!(split_frame(&[], &bare), Err(error));
    }
}
