//! The fields before and after the arguments of a record in its frame.

use super::frame::take_number;
use super::{FieldWidth, StreamConfiguration, frame, record};

/// The fields before the arguments of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordHeader {
    /// The event's id.
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
}

crate::error_messages::messages! {
    HeaderError {
        Checksum { sum } => "wrong checksum: the bytes of the frame sum to {sum}, not 0",
        TooShort { needed, available } =>
            "a record's header and checksum take {needed} bytes, but the frame has {available}",
    }
}

/// Splits an unescaped frame into its header and its arguments, without the checksum.
///
/// It neither validates the arguments nor checks whether the event exists.
pub fn split_frame<'a>(
    frame: &'a [u8],
    configuration: &StreamConfiguration,
) -> Result<(RecordHeader, &'a [u8]), HeaderError> {
    let sum = frame::byte_sum(frame);
    if configuration.checksum && sum != 0 {
        return Err(HeaderError::Checksum { sum });
    }
    let id = frame.first().copied().unwrap_or_default();
    let sizes = HeaderSizes::new(id, configuration);
    let short = HeaderError::TooShort {
        needed: sizes.total(),
        available: frame.len(),
    };
    let end = frame.len().checked_sub(sizes.checksum).ok_or(short)?;
    let mut rest = frame.get(1..end).ok_or(short)?;
    let sequence = take_number(&mut rest, sizes.sequence).ok_or(short)?;
    let timestamp = take_number(&mut rest, sizes.timestamp).ok_or(short)?;
    let header = RecordHeader {
        id,
        sequence: (sizes.sequence > 0).then_some(sequence as u8),
        timestamp: (sizes.timestamp > 0).then_some(timestamp),
    };
    Ok((header, rest))
}

/// Lengths of a frame's fields other than id and arguments, in bytes.
pub(super) struct HeaderSizes {
    pub(super) sequence: usize,
    pub(super) timestamp: usize,
    checksum: usize,
}

impl HeaderSizes {
    #[inline]
    pub(super) fn new(id: u8, configuration: &StreamConfiguration) -> Self {
        let bare = record::record_spec(configuration.dialect, id)
            .map_or(false, |record| record.headerless);
        Self {
            sequence: usize::from(configuration.sequence && !bare),
            timestamp: match configuration.timestamp {
                Some(width) if !bare => width.bytes(),
                _ => 0,
            },
            checksum: usize::from(configuration.checksum),
        }
    }

    fn total(&self) -> usize {
        FieldWidth::One.bytes() + self.sequence + self.timestamp + self.checksum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn a_checksum_is_taken_off() {
        let frame = [0x25, 1, 2, 3, frame::checksum(&[0x25, 1, 2, 3])];
        let (header, arguments) = split_frame(&frame, &configuration(true, None, true)).unwrap();
        assert_eq!(header.sequence, Some(1));
        assert_eq!(arguments, [2, 3]);
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
