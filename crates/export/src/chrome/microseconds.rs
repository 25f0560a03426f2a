//! Times in microseconds, as readers parse them: floating-point numbers.

use std::io::Write as _;

/// The maximum time in nanoseconds: readers store it in 63 bits, some in a
/// floating-point number.
const MAX_TIME: u64 = 1 << 62;

/// Integers up to this one are exact in floating point.
const MAX_EXACT: u64 = 1 << 53;

/// Appends nanoseconds as microseconds, exactly.
pub(super) fn append_time(text: &mut Vec<u8>, nanoseconds: u64) {
    let nanoseconds = nanoseconds.min(MAX_TIME);
    super::json::number(text, nanoseconds / 1000);
    let part = (nanoseconds % 1000) as u32;
    let digit = |value: u32| b'0' + (value % 10) as u8;
    let digits = [b'.', digit(part / 100), digit(part / 10), digit(part)];
    text.extend_from_slice(&digits);
}

/// Appends the duration of a slice in microseconds. A reader computes the end as
/// start + duration in floating point. The duration has enough digits to make that
/// sum equal, bit by bit, to the time as the reader parses it elsewhere; otherwise
/// a slice could overlap the following one, or outlast the enclosing one. If no
/// duration gives exactly that sum, the sum is the next lower number.
pub(super) fn append_duration(text: &mut Vec<u8>, [from, to]: [u64; 2]) {
    let [from, to] = [from, to].map(|time| time.min(MAX_TIME));
    let duration = to.saturating_sub(from);
    let [start, end] = [from, from + duration].map(as_read);
    if start + as_read(duration) == end {
        return append_time(text, duration);
    }
    // The sum of the start and the difference is the end, or an adjacent number.
    let near = end - start;
    let [below, above] = [near.next_down(), near.next_up()];
    let exact = [near, below, above]
        .into_iter()
        .find(|near| start + near == end);
    let near = exact.unwrap_or(if start + near < end { near } else { below });
    // Writing to memory does not fail.
    let _ = write!(text, "{}", near.max(0.0));
}

/// A time as readers parse it.
fn as_read(nanoseconds: u64) -> f64 {
    if nanoseconds <= MAX_EXACT {
        // One division rounds in the same way as parsing the digits.
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
        // If a microsecond has enough digits, readers still resolve nanoseconds.
        if from + duration < MAX_EXACT / 16 {
            assert_eq!((parsed(&length) * 1000.0).round() as u64, duration);
        }
    }

    #[test]
    fn rounded_sums_are_corrected() {
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
        fn every_slice_ends_at_the_next_start(
            from in (0..62_u32).prop_flat_map(|bits| 0..1_u64 << bits),
            duration in (0..61_u32).prop_flat_map(|bits| 0..1_u64 << bits),
        ) {
            ends_where_it_should(from, duration.min(MAX_TIME - from));
        }
    }
}
