//! The kernel's ticks as a second witness of time.
//!
//! A thread that sleeps for n ticks becomes ready at the nth tick from then on: after
//! more than n - 1 and at most n periods of the kernel's timer. So each sleep bounds the
//! period from both sides, and the sleeps of a sound clock have a period in common.
//! Other things delay a few of them: a halted target, a busy host. A contradiction takes
//! several sleeps on either side, and a clear margin.

use rtoscope_trace::clock::ClockQuality;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Diagnostic, DiagnosticKind, EventIndex};

/// A sleep of a thread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sleep {
    /// The ticks of the kernel for which it sleeps.
    pub(crate) kernel_ticks: u64,
    /// The ticks of the clock from the call until the thread is ready.
    pub(crate) duration: u64,
    /// The call.
    pub(crate) first: EventIndex,
    /// The event that makes it ready.
    pub(crate) last: EventIndex,
    /// The ticks of the clock in which the processor is idle meanwhile; `None` if it is
    /// never idle.
    pub(crate) idle: Option<u64>,
}

/// What the sleeps say against a clock.
pub(crate) struct TickContradiction {
    pub(crate) quality: ClockQuality,
    pub(crate) diagnostic: Diagnostic,
}

/// Minimum number of sleeps on either side of a contradiction.
const MIN_SLEEPS: usize = 3;
/// One in this many sleeps may be delayed.
const ONE_DELAYED_IN: usize = 64;
/// Bounds that differ by less do not contradict.
const MARGIN: f64 = 1.25;

/// The ticks of the clock in a tick of the kernel.
#[derive(Debug, Clone, Copy)]
struct TickLength {
    /// It has at least as many.
    min: f64,
    /// It has at most as many.
    max: f64,
}

impl Sleep {
    /// The duration is exact but for the tick at either end.
    fn tick_length(&self) -> TickLength {
        let (kernel_ticks, duration) = (self.kernel_ticks as f64, self.duration as f64);
        TickLength {
            min: (duration - 1.0).max(0.0) / kernel_ticks,
            max: match self.kernel_ticks {
                0 | 1 => f64::INFINITY,
                _ => (duration + 1.0) / (kernel_ticks - 1.0),
            },
        }
    }
}

impl TickLength {
    fn contradicts(&self, other: &Self) -> bool {
        self.min > other.max * MARGIN || other.min > self.max * MARGIN
    }

    fn is_possible(&self) -> bool {
        !self.contradicts(self)
    }
}

/// The bounds that several sleeps agree on.
fn common_length(sleeps: &[Sleep]) -> TickLength {
    let needed = MIN_SLEEPS + sleeps.len() / ONE_DELAYED_IN;
    let lengths = || sleeps.iter().map(Sleep::tick_length);
    let mut least: Vec<_> = lengths().map(|length| length.min).collect();
    let mut most: Vec<_> = lengths().map(|length| length.max).collect();
    least.sort_unstable_by(|one, other| other.total_cmp(one));
    most.sort_unstable_by(f64::total_cmp);
    TickLength {
        min: least.get(needed - 1).copied().unwrap_or_default(),
        max: most.get(needed - 1).copied().unwrap_or(f64::INFINITY),
    }
}

/// What the sleeps, in the order of their ends, say against a clock with a period;
/// `restarts` is whether it is known to restart before.
pub(crate) fn contradiction(
    sleeps: &[Sleep],
    period: Option<u64>,
    restarts: bool,
) -> Option<TickContradiction> {
    let whole = common_length(sleeps);
    if whole.is_possible() {
        return None;
    }
    let contradicting = |sleep: &&Sleep| sleep.tick_length().max * MARGIN < whole.min;
    let short: Vec<_> = sleeps.iter().filter(contradicting).collect();
    let first = short.first()?;
    let lengths = format!(
        "a kernel tick takes at least {} by some sleeps, and at most {} by others",
        rounded_ticks(whole.min.ceil()),
        rounded_ticks(whole.max.floor())
    );
    let found = |quality, event, what: String| {
        let kind = DiagnosticKind::ClockContradictsTicks;
        let diagnostic = Diagnostic::new(kind, what).at_event(event);
        TickContradiction {
            quality,
            diagnostic: diagnostic.with_count(short.len() as u64),
        }
    };
    if restarts {
        let message = "the clock restarts early: sleeps contradict its times, and none is right \
                       until you set its period";
        return Some(found(ClockQuality::Uneven, first.last, message.to_owned()));
    }
    if let Some(change) = speed_change(sleeps) {
        return Some(found(
            ClockQuality::Uneven,
            change.at.last,
            change.message(),
        ));
    }
    let lost = LostTime::of(&short, whole.min);
    let share = "idle time, loads and shares of time are unknown";
    let (quality, message) = if lost.is_idle && lost.measured_idle * 4.0 < lost.ticks {
        let message = format!(
            "the clock stands while the processor is idle, first before event {}: {lengths}, \
             during which the processor was idle; {share}, and times that include idle are too \
             short",
            first.last
        );
        (ClockQuality::Lossy, message)
    } else if let Some(period) = period.filter(|period| lost.is_idle && lost.exceeds(*period)) {
        let message = format!(
            "the clock wraps unseen in pauses longer than its period of {period} ticks, first \
             before event {}: {lengths}; {share}, and times that include such a pause are too \
             short",
            first.last
        );
        (ClockQuality::Lossy, message)
    } else {
        let message = format!(
            "the clock stands at times, or changes its speed, first before event {}: {lengths}; \
             times and shares of time are unknown",
            first.last
        );
        (ClockQuality::Uneven, message)
    };
    Some(found(quality, first.last, message))
}

fn rounded_ticks(ticks: f64) -> String {
    pluralise(ticks as u64, "tick of the clock", "ticks of the clock")
}

/// The time that a clock loses in sleeps that are too short.
struct LostTime {
    /// Whether the processor is idle in nearly all of them.
    is_idle: bool,
    /// The idle time that the clock measures in them.
    measured_idle: f64,
    /// What is missing at least.
    ticks: f64,
    /// The greatest loss of each sleep; the lowest of them.
    least: f64,
}

impl LostTime {
    /// `tick` is what a tick of the kernel takes at least.
    fn of(short: &[&Sleep], tick: f64) -> Self {
        let idle = short.iter().filter_map(|sleep| sleep.idle);
        let missing = |sleep: &&Sleep, kernel_ticks: f64| {
            (kernel_ticks * tick - sleep.duration as f64).max(0.0)
        };
        let least = short
            .iter()
            .map(|sleep| missing(sleep, sleep.kernel_ticks as f64));
        let ticks = short
            .iter()
            .map(|sleep| missing(sleep, sleep.kernel_ticks as f64 - 1.0));
        Self {
            is_idle: idle.clone().count() * 10 >= short.len() * 9,
            measured_idle: idle.map(|ticks| ticks as f64).sum(),
            ticks: ticks.sum(),
            least: least.fold(f64::INFINITY, f64::min),
        }
    }

    /// Whether each sleep may have lost a period.
    fn exceeds(&self, period: u64) -> bool {
        self.least * MARGIN >= period as f64
    }
}

/// A change of the clock's speed.
struct SpeedChange<'s> {
    before: TickLength,
    after: TickLength,
    /// The last sleep before it that is known to be.
    until: &'s Sleep,
    /// The first sleep that is later, or of both speeds.
    at: &'s Sleep,
}

/// The bounds that all of some sleeps agree on, but for one.
#[derive(Clone, Copy)]
struct AlmostCommonLength {
    min: [f64; 2],
    max: [f64; 2],
}

impl AlmostCommonLength {
    const NONE: Self = Self {
        min: [0.0; 2],
        max: [f64::INFINITY; 2],
    };

    fn add(&mut self, sleep: &Sleep) {
        let TickLength { min, max } = sleep.tick_length();
        let [highest, second] = self.min;
        self.min = [highest.max(min), second.max(highest.min(min))];
        let [lowest, second] = self.max;
        self.max = [lowest.min(max), second.min(lowest.max(max))];
    }

    fn length(&self) -> TickLength {
        TickLength {
            min: self.min[1],
            max: self.max[1],
        }
    }
}

/// The change that divides all sleeps in two parts that each agree on a length
/// that contradicts the other's.
fn speed_change(sleeps: &[Sleep]) -> Option<SpeedChange<'_>> {
    let mut by_start: Vec<_> = sleeps.iter().collect();
    by_start.sort_unstable_by_key(|sleep| sleep.first);
    // The lengths of the sleeps from each one on, in the order of their starts.
    let mut later = vec![AlmostCommonLength::NONE; by_start.len() + 1];
    for (at, sleep) in by_start.iter().enumerate().rev() {
        if let Some([this, next]) = later.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
            *this = *next;
            this.add(sleep);
        }
    }
    let mut before = AlmostCommonLength::NONE;
    let mut possible = Vec::new();
    for pair in sleeps.windows(2) {
        let [until, at] = pair else { continue };
        before.add(until);
        let rest = by_start.partition_point(|sleep| sleep.first <= until.last);
        let after = later.get(rest)?.length();
        let before = before.length();
        if before.is_possible() && after.is_possible() && before.contradicts(&after) {
            possible.push(SpeedChange {
                before,
                after,
                until,
                at,
            });
        }
    }
    let middle = possible.len() / 2;
    possible.into_iter().nth(middle)
}

impl SpeedChange<'_> {
    fn message(&self) -> String {
        let text = |length: &TickLength| match (length.min.ceil(), length.max.floor()) {
            (min, max) if max.is_infinite() => format!("at least {}", rounded_ticks(min)),
            (min, max) if min <= 0.0 => format!("at most {}", rounded_ticks(max)),
            (min, max) if min < max => format!("{min} to {}", rounded_ticks(max)),
            (min, _) => format!("about {}", rounded_ticks(min)),
        };
        let (until, at) = (self.until.last, self.at.last);
        if self.after.max <= 2.0 && self.before.min > 2.0 * MARGIN {
            return format!(
                "the clock stands from between events {until} and {at} on: a kernel tick takes \
                 {}, then {}; times and shares of time are unknown",
                text(&self.before),
                text(&self.after)
            );
        }
        format!(
            "the clock changes its speed between events {until} and {at}: a kernel tick takes \
             {}, then {}; durations before and after it are not comparable, and shares of time \
             are unknown",
            text(&self.before),
            text(&self.after)
        )
    }
}

#[cfg(test)]
mod tests;
