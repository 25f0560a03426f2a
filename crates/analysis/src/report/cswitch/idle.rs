//! Cores that are idle, and what takes them from it.

use super::Share;
use crate::report::{Distribution, Samples, View};
use crate::schedule::{Executing, Slices};
use rtoscope_trace::Ticks;
use serde::Serialize;

/// When nothing executed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Idle {
    /// How long.
    #[serde(flatten)]
    pub share: Share,
    /// Times that a core became idle, for a tick or more.
    pub periods: u64,
    /// How long each lasted until an interrupt or a thread came.
    pub duration: Option<Distribution>,
}

/// Interrupts that take a core from idle, for a tick or more.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WakeUps {
    /// From idle to the thread that executes behind the interrupt.
    pub to_thread: Option<Distribution>,
    /// From idle to idle, of those behind which no thread executes.
    pub in_vain: Option<Distribution>,
}

/// When the cores of the scope were idle, and what woke them.
pub(super) fn idle(view: &View<'_>) -> (Idle, WakeUps) {
    let mut figures = Figures::default();
    let cores = view.schedule.cores.iter();
    for slices in cores.filter(|slices| view.shows_core(slices.core)) {
        figures.follow(view, slices);
    }
    let clock = &view.trace.clock;
    let ticks = view.over_cores(|core| core.idle);
    let idle = Idle {
        share: Share::of(view, ticks),
        periods: figures.periods,
        duration: figures.idle.distribution(clock),
    };
    let wake_ups = WakeUps {
        to_thread: figures.to_thread.distribution(clock),
        in_vain: figures.in_vain.distribution(clock),
    };
    (idle, wake_ups)
}

#[derive(Default)]
struct Figures {
    periods: u64,
    idle: Samples,
    to_thread: Samples,
    in_vain: Samples,
}

impl Figures {
    fn follow(&mut self, view: &View<'_>, slices: &Slices) {
        // Since when the core is idle, and since when an interrupt has it.
        let (mut idle, mut served) = (None, None);
        for slice in &slices.all {
            let (now, event) = (slice.start, slice.event);
            let add = |samples: &mut Samples, since: Option<Ticks>| {
                if let Some(since) = since.filter(|_| view.holds(now)) {
                    samples.add(Ticks(now.0 - since.0), event);
                }
            };
            let executing = slice.who.executing();
            let since = idle.take();
            if executing != Executing::Unknown {
                add(&mut self.idle, since);
            }
            match executing {
                Executing::Idle => {
                    self.periods += u64::from(view.holds(now));
                    add(&mut self.in_vain, served.take());
                    idle = Some(now);
                }
                Executing::Kernel | Executing::Isr(_) => {
                    if since.is_some() {
                        served = Some(now);
                    }
                }
                Executing::Thread(_) => add(&mut self.to_thread, served.take()),
                Executing::Initialize | Executing::Unknown => served = None,
            }
        }
    }
}
