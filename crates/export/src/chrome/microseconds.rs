//! Times as readers count them: microseconds in floating-point numbers.

use std::io::Write as _;

/// The latest time, in nanoseconds: readers count them in 63 bits, and some in
/// a floating-point number.
const MAX_TIME: u64 = 1 << 62;

/// Integers up to this one have a floating-point number each.
const MAX_EXACT: u64 = 1 << 53;

/// Nanoseconds as microseconds, to the last digit.
pub(super) fn append_time(text: &mut Vec<u8>, nanoseconds: u64) {
    let nanoseconds = nanoseconds.min(MAX_TIME);
    super::json::number(text, nanoseconds / 1000);
    let part = (nanoseconds % 1000) as u32;
    let digit = |value: u32| b'0' + (value % 10) as u8;
    let digits = [b'.', digit(part / 100), digit(part / 10), digit(part)];
    text.extend_from_slice(&digits);
}

/// The duration of a slice as microseconds. A reader that adds it to the start
/// gets the end as it reads that elsewhere, bit by bit: else a slice would not
/// end before the next one begins, or outlast the one around it. Where no
/// number gives just that, the sum is the number below.
pub(super) fn append_duration(text: &mut Vec<u8>, [from, to]: [u64; 2]) {
    let [from, to] = [from, to].map(|time| time.min(MAX_TIME));
    let duration = to.saturating_sub(from);
    let [start, end] = [from, from + duration].map(as_read);
    if start + as_read(duration) == end {
        return append_time(text, duration);
    }
    // The sum of the difference and the start is the end, or next to it.
    let near = end - start;
    let [below, above] = [near.next_down(), near.next_up()];
    let exact = [near, below, above]
        .into_iter()
        .find(|near| start + near == end);
    let near = exact.unwrap_or(if start + near < end { near } else { below });
    // Writing to memory does not fail.
    let _ = write!(text, "{}", near.max(0.0));
}

/// A time as it is read.
fn as_read(nanoseconds: u64) -> f64 {
    if nanoseconds <= MAX_EXACT {
        // One division is rounded as the reading of digits is.
        return nanoseconds as f64 / 1000.0;
    }
    let mut digits = Vec::new();
    append_time(&mut digits, nanoseconds);
    let digits = String::from_utf8_lossy(&digits);
    digits.parse().unwrap_or(f64::MAX)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;
    use proptest::prelude::*;

    fn parsed(text: &[u8]) -> f64 {
        std::str::from_utf8(text).unwrap().parse().unwrap()
    }

    fn ends_where_it_should(from: u64, duration: u64) {
        let [mut start, mut end, mut length] = [const { Vec::new() }; 3];
        append_time(&mut start, from);
        append_time(&mut end, from + duration);
        append_duration(&mut length, [from, from + duration]);
        assert!(parsed(&length) >= 0.0);
        let [sum, end] = [parsed(&start) + parsed(&length), parsed(&end)];
        assert!(sum == end || sum == end.next_down(), "{from} {duration}");
        // Where a microsecond has enough digits, the nanoseconds are still read.
        if from + duration < MAX_EXACT / 16 {
            assert_eq!((parsed(&length) * 1000.0).round() as u64, duration);
        }
    }

    #[test]
    fn sums_that_are_rounded_up_are_mended() {
        let mut text = Vec::new();
        append_duration(&mut text, [680_440, 683_000]);
        assert!(parsed(b"680.440") + parsed(&text) <= 683.0);
        let rounded_up = |from: &u64| as_read(*from) + as_read(2_560) > as_read(from + 2_560);
        assert!((0..1_000_000).step_by(40).any(|from| rounded_up(&from)));
        (0..1_000_000)
            .step_by(40)
            .for_each(|from| ends_where_it_should(from, 2_560));
    }

    proptest! {
        #[test]
        fn every_slice_ends_where_the_next_begins(
            from in (0..62_u32).prop_flat_map(|bits| 0..1_u64 << bits),
            duration in (0..61_u32).prop_flat_map(|bits| 0..1_u64 << bits),
        ) {
            ends_where_it_should(from, duration.min(MAX_TIME - from));
        }
    }
}
