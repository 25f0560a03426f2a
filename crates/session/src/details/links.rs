//! Events that an event has to do with, as the schedule and active objects know.
//!
//! Every link goes both ways: where one event names another as its effect, that
//! one names it as its cause.

use super::runs::Run;
use crate::answer::Link;
use crate::session::Session;
use rtoscope_analysis::schedule::{Cause, Inversion, State, Transfer, Unmasking};
use rtoscope_trace::{ContextId, Event, EventIndex, ObjectClass};

/// Links that an event has at most.
const MOST_LINKS: usize = 64;

/// The links of an event as they are found.
pub(super) struct Links<'s> {
    pub(super) session: &'s Session,
    pub(super) of: EventIndex,
    found: Vec<Link>,
}

impl Session {
    /// The causes and the effects of an event, causes first.
    pub(super) fn links(&self, event: &Event) -> Vec<Link> {
        let mut links = Links {
            session: self,
            of: event.index,
            found: Vec::new(),
        };
        links.runs(event);
        links.waits(event);
        links.transfers();
        links.interrupts();
        links.masks();
        links.holds();
        links.inversions();
        links.reactions();
        let mut found = links.found;
        found.sort_by_key(|link| (!link.cause, link.event));
        found.dedup();
        found.truncate(MOST_LINKS);
        found
    }

    /// Who did it: the event's context.
    fn by(&self, event: EventIndex) -> String {
        let context = self.trace.events.context.get(event.index());
        self.context_name(context.copied().unwrap_or(ContextId::UNKNOWN))
    }
}

impl Links<'_> {
    fn add(&mut self, cause: bool, event: EventIndex, text: String) {
        if event != self.of {
            self.found.push(Link {
                cause,
                text,
                event: event.0,
                time: self.session.time_of(event.index()),
            });
        }
    }

    pub(super) fn cause(&mut self, event: EventIndex, text: String) {
        self.add(true, event, text);
    }

    pub(super) fn effect(&mut self, event: EventIndex, text: String) {
        self.add(false, event, text);
    }

    /// Threads that were resumed or given a core, and their first execution.
    fn runs(&mut self, event: &Event) {
        let session = self.session;
        let schedule = &session.analysis.schedule;
        let dispatches = session.caches.orders.dispatches(schedule);
        for run in session.executed_first(event) {
            let name = session.context_name(run.thread);
            if let Some(ready) = session.woken_by(run) {
                self.cause(ready, format!("{name} resumed by {}", session.by(ready)));
            }
            let began = session.stretch(run).map(|stretch| stretch.event);
            let of_run = began.into_iter().flat_map(|began| dispatches.find(began));
            for dispatch in of_run.filter(|dispatch| dispatch.thread == run.thread) {
                let why = why(dispatch.cause);
                self.cause(dispatch.event, format!("{name} got the core: {why}"));
            }
        }
        for thread in session.threads_of(event) {
            for ready in session.begun(thread, event.index) {
                let run = ready.after();
                if session.woken_by(run).is_some()
                    && let Some(first) = session.first_execution(run)
                {
                    let name = session.context_name(thread);
                    self.effect(first, format!("woke {name}, which executes"));
                }
            }
        }
        for dispatch in dispatches.find(event.index) {
            let name = session.context_name(dispatch.thread);
            let mut runs = session.begun(dispatch.thread, event.index);
            if let Some(first) = runs.find_map(|run| session.first_execution(run)) {
                let why = why(dispatch.cause);
                self.effect(first, format!("{name} gets the core: {why}"));
            }
        }
    }

    /// Suspensions, and the resumptions that ended them.
    fn waits(&mut self, event: &Event) {
        let session = self.session;
        for thread in session.threads_of(event) {
            for run in session.begun(thread, event.index) {
                self.waited_before(run);
                let ready = run.after();
                if let Some(waited) = session.waited(ready)
                    && waited.seen
                    && let Some(end) = session.stretch(ready)
                {
                    let by = session.by(end.event);
                    let name = session.context_name(thread);
                    self.effect(end.event, format!("{name} resumed by {by}"));
                }
            }
        }
    }

    fn waited_before(&mut self, ready: Run) {
        let session = self.session;
        if let Some(waited) = session.waited(ready).filter(|waited| waited.seen)
            && let State::Waiting { wait, resource } = waited.state
        {
            let name = session.context_name(ready.thread);
            let text = match resource {
                Some(resource) => {
                    let resource = session.resource_name(resource);
                    format!("{name} waited for {} {resource}", wait.name())
                }
                None => format!("{name} waited: {}", wait.name()),
            };
            self.cause(waited.event, text);
        }
    }

    /// What was put into an object, and who took it.
    fn transfers(&mut self) {
        let session = self.session;
        let (schedule, orders) = (&session.analysis.schedule, &session.caches.orders);
        for transfer in orders.puts(schedule).find(self.of) {
            let what = session.what(transfer);
            let taker = session.taker(transfer);
            self.effect(transfer.take, format!("{what} taken by {taker}"));
        }
        for transfer in orders.takes(schedule).find(self.of) {
            let what = session.what(transfer);
            let by = session.by(transfer.put);
            self.cause(transfer.put, format!("{what} put by {by}"));
        }
    }

    /// Entries and exits of interrupt service routines.
    fn interrupts(&mut self) {
        let (session, of) = (self.session, self.of);
        let (schedule, orders) = (&session.analysis.schedule, &session.caches.orders);
        for activation in orders.entries(schedule).find(of) {
            let name = session.isr_name(activation.number);
            let ends = if activation.exited {
                "ends"
            } else {
                "last seen"
            };
            self.effect(activation.last, format!("{name} {ends}"));
        }
        for activation in orders.exits(schedule).find(of) {
            let name = session.isr_name(activation.number);
            let begins = if activation.entered {
                "begins"
            } else {
                "first seen"
            };
            self.cause(activation.first, format!("{name} {begins}"));
        }
    }

    /// Where interrupts are disabled, and where they are enabled again.
    fn masks(&mut self) {
        let (session, of) = (self.session, self.of);
        let (schedule, orders) = (&session.analysis.schedule, &session.caches.orders);
        for masked in orders.masks(schedule).find(of) {
            let text = match masked.ending {
                Unmasking::Restored => "interrupts are enabled again",
                _ => "interrupts last known to be off",
            };
            self.effect(masked.last, text.to_owned());
        }
        for masked in orders.unmasks(schedule).find(of) {
            let text = if masked.begun {
                "interrupts are disabled"
            } else {
                "interrupts first known to be off"
            };
            self.cause(masked.first, text.to_owned());
        }
    }

    /// Mutexes that threads got and gave back.
    fn holds(&mut self) {
        let (session, of) = (self.session, self.of);
        let (schedule, orders) = (&session.analysis.schedule, &session.caches.orders);
        for hold in orders.gets(schedule).find(of) {
            if hold.is_whole() {
                let owner = session.context_name(hold.owner);
                let mutex = session.resource_name(hold.resource);
                self.effect(hold.last, format!("{owner} gives {mutex} back"));
            }
        }
        for hold in orders.releases(schedule).find(of) {
            if hold.is_whole() {
                let owner = session.context_name(hold.owner);
                let mutex = session.resource_name(hold.resource);
                self.cause(hold.first, format!("{owner} got {mutex}"));
            }
        }
    }

    /// Priority inversions: the call, the suspension, the resumption.
    fn inversions(&mut self) {
        let (session, of) = (self.session, self.of);
        let (schedule, orders) = (&session.analysis.schedule, &session.caches.orders);
        for inversion in orders.inversion_gets(schedule).find(of) {
            if let Some(start) = inversion.first {
                let text = session.inverted(inversion, "begins");
                self.effect(start, text);
            }
        }
        for inversion in orders.inversion_starts(schedule).find(of) {
            if let Some(get) = inversion.get {
                self.cause(get, session.inverted(inversion, "asked"));
            }
            if let Some(end) = inversion.last {
                self.effect(end, session.inverted(inversion, "ends"));
            }
        }
        for inversion in orders.inversion_ends(schedule).find(of) {
            if let Some(start) = inversion.first {
                self.cause(start, session.inverted(inversion, "began"));
            }
        }
    }
}

impl Session {
    /// What was put into an object, for people.
    fn what(&self, transfer: &Transfer) -> String {
        let resources = &self.analysis.schedule.resources;
        let class = resources.get(transfer.resource.index());
        let thing = match class.map(|resource| resource.class) {
            Some(ObjectClass::Queue) => "message",
            Some(ObjectClass::BlockPool | ObjectClass::BytePool) => "block",
            _ => "unit",
        };
        let name = self.resource_name(transfer.resource);
        format!("{thing} of {name}")
    }

    /// Who took it: the thread that was resumed for it, or that called.
    fn taker(&self, transfer: &Transfer) -> String {
        let event = self.trace.events.get(transfer.take);
        let waiting = event.into_iter().flat_map(|event| self.threads_of(&event));
        let resumed = waiting.flat_map(|thread| self.begun(thread, transfer.take));
        let mut resumed = resumed.filter(|run| match self.waited(*run) {
            Some(waited) => matches!(
                waited.state,
                State::Waiting { resource, .. } if resource == Some(transfer.resource)
            ),
            None => false,
        });
        match resumed.next() {
            Some(run) => self.context_name(run.thread),
            None => self.by(transfer.take),
        }
    }

    fn inverted(&self, inversion: &Inversion, what: &str) -> String {
        let blocked = self.context_name(inversion.blocked);
        let mutex = self.resource_name(inversion.resource);
        let owner = inversion.owners.first().copied();
        let owner = self.context_name(owner.unwrap_or(ContextId::UNKNOWN));
        format!("priority inversion {what}: {blocked} waits for {mutex} of {owner}")
    }
}

/// Why a thread was given a core, for people.
fn why(cause: Cause) -> &'static str {
    match cause {
        Cause::Start => "the scheduler started",
        Cause::Idle => "nothing else was ready",
        Cause::Suspension => "the one before was suspended",
        Cause::Solicited => "a call of the one before made it ready",
        Cause::Interrupt => "an interrupt made it ready",
        Cause::TimeSlice => "a time slice was over",
        Cause::Yield => "the one before let others go first",
        Cause::Unknown => "why is not known",
    }
}
