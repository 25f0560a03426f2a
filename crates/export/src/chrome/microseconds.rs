//! Times in microseconds with three decimals: whole nanoseconds.

/// The maximum time in nanoseconds: readers store it in 63 bits, some in a
/// floating-point number.
const MAX_TIME: u64 = 1 << 62;

/// Appends nanoseconds as microseconds, exactly.
pub(super) fn append_time(text: &mut Vec<u8>, nanoseconds: u64) {
    let nanoseconds = nanoseconds.min(MAX_TIME);
    super::json::number(text, nanoseconds / 1000);
    let part = (nanoseconds % 1000) as u32;
    let digit = |value: u32| b'0' + (value % 10) as u8;
    let digits = [b'.', digit(part / 100), digit(part / 10), digit(part)];
    text.extend_from_slice(&digits);
}

/// Appends the duration of a slice in microseconds, exactly.
pub(super) fn append_duration(text: &mut Vec<u8>, [from, to]: [u64; 2]) {
    let [from, to] = [from, to].map(|time| time.min(MAX_TIME));
    append_time(text, to.saturating_sub(from));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_three_decimals() {
        let shown = |interval| {
            let mut text = Vec::new();
            append_duration(&mut text, interval);
            String::from_utf8_lossy(&text).into_owned()
        };
        assert_eq!(shown([680_440, 683_000]), "2.560");
        assert_eq!(shown([100, 400]), "0.300");
        assert_eq!(shown([5, 5]), "0.000");
        assert_eq!(shown([9, 5]), "0.000");
        assert_eq!(shown([0, u64::MAX]), "4611686018427387.904");
    }
}
