//! The frequency of a target's clock by the clock of the host that captured it.

use rtoscope_trace::{EventIndex, Trace};

/// When a number of events had arrived, by the host's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    /// Nanoseconds since any time.
    pub nanoseconds: u64,
    /// Number of events so far.
    pub events: u64,
}

/// Minimum duration of each half of a capture, in nanoseconds.
const MIN_HALF_NS: u64 = 500_000_000;

/// The frequency in hertz; `None` if the arrivals do not show it. The halves of the capture
/// must agree: entries that waited in a buffer, a target that was halted and missing entries
/// have an effect on one of them. The first quarter may have waited before the capture.
pub(super) fn hertz(trace: &Trace, arrivals: &[Arrival]) -> Option<u64> {
    let [first, last] = [arrivals.first()?, arrivals.last()?].map(|it| it.nanoseconds);
    let at = |quarter: u64| {
        let time = first + (last - first) / 4 * quarter;
        let number = arrivals.partition_point(|it| it.nanoseconds < time);
        arrivals.get(number)
    };
    let [begin, middle, end] = [at(1)?, at(2)?, arrivals.last()?];
    let rates = [rate(trace, begin, middle)?, rate(trace, middle, end)?];
    let [low, high] = if rates[0] < rates[1] {
        rates
    } else {
        [rates[1], rates[0]]
    };
    (high - low <= high / 20).then(|| rate(trace, begin, end))?
}

/// Ticks per second between two arrivals.
fn rate(trace: &Trace, from: &Arrival, to: &Arrival) -> Option<u64> {
    let time = |arrival: &Arrival| {
        let last = u32::try_from(arrival.events.checked_sub(1)?).ok()?;
        trace.events.time(EventIndex(last))
    };
    let ticks = time(to)?.0.checked_sub(time(from)?.0)?;
    let nanoseconds = to.nanoseconds.checked_sub(from.nanoseconds)?;
    if nanoseconds < MIN_HALF_NS {
        return None;
    }
    u64::try_from(u128::from(ticks) * 1_000_000_000 / u128::from(nanoseconds)).ok()
}

/// A frequency with two significant digits: arrivals give no more.
pub(super) fn rounded(hertz: u64) -> u64 {
    let unit = 10_u64.pow(hertz.max(10).ilog10() - 1);
    (hertz + unit / 2) / unit * unit
}
