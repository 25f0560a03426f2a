//! Recordings whose timestamps are from the same counter.

use super::AlignmentError;
use rtoscope_trace::clock::ClockDirection;
use rtoscope_trace::{Clock, EventIndex, Ticks, Trace};

/// The start of the other trace since that of the first one, by timestamps of the same counter.
///
/// # Errors
///
/// If the counters differ, or a counter wraps and the traces overlap at no or at several of
/// the possible times.
pub(super) fn offset(first: &Trace, other: &Trace) -> Result<i128, AlignmentError> {
    if first.clock.direction != other.clock.direction {
        return Err(AlignmentError::OtherDirection);
    }
    let starts = [first, other].map(|trace| {
        // The first events of a stream can have no timestamp; their time is 0.
        let mut events = trace.events.iter();
        let timed = events.find(|event| event.time > Ticks(0));
        let event = timed.or_else(|| trace.events.get(EventIndex(0)))?;
        let value = event.timestamp & trace.clock.mask;
        let value = i128::from(value >> trace.clock.mask.trailing_zeros().min(63));
        let since_start = i128::from(event.time.0);
        Some(match trace.clock.direction {
            ClockDirection::Up => value - since_start,
            ClockDirection::Down => -value - since_start,
        })
    });
    let [Some(first_start), Some(other_start)] = starts else {
        return Err(AlignmentError::NoEvents);
    };
    let distance = other_start - first_start;
    let Some(period) = common_period(&first.clock, &other.clock)? else {
        return Ok(distance);
    };
    let spans = [first, other].map(|trace| i128::from(trace.events.span().0));
    let [first_span, other_span] = spans;
    let distance = distance.rem_euclid(period);
    // The other trace begins at `distance` and a number of periods.
    let most = (first_span - distance).div_euclid(period);
    let least = -(other_span + distance).div_euclid(period);
    match most - least {
        0 => Ok(distance + most * period),
        count if count < 0 => Err(AlignmentError::NoOverlap),
        count => Err(AlignmentError::CounterWraps {
            places: u64::try_from(count + 1).unwrap_or(u64::MAX),
        }),
    }
}

/// The ticks after which the narrower counter repeats; `None` if neither does.
fn common_period(first: &Clock, other: &Clock) -> Result<Option<i128>, AlignmentError> {
    match (first.period, other.period) {
        (None, None) => Ok(None),
        (Some(period), None) | (None, Some(period)) if period.is_power_of_two() => {
            Ok(Some(period.into()))
        }
        (Some(one), Some(two)) if one.max(two) % one.min(two).max(1) == 0 => {
            Ok(Some(one.min(two).max(1).into()))
        }
        _ => Err(AlignmentError::OtherPeriod),
    }
}
