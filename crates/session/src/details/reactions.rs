//! Events that an event has to do with, as active objects know.

use super::links::Links;
use crate::session::Session;
use rtoscope_analysis::active::{Ending, PostId, Step, StepId, TimerEnd, TimerRun, Transition};
use rtoscope_trace::reaction::Outcome;
use rtoscope_trace::{Address, EventIndex, ObjectClass};

impl Links<'_> {
    /// Posts, steps, transitions, deferred events and timers.
    pub(super) fn reactions(&mut self) {
        if self.session.analysis.active.is_empty() {
            return;
        }
        self.posts();
        self.steps();
        self.transitions();
        self.deferrals();
        self.timers();
    }

    /// Events that were posted, and the steps that took them.
    fn posts(&mut self) {
        let session = self.session;
        let active = &session.analysis.active;
        if let Some((_, post)) = at_event(&active.posts, self.of, |post| post.event)
            && let Some(step) = session.step_of(post.step)
        {
            let signal = session.signal_name(post.signal);
            let taker = session.context_name(post.to);
            self.effect(step.first, format!("{signal} taken by {taker}"));
        }
        if let Some((_, step)) = at_event(&active.steps, self.of, |step| step.first)
            && let Some(post) = step.post
            && let Some(post) = active.posts.get(post.index())
        {
            let signal = session.signal_name(post.signal);
            let sender = session.party_name(post.from);
            self.cause(post.event, format!("{signal} posted by {sender}"));
        }
    }

    /// Beginnings and ends of steps.
    fn steps(&mut self) {
        let session = self.session;
        let (active, orders) = (&session.analysis.active, &session.caches.orders);
        if let Some((_, step)) = at_event(&active.steps, self.of, |step| step.first) {
            let what = session.handled(step);
            self.effect(step.last, format!("{what} ends: {}", how(step.ending)));
        }
        for step in orders.step_ends(active).find(self.of) {
            let what = session.handled(step);
            self.cause(step.first, format!("{what} begins"));
        }
    }

    /// Transitions, and the steps that they belong to.
    fn transitions(&mut self) {
        let session = self.session;
        let active = &session.analysis.active;
        let all = &active.transitions;
        if let Some((_, transition)) = at_event(all, self.of, |one| one.event)
            && let Some(step) = session.step_of(transition.step)
        {
            self.cause(
                step.first,
                format!("triggered by {}", session.trigger(step)),
            );
        }
        if let Some((place, step)) = at_event(&active.steps, self.of, |step| step.first) {
            let first = all.partition_point(|one| one.event <= step.first);
            let inside = all.iter().skip(first);
            for one in inside.take_while(|one| one.event <= step.last) {
                if one.step.is_some_and(|id| id.index() == place) {
                    self.effect(one.event, session.transition_text(one));
                }
            }
        }
    }

    /// Events that were put aside, and came back.
    fn deferrals(&mut self) {
        let session = self.session;
        let (active, orders) = (&session.analysis.active, &session.caches.orders);
        if let Some((_, deferral)) = at_event(&active.deferrals, self.of, |one| one.event)
            && let Some(post) = deferral.recalled
            && let Some(post) = active.posts.get(post.index())
        {
            let signal = session.signal_name(deferral.signal);
            self.effect(post.event, format!("{signal} recalled"));
        }
        let recalled = self.post().map(|post| orders.recalls(active).find(post));
        for deferral in recalled.into_iter().flatten() {
            let signal = session.signal_name(deferral.signal);
            self.cause(deferral.event, format!("{signal} deferred"));
        }
    }

    /// Timers that were started, and how they ended.
    fn timers(&mut self) {
        let session = self.session;
        let (active, orders) = (&session.analysis.active, &session.caches.orders);
        if let Some((_, run)) = at_event(&active.timers, self.of, |run| run.first) {
            let name = session.timer_name(run.timer);
            match run.last {
                Some(end) => self.effect(end, format!("{name} {}", end_of(run.ending))),
                None => self.expired(run),
            }
        }
        for run in orders.timer_ends(active).find(self.of) {
            let name = session.timer_name(run.timer);
            let began = if run.periodic {
                "began anew"
            } else {
                "started"
            };
            self.cause(run.first, format!("{name} {began}"));
            self.expired(run);
        }
        let sent = self
            .post()
            .map(|post| orders.timer_posts(active).find(post));
        for run in sent.into_iter().flatten() {
            let name = session.timer_name(run.timer);
            let origin = run.last.unwrap_or(run.first);
            self.cause(origin, format!("{name} expired"));
        }
    }

    /// The post of a timer's event.
    fn expired(&mut self, run: &TimerRun) {
        let session = self.session;
        let posts = &session.analysis.active.posts;
        if let Some(post) = run.post.and_then(|post| posts.get(post.index())) {
            let signal = session.signal_name(post.signal);
            self.effect(post.event, format!("{signal} posted"));
        }
    }

    /// The post that the event tells of, if it does.
    fn post(&self) -> Option<PostId> {
        let posts = &self.session.analysis.active.posts;
        let (place, _) = at_event(posts, self.of, |post| post.event)?;
        u32::try_from(place).ok().map(PostId)
    }
}

impl Session {
    fn step_of(&self, step: Option<StepId>) -> Option<&Step> {
        self.analysis.active.steps.get(step?.index())
    }

    /// What a step handles, for people.
    fn trigger(&self, step: &Step) -> String {
        match step.signal {
            Some(signal) => self.signal_name(signal),
            None if step.initial => "the initial transition".to_owned(),
            None => "an unknown event".to_owned(),
        }
    }

    /// The same with who does it.
    fn handled(&self, step: &Step) -> String {
        let object = self.context_name(step.object);
        format!("{object} handling {}", self.trigger(step))
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

/// The item of an event, and its place; the events of all rise.
fn at_event<T>(
    items: &[T],
    event: EventIndex,
    of: impl Fn(&T) -> EventIndex,
) -> Option<(usize, &T)> {
    let place = items.binary_search_by_key(&event, of).ok()?;
    Some((place, items.get(place)?))
}

/// How a timer ended, for people.
fn end_of(ending: TimerEnd) -> &'static str {
    match ending {
        TimerEnd::Expired => "expires",
        TimerEnd::Stopped { .. } => "is stopped",
        TimerEnd::Restarted => "is started again",
        TimerEnd::Running | TimerEnd::Lost => "was last seen",
    }
}

/// How a step ended, for people.
fn how(ending: Ending) -> &'static str {
    match ending {
        Ending::Told(Outcome::Processed) => "processed",
        Ending::Told(Outcome::Unhandled) => "no transition waits for it",
        Ending::Told(Outcome::GuardFalse) => "a guard is false",
        Ending::Told(Outcome::NoBranch) => "no branch is open",
        Ending::Told(Outcome::UnknownState) => "a state of an unknown kind",
        Ending::Told(Outcome::TooDeep) => "states are nested too deep",
        Ending::Told(Outcome::TooManySegments) => "too many segments",
        Ending::Lost => "records are missing",
        Ending::Untold => "last record",
        Ending::Open => "the trace ends",
    }
}
