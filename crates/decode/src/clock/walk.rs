//! The walk through the stamps that gives each its time.

use super::modulus::Modulus;
use super::share::Part;
use super::steps::Steps;
use crate::parallel;
use rtoscope_trace::EventIndex;
use rtoscope_trace::clock::Direction;

/// What the walk gave.
#[derive(Default)]
pub(super) struct Walk {
    pub(super) time: Vec<u64>,
    pub(super) course: Course,
}

/// What was met on the way.
#[derive(Default, Clone, Copy)]
pub(super) struct Course {
    pub(super) wraps: u64,
    pub(super) backward_steps: u64,
    pub(super) first_backward: Option<EventIndex>,
    /// Ticks that the counter jumped against its direction, summed up.
    pub(super) jumped: u64,
}

impl Walk {
    /// Walks through all parts at the same time, or one behind the other where
    /// steps back make the time at a part's start depend on those before it.
    pub(super) fn new<W: Copy + Into<u64> + Sync>(
        parts: &[Part<'_, W>],
        steps: &[Steps],
        modulus: Modulus,
        direction: Direction,
    ) -> Self {
        let count = parts.iter().map(|part| part.stamps.len()).sum();
        let mut time = vec![0; count];
        let mut rest = time.as_mut_slice();
        let mut tasks = Vec::new();
        let mut start = 0_u64;
        for (part, steps) in parts.iter().zip(steps) {
            let (times, behind) = rest.split_at_mut(part.stamps.len());
            rest = behind;
            tasks.push(Task { part, start, times });
            start = start.saturating_add(steps.ticks(direction));
        }
        let walk = |task: Task<'_, W>, behind| task.walk(modulus, direction, behind);
        let courses = if steps.iter().all(|steps| steps.back(direction) == 0) {
            parallel::at_once(tasks, |task| walk(task, 0).course)
        } else {
            one_by_one(tasks, walk)
        };
        let mut course = Course::default();
        let mut first = 0_usize;
        for (part, one) in parts.iter().zip(courses) {
            course = course.then(&one, first);
            first += part.stamps.len();
        }
        Self { time, course }
    }
}

fn one_by_one<'t, W: Copy + Into<u64>>(
    tasks: Vec<Task<'t, W>>,
    walk: impl Fn(Task<'t, W>, u64) -> End,
) -> Vec<Course> {
    let mut now = 0;
    let mut behind = 0;
    let mut courses = Vec::new();
    for task in tasks {
        let end = walk(Task { start: now, ..task }, behind);
        (now, behind) = (end.now, end.behind);
        courses.push(end.course);
    }
    courses
}

/// A part, the time before it, and where its times go.
struct Task<'t, W> {
    part: &'t Part<'t, W>,
    start: u64,
    times: &'t mut [u64],
}

/// Where a walk through a part ended.
struct End {
    now: u64,
    behind: u64,
    course: Course,
}

impl<W: Copy + Into<u64>> Task<'_, W> {
    /// `behind` is how far the clock, having stepped back, is behind the time
    /// shown.
    fn walk(self, modulus: Modulus, direction: Direction, mut behind: u64) -> End {
        let longest = modulus.longest_step();
        let mut before = self.part.before;
        let mut now = self.start;
        let mut course = Course::default();
        for ((stamp, time), index) in self.part.stamps.iter().zip(self.times).zip(0..) {
            let stamp: u64 = (*stamp).into();
            let step = modulus.step(direction, before, stamp);
            if step > longest {
                let back = modulus.reversed(step);
                course.backward_steps += 1;
                course.first_backward.get_or_insert(EventIndex(index));
                course.jumped = course.jumped.saturating_add(back);
                behind = behind.saturating_add(back);
            } else {
                if modulus.wrapped(direction, before, stamp) {
                    course.wraps += 1;
                    course.jumped = course.jumped.saturating_add(modulus.reversed(step));
                }
                let caught_up = step.min(behind);
                behind -= caught_up;
                now = now.saturating_add(step - caught_up);
            }
            *time = now;
            before = stamp;
        }
        End {
            now,
            behind,
            course,
        }
    }
}

impl Course {
    /// This course and then another, whose first event has that number.
    fn then(self, other: &Self, first: usize) -> Self {
        let moved = other.first_backward.map(|index| {
            let first = u32::try_from(first).unwrap_or(u32::MAX);
            EventIndex(first.saturating_add(index.0))
        });
        Self {
            wraps: self.wraps + other.wraps,
            backward_steps: self.backward_steps + other.backward_steps,
            first_backward: self.first_backward.or(moved),
            jumped: self.jumped.saturating_add(other.jumped),
        }
    }
}
