//! Idle periods of cores, and the interrupts that end them.

use super::TimeShare;
use crate::report::{Distribution, Samples, View};
use crate::schedule::{CoreSlices, RunningContext};
use rtoscope_trace::Ticks;
use schemars::JsonSchema;
use serde::Serialize;

/// Idle periods.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct IdleTime {
    /// Total idle time.
    #[serde(flatten)]
    pub share: TimeShare,
    /// Number of times that a core became idle, for at least one tick.
    pub periods: u64,
    /// Duration of each, until an interrupt or a thread ran.
    pub duration: Option<Distribution>,
}

/// Interrupts that wake a core from idle, for at least one tick.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct IdleWakeUps {
    /// From idle to the thread that runs after the interrupt.
    pub to_thread: Option<Distribution>,
    /// From idle back to idle, for interrupts after which no thread runs.
    pub spurious: Option<Distribution>,
}

/// The idle periods of the cores in the scope, and their wake-ups.
pub(super) fn idle(view: &View<'_>) -> (IdleTime, IdleWakeUps) {
    let mut samples = IdleSamples::default();
    let cores = view.schedule.cores.iter();
    for slices in cores.filter(|slices| view.includes_core(slices.core)) {
        samples.add_core(view, slices);
    }
    let clock = &view.trace.clock;
    let ticks = view.sum_over_cores(|core| core.idle);
    let idle = IdleTime {
        share: TimeShare::of(view, ticks),
        periods: samples.periods,
        duration: samples.idle.distribution(clock),
    };
    let wake_ups = IdleWakeUps {
        to_thread: samples.to_thread.distribution(clock),
        spurious: samples.spurious.distribution(clock),
    };
    (idle, wake_ups)
}

#[derive(Default)]
struct IdleSamples {
    periods: u64,
    idle: Samples,
    to_thread: Samples,
    spurious: Samples,
}

impl IdleSamples {
    fn add_core(&mut self, view: &View<'_>, slices: &CoreSlices) {
        // The start of the idle period, and of the interrupt that ended it.
        let (mut idle, mut served) = (None, None);
        for slice in &slices.slices {
            let (now, event) = (slice.start, slice.event);
            let add = |samples: &mut Samples, since: Option<Ticks>| {
                if let Some(since) = since.filter(|_| view.contains(now)) {
                    samples.add(Ticks(now.0 - since.0), event);
                }
            };
            let running = slice.running.running_context();
            let since = idle.take();
            if running != RunningContext::Unknown {
                add(&mut self.idle, since);
            }
            match running {
                RunningContext::Idle => {
                    self.periods += u64::from(view.contains(now));
                    add(&mut self.spurious, served.take());
                    idle = Some(now);
                }
                RunningContext::Kernel | RunningContext::Isr(_) => {
                    if since.is_some() {
                        served = Some(now);
                    }
                }
                RunningContext::Thread(_) => add(&mut self.to_thread, served.take()),
                RunningContext::Initialize | RunningContext::Unknown => served = None,
            }
        }
    }
}
