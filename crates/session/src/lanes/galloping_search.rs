//! Binary search that starts from a guess.

use std::ops::Range;

/// The partition point of `is_before` in a range, as `slice::partition_point`. Takes
/// few steps, and nearby ones, if the result is near `guess`.
#[inline]
pub(crate) fn partition_point_near(
    range: Range<usize>,
    guess: usize,
    mut is_before: impl FnMut(usize) -> bool,
) -> usize {
    let Range { start, end } = range;
    let guess = guess.clamp(start, end);
    let (mut low, mut high) = (guess, guess);
    let mut reach = 1;
    if low < end && is_before(low) {
        low += 1;
        high = (low + reach).min(end);
        while high < end && is_before(high) {
            low = high + 1;
            reach *= 2;
            high = (low + reach).min(end);
        }
    } else {
        while low > start {
            low = low.saturating_sub(reach).max(start);
            if is_before(low) {
                low += 1;
                break;
            }
            high = low;
            reach *= 2;
        }
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if is_before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn result_does_not_depend_on_the_guess(
            length in 0..300_usize,
            start in 0..300_usize,
            expected in 0..300_usize,
            guess in 0..400_usize,
        ) {
            let start = start.min(length);
            let expected = expected.clamp(start, length);
            let found = partition_point_near(start..length, guess, |at| {
                assert!((start..length).contains(&at));
                at < expected
            });
            prop_assert_eq!(found, expected);
        }
    }
}
