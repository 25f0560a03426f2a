//! Links between events that belong to active objects.

use super::links::LinkCollector;
use crate::session::Session;
use rtoscope_analysis::active::{
    PostId, RtcStep, StepEnding, StepId, TimerEnding, TimerRun, Transition,
};
use rtoscope_trace::active_object::StepOutcome;
use rtoscope_trace::{Address, EventIndex, ObjectClass};

impl LinkCollector<'_> {
    /// Adds links for posts, steps, transitions, deferred events and timers.
    pub(super) fn add_active_objects(&mut self) {
        if self.session.recording.active.is_empty() {
            return;
        }
        self.add_posts();
        self.add_steps();
        self.add_transitions();
        self.add_deferrals();
        self.add_timers();
    }

    /// Links posts with the steps that handle them.
    fn add_posts(&mut self) {
        let session = self.session;
        let active = &session.recording.active;
        if let Some((_, post)) = find_by_event(&active.posts, self.event, |post| post.event)
            && let Some(step) = session.step_by_id(post.step)
        {
            let signal = session.signal_name(post.signal);
            let taker = session.context_name(post.to);
            self.effect(step.first, format!("{signal} taken by {taker}"));
        }
        if let Some((_, step)) = find_by_event(&active.steps, self.event, |step| step.first)
            && let Some(post) = step.post
            && let Some(post) = active.posts.get(post.index())
        {
            let signal = session.signal_name(post.signal);
            let sender = session.endpoint_name(post.from);
            self.cause(post.event, format!("{signal} posted by {sender}"));
        }
    }

    /// Links the first and last events of steps.
    fn add_steps(&mut self) {
        let session = self.session;
        let (active, orders) = (&session.recording.active, &session.caches.schedule_index);
        if let Some((_, step)) = find_by_event(&active.steps, self.event, |step| step.first) {
            let what = session.step_text(step);
            self.effect(
                step.last,
                format!("{what} ends: {}", step_outcome_text(step.ending)),
            );
        }
        for step in orders.step_ends(active).find(self.event) {
            let what = session.step_text(step);
            self.cause(step.first, format!("{what} begins"));
        }
    }

    /// Links transitions with their steps.
    fn add_transitions(&mut self) {
        let session = self.session;
        let active = &session.recording.active;
        let all = &active.transitions;
        if let Some((_, transition)) = find_by_event(all, self.event, |one| one.event)
            && let Some(step) = session.step_by_id(transition.step)
        {
            self.cause(
                step.first,
                format!("triggered by {}", session.trigger_text(step)),
            );
        }
        if let Some((place, step)) = find_by_event(&active.steps, self.event, |step| step.first) {
            let first = all.partition_point(|one| one.event <= step.first);
            let inside = all.iter().skip(first);
            for one in inside.take_while(|one| one.event <= step.last) {
                if one.step.is_some_and(|id| id.index() == place) {
                    self.effect(one.event, session.transition_text(one));
                }
            }
        }
    }

    /// Links deferred events with their recalls.
    fn add_deferrals(&mut self) {
        let session = self.session;
        let (active, orders) = (&session.recording.active, &session.caches.schedule_index);
        if let Some((_, deferral)) = find_by_event(&active.deferrals, self.event, |one| one.event)
            && let Some(post) = deferral.recalled
            && let Some(post) = active.posts.get(post.index())
        {
            let signal = session.signal_name(deferral.signal);
            self.effect(post.event, format!("{signal} recalled"));
        }
        let recalled = self.post_id().map(|post| orders.recalls(active).find(post));
        for deferral in recalled.into_iter().flatten() {
            let signal = session.signal_name(deferral.signal);
            self.cause(deferral.event, format!("{signal} deferred"));
        }
    }

    /// Links the starts of timers with their ends.
    fn add_timers(&mut self) {
        let session = self.session;
        let (active, orders) = (&session.recording.active, &session.caches.schedule_index);
        if let Some((_, run)) = find_by_event(&active.timer_runs, self.event, |run| run.first) {
            let name = session.timer_name(run.timer);
            match run.last {
                Some(end) => self.effect(end, format!("{name} {}", timer_end_text(run.ending))),
                None => self.add_timer_post(run),
            }
        }
        for run in orders.timer_ends(active).find(self.event) {
            let name = session.timer_name(run.timer);
            let began = if run.periodic {
                "started again"
            } else {
                "started"
            };
            self.cause(run.first, format!("{name} {began}"));
            self.add_timer_post(run);
        }
        let sent = self
            .post_id()
            .map(|post| orders.timer_posts(active).find(post));
        for run in sent.into_iter().flatten() {
            let name = session.timer_name(run.timer);
            let origin = run.last.unwrap_or(run.first);
            self.cause(origin, format!("{name} expired"));
        }
    }

    /// Links a timer with the post of its event.
    fn add_timer_post(&mut self, run: &TimerRun) {
        let session = self.session;
        let posts = &session.recording.active.posts;
        if let Some(post) = run.post.and_then(|post| posts.get(post.index())) {
            let signal = session.signal_name(post.signal);
            self.effect(post.event, format!("{signal} posted"));
        }
    }

    /// The post recorded by the event, if any.
    fn post_id(&self) -> Option<PostId> {
        let posts = &self.session.recording.active.posts;
        let (place, _) = find_by_event(posts, self.event, |post| post.event)?;
        u32::try_from(place).ok().map(PostId)
    }
}

impl Session {
    fn step_by_id(&self, step: Option<StepId>) -> Option<&RtcStep> {
        self.recording.active.steps.get(step?.index())
    }

    /// What a step handles, as display text.
    fn trigger_text(&self, step: &RtcStep) -> String {
        match step.signal {
            Some(signal) => self.signal_name(signal),
            None if step.initial => "the initial transition".to_owned(),
            None => "an unknown event".to_owned(),
        }
    }

    /// The active object and what the step handles.
    fn step_text(&self, step: &RtcStep) -> String {
        let object = self.context_name(step.object);
        format!("{object} handling {}", self.trigger_text(step))
    }

    fn transition_text(&self, transition: &Transition) -> String {
        let name = |vertex| self.vertex_name(vertex, transition.object);
        let source = name(transition.source);
        if transition.initial {
            let settled = transition.settled.or(transition.target);
            return format!("initial transition to {}", settled.map_or(source, name));
        }
        match transition.target {
            Some(target) => format!("transition from {source} to {}", name(target)),
            None => format!("internal transition in {source}"),
        }
    }

    fn timer_name(&self, timer: Address) -> String {
        let name = self.address_name(timer, ObjectClass::Timer);
        format!("timer {name}")
    }
}

/// Finds the item of an event and its index; `items` are sorted by event.
fn find_by_event<T>(
    items: &[T],
    event: EventIndex,
    of: impl Fn(&T) -> EventIndex,
) -> Option<(usize, &T)> {
    let place = items.binary_search_by_key(&event, of).ok()?;
    Some((place, items.get(place)?))
}

/// How a timer ended, as display text.
fn timer_end_text(ending: TimerEnding) -> &'static str {
    match ending {
        TimerEnding::Expired => "expires",
        TimerEnding::Stopped { .. } => "is stopped",
        TimerEnding::Restarted => "is started again",
        TimerEnding::Running | TimerEnding::Lost => "was last seen",
    }
}

/// How a step ended, as display text.
fn step_outcome_text(ending: StepEnding) -> &'static str {
    match ending {
        StepEnding::Recorded(StepOutcome::Processed) => "processed",
        StepEnding::Recorded(StepOutcome::Unhandled) => "no transition for it",
        StepEnding::Recorded(StepOutcome::GuardFalse) => "a guard is false",
        StepEnding::Recorded(StepOutcome::NoBranch) => "no branch applies",
        StepEnding::Recorded(StepOutcome::UnknownState) => "unknown kind of state",
        StepEnding::Recorded(StepOutcome::TooDeep) => "states are nested too deep",
        StepEnding::Recorded(StepOutcome::TooManySegments) => "too many segments",
        StepEnding::Lost => "records are missing",
        StepEnding::Unrecorded => "last record",
        StepEnding::Open => "the trace ends",
    }
}
