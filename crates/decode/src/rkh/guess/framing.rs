//! The settings that all frames of a stream have in common, found by counting:
//! the size of ids, sequence numbers and checksums.

use super::sample::{MAX_FRAME_BYTES, for_each_frame};
use rtoscope_wire::rkh::frame::sums_to_zero;
use rtoscope_wire::rkh::id::short_id;
use rtoscope_wire::rkh::{FieldWidth, StreamConfiguration};

/// A candidate for the settings that all frames have in common.
#[derive(Debug, Clone, Copy)]
pub(super) struct Framing {
    /// The configuration with these settings, and defaults for the others.
    pub(super) configuration: StreamConfiguration,
    /// Whether the checksum determines the timestamp of `configuration`: it
    /// omits its bytes.
    pub(super) is_timestamp_known: bool,
}

/// Positions at which a timestamp may begin: after an id of 1, 2 or 4 bytes, and
/// the sequence number.
const TIMESTAMP_OFFSETS: [usize; 5] = [1, 2, 3, 4, 5];

/// Counts of frames.
#[derive(Default)]
struct FrameCounts {
    frames: u64,
    /// Frames that sum to 0.
    summing: u64,
    /// Frames that sum to 0 without a timestamp, by its offset and width.
    summing_without: [[u64; FieldWidth::ALL.len()]; TIMESTAMP_OFFSETS.len()],
    /// Frames with a valid id, by the size of ids.
    with_id: [u64; FieldWidth::ALL.len()],
    /// Frames whose sequence number follows the previous one, by the size of
    /// ids.
    consecutive: [u64; FieldWidth::ALL.len()],
}

/// The likely framings of a stream, the most common first; at least one.
pub(super) fn framings(bytes: &[u8]) -> Vec<Framing> {
    let counts = FrameCounts::count(bytes);
    let is_most = |count: u64| count * 2 > counts.frames;
    let mut all = Vec::new();
    let widths = FieldWidth::ALL.into_iter();
    for ((id, with_id), consecutive) in widths.zip(counts.with_id).zip(counts.consecutive) {
        if id != FieldWidth::One && !is_most(with_id) {
            continue;
        }
        let base = StreamConfiguration {
            id,
            sequence: is_most(consecutive),
            checksum: is_most(counts.summing),
            ..StreamConfiguration::default()
        };
        if base.checksum || !is_most(counts.max_summing_without()) {
            all.push(Framing {
                configuration: base,
                is_timestamp_known: false,
            });
            continue;
        }
        let offset = id.bytes() + usize::from(base.sequence);
        let known = TIMESTAMP_OFFSETS.iter().zip(counts.summing_without);
        let known = known.filter(|(other, _)| **other == offset);
        let sizes = known.flat_map(|(_, counts)| FieldWidth::ALL.into_iter().zip(counts));
        all.extend(
            sizes
                .filter(|(_, count)| is_most(*count))
                .map(|(width, _)| Framing {
                    configuration: StreamConfiguration {
                        timestamp: Some(width),
                        checksum: true,
                        checksum_covers_timestamp: false,
                        ..base
                    },
                    is_timestamp_known: true,
                }),
        );
    }
    all
}

impl FrameCounts {
    fn count(bytes: &[u8]) -> Self {
        let mut counts = Self::default();
        let mut previous = [None; FieldWidth::ALL.len()];
        for_each_frame(bytes, |frame| {
            counts.frames += 1;
            counts.summing += u64::from(sums_to_zero(frame));
            counts.count_sums(frame);
            for (index, width) in FieldWidth::ALL.into_iter().enumerate() {
                let id = frame.get(..width.bytes()).and_then(|id| {
                    let number = id
                        .iter()
                        .rev()
                        .fold(0, |id, byte| id << 8 | u32::from(*byte));
                    short_id(number, width)
                });
                let number = frame.get(width.bytes()).copied();
                if let Some(count) = counts.with_id.get_mut(index) {
                    *count += u64::from(id.is_some());
                }
                if let (Some(count), Some(previous)) =
                    (counts.consecutive.get_mut(index), previous.get_mut(index))
                {
                    *count += u64::from(number.is_some() && number == *previous);
                    *previous = number.map(|number| number.wrapping_add(1));
                }
            }
        });
        counts
    }

    fn count_sums(&mut self, frame: &[u8]) {
        if frame.len() > MAX_FRAME_BYTES {
            return;
        }
        let sum = |bytes: &[u8]| bytes.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
        let all = sum(frame);
        for (offset, counts) in TIMESTAMP_OFFSETS.into_iter().zip(&mut self.summing_without) {
            for (width, count) in FieldWidth::ALL.into_iter().zip(counts) {
                // The checksum follows.
                let timestamp = frame.get(offset..offset + width.bytes());
                let timestamp = timestamp.filter(|_| frame.len() > offset + width.bytes());
                *count += u64::from(timestamp.is_some_and(|bytes| sum(bytes) == all));
            }
        }
    }

    fn max_summing_without(&self) -> u64 {
        let counts = self.summing_without.iter().flatten();
        counts.copied().max().unwrap_or_default()
    }
}
