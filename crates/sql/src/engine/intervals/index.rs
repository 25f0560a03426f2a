//! An index for rows with two numbers: finds rows by a maximum of the first and
//! a minimum of the second.

/// An index of rows.
#[derive(Debug, Default)]
pub(super) struct IntervalIndex {
    /// The first numbers, ascending.
    firsts: Vec<i64>,
    /// The rows in that order.
    rows: Vec<u32>,
    /// A binary tree of maxima of the second numbers: the root is at 1, the
    /// children of `n` are at `2 * n` and `2 * n + 1`, and the leaves are in
    /// the order of the first numbers.
    max_seconds: Vec<i64>,
}

/// A stack of nodes to visit: node, first leaf, number of leaves. Callers keep
/// it between searches to save allocations.
pub(super) type Pending = Vec<(usize, usize, usize)>;

/// The value of an unused leaf.
const NO_END: i64 = i64::MIN;

impl IntervalIndex {
    /// Builds an index of rows with their two numbers.
    pub(super) fn new(mut rows: Vec<(i64, i64, u32)>) -> Self {
        rows.sort_unstable_by_key(|(first, _, row)| (*first, *row));
        let leaves = rows.len().next_power_of_two();
        let mut max_seconds = vec![NO_END; 2 * leaves];
        for ((_, second, _), leaf) in rows.iter().zip(&mut max_seconds[leaves..]) {
            *leaf = *second;
        }
        for node in (1..leaves).rev() {
            max_seconds[node] = max_seconds[2 * node].max(max_seconds[2 * node + 1]);
        }
        Self {
            firsts: rows.iter().map(|(first, _, _)| *first).collect(),
            rows: rows.iter().map(|(_, _, row)| *row).collect(),
            max_seconds,
        }
    }

    /// Calls `visit` with the rows whose first number is at max_first `max_first`
    /// and whose second number is at min_second `min_second`, in the order of the
    /// first.
    pub(super) fn find(
        &self,
        max_first: i64,
        min_second: i64,
        pending: &mut Pending,
        mut visit: impl FnMut(u32),
    ) {
        let end = self.firsts.partition_point(|first| *first <= max_first);
        let leaves = self.max_seconds.len() / 2;
        pending.clear();
        pending.push((1, 0, leaves));
        while let Some((node, first, width)) = pending.pop() {
            if first >= end || self.max_seconds[node] < min_second {
                continue;
            }
            if width == 1 {
                visit(self.rows[first]);
                continue;
            }
            let half = width / 2;
            pending.push((2 * node + 1, first + half, half));
            pending.push((2 * node, first, half));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_matches_exhaustive_comparison() {
        // Pseudo-random numbers with repetitions and extremes.
        let mut state = 1_u64;
        let mut next = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % below
        };
        for count in [0, 1, 2, 3, 7, 64, 65, 300] {
            let mut rows: Vec<(i64, i64, u32)> = (0..count)
                .map(|row| (next(50) as i64 - 25, next(50) as i64 - 25, row))
                .collect();
            rows.extend([(i64::MIN, i64::MAX, count), (i64::MAX, i64::MIN, count + 1)]);
            let index = IntervalIndex::new(rows.clone());
            for _ in 0..50 {
                let (max_first, min_second) = (next(60) as i64 - 30, next(60) as i64 - 30);
                for (max_first, min_second) in [
                    (max_first, min_second),
                    (i64::MAX, i64::MIN),
                    (i64::MIN, min_second),
                ] {
                    let mut found = Vec::new();
                    index.find(max_first, min_second, &mut Pending::new(), |row| {
                        found.push(row);
                    });
                    let fits = |row: &&(i64, i64, u32)| row.0 <= max_first && row.1 >= min_second;
                    let mut expected: Vec<_> = rows.iter().filter(fits).map(|row| row.2).collect();
                    found.sort_unstable();
                    expected.sort_unstable();
                    assert_eq!(found, expected);
                }
            }
        }
        let mut found = 0;
        IntervalIndex::new(Vec::new())
            .find(i64::MAX, i64::MIN, &mut Pending::new(), |_| found += 1);
        assert_eq!(found, 0);
    }
}
