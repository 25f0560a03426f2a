//! Falls of the timestamps between entries in order.

use super::RingEntry;
use std::ops::Range;

/// What falls show.
#[derive(Debug, Default)]
pub(super) struct Falls {
    /// Entries that do not belong between their neighbours: the timestamps fall before
    /// them and return after them.
    pub(super) dips: Vec<Range<usize>>,
    /// Entries at which the timestamps fall and do not return.
    pub(super) jumps: Vec<usize>,
    /// Ticks of the longest such fall.
    pub(super) longest_jump: u64,
}

/// With more jumps, the clock restarts regularly, or the cores have clocks of their own.
const MAX_JUMPS: usize = 64;

/// If more than one of this many entries is in a dip, it is not known which ones are right.
const MAX_DIPS_PER_ENTRY: usize = 2;

/// Number of entries below an earlier one by more than `tolerance`.
pub(super) fn lower_entries(times: impl Iterator<Item = i64>, tolerance: u64) -> usize {
    let mut highest = i64::MIN;
    let mut lower = 0;
    for time in times {
        lower += usize::from(is_below(time, highest, tolerance));
        highest = highest.max(time);
    }
    lower
}

fn is_below(time: i64, highest: i64, tolerance: u64) -> bool {
    highest > time && highest != i64::MIN && highest.abs_diff(time) > tolerance
}

impl Falls {
    /// Finds the falls of more than `tolerance` ticks; `None` if they have no meaning.
    pub(super) fn find(entries: &[RingEntry], tolerance: u64) -> Option<Self> {
        let mut falls = match earlier_lap(entries) {
            Some(dips) => Self {
                dips,
                ..Self::default()
            },
            None => Self::scan(entries, tolerance, true)?,
        };
        falls.include_oldest(entries);
        let in_dips: usize = falls.dips.iter().map(Range::len).sum();
        if in_dips * MAX_DIPS_PER_ENTRY > entries.len() {
            falls = Self::scan(entries, tolerance, false)?;
        }
        (!falls.are_of_a_core(entries)).then_some(falls)
    }

    fn scan(entries: &[RingEntry], tolerance: u64, has_dips: bool) -> Option<Self> {
        let mut falls = Self::default();
        let mut highest = i64::MIN;
        let mut at = 0;
        while let Some(entry) = entries.get(at) {
            if !is_below(entry.time, highest, tolerance) {
                highest = highest.max(entry.time);
                at += 1;
                continue;
            }
            let fall = highest.abs_diff(entry.time);
            let dip = || dip(entries, at, highest, tolerance);
            if let Some(dip) = has_dips.then(dip).flatten() {
                at = dip.end;
                falls.dips.push(dip);
            } else {
                falls.jumps.push(at);
                falls.longest_jump = falls.longest_jump.max(fall);
                highest = entry.time;
                at += 1;
                if falls.jumps.len() > MAX_JUMPS {
                    return None;
                }
            }
        }
        Some(falls)
    }

    /// Entries before all others that are as old as those of dips belong to the same
    /// earlier lap if a step as long as a lap follows them.
    fn include_oldest(&mut self, entries: &[RingEntry]) {
        let in_dips = self.dips.iter().cloned().flatten();
        let newest_dip = in_dips.filter_map(|at| entries.get(at)).map(|it| it.time);
        let Some(newest_dip) = newest_dip.max() else {
            return;
        };
        let newest = entries.iter().map(|it| it.time).max().unwrap_or_default();
        let is_old = |it: &RingEntry| it.time <= newest_dip;
        let Some(first) = entries.iter().position(|it| !is_old(it)) else {
            return;
        };
        let ends = (
            first.checked_sub(1).and_then(|last| entries.get(last)),
            entries.get(first),
        );
        if let (Some(before), Some(after)) = ends
            && after.time.abs_diff(before.time) > newest.abs_diff(after.time) / 2
        {
            self.dips.retain(|dip| dip.start >= first);
            self.dips.insert(0, 0..first);
        }
    }

    /// Whether dips contain all entries of a core, whose clock then differs from those of
    /// the others.
    fn are_of_a_core(&self, entries: &[RingEntry]) -> bool {
        let mut of_cores = [(0_u32, 0_u32); 256];
        let mut count = |entry: &RingEntry, all: u32, low: u32| {
            if let Some(of_core) = of_cores.get_mut(usize::from(entry.core)) {
                of_core.0 += all;
                of_core.1 += low;
            }
        };
        entries.iter().for_each(|entry| count(entry, 1, 0));
        let low = self.dips.iter().cloned().flatten();
        low.filter_map(|at| entries.get(at))
            .for_each(|entry| count(entry, 0, 1));
        of_cores.iter().any(|(all, low)| *all > 1 && all == low)
    }
}

/// The lower entries, if they are in several places and all older than the others, except
/// perhaps than some at the start: entries of an earlier lap between newer ones.
fn earlier_lap(entries: &[RingEntry]) -> Option<Vec<Range<usize>>> {
    let mut dips: Vec<Range<usize>> = Vec::new();
    let mut highest = i64::MIN;
    let mut newest_low = i64::MIN;
    for (at, entry) in entries.iter().enumerate() {
        // Laps may last differently long, so that no tolerance fits both.
        if !is_below(entry.time, highest, 0) {
            highest = highest.max(entry.time);
            continue;
        }
        newest_low = newest_low.max(entry.time);
        match dips.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => dips.push(at..at + 1),
        }
    }
    let start = entries.iter().position(|it| it.time > newest_low)?;
    let is_low = |it: &&RingEntry| it.time <= newest_low;
    let older = entries.iter().skip(start).filter(is_low).count();
    let in_dips = dips.iter().cloned().flatten().filter(|at| *at >= start);
    let is_older = in_dips.count() == older;
    (dips.len() > 1 && start * 4 <= entries.len() && is_older).then_some(dips)
}

/// The entries from `start` on, before which the timestamps fall from `highest`, if they
/// are between others that follow one another: a clock that was set back catches up slowly,
/// while after entries of another lap the timestamps return at once.
fn dip(entries: &[RingEntry], start: usize, highest: i64, tolerance: u64) -> Option<Range<usize>> {
    let rest = entries.get(start..)?;
    let end = rest
        .iter()
        .position(|it| !is_below(it.time, highest, tolerance));
    let end = start + end.unwrap_or(rest.len());
    let dip = entries.get(start..end)?;
    let (first, last) = (dip.first()?, dip.last()?);
    let oldest = entries.first()?.time;
    let is_older = dip.iter().all(|it| it.time < oldest);
    let is_dip = match entries.get(end) {
        Some(next) => {
            let fall = highest.abs_diff(first.time);
            is_older || next.time.abs_diff(last.time) >= fall / 2
        }
        // At the end, nothing shows a return: the counter may have restarted.
        None => false,
    };
    is_dip.then_some(start..end)
}
