//! The causes of a miss, from the schedule.

use super::MissCause;
use crate::report::View;
use crate::report::context_switches::InterruptsOffRow;
use crate::report::periods::{Activation, ActivationSource};
use crate::schedule::{CauseTime, DelayCause, DelayCauses};
use rtoscope_trace::{Contexts, Ticks};
use std::ops::Range;

/// Finds why activations of a source are late.
pub(super) struct CauseFinder<'v, 'c> {
    view: &'v View<'v>,
    causes: &'c DelayCauses<'v>,
    pub(super) source: ActivationSource,
}

/// The first cause, and all of them.
type FoundCauses = (String, Vec<MissCause>);

impl<'v, 'c> CauseFinder<'v, 'c> {
    pub(super) fn new(
        view: &'v View<'v>,
        causes: &'c DelayCauses<'v>,
        source: ActivationSource,
    ) -> Self {
        Self {
            view,
            causes,
            source,
        }
    }

    /// Why an activation starts after `due`.
    pub(super) fn late_start(&self, activation: &Activation, due: u64) -> FoundCauses {
        let late = Ticks(activation.start.0.saturating_sub(due));
        let totals = self.totals(activation.core, due..activation.start.0);
        let rows = self.rows(&totals);
        let started = format!("started {} late", self.view.duration(late));
        let cause = match totals.first().zip(rows.first()) {
            Some((total, row)) if total.cause != DelayCause::Unknown => {
                let time = self.view.duration(total.ticks);
                format!("{started}: {} for {time}", row.cause)
            }
            _ => started,
        };
        (cause, rows)
    }

    /// Why an activation takes longer than its limit.
    pub(super) fn slow_response(
        &self,
        activation: &Activation,
        window: Range<u64>,
        limit: Ticks,
    ) -> FoundCauses {
        if let ActivationSource::Dispatch(_) = self.source {
            return self.slow_step(activation, window);
        }
        let totals = self.totals(activation.core, window);
        let rows = self.rows(&totals);
        let own = |total: &CauseTime| total.cause == DelayCause::Running;
        // Without any delay it would have been late, too.
        let is_slow_itself = totals.iter().any(|it| own(it) && it.ticks > limit);
        let pairs = || totals.iter().zip(&rows);
        let first = match is_slow_itself {
            true => pairs().find(|(total, _)| own(total)),
            false => pairs()
                .find(|(total, _)| !own(total) && total.cause != DelayCause::Unknown)
                .or(pairs().next()),
        };
        let cause = first.map_or_else(String::new, |(total, row)| {
            format!("{} for {}", row.cause, self.view.duration(total.ticks))
        });
        (cause, rows)
    }

    /// A step waits in the queue, and takes its time.
    fn slow_step(&self, activation: &Activation, window: Range<u64>) -> FoundCauses {
        let start = activation.start.0.clamp(window.start, window.end);
        let cause = |cause: &str, ticks| MissCause {
            cause: cause.to_owned(),
            ticks,
            event: activation.event.0,
        };
        let mut rows = vec![
            cause("the event was queued", start - window.start),
            cause("the step lasted", window.end - start),
        ];
        rows.sort_by_key(|row| std::cmp::Reverse(row.ticks));
        let first = rows.first().map_or_else(String::new, |row| {
            format!("{} for {}", row.cause, self.view.duration(Ticks(row.ticks)))
        });
        (first, rows)
    }

    fn totals(&self, core: u8, window: Range<u64>) -> Vec<CauseTime> {
        let parts = match self.source {
            ActivationSource::Thread(thread) => self.causes.breakdown(thread, window),
            ActivationSource::Isr(number) => self.causes.isr_breakdown(number, core, window),
            ActivationSource::Dispatch(_)
            | ActivationSource::State(..)
            | ActivationSource::Event(_) => Vec::new(),
        };
        DelayCauses::totals(&parts)
    }

    fn rows(&self, totals: &[CauseTime]) -> Vec<MissCause> {
        let row = |total: &CauseTime| MissCause {
            cause: describe_cause(self.view, total.cause),
            ticks: total.ticks.0,
            event: total.event.0,
        };
        totals.iter().map(row).collect()
    }
}

/// A cause as a phrase.
pub(in crate::report) fn describe_cause(view: &View<'_>, cause: DelayCause) -> String {
    let name = |context| view.trace.context_name(context);
    match cause {
        DelayCause::Running => "it ran itself".to_owned(),
        DelayCause::PreemptedBy(thread) => format!("preempted by {}", name(thread)),
        DelayCause::OffCore(Contexts::IDLE) => "off the core, which was idle".to_owned(),
        DelayCause::OffCore(thread) => format!("off the core, which ran {}", name(thread)),
        DelayCause::InterruptedBy(number) => {
            format!("interrupted by {}", view.schedule.isr_name(number))
        }
        DelayCause::Kernel => "interrupted by the kernel".to_owned(),
        DelayCause::NotDispatched => "ready on an idle core".to_owned(),
        DelayCause::Waiting {
            wait_reason,
            resource,
            owner,
        } => {
            let object = resource.map(|it| view.resource_name(it));
            match (object, owner) {
                (Some(object), Some(owner)) => {
                    format!("blocked on {object} owned by {}", name(owner))
                }
                (Some(object), None) => format!("blocked on {object}"),
                (None, _) => format!("waiting ({})", wait_reason.name()),
            }
        }
        DelayCause::InterruptsOff(section) => {
            let section = view.schedule.interrupts_off.get(section as usize);
            let row = section.map(|section| InterruptsOffRow::of(view, section));
            let place = row.map(|row| match row.disabled_at {
                Some(location) => format!(" at {}", location.text),
                None => format!(" in {}", row.handler.unwrap_or(row.context)),
            });
            format!("interrupts off{}", place.unwrap_or_default())
        }
        DelayCause::Unknown => "unknown".to_owned(),
    }
}
