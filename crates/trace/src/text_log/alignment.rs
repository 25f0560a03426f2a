//! The stamps of a text log on the time of a trace.
//!
//! A stamp determines a time only up to whole periods of the trace's counter, and a log
//! of several boots has several zeros. The log and the trace are of one run, so they
//! overlap: if exactly one number of periods of one boot makes them overlap, that is the
//! time; otherwise it is not known.

use super::pattern::Stamp;
use super::{SignedTicks, TextLogError};
use crate::clock::ClockDirection;
use crate::diagnostic::pluralise;
use crate::{Diagnostic, DiagnosticKind, Diagnostics, EventIndex, Nanoseconds, NoTime, Trace};
use std::ops::Range;

/// A counter without a shorter period repeats after this many ticks.
const FULL_PERIOD: i128 = 1 << 64;

/// A stamp of a wrapping counter that is less than the last one, by less than a period
/// divided by this is out of order.
const MAX_DISORDER_DIVISOR: i128 = 16;

/// The times of the stamps.
pub(super) fn align(
    stamps: &[Stamp],
    offset_ns: i64,
    trace: &Trace,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Option<SignedTicks>>, TextLogError> {
    let no_time = trace.clock.quality.no_time();
    let values = stamp_values(stamps, offset_ns, trace)?;
    let Some(first) = trace
        .events
        .get(EventIndex(0))
        .filter(|_| no_time.is_none())
    else {
        let why = no_time.map_or("the trace has no events".to_owned(), |why| why.to_string());
        not_known(diagnostics, stamps.len(), &why);
        return Ok(vec![None; stamps.len()]);
    };
    let period = trace.clock.period.map(i128::from);
    let origin = i128::from(first.timestamp & trace.clock.mask);
    let is_down = trace.clock.direction == ClockDirection::Down;
    let are_ticks = matches!(stamps.first(), Some(Stamp::Ticks(_)));
    if are_ticks && offset_ns != 0 {
        let message = "the offset has no effect: the stamps are ticks";
        diagnostics.push(Diagnostic::new(DiagnosticKind::TextLogTime, message));
    }
    // Elapsed times count up whichever way the counter does.
    let relative = |value: &i128| match (is_down, are_ticks) {
        (false, _) => value - origin,
        (true, true) => origin - value,
        (true, false) => value + origin,
    };
    let is_wrapping =
        are_ticks && period.is_some_and(|period| values.iter().all(|value| *value < period));
    let mut times: Vec<i128> = values.iter().map(relative).collect();
    let mut backward = 0;
    let boots = if is_wrapping {
        backward += unwrap(&mut times, period.unwrap_or(FULL_PERIOD));
        std::iter::once(0..times.len()).collect()
    } else {
        split_boots(stamps, &mut backward)
    };
    note_order(diagnostics, &boots, backward);
    let span = i128::from(trace.events.span().0);
    let choice = choose(&times, &boots, period.unwrap_or(FULL_PERIOD), span);
    let (boot, shift) = match choice {
        Choice::Only(boot, shift) => (boot, shift),
        Choice::None if period.is_none() && boots.len() == 1 => {
            let message = "no line is within the trace";
            diagnostics.push(Diagnostic::new(DiagnosticKind::TextLogTime, message));
            let first = times.first().copied().unwrap_or_default();
            // The nearest of the times that are the same on the counter.
            let shift = (first + FULL_PERIOD / 2).div_euclid(FULL_PERIOD) * -FULL_PERIOD;
            (0..times.len(), shift)
        }
        Choice::None => {
            not_known(
                diagnostics,
                stamps.len(),
                "the log does not overlap the trace",
            );
            return Ok(vec![None; stamps.len()]);
        }
        Choice::Several(count) => {
            let why = format!(
                "the trace fits {count} places of the log, since the counter wraps or the target \
                 restarted; cut the log to the time around the trace"
            );
            not_known(diagnostics, stamps.len(), &why);
            return Ok(vec![None; stamps.len()]);
        }
    };
    if boot.len() < stamps.len() {
        not_known(
            diagnostics,
            stamps.len() - boot.len(),
            "they are of another boot",
        );
    }
    let placed = times.iter().enumerate().map(|(number, time)| {
        let time = i64::try_from(time + shift).ok();
        time.filter(|_| boot.contains(&number)).map(SignedTicks)
    });
    Ok(placed.collect())
}

/// The stamps in ticks.
fn stamp_values(
    stamps: &[Stamp],
    offset_ns: i64,
    trace: &Trace,
) -> Result<Vec<i128>, TextLogError> {
    let frequency = || match trace.timescale().frequency() {
        Some(frequency) => Ok(frequency),
        None => {
            let why = trace.timescale().no_time();
            Err(TextLogError::NoTime(
                why.unwrap_or(NoTime::UnknownFrequency),
            ))
        }
    };
    let value = |stamp: &Stamp| match stamp {
        Stamp::Ticks(ticks) => Ok(i128::from(*ticks)),
        Stamp::Time(time) => {
            let ticks = |time: u64| Ok(i128::from(frequency()?.ticks_in(Nanoseconds(time)).0));
            match time.0.checked_add_signed(offset_ns) {
                Some(time) => ticks(time),
                None if offset_ns < 0 => Ok(-ticks(offset_ns.unsigned_abs() - time.0)?),
                None => ticks(u64::MAX),
            }
        }
    };
    stamps.iter().map(value).collect()
}

/// Unwraps the times of a counter that repeats. Returns how many are before the last one.
fn unwrap(times: &mut [i128], period: i128) -> u64 {
    let mut backward = 0;
    let mut last = times.first().copied().unwrap_or_default();
    for time in times {
        let forward = (*time - last).rem_euclid(period);
        let back = period - forward;
        *time = last + forward;
        if back < period / MAX_DISORDER_DIVISOR {
            *time = last - back;
            backward += 1;
        } else {
            last = *time;
        }
    }
    backward
}

/// Divides stamps where they fall to less than half: the target has restarted.
fn split_boots(stamps: &[Stamp], backward: &mut u64) -> Vec<Range<usize>> {
    let mut boots = Vec::new();
    let mut start = 0;
    let mut highest = 0;
    for (number, stamp) in stamps.iter().enumerate() {
        let (Stamp::Ticks(value) | Stamp::Time(Nanoseconds(value))) = *stamp;
        if value < highest {
            if value < highest / 2 {
                boots.push(start..number);
                start = number;
                highest = 0;
            } else {
                *backward += 1;
            }
        }
        highest = highest.max(value);
    }
    boots.push(start..stamps.len());
    boots
}

enum Choice {
    None,
    /// A boot, and what to add to its times.
    Only(Range<usize>, i128),
    Several(i128),
}

/// Finds the only boot and number of periods with which log and trace overlap.
fn choose(times: &[i128], boots: &[Range<usize>], period: i128, span: i128) -> Choice {
    let mut found = Choice::None;
    let mut count = 0;
    for boot in boots {
        let times = times.get(boot.clone()).unwrap_or_default();
        let (Some(first), Some(last)) = (times.iter().min(), times.iter().max()) else {
            continue;
        };
        // From the first number of periods that moves the end into the trace to the last
        // one that moves the start into it.
        let least = -last.div_euclid(period);
        let most = (span - first).div_euclid(period);
        count += (most - least + 1).max(0);
        if most >= least {
            found = Choice::Only(boot.clone(), least * period);
        }
    }
    if count > 1 {
        Choice::Several(count)
    } else {
        found
    }
}

fn note_order(diagnostics: &mut Diagnostics, boots: &[Range<usize>], backward: u64) {
    if backward > 0 {
        let count = pluralise(backward, "stamp is", "stamps are");
        let message = format!("{count} before the one of an earlier line");
        let found = Diagnostic::new(DiagnosticKind::TextLogTime, message);
        diagnostics.push(found.with_count(backward));
    }
    if boots.len() > 1 {
        let restarts = boots.len() as u64 - 1;
        let times = pluralise(restarts, "time", "times");
        let message = format!("the stamps start again {times}: the target restarted");
        let found = Diagnostic::new(DiagnosticKind::TextLogTime, message);
        diagnostics.push(found.with_count(restarts));
    }
}

fn not_known(diagnostics: &mut Diagnostics, lines: usize, why: &str) {
    let count = pluralise(lines as u64, "stamped line", "stamped lines");
    let message = format!("the times of {count} are not known: {why}");
    let found = Diagnostic::new(DiagnosticKind::TextLogTime, message);
    diagnostics.push(found.with_count(lines as u64));
}
