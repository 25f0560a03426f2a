//! Cores whose counters show different values at the same time.
//!
//! The order of the events is known: the cores of an SMP kernel write into one ring,
//! under a lock. So each change of core bounds the distance between two counters: it
//! takes no negative time, in either direction. A counter that all cores share has the
//! distance 0.

use super::modulus::ClockModulus;
use super::step_counts::StepCounts;
use rtoscope_trace::clock::ClockDirection;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Diagnostic, DiagnosticKind, EventIndex};

/// Minimum number of changes of core at which a shared counter would run backwards.
const MIN_BACKWARD: u64 = 3;

/// Timestamps as one counter would show them, and how the counters of cores differ.
pub(crate) struct AlignedStamps {
    pub(crate) stamps: Vec<u64>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// What the changes between a core and the reference core say about its counter.
#[derive(Debug, Clone, Copy, Default)]
struct CoreCounter {
    /// Changes to the core.
    to: Changes,
    /// Changes from it.
    from: Changes,
    first_backward: Option<EventIndex>,
    /// Its distance from the reference at the first change, if no time passed.
    first: Option<u64>,
    /// The bounds of the distance, less the first one.
    lower: Option<i64>,
    upper: Option<i64>,
    /// The distance, if the timestamps are followed.
    distance: u64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Changes {
    all: u64,
    /// Those at which a shared counter would run backwards.
    backward: u64,
}

impl Changes {
    fn are_mostly_backward(self) -> bool {
        self.backward >= MIN_BACKWARD && self.backward * 2 > self.all
    }
}

impl CoreCounter {
    /// Whether the counter is not that of the reference core.
    fn differs(&self) -> bool {
        self.to.are_mostly_backward() || self.from.are_mostly_backward()
    }

    /// The bounds of a constant distance, less the first one.
    fn constant(&self) -> Option<[i64; 2]> {
        let (lower, upper) = (self.lower?, self.upper?);
        (lower <= upper).then_some([lower, upper])
    }

    fn diagnostic(&self, core: u8, reference: u8, period: u64) -> Diagnostic {
        let ticks = |distance: i64| pluralise(distance.unsigned_abs(), "tick", "ticks");
        let distance = signed(self.distance, period);
        let way = if distance < 0 {
            "later than"
        } else {
            "ahead of"
        };
        let message = match self.constant() {
            Some([lower, upper]) => format!(
                "core {core} has a counter of its own, {} {way} that of core {reference}: times \
                 across the cores are exact to {}",
                ticks(distance),
                ticks((upper - lower) / 2 + (upper - lower) % 2)
            ),
            None => format!(
                "core {core} has a counter of its own, which drifts: at the end it is {} {way} \
                 that of core {reference}, {} from where it was; times across the cores are \
                 estimates",
                ticks(distance),
                ticks(signed(
                    self.distance.wrapping_sub(self.first.unwrap_or_default()),
                    period
                ))
            ),
        };
        let diagnostic = Diagnostic::new(DiagnosticKind::CoreClocks, message);
        let diagnostic = diagnostic.with_count(self.to.backward + self.from.backward);
        match self.first_backward {
            Some(event) => diagnostic.at_event(event),
            None => diagnostic,
        }
    }
}

/// A number of ticks modulo a period, which is a power of two, as the shorter way.
fn signed(ticks: u64, period: u64) -> i64 {
    let ticks = ticks & (period - 1);
    if ticks > period / 2 {
        -((period - ticks) as i64)
    } else {
        ticks as i64
    }
}

/// A change from the reference core to another one, or back.
struct CoreChange {
    event: EventIndex,
    /// The other core.
    core: u8,
    is_to: bool,
    /// The distance of the other core's counter if no time passed.
    distance: u64,
}

/// The timestamps of all cores, as those of counters that count up.
struct CoreStamps<F> {
    /// Calls a function with each timestamp and its core.
    events: F,
    modulus: ClockModulus,
    direction: ClockDirection,
    period: u64,
    /// The core of the first event.
    reference: u8,
}

/// Aligns the timestamps of cores with counters of their own; `None` if all share one.
/// `events` calls a function with each timestamp and its core.
pub(crate) fn align(
    events: impl Fn(&mut dyn FnMut(u64, u8)),
    modulus: ClockModulus,
    direction: Option<ClockDirection>,
) -> Option<AlignedStamps> {
    // A narrow counter wraps too often to show a distance.
    let ClockModulus::Mask(mask) = modulus else {
        return None;
    };
    let period = modulus.period()?;
    let is_block = mask & mask.wrapping_add(1) == 0;
    if !is_block || !modulus.is_wide() {
        return None;
    }
    let (mut reference, mut are_several) = (None, false);
    events(&mut |_, core| are_several |= *reference.get_or_insert(core) != core);
    let reference = reference.filter(|_| are_several)?;
    let recorded = CoreStamps {
        direction: direction.unwrap_or_else(|| own_direction(&events, modulus)),
        events,
        modulus,
        period,
        reference,
    };
    let mut counters = recorded.counters();
    if !counters.iter().any(CoreCounter::differs) {
        return None;
    }
    let stamps = recorded.aligned(&mut counters);
    let differing = (0..=u8::MAX).zip(&counters);
    let differing = differing.filter(|(_, counter)| counter.differs());
    let diagnostics = differing.map(|(core, it)| it.diagnostic(core, reference, period));
    Some(AlignedStamps {
        diagnostics: diagnostics.collect(),
        stamps,
    })
}

/// The direction of the counters, by the steps between events of the same core.
fn own_direction(
    events: impl Fn(&mut dyn FnMut(u64, u8)),
    modulus: ClockModulus,
) -> ClockDirection {
    let mut steps = StepCounts::default();
    let mut before = None;
    events(&mut |stamp, core| {
        if let Some((last, from)) = before.replace((stamp, core))
            && from == core
        {
            steps.add(modulus, last, stamp);
        }
    });
    steps.direction()
}

impl<F: Fn(&mut dyn FnMut(u64, u8))> CoreStamps<F> {
    /// The value of a counter that counts up.
    fn value(&self, stamp: u64) -> u64 {
        let masked = self.modulus.masked(stamp);
        match self.direction {
            ClockDirection::Up => masked,
            ClockDirection::Down => self.modulus.reversed(masked),
        }
    }

    /// Calls `visit` with each event's value and, if the core changes from or to the
    /// reference, the change.
    fn visit(&self, mut visit: impl FnMut(u8, u64, Option<CoreChange>)) {
        let mut before: Option<(u8, u64)> = None;
        let mut next = 0;
        (self.events)(&mut |stamp, core| {
            let value = self.value(stamp);
            let event = EventIndex(next);
            next += 1;
            let change = match before.replace((core, value)) {
                Some((from, base)) if from == self.reference && core != from => Some(CoreChange {
                    event,
                    core,
                    is_to: true,
                    distance: self.modulus.forward(base, value),
                }),
                Some((from, last)) if core == self.reference && core != from => Some(CoreChange {
                    event,
                    core: from,
                    is_to: false,
                    distance: self.modulus.forward(value, last),
                }),
                _ => None,
            };
            visit(core, value, change);
        });
    }

    fn counters(&self) -> [CoreCounter; 256] {
        let mut counters = [CoreCounter::default(); 256];
        self.visit(|_, _, change| {
            let Some(change) = change else { return };
            let Some(counter) = counters.get_mut(usize::from(change.core)) else {
                return;
            };
            let first = *counter.first.get_or_insert(change.distance);
            let distance = signed(change.distance.wrapping_sub(first), self.period);
            // The shared counter has the distance 0.
            let ahead = signed(change.distance, self.period);
            let (changes, is_backward) = if change.is_to {
                counter.upper = Some(counter.upper.map_or(distance, |it| it.min(distance)));
                (&mut counter.to, ahead < 0)
            } else {
                counter.lower = Some(counter.lower.map_or(distance, |it| it.max(distance)));
                (&mut counter.from, ahead > 0)
            };
            changes.all += 1;
            if is_backward {
                changes.backward += 1;
                counter.first_backward.get_or_insert(change.event);
            }
        });
        for counter in &mut counters {
            counter.distance = match (counter.differs(), counter.constant()) {
                (false, _) => 0,
                (true, Some([lower, upper])) => {
                    let middle = lower + (upper - lower) / 2;
                    counter
                        .first
                        .unwrap_or_default()
                        .wrapping_add_signed(middle)
                }
                (true, None) => counter.first.unwrap_or_default(),
            };
        }
        counters
    }

    /// The values less the distances of their cores; a distance that drifts is moved as
    /// far as each change demands.
    fn aligned(&self, counters: &mut [CoreCounter; 256]) -> Vec<u64> {
        let mut aligned: Vec<u64> = Vec::new();
        let mut last_core = self.reference;
        self.visit(|core, value, change| {
            if let Some(change) = change
                && let Some(counter) = counters.get_mut(usize::from(change.core))
                && counter.differs()
                && counter.constant().is_none()
            {
                let error = signed(change.distance.wrapping_sub(counter.distance), self.period);
                if change.is_to && error < 0 || !change.is_to && error > 0 {
                    counter.distance = change.distance;
                }
            }
            let counter = counters.get(usize::from(core));
            let distance = counter.map_or(0, |counter| counter.distance);
            let mut now = value.wrapping_sub(distance) & (self.period - 1);
            // The distance is not exact.
            if let Some(last) = aligned.last()
                && core != last_core
                && signed(now.wrapping_sub(*last), self.period) < 0
            {
                now = *last;
            }
            last_core = core;
            aligned.push(now);
        });
        if self.direction == ClockDirection::Down {
            for value in &mut aligned {
                *value = self.modulus.reversed(*value);
            }
        }
        aligned
    }
}
