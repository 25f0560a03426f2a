//! Collects the rows of a diagram, in order, before they get their text.

use super::SequenceOptions;
use rtoscope_analysis::active::{
    Action, ActiveObjects, Deferral, Post, PostId, RtcStep, StateInterval, StepEnding, StepId,
    SyncCall, TimerEnding, TimerRun,
};
use rtoscope_analysis::naming::NameFormatter;
use rtoscope_trace::active_object::StepOutcome;
use rtoscope_trace::{ContextId, Endpoint, EventIndex, Signal, Trace};
use std::collections::BTreeMap;
use std::ops::Range;

/// The source of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowSource<'a> {
    Gap(Option<u64>),
    Restart,
    Post(PostId, &'a Post),
    Take(StepId, &'a RtcStep),
    Call(&'a SyncCall),
    Deferral(&'a Deferral),
    TimerStart(&'a TimerRun),
    TimerStop(&'a TimerRun),
    Timeout(&'a TimerRun),
    Action(&'a Action),
    State(ContextId, &'a StateInterval),
    Refusal(&'a RtcStep),
}

/// The sources of rows, with their events.
pub(super) type RowSources<'a> = Vec<(EventIndex, RowSource<'a>)>;

pub(super) fn collect_rows<'a>(
    trace: &'a Trace,
    active: &'a ActiveObjects,
    options: &'a SequenceOptions,
    events: &'a Range<EventIndex>,
) -> RowSources<'a> {
    let mut collector = RowCollector {
        trace,
        active,
        options,
        events,
        signals: BTreeMap::new(),
        found: Vec::new(),
    };
    // Of several rows of one event, those collected first are on top.
    collector.dividers();
    collector.posts();
    collector.takes();
    collector.calls();
    collector.deferrals();
    collector.timers();
    collector.actions_and_states();
    collector.refusals();
    let mut found = collector.found;
    found.sort_by_key(|(event, _)| *event);
    found
}

struct RowCollector<'a> {
    trace: &'a Trace,
    active: &'a ActiveObjects,
    options: &'a SequenceOptions,
    events: &'a Range<EventIndex>,
    /// The signals checked so far, and whether they are included.
    signals: BTreeMap<Signal, bool>,
    found: RowSources<'a>,
}

impl<'a> RowCollector<'a> {
    fn dividers(&mut self) {
        for gap in &self.trace.gaps {
            let row = match gap.is_restart {
                true => RowSource::Restart,
                false => RowSource::Gap(gap.missing),
            };
            self.push(gap.next_event, row);
        }
    }

    fn posts(&mut self) {
        for (post, id) in self.active.posts.iter().zip((0..).map(PostId)) {
            let endpoints = [post.from, Endpoint::Object(post.to)];
            if self.options.includes(&endpoints) && self.includes_signal(Some(post.signal)) {
                self.push(post.event, RowSource::Post(id, post));
            }
        }
    }

    fn takes(&mut self) {
        for (step, id) in self.active.steps.iter().zip((0..).map(StepId)) {
            if self.includes_step(step) {
                self.push(step.first, RowSource::Take(id, step));
            }
        }
    }

    fn calls(&mut self) {
        if !self.options.show.calls || !self.options.includes_signal(None) {
            return;
        }
        for call in &self.active.calls {
            if self.options.includes(&[call.from, call.to]) {
                self.push(call.event, RowSource::Call(call));
            }
        }
    }

    fn deferrals(&mut self) {
        for deferral in &self.active.deferrals {
            let endpoint = deferral.object.map_or(Endpoint::Unknown, Endpoint::Object);
            if self.options.includes(&[endpoint]) && self.includes_signal(Some(deferral.signal)) {
                self.push(deferral.event, RowSource::Deferral(deferral));
            }
        }
    }

    fn timers(&mut self) {
        for run in &self.active.timer_runs {
            let endpoint = Endpoint::Object(run.object);
            if !self.options.includes(&[endpoint]) || !self.includes_signal(run.signal) {
                continue;
            }
            if self.options.show.timers && !run.periodic {
                self.push(run.first, RowSource::TimerStart(run));
            }
            let source = match run.ending {
                TimerEnding::Stopped { .. } if self.options.show.timers => {
                    RowSource::TimerStop(run)
                }
                TimerEnding::Expired if !self.is_post_shown(run) => RowSource::Timeout(run),
                _ => continue,
            };
            if let Some(event) = run.last {
                self.push(event, source);
            }
        }
    }

    fn is_post_shown(&self, run: &TimerRun) -> bool {
        let post = run.post.and_then(|id| self.active.posts.get(id.index()));
        post.is_some_and(|post| self.events.contains(&post.event))
    }

    fn actions_and_states(&mut self) {
        let steps = self.steps_by_object();
        if self.options.show.actions {
            for action in &self.active.actions {
                if self.includes_event(&steps, action.object, action.event) {
                    self.push(action.event, RowSource::Action(action));
                }
            }
        }
        if self.options.show.states {
            for object in &self.active.objects {
                let intervals = self.active.state_intervals.get(object.index());
                for interval in intervals.into_iter().flatten() {
                    if self.includes_event(&steps, *object, interval.first) {
                        self.push(interval.first, RowSource::State(*object, interval));
                    }
                }
            }
        }
    }

    /// The steps of each object, if only some signals are included.
    fn steps_by_object(&self) -> BTreeMap<ContextId, Vec<RtcStep>> {
        let mut steps = BTreeMap::<_, Vec<_>>::new();
        if !self.options.signals.is_empty() {
            for step in &self.active.steps {
                steps.entry(step.object).or_default().push(*step);
            }
        }
        steps
    }

    /// Whether to include an object's row at an event: determined by its step, if
    /// only some signals are included.
    fn includes_event(
        &mut self,
        steps: &BTreeMap<ContextId, Vec<RtcStep>>,
        object: ContextId,
        event: EventIndex,
    ) -> bool {
        if !self.options.includes(&[Endpoint::Object(object)]) {
            return false;
        }
        let steps = steps.get(&object).map_or(&[][..], Vec::as_slice);
        let count = steps.partition_point(|step| step.first <= event);
        let step = count.checked_sub(1).and_then(|number| steps.get(number));
        let step = step.filter(|step| step.last >= event);
        self.includes_signal(step.and_then(|step| step.signal))
    }

    fn refusals(&mut self) {
        for step in &self.active.steps {
            let refused = match step.ending {
                StepEnding::Recorded(outcome) => outcome != StepOutcome::Processed,
                _ => false,
            };
            if refused && self.includes_step(step) {
                self.push(step.last, RowSource::Refusal(step));
            }
        }
    }

    fn push(&mut self, event: EventIndex, source: RowSource<'a>) {
        if self.events.contains(&event) {
            self.found.push((event, source));
        }
    }

    fn includes_step(&mut self, step: &RtcStep) -> bool {
        self.options.includes(&[Endpoint::Object(step.object)]) && self.includes_signal(step.signal)
    }

    /// Whether a signal matches the options.
    fn includes_signal(&mut self, signal: Option<Signal>) -> bool {
        let (options, naming) = (self.options, NameFormatter(self.trace));
        let Some(signal) = signal else {
            return options.includes_signal(None);
        };
        let wanted = self.signals.entry(signal);
        *wanted.or_insert_with(|| options.includes_signal(Some(&naming.signal(signal))))
    }
}
