//! Infers the nesting of states from the times in which they were active.

use rtoscope_analysis::active::StateInterval;
use rtoscope_trace::{Address, Vertex};
use std::collections::{BTreeMap, BTreeSet};

/// The maximum nesting depth, larger than any real machine's.
const MAX_DEPTH: usize = 32;

/// The direct parent of each nested state. The result has no cycles.
pub(super) fn parents(intervals: &[StateInterval]) -> BTreeMap<Vertex, Vertex> {
    let around = enclosing_counts(intervals);
    let is_inside = |inner: Vertex, outer: Vertex| around.contains_key(&(inner, outer));
    let mut parents = BTreeMap::new();
    let inner: BTreeSet<_> = around.keys().map(|(inner, _)| *inner).collect();
    for state in inner {
        let from = (state, Vertex(Address(0)));
        let outer = around
            .range(from..)
            .take_while(|((inner, _), _)| *inner == state);
        // States that enclose each other in turn prove nothing.
        let outer = outer.map(|((_, outer), times)| (*outer, *times));
        let outer: Vec<_> = outer
            .filter(|(outer, _)| !is_inside(*outer, state))
            .collect();
        // The innermost state is inside most of the others.
        let depth = |one: Vertex| {
            outer
                .iter()
                .filter(|(other, _)| is_inside(one, *other))
                .count()
        };
        let innermost = outer
            .iter()
            .max_by_key(|(one, times)| (depth(*one), *times));
        if let Some((parent, _)) = innermost {
            parents.insert(state, *parent);
        }
    }
    without_cycles(parents)
}

/// Counts how often a state was active within another: the inner state first.
fn enclosing_counts(intervals: &[StateInterval]) -> BTreeMap<(Vertex, Vertex), u64> {
    let mut order: Vec<_> = intervals.iter().collect();
    order.sort_by_key(|interval| interval.first);
    let mut around = BTreeMap::new();
    let mut open: Vec<&StateInterval> = Vec::new();
    for interval in order {
        // A state that ends when this one starts may have ended before.
        open.retain(|outer| outer.end > interval.start);
        if open.len() > MAX_DEPTH {
            open.remove(0);
        }
        for outer in &open {
            let ends = interval.end < outer.end || (interval.end == outer.end && interval.complete);
            if outer.state != interval.state && ends {
                *around.entry((interval.state, outer.state)).or_insert(0) += 1;
            }
        }
        open.push(interval);
    }
    around
}

/// Removes parents that would form a cycle or exceed the maximum depth.
fn without_cycles(parents: BTreeMap<Vertex, Vertex>) -> BTreeMap<Vertex, Vertex> {
    let mut kept = BTreeMap::new();
    // The number of levels inside a state.
    let mut levels = BTreeMap::<Vertex, usize>::new();
    for (state, parent) in parents {
        let own = levels.get(&state).copied().unwrap_or_default();
        let mut above = vec![parent];
        while let Some(next) = above.last().and_then(|one| kept.get(one)) {
            above.push(*next);
        }
        if above.contains(&state) || own + above.len() > MAX_DEPTH {
            continue;
        }
        kept.insert(state, parent);
        for (one, level) in above.iter().zip(own + 1..) {
            let known = levels.entry(*one).or_default();
            *known = level.max(*known);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtoscope_trace::{EventIndex, Ticks};

    fn interval(state: u64, first: u32, start: u64, end: u64) -> StateInterval {
        StateInterval {
            state: Vertex(Address(state)),
            first: EventIndex(first),
            start: Ticks(start),
            end: Ticks(end),
            complete: true,
        }
    }

    fn nested(intervals: &[StateInterval]) -> Vec<(u64, u64)> {
        let parents = parents(intervals).into_iter();
        parents
            .map(|(inner, outer)| (inner.0.0, outer.0.0))
            .collect()
    }

    #[test]
    fn nesting_follows_entry_and_exit() {
        let intervals = [
            interval(1, 0, 0, 100),
            interval(2, 1, 1, 60),
            interval(3, 2, 2, 20),
            interval(4, 3, 20, 60),
            interval(5, 4, 61, 100),
            interval(6, 5, 101, 120),
        ];
        assert_eq!(nested(&intervals), [(2, 1), (3, 2), (4, 2), (5, 1)]);
    }

    #[test]
    fn late_innermost_state_is_found() {
        // State 2 was entered before the trace started, and is seen for the second
        // time.
        let intervals = [
            interval(1, 0, 0, 100),
            interval(3, 1, 1, 20),
            interval(3, 2, 21, 30),
            interval(2, 3, 40, 60),
            interval(3, 4, 41, 50),
        ];
        assert_eq!(nested(&intervals), [(2, 1), (3, 2)]);
    }

    #[test]
    fn equal_times_prove_nothing() {
        assert_eq!(nested(&[interval(1, 0, 5, 5), interval(2, 1, 5, 5)]), []);
        // One state is left in the tick in which the other is entered.
        assert_eq!(nested(&[interval(1, 0, 0, 5), interval(2, 1, 5, 5)]), []);
    }

    #[test]
    fn nesting_depth_is_limited() {
        // Each is inside the next one, but never more than two at a time.
        let pairs = (0..100).flat_map(|state: u32| {
            let start = u64::from(state) * 10;
            let inner = interval(u64::from(state), state * 2 + 1, start + 1, start + 2);
            [
                interval(u64::from(state) + 1, state * 2, start, start + 9),
                inner,
            ]
        });
        let parents = parents(&pairs.collect::<Vec<_>>());
        assert!(parents.len() > 90);
        for state in parents.keys() {
            let mut depth = 0;
            let mut above = Some(state);
            while let Some(one) = above {
                above = parents.get(one);
                depth += 1;
            }
            assert!(depth <= MAX_DEPTH + 1);
        }
    }

    #[test]
    fn contradictions_prove_nothing() {
        let intervals = [
            interval(1, 0, 0, 9),
            interval(2, 1, 1, 8),
            interval(2, 2, 10, 19),
            interval(1, 3, 11, 18),
        ];
        assert_eq!(nested(&intervals), []);
    }
}
