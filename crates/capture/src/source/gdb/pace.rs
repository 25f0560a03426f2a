//! How often a target is looked at.

use super::look::Look;
use std::time::Duration;

/// How often a target is looked at: when about a third of what it has room for
/// is new.
pub(super) struct Pace {
    fixed: Option<Duration>,
    /// The shortest time between two looks.
    least: Duration,
    interval: Duration,
    /// Looks in a row after which another was due at once.
    hurried: u32,
}

/// How much of a ring should be new at a look.
const WANTED: f64 = 1.0 / 3.0;

/// The longest time between two looks.
const MOST: Duration = Duration::from_secs(1);

/// How long a target needs to end what it was doing.
const MOMENT: Duration = Duration::from_millis(1);

/// The shortest time between looks at a target that runs, and at one that is
/// halted for them.
const LEAST: [Duration; 2] = [Duration::from_millis(2), Duration::from_millis(20)];

impl Pace {
    /// As the user says, else as events come; `moves` says that a target runs
    /// while it is looked at.
    pub(super) fn new(fixed: Option<Duration>, moves: bool) -> Self {
        let [running, halted] = LEAST;
        let least = if moves { running } else { halted };
        Self {
            fixed,
            least,
            interval: least,
            hurried: 0,
        }
    }

    /// The time to the next look, after one that came so long after the one
    /// before.
    pub(super) fn after(&mut self, look: &Look, elapsed: Duration) -> Duration {
        let filled = match look {
            Look::Again => {
                self.hurried += 1;
                return (MOMENT * (1 << self.hurried.min(10)) / 2).min(self.interval.max(MOMENT));
            }
            Look::Lapped => {
                // How often it went round nobody knows.
                let shorter = (self.interval / 2).min(elapsed / 4);
                self.interval = shorter.max(self.least);
                return MOMENT;
            }
            Look::New { filled } | Look::Nothing { filled } => *filled,
            Look::TooSlow => 1.0,
            Look::Off(_) | Look::Gone(_) => 0.0,
        };
        self.hurried = 0;
        let wanted = match filled > 0.0 {
            true => elapsed.as_secs_f64() * WANTED / filled,
            false => MOST.as_secs_f64(),
        };
        // Slowly longer, since events may come faster again; shorter at once.
        let wanted = wanted.min(2.0 * self.interval.as_secs_f64());
        let wanted = Duration::from_secs_f64(wanted.min(MOST.as_secs_f64()));
        self.interval = wanted.max(self.least);
        self.fixed.unwrap_or(self.interval)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn new(filled: f64) -> Look {
        Look::New { filled }
    }

    #[test]
    fn looks_come_as_events_do() {
        let mut pace = Pace::new(None, false);
        let steps = [0; 7].map(|_| pace.after(&Look::Nothing { filled: 0.0 }, SECOND));
        let steps = steps.map(|step| step.as_millis());
        assert_eq!(steps, [40, 80, 160, 320, 640, 1000, 1000]);
        // A ring that is full within 300 ms.
        let millis = Duration::from_millis;
        assert_eq!(pace.after(&new(0.5), millis(150)), millis(100));
        assert_eq!(pace.after(&new(1.0 / 3.0), millis(100)), millis(100));
        assert_eq!(pace.after(&new(0.9), millis(9)), millis(20));
        assert_eq!(Pace::new(None, true).after(&new(0.9), millis(5)), millis(2));
    }

    #[test]
    fn what_was_in_between_is_looked_at_again_soon_but_not_for_ever() {
        let mut pace = Pace::new(None, false);
        let steps = [0; 7].map(|_| pace.after(&Look::Again, SECOND).as_millis());
        assert_eq!(steps, [1, 2, 4, 8, 16, 20, 20]);
        pace.after(&new(0.1), SECOND);
        assert_eq!(pace.after(&Look::Again, SECOND).as_millis(), 1);
    }

    #[test]
    fn a_ring_that_went_round_is_looked_at_more_often() {
        let mut pace = Pace::new(None, false);
        for _ in 0..9 {
            pace.after(&Look::Nothing { filled: 0.0 }, SECOND);
        }
        assert_eq!(pace.after(&Look::Lapped, SECOND), MOMENT);
        // What was new since then says little.
        let next = pace.after(&new(0.001), MOMENT);
        assert_eq!(next, Duration::from_nanos(333_333_333));
    }

    #[test]
    fn the_user_may_say_how_often() {
        let mut pace = Pace::new(Some(SECOND / 4), true);
        assert_eq!(pace.after(&new(1.0), SECOND), SECOND / 4);
        assert_eq!(pace.after(&Look::Again, SECOND), MOMENT);
    }
}
