//! Checks a guess by the timestamps that it finds.

use super::sample::for_each_frame;
use rtoscope_wire::rkh::{FieldWidth, StreamConfiguration, header};

/// The part of the timestamps that must not step back.
const MIN_FORWARD_RATIO: [u64; 2] = [3, 4];

/// Whether the timestamps of a configuration rarely step back. Only lengths suggest a
/// configuration without checksums: if it takes bytes of other fields for
/// timestamps, half of them step back. Timestamps of one byte wrap too often.
pub(super) fn are_plausible(bytes: &[u8], configuration: &StreamConfiguration) -> bool {
    let half = match configuration.timestamp {
        Some(width @ (FieldWidth::Two | FieldWidth::Four)) if !configuration.checksum => {
            width.max() / 2
        }
        _ => return true,
    };
    let (mut steps, mut forward) = (0_u64, 0_u64);
    let mut previous: Option<u32> = None;
    for_each_frame(bytes, |frame| {
        let header = header::split_frame(frame, configuration).ok();
        if let Some(now) = header.and_then(|(header, _)| header.timestamp) {
            if let Some(before) = previous {
                let step = now.wrapping_sub(before) & (2 * half + 1);
                steps += 1;
                forward += u64::from(step <= half);
            }
            previous = Some(now);
        }
    });
    let [part, whole] = MIN_FORWARD_RATIO;
    forward * whole >= steps * part
}
