//! Stamps of a counter of limited width, made into ticks since the first event.
//!
//! The rules are those of every format: differences count modulo the clock's
//! period; the direction is what most steps speak for; a small step back of a
//! wide clock is no wrap.

use rtoscope_trace::clock::{Clock, Direction, Quality};
use rtoscope_trace::event::Words;
use rtoscope_trace::{Diagnostic, DiagnosticKind, EventIndex, Frequency};

/// What the user knows better about a clock than the recording says.
#[derive(Debug, Clone, Copy, Default)]
pub struct ClockOptions {
    /// Which way it counts.
    pub direction: Option<Direction>,
    /// The bits of a stamp that count.
    pub mask: Option<u64>,
    /// Ticks after which it starts again, for clocks that reload before their
    /// mask is full (SysTick, nanoseconds of a second). At least 2.
    pub period: Option<u64>,
    /// How often it ticks.
    pub frequency: Option<Frequency>,
}

/// What came of a column of stamps.
pub(crate) struct Unwrapped {
    /// Ticks since the first event; never falls.
    pub(crate) time: Vec<u64>,
    pub(crate) clock: Clock,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// A clock of at least so many bits is wide: a small step back is no wrap.
const WIDE_BITS: u32 = 24;

/// A step back of less than this part of the period is small.
const SMALL_STEP_PART: u64 = 256;

/// Makes the stamps of a trace into times.
pub(crate) fn unwrap(stamps: &Words, header_mask: u64, options: &ClockOptions) -> Unwrapped {
    match stamps {
        Words::Narrow(stamps) => unwrap_words(stamps, u32::BITS, header_mask, options),
        Words::Wide(stamps) => unwrap_words(stamps, u64::BITS, header_mask, options),
    }
}

fn unwrap_words<W: Copy + Into<u64>>(
    stamps: &[W],
    stamp_bits: u32,
    header_mask: u64,
    options: &ClockOptions,
) -> Unwrapped {
    let mut diagnostics = Vec::new();
    let mask = usable_mask(
        options.mask.unwrap_or(header_mask),
        stamp_bits,
        &mut diagnostics,
    );
    let modulus = Modulus::new(mask, options.period);
    let steps = Steps::count(stamps, modulus);
    let direction = direction(&steps, options.direction, &mut diagnostics);
    let walk = Walk::new(stamps, modulus, direction);
    let quality = match stamps.len() {
        0 | 1 => Quality::Unknown,
        _ if steps.all_are(stamps.len(), 0) => Quality::Static,
        3.. if steps.all_are(stamps.len(), 1) => Quality::EventCounter,
        _ => Quality::Good,
    };
    describe(quality, &walk, &steps, modulus, mask, &mut diagnostics);
    Unwrapped {
        clock: Clock {
            mask,
            period: modulus.period(),
            direction,
            quality,
            frequency: options.frequency,
            wraps: walk.wraps,
            backward_steps: walk.backward_steps,
        },
        time: walk.time,
        diagnostics,
    }
}

/// A mask is a block of ones, anywhere in the stamp. Of any other the bits up
/// to its highest are taken; of none, all.
fn usable_mask(mask: u64, stamp_bits: u32, diagnostics: &mut Vec<Diagnostic>) -> u64 {
    let all = u64::MAX >> (u64::BITS - stamp_bits);
    let within = mask & all;
    let block = within >> within.trailing_zeros().min(u64::BITS - 1);
    if within != 0 && block & block.wrapping_add(1) == 0 {
        return within;
    }
    let taken = match within {
        0 => all,
        _ => u64::MAX >> within.leading_zeros(),
    };
    diagnostics.push(Diagnostic::new(
        DiagnosticKind::ClockMask,
        format!(
            "the clock's mask {mask:#x} is not a block of ones within {stamp_bits} bits; \
             {taken:#x} is used"
        ),
    ));
    taken
}

/// How differences count.
#[derive(Clone, Copy)]
enum Modulus {
    /// Modulo a power of two, at the mask's position.
    Mask(u64),
    /// Modulo a number of ticks, of stamps masked first.
    Period { mask: u64, ticks: u64 },
}

impl Modulus {
    fn new(mask: u64, period: Option<u64>) -> Self {
        match period.filter(|ticks| *ticks > 1) {
            Some(ticks) => Self::Period { mask, ticks },
            None => Self::Mask(mask),
        }
    }

    /// Ticks until the counter shows the same again; `None` for 2^64.
    fn period(self) -> Option<u64> {
        match self {
            Self::Mask(mask) => 1_u64.checked_shl(u64::BITS - mask.leading_zeros()),
            Self::Period { ticks, .. } => Some(ticks),
        }
    }

    fn masked(self, stamp: u64) -> u64 {
        match self {
            Self::Mask(mask) => stamp & mask,
            Self::Period { mask, ticks } => (stamp & mask) % ticks,
        }
    }

    /// Ticks from one stamp to the next of a clock that counts up.
    #[inline(always)]
    fn forward(self, from: u64, to: u64) -> u64 {
        match self {
            Self::Mask(mask) => to.wrapping_sub(from) & mask,
            Self::Period { mask, ticks } => {
                let (from, to) = ((from & mask) % ticks, (to & mask) % ticks);
                if to >= from {
                    to - from
                } else {
                    to + (ticks - from)
                }
            }
        }
    }

    /// A forward step as one of a clock that counts down.
    #[inline(always)]
    fn reversed(self, forward: u64) -> u64 {
        match (self, forward) {
            (_, 0) => 0,
            (Self::Mask(mask), _) => forward.wrapping_neg() & mask,
            (Self::Period { ticks, .. }, _) => ticks - forward,
        }
    }

    fn half(self) -> u64 {
        self.period().map_or(1 << 63, |period| period / 2)
    }

    /// Steps back below this many ticks are small; 0 in a narrow clock.
    fn small_step(self) -> u64 {
        let period = self.period().unwrap_or(u64::MAX);
        if period >= 1 << WIDE_BITS {
            period / SMALL_STEP_PART
        } else {
            0
        }
    }
}

/// What the steps from event to event look like.
#[derive(Default)]
struct Steps {
    up: u64,
    down: u64,
    zero: u64,
    one_up: u64,
    one_down: u64,
    junk: u64,
    highest: u64,
}

impl Steps {
    fn count<W: Copy + Into<u64>>(stamps: &[W], modulus: Modulus) -> Self {
        let mut steps = Self::default();
        let half = modulus.half();
        let unmasked = match modulus {
            Modulus::Mask(mask) | Modulus::Period { mask, .. } => {
                u64::MAX.checked_shl(u64::BITS - mask.leading_zeros())
            }
        }
        .unwrap_or_default();
        for stamp in stamps {
            let stamp = (*stamp).into();
            steps.junk += u64::from(stamp & unmasked != 0);
            steps.highest = steps.highest.max(modulus.masked(stamp));
        }
        for pair in stamps.windows(2) {
            if let [from, to] = pair {
                let step = modulus.forward((*from).into(), (*to).into());
                steps.zero += u64::from(step == 0);
                steps.up += u64::from(step != 0 && step < half);
                steps.down += u64::from(step > half);
                steps.one_up += u64::from(step == 1);
                steps.one_down += u64::from(modulus.reversed(step) == 1);
            }
        }
        steps
    }

    /// Whether every step of `events` events has that many ticks, 0 or 1.
    fn all_are(&self, events: usize, ticks: u64) -> bool {
        let steps = events as u64 - 1;
        match ticks {
            0 => self.zero == steps,
            _ => self.one_up == steps || self.one_down == steps,
        }
    }
}

fn direction(
    steps: &Steps,
    chosen: Option<Direction>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Direction {
    if let Some(chosen) = chosen {
        return chosen;
    }
    // Fewer than three events make one step, which proves nothing.
    if steps.up + steps.down + steps.zero < 2 {
        return Direction::Up;
    }
    if steps.up == steps.down && steps.up > 0 {
        diagnostics.push(Diagnostic::new(
            DiagnosticKind::ClockDirection,
            format!(
                "{} steps speak for a clock that counts up and as many for one that counts down; \
                 up is assumed",
                steps.up
            ),
        ));
    }
    if steps.down > steps.up {
        Direction::Down
    } else {
        Direction::Up
    }
}

/// The walk through the stamps.
struct Walk {
    time: Vec<u64>,
    wraps: u64,
    backward_steps: u64,
    first_backward: Option<EventIndex>,
    /// Ticks that the steps against the direction jumped, summed up.
    jumped: u64,
}

impl Walk {
    fn new<W: Copy + Into<u64>>(stamps: &[W], modulus: Modulus, direction: Direction) -> Self {
        let mut walk = Self {
            time: Vec::with_capacity(stamps.len()),
            wraps: 0,
            backward_steps: 0,
            first_backward: None,
            jumped: 0,
        };
        let Some(first) = stamps.first() else {
            return walk;
        };
        let backward_from = match modulus.small_step() {
            0 => u64::MAX,
            small => {
                let period = modulus.period().unwrap_or(u64::MAX);
                period - small
            }
        };
        let mut before: u64 = (*first).into();
        let mut now = 0_u64;
        // How far the clock, having stepped back, is behind the time shown.
        let mut behind = 0_u64;
        for stamp in stamps {
            let stamp: u64 = (*stamp).into();
            let forward = modulus.forward(before, stamp);
            let step = match direction {
                Direction::Up => forward,
                Direction::Down => modulus.reversed(forward),
            };
            if step > backward_from {
                walk.step_back();
                behind = behind.saturating_add(modulus.reversed(step));
                walk.jumped = walk.jumped.saturating_add(modulus.reversed(step));
            } else {
                if against(modulus, direction, before, stamp) {
                    walk.wraps += 1;
                    walk.jumped = walk.jumped.saturating_add(modulus.reversed(step));
                }
                let caught_up = step.min(behind);
                behind -= caught_up;
                now = now.saturating_add(step - caught_up);
            }
            walk.time.push(now);
            before = stamp;
        }
        walk
    }

    fn step_back(&mut self) {
        self.backward_steps += 1;
        let index = u32::try_from(self.time.len()).unwrap_or(u32::MAX);
        self.first_backward.get_or_insert(EventIndex(index));
    }
}

/// Whether the counter's value moved against its direction: it wrapped.
#[inline(always)]
fn against(modulus: Modulus, direction: Direction, from: u64, to: u64) -> bool {
    let (from, to) = (modulus.masked(from), modulus.masked(to));
    match direction {
        Direction::Up => to < from,
        Direction::Down => to > from,
    }
}

fn describe(
    quality: Quality,
    walk: &Walk,
    steps: &Steps,
    modulus: Modulus,
    mask: u64,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if steps.junk > 0 {
        diagnostics.push(
            Diagnostic::new(
                DiagnosticKind::ClockJunk,
                format!(
                    "{} stamps have bits above the clock's mask {mask:#x}, which were dropped",
                    steps.junk
                ),
            )
            .times(steps.junk),
        );
    }
    match quality {
        Quality::Static => diagnostics.push(Diagnostic::new(
            DiagnosticKind::StaticClock,
            "all stamps are equal: the clock stood still, only the order of events is known",
        )),
        Quality::EventCounter => diagnostics.push(Diagnostic::new(
            DiagnosticKind::EventCounterClock,
            "every event is one tick after the one before: the clock counts events, \
             times are event numbers",
        )),
        Quality::Good | Quality::Unknown => {}
    }
    if let Some(first) = walk.first_backward {
        diagnostics.push(
            Diagnostic::new(
                DiagnosticKind::BackwardStep,
                format!(
                    "the clock stepped back a little {} times, first at event {first}; \
                     time stands still until it has caught up",
                    walk.backward_steps
                ),
            )
            .on(first)
            .times(walk.backward_steps),
        );
    }
    // A counter that reloads early never shows the upper half of its range,
    // and where it starts again it falls from near its highest value.
    let jumps = walk.wraps + walk.backward_steps;
    let early = modulus.period().is_some_and(|period| {
        steps.highest < period / 2 && jumps >= 2 && walk.jumped / jumps > steps.highest / 2
    });
    if early {
        diagnostics.push(
            Diagnostic::new(
                DiagnosticKind::ClockPeriod,
                format!(
                    "no stamp exceeds {} and the clock starts again {jumps} times: its period is \
                     probably shorter than its mask {mask:#x} says, and times are wrong unless the \
                     period is given",
                    steps.highest
                ),
            )
            .times(jumps),
        );
    }
}

#[cfg(test)]
mod tests;
