//! What happened in the window of a wish, in order, not yet in words.

use super::Wish;
use rtoscope_analysis::active::{Active, Ending, PostId, Step, StepId, TimerEnd, TimerRun};
use rtoscope_analysis::naming::Naming;
use rtoscope_trace::reaction::Outcome;
use rtoscope_trace::{ContextId, EventIndex, Party, Signal, Trace};
use std::collections::BTreeMap;
use std::ops::Range;

/// Something that a row is for, by its place in the lists of [`Active`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Gap(Option<u64>),
    Restart,
    Post(PostId),
    Take(StepId),
    Call(usize),
    Deferral(usize),
    TimerStart(usize),
    TimerStop(usize),
    Timeout(usize),
    Action(usize),
    State(ContextId, usize),
    Refusal(StepId),
}

/// Rows to be, by the event that tells of them.
pub(super) type Found = Vec<(EventIndex, What)>;

pub(super) fn collect(
    trace: &Trace,
    active: &Active,
    wish: &Wish,
    events: &Range<EventIndex>,
) -> Found {
    let mut collector = Collector {
        trace,
        active,
        wish,
        events,
        signals: BTreeMap::new(),
        found: Vec::new(),
    };
    // Of rows of one event, those that are collected first stand above.
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

struct Collector<'a> {
    trace: &'a Trace,
    active: &'a Active,
    wish: &'a Wish,
    events: &'a Range<EventIndex>,
    /// Which signals are wanted, as far as that was asked.
    signals: BTreeMap<Signal, bool>,
    found: Found,
}

impl Collector<'_> {
    fn dividers(&mut self) {
        for gap in &self.trace.gaps {
            self.push(gap.before, What::Gap(gap.missing));
        }
        for event in &self.active.restarts {
            self.push(*event, What::Restart);
        }
    }

    fn posts(&mut self) {
        for (post, id) in self.active.posts.iter().zip((0..).map(PostId)) {
            let parties = [post.from, Party::Object(post.to)];
            if self.wish.wants(&parties) && self.wants_signal(Some(post.signal)) {
                self.push(post.event, What::Post(id));
            }
        }
    }

    fn takes(&mut self) {
        for (step, id) in self.active.steps.iter().zip((0..).map(StepId)) {
            if self.wants_step(step) {
                self.push(step.first, What::Take(id));
            }
        }
    }

    fn calls(&mut self) {
        if !self.wish.show.calls || !self.wish.fits(None) {
            return;
        }
        for (number, call) in self.active.calls.iter().enumerate() {
            if self.wish.wants(&[call.from, call.to]) {
                self.push(call.event, What::Call(number));
            }
        }
    }

    fn deferrals(&mut self) {
        for (number, deferral) in self.active.deferrals.iter().enumerate() {
            let party = deferral.object.map_or(Party::Unknown, Party::Object);
            if self.wish.wants(&[party]) && self.wants_signal(Some(deferral.signal)) {
                self.push(deferral.event, What::Deferral(number));
            }
        }
    }

    fn timers(&mut self) {
        for (number, run) in self.active.timers.iter().enumerate() {
            let party = Party::Object(run.object);
            if !self.wish.wants(&[party]) || !self.wants_signal(run.signal) {
                continue;
            }
            if self.wish.show.timers && !run.periodic {
                self.push(run.first, What::TimerStart(number));
            }
            let what = match run.ending {
                TimerEnd::Stopped { .. } if self.wish.show.timers => What::TimerStop(number),
                TimerEnd::Expired if !self.is_post_shown(run) => What::Timeout(number),
                _ => continue,
            };
            if let Some(event) = run.last {
                self.push(event, what);
            }
        }
    }

    fn is_post_shown(&self, run: &TimerRun) -> bool {
        let post = run.post.and_then(|id| self.active.posts.get(id.index()));
        post.is_some_and(|post| self.events.contains(&post.event))
    }

    fn actions_and_states(&mut self) {
        let steps = self.steps_by_object();
        if self.wish.show.actions {
            for (number, action) in self.active.actions.iter().enumerate() {
                if self.wants_at(&steps, action.object, action.event) {
                    self.push(action.event, What::Action(number));
                }
            }
        }
        if self.wish.show.states {
            for object in &self.active.objects {
                let stays = self.active.stays.get(object.index());
                for (number, stay) in stays.into_iter().flatten().enumerate() {
                    if self.wants_at(&steps, *object, stay.first) {
                        self.push(stay.first, What::State(*object, number));
                    }
                }
            }
        }
    }

    /// The steps of each object, where only those of some signals are wanted.
    fn steps_by_object(&self) -> BTreeMap<ContextId, Vec<Step>> {
        let mut steps = BTreeMap::<_, Vec<_>>::new();
        if !self.wish.signals.is_empty() {
            for step in &self.active.steps {
                steps.entry(step.object).or_default().push(*step);
            }
        }
        steps
    }

    /// Whether what an object does at an event is wanted: by the step that the
    /// event belongs to, where only some signals are.
    fn wants_at(
        &mut self,
        steps: &BTreeMap<ContextId, Vec<Step>>,
        object: ContextId,
        event: EventIndex,
    ) -> bool {
        if !self.wish.wants(&[Party::Object(object)]) {
            return false;
        }
        let steps = steps.get(&object).map_or(&[][..], Vec::as_slice);
        let behind = steps.partition_point(|step| step.first <= event);
        let step = behind.checked_sub(1).and_then(|number| steps.get(number));
        let step = step.filter(|step| step.last >= event);
        self.wants_signal(step.and_then(|step| step.signal))
    }

    fn refusals(&mut self) {
        for (step, id) in self.active.steps.iter().zip((0..).map(StepId)) {
            let refused = match step.ending {
                Ending::Told(outcome) => outcome != Outcome::Processed,
                _ => false,
            };
            if refused && self.wants_step(step) {
                self.push(step.last, What::Refusal(id));
            }
        }
    }

    fn push(&mut self, event: EventIndex, what: What) {
        if self.events.contains(&event) {
            self.found.push((event, what));
        }
    }

    fn wants_step(&mut self, step: &Step) -> bool {
        self.wish.wants(&[Party::Object(step.object)]) && self.wants_signal(step.signal)
    }

    /// Whether a signal fits the wish.
    fn wants_signal(&mut self, signal: Option<Signal>) -> bool {
        let (wish, naming) = (self.wish, Naming(self.trace));
        let Some(signal) = signal else {
            return wish.fits(None);
        };
        let wanted = self.signals.entry(signal);
        *wanted.or_insert_with(|| wish.fits(Some(&naming.signal(signal))))
    }
}
