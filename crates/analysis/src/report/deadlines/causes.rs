//! The causes of a miss, from the schedule and the active objects.

use super::MissCause;
use crate::active::{PostId, RtcStep};
use crate::naming::NameFormatter;
use crate::report::View;
use crate::report::baseline::{CauseSamples, UsualTimes};
use crate::report::context_switches::InterruptsOffRow;
use crate::report::periods::{Activation, ActivationSource};
use crate::schedule::{CauseTime, DelayCause, DelayCauses, DelayPart, RunningContext};
use rtoscope_trace::{ContextId, Contexts, EventIndex, Ticks};
use std::ops::Range;

/// Finds why activations of a source are late.
pub(super) struct CauseFinder<'v, 'c> {
    view: &'v View<'v>,
    causes: &'c DelayCauses<'v>,
    pub(super) source: ActivationSource,
}

/// What delays an activation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Cause {
    /// What delays a thread or an interrupt service routine.
    Delay(DelayCause),
    /// The event of the step has not been posted yet.
    NotPosted(PostId),
    /// The event of the step is queued, and another context runs.
    QueuedWhile(ContextId),
    /// It is queued, and its active object handles earlier events.
    EarlierSteps,
    /// It is queued, and nothing is known to run.
    Queued,
    /// The step itself.
    Step,
}

/// Why an activation is late.
pub(super) struct FoundCauses {
    /// The first cause, as a sentence.
    pub(super) cause: String,
    /// The context that causes it, if known.
    pub(super) culprit: Option<String>,
    /// All causes, the longest first.
    pub(super) all: Vec<MissCause>,
}

const NOT_RECORDED: &str = "the cause is not recorded";

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
        let totals = self.totals(activation, activation.event, due..activation.start.0);
        let known = totals.first().filter(|it| it.cause.is_known());
        let why = known.map_or(NOT_RECORDED.to_owned(), |first| self.sentence(first));
        FoundCauses {
            cause: format!("started {} late: {why}", self.view.duration(late)),
            culprit: known.and_then(|first| self.culprit(first.cause)),
            all: self.rows(&totals),
        }
    }

    /// What usually fills a period of the source.
    pub(super) fn usual_period<'a>(
        &self,
        activations: impl Iterator<Item = &'a Activation>,
    ) -> UsualPeriod {
        let mut samples = CauseSamples::default();
        for activation in activations {
            let totals = self.period_totals(activation).into_iter();
            samples.add(totals.map(|it| (it.cause.usual(), it.ticks.0)));
        }
        UsualPeriod(samples.usual())
    }

    fn period_totals(&self, activation: &Activation) -> Vec<CauseTime<Cause>> {
        let start = activation.start.0;
        let period = activation.period.unwrap_or_default();
        let window = start.saturating_sub(period.0)..start;
        self.totals(activation, activation.event, window)
    }

    /// Why an activation starts after `due` where it is not recorded when the thread becomes
    /// ready: what delays a start can happen before it is due. `periods` are the nominal ones
    /// in the observed one.
    pub(super) fn late_dispatch(
        &self,
        activation: &Activation,
        due: u64,
        periods: u64,
        usual: &UsualPeriod,
    ) -> FoundCauses {
        let late = Ticks(activation.start.0.saturating_sub(due));
        let mut totals = self.period_totals(activation);
        let excess = |it: &CauseTime<Cause>| usual.0.excess(it.cause.usual(), it.ticks.0, periods);
        totals.sort_by_key(|it| std::cmp::Reverse(excess(it)));
        let known = totals.iter().find(|it| it.cause.is_known());
        let known = known.filter(|it| excess(it) > 0);
        let why = known.map_or(NOT_RECORDED.to_owned(), |first| self.sentence(first));
        FoundCauses {
            cause: format!("started {} late: {why}", self.view.duration(late)),
            culprit: known.and_then(|first| self.culprit(first.cause)),
            all: self.rows(&totals),
        }
    }

    /// Why an activation takes longer than its limit, until the event `end`.
    pub(super) fn slow_response(
        &self,
        activation: &Activation,
        end: EventIndex,
        window: Range<u64>,
        limit: Ticks,
    ) -> FoundCauses {
        let totals = self.totals(activation, end, window);
        // Without any delay it would have been late, too.
        let slow_itself = totals
            .iter()
            .find(|it| it.cause.is_own() && it.ticks > limit);
        let delay = || totals.iter().find(|it| !it.cause.is_own());
        let longest = || totals.iter().find(|it| it.cause.is_known());
        let first = slow_itself
            .or_else(|| delay().filter(|it| it.cause.is_known()))
            .or_else(longest);
        FoundCauses {
            cause: first.map_or(NOT_RECORDED.to_owned(), |first| self.sentence(first)),
            culprit: first.and_then(|first| self.culprit(first.cause)),
            all: self.rows(&totals),
        }
    }

    /// The causes of an interval up to an event, the longest first.
    fn totals(
        &self,
        activation: &Activation,
        end: EventIndex,
        window: Range<u64>,
    ) -> Vec<CauseTime<Cause>> {
        let (start, core) = (activation.event, activation.core);
        let parts = match self.source {
            ActivationSource::Thread(thread) => self.thread_parts(thread, window),
            ActivationSource::Isr(number) => self.isr_parts(number, core, window),
            ActivationSource::Dispatch(object) => self.step_parts(object, start, window),
            ActivationSource::State(object, _) => self.step_parts(object, end, window),
            ActivationSource::Event(_) => self.event_parts(start, core, window),
        };
        DelayCauses::totals(&parts)
    }

    fn thread_parts(&self, thread: ContextId, window: Range<u64>) -> Vec<DelayPart<Cause>> {
        let parts = self.causes.breakdown(thread, window);
        parts.into_iter().map(|it| it.map(Cause::Delay)).collect()
    }

    fn isr_parts(
        &self,
        number: Option<u32>,
        core: u8,
        window: Range<u64>,
    ) -> Vec<DelayPart<Cause>> {
        let parts = self.causes.isr_breakdown(number, core, window);
        parts.into_iter().map(|it| it.map(Cause::Delay)).collect()
    }

    /// What an active object does until the step with this event, and in it.
    fn step_parts(
        &self,
        object: ContextId,
        event: EventIndex,
        window: Range<u64>,
    ) -> Vec<DelayPart<Cause>> {
        let Some(step) = self.view.active.step_at(object, event) else {
            return self.thread_parts(object, window);
        };
        let clip = |time: Ticks| time.0.clamp(window.start, window.end);
        let mut parts = Vec::new();
        let mut at = window.start;
        let start = clip(step.start);
        let posts = &self.view.active.posts;
        let post = step.post.filter(|it| posts.get(it.index()).is_some());
        if let Some(id) = post
            && let Some(post) = posts.get(id.index())
        {
            let posted = clip(post.time).min(start);
            if at < posted {
                parts.push(DelayPart {
                    start: Ticks(at),
                    end: Ticks(posted),
                    event: post.event,
                    cause: Cause::NotPosted(id),
                });
            }
            at = posted;
        }
        if post.is_some() {
            parts.extend(self.queued_parts(object, step, at..start));
        } else {
            parts.extend(self.thread_parts(object, at..start));
        }
        let handled = self.causes.breakdown(object, start..window.end);
        parts.extend(handled.into_iter().map(|part| {
            part.map(|cause| match cause {
                DelayCause::Running | DelayCause::Unknown => Cause::Step,
                other => Cause::Delay(other),
            })
        }));
        parts
    }

    /// What runs while the event of a step is in the queue.
    fn queued_parts(
        &self,
        object: ContextId,
        step: &RtcStep,
        window: Range<u64>,
    ) -> impl Iterator<Item = DelayPart<Cause>> + 'v {
        let view = self.view;
        let core = view.trace.events.core(step.first);
        let core = view.schedule.cores.iter().find(|it| Some(it.core) == core);
        let slices = core
            .into_iter()
            .flat_map(move |core| core.within(window.clone()));
        slices.map(move |(slice, part)| DelayPart {
            start: Ticks(part.start),
            end: Ticks(part.end),
            event: slice.event,
            cause: match slice.running.running_context() {
                RunningContext::Thread(other) if other == object => Cause::EarlierSteps,
                RunningContext::Thread(other) => Cause::QueuedWhile(other),
                running @ RunningContext::Isr(_) => {
                    Cause::Delay(DelayCause::InterruptedBy(view.isr_number(running)))
                }
                RunningContext::Kernel => Cause::Delay(DelayCause::Kernel),
                RunningContext::Idle | RunningContext::Initialize | RunningContext::Unknown => {
                    Cause::Queued
                }
            },
        })
    }

    /// What the context of an event does before it.
    fn event_parts(
        &self,
        event: EventIndex,
        core: u8,
        window: Range<u64>,
    ) -> Vec<DelayPart<Cause>> {
        match self.view.trace.events.context(event) {
            Some(Contexts::INTERRUPT) => {
                let isr = self.view.schedule.isr_at(event, core);
                let isr = isr.filter(|(_, isr)| isr.number.is_some());
                isr.map_or_else(Vec::new, |(_, isr)| {
                    self.isr_parts(isr.number, core, window)
                })
            }
            Some(context) if context > Contexts::IDLE && context != ContextId::UNKNOWN => {
                self.step_parts(context, event, window)
            }
            _ => Vec::new(),
        }
    }

    fn rows(&self, totals: &[CauseTime<Cause>]) -> Vec<MissCause> {
        let row = |total: &CauseTime<Cause>| MissCause {
            cause: self.describe(total.cause),
            duration: total.ticks.0,
            event: total.event.0,
        };
        totals.iter().map(row).collect()
    }

    fn sentence(&self, total: &CauseTime<Cause>) -> String {
        let time = self.view.duration(total.ticks);
        format!("{} for {time}", self.describe(total.cause))
    }

    /// A cause as a phrase.
    fn describe(&self, cause: Cause) -> String {
        match cause {
            Cause::Delay(delay) => describe_cause(self.view, delay),
            Cause::NotPosted(id) => {
                let naming = NameFormatter(self.view.trace);
                let post = self.view.active.posts.get(id.index());
                let signal = post.map(|post| naming.signal(post.signal));
                let signal = signal.unwrap_or_default();
                match self.culprit(cause) {
                    Some(sender) => format!("waited for {signal} from {sender}"),
                    None => format!("waited for {signal}"),
                }
            }
            Cause::QueuedWhile(context) => {
                let name = self.view.trace.context_name(context);
                format!("the event was queued while {name} ran")
            }
            Cause::EarlierSteps => {
                "the event was queued while earlier ones were handled".to_owned()
            }
            Cause::Queued => "the event was queued".to_owned(),
            Cause::Step => "the step lasted".to_owned(),
        }
    }

    /// The context that causes a delay.
    fn culprit(&self, cause: Cause) -> Option<String> {
        match cause {
            Cause::Delay(delay) => delay_culprit(self.view, delay),
            Cause::QueuedWhile(context) => Some(self.view.trace.context_name(context)),
            Cause::NotPosted(id) => {
                let post = self.view.active.posts.get(id.index())?;
                NameFormatter(self.view.trace).endpoint(post.from)
            }
            Cause::EarlierSteps | Cause::Queued | Cause::Step => None,
        }
    }
}

/// What usually fills a period.
pub(super) struct UsualPeriod(UsualTimes<Cause>);

impl Cause {
    /// The same cause in other intervals.
    fn usual(self) -> Self {
        match self {
            Self::Delay(delay) => Self::Delay(delay.usual()),
            other => other,
        }
    }

    /// Whether the activation itself runs.
    fn is_own(self) -> bool {
        matches!(self, Self::Step | Self::Delay(DelayCause::Running))
    }

    fn is_known(self) -> bool {
        self != Self::Delay(DelayCause::Unknown)
    }
}

/// The context that causes a delay, if it is known.
pub(in crate::report) fn delay_culprit(view: &View<'_>, delay: DelayCause) -> Option<String> {
    let name = |context| view.trace.context_name(context);
    match delay {
        DelayCause::OffCore(Contexts::IDLE) => None,
        DelayCause::PreemptedBy(thread) | DelayCause::OffCore(thread) => Some(name(thread)),
        DelayCause::InterruptedBy(number) => Some(view.schedule.isr_name(number)),
        DelayCause::Waiting { owner, .. } => owner.map(name),
        DelayCause::InterruptsOff(section) => {
            let section = view.schedule.interrupts_off.get(section as usize);
            section.map(|section| name(section.context))
        }
        DelayCause::Running
        | DelayCause::Kernel
        | DelayCause::NotDispatched
        | DelayCause::Unknown => None,
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
            let row = section.map(|section| InterruptsOffRow::of(view, &section));
            let place = row.map(|row| match row.disabled_at {
                Some(location) => format!(" at {}", location.text),
                None => format!(" in {}", row.handler.unwrap_or(row.context)),
            });
            format!("interrupts off{}", place.unwrap_or_default())
        }
        DelayCause::Unknown => "unknown".to_owned(),
    }
}
