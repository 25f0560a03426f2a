//! A test whether two samples come from the same distribution, whatever it is: that of Mann and
//! Whitney, with the exact distribution of rank sums for small samples, ties included.

/// Above this number of values, the normal distribution is exact enough.
const MAX_EXACT: usize = 40;

/// The two-sided probability of ranks as different as these, if nothing changed; `None` if one
/// of the samples is empty.
pub(super) fn probability(one: &[f64], other: &[f64]) -> Option<f64> {
    if one.is_empty() || other.is_empty() {
        return None;
    }
    let (ranks, sum) = doubled_ranks(one, other);
    let count = one.len();
    Some(match ranks.len() <= MAX_EXACT {
        true => exact(&ranks, count, sum),
        false => approximate(&ranks, count, sum),
    })
}

/// The smallest probability that samples of these sizes can have: above the level of the test,
/// nothing could be found.
pub(super) fn least_probability(one: usize, other: usize) -> f64 {
    let mut ways = 1.0;
    for number in 1..=one.min(other) {
        ways *= (one + other + 1 - number) as f64 / number as f64;
    }
    (2.0 / ways).min(1.0)
}

/// Twice the rank of each value, so that those of ties are whole numbers, and the sum of those
/// of `one`.
fn doubled_ranks(one: &[f64], other: &[f64]) -> (Vec<usize>, usize) {
    let first = one.iter().map(|value| (*value, true));
    let second = other.iter().map(|value| (*value, false));
    let mut all: Vec<_> = first.chain(second).collect();
    all.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let mut ranks = Vec::with_capacity(all.len());
    let mut sum = 0;
    for group in all.chunk_by(|(one, _), (other, _)| one == other) {
        // The ranks from `before + 1` to `before + length`; their mean, twice.
        let rank = 2 * ranks.len() + group.len() + 1;
        sum += rank * group.iter().filter(|(_, is_of_one)| *is_of_one).count();
        ranks.extend(std::iter::repeat_n(rank, group.len()));
    }
    (ranks, sum)
}

/// Counts the choices of `count` ranks whose sum is at least as far from the mean.
fn exact(ranks: &[usize], count: usize, sum: usize) -> f64 {
    let total: usize = ranks.iter().sum();
    // Number of choices of that number of ranks with this sum.
    let mut ways = vec![vec![0.0_f64; total + 1]; count + 1];
    if let Some(none) = ways.first_mut().and_then(|row| row.first_mut()) {
        *none = 1.0;
    }
    for rank in ranks {
        for chosen in (1..=count).rev() {
            let (smaller, larger) = ways.split_at_mut(chosen);
            let (Some(before), Some(row)) = (smaller.last(), larger.first_mut()) else {
                continue;
            };
            for (way, from) in row.iter_mut().skip(*rank).zip(before) {
                *way += from;
            }
        }
    }
    let row = ways.last().map(Vec::as_slice).unwrap_or_default();
    // Twice the distance from the mean, times the number of ranks, is a whole number.
    let distance = |sum: usize| (sum * ranks.len()).abs_diff(total * count);
    let extreme = row
        .iter()
        .zip(0..)
        .filter(|(_, at)| distance(*at) >= distance(sum));
    let all: f64 = row.iter().sum();
    extreme.map(|(way, _)| way).sum::<f64>() / all
}

fn approximate(ranks: &[usize], count: usize, sum: usize) -> f64 {
    let all = ranks.len() as f64;
    let (one, other) = (count as f64, all - count as f64);
    let mean = ranks.iter().sum::<usize>() as f64 / all;
    let variance = ranks
        .iter()
        .map(|rank| (*rank as f64 - mean).powi(2))
        .sum::<f64>()
        / (all - 1.0);
    let deviation = (one * other / all * variance).sqrt();
    if deviation == 0.0 {
        return 1.0;
    }
    // The continuity correction: sums of doubled ranks are at least 1 apart.
    let distance = ((sum as f64 - mean * one).abs() - 0.5).max(0.0) / deviation;
    error_function_complement(distance / std::f64::consts::SQRT_2)
}

/// The complementary error function for arguments of at least 0; Abramowitz and Stegun,
/// formula 7.1.26: the error is below 1.5e-7.
fn error_function_complement(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let factors = [
        0.254_829_592,
        -0.284_496_736,
        1.421_413_741,
        -1.453_152_027,
        1.061_405_429,
    ];
    let polynomial = factors
        .iter()
        .rev()
        .fold(0.0, |sum, factor| (sum + factor) * t);
    polynomial * (-x * x).exp()
}

/// Corrects probabilities for the number of comparisons, as Benjamini and Hochberg do: of
/// those below a level afterwards, at most that share is false, on average.
pub(super) fn correct(probabilities: &mut [f64]) {
    let count = probabilities.len();
    let mut order: Vec<_> = probabilities.iter_mut().collect();
    order.sort_by(|one, other| other.total_cmp(one));
    let mut least = 1.0_f64;
    for (probability, larger) in order.into_iter().zip(0..) {
        let rank = count - larger;
        least = least.min(*probability * count as f64 / rank as f64);
        *probability = least;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-4, "{found} for {expected}");
    }

    #[test]
    fn small_samples_have_exact_probabilities() {
        // Of the 70 ways to choose four of eight, two are as extreme.
        near(
            probability(&[1.0, 2.0, 3.0, 4.0], &[5.0, 6.0, 7.0, 8.0]).unwrap(),
            2.0 / 70.0,
        );
        near(least_probability(4, 4), 2.0 / 70.0);
        near(least_probability(1, 1), 1.0);
        near(probability(&[1.0, 3.0], &[2.0, 4.0]).unwrap(), 4.0 / 6.0);
        // All equal: nothing differs.
        near(probability(&[5.0; 6], &[5.0; 6]).unwrap(), 1.0);
        assert_eq!(probability(&[], &[1.0]), None);
    }

    #[test]
    fn ties_count_half() {
        // Ranks 1.5, 1.5, 3 and 4: of the six choices, two are as extreme as 1.5 + 1.5.
        near(probability(&[1.0, 1.0], &[2.0, 3.0]).unwrap(), 2.0 / 6.0);
    }

    #[test]
    fn both_methods_agree() {
        let one: Vec<f64> = (0..20).map(f64::from).collect();
        let other: Vec<f64> = (0..20).map(|it| f64::from(it) + 4.3).collect();
        let (ranks, sum) = doubled_ranks(&one, &other);
        let exact = exact(&ranks, one.len(), sum);
        let approximate = approximate(&ranks, one.len(), sum);
        assert!((exact - approximate).abs() < 2e-3, "{exact} {approximate}");
    }

    #[test]
    fn many_comparisons_need_smaller_probabilities() {
        let mut all = [0.01, 0.04, 0.03, 0.5];
        correct(&mut all);
        near(all[0], 0.04);
        near(all[1], 0.16 / 3.0);
        near(all[2], 0.16 / 3.0);
        near(all[3], 0.5);
    }
}
