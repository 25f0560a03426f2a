//! Causes and effects of an event, from the schedule and from active objects.
//!
//! Links are symmetric: if an event names another as its effect, the other names it
//! as its cause.

use super::thread_intervals::IntervalRef;
use crate::response::EventLink;
use crate::session::Session;
use rtoscope_analysis::schedule::{
    InterruptsOffEnding, Inversion, SwitchCause, ThreadState, Transfer,
};
use rtoscope_trace::{ContextId, Contexts, Event, EventIndex, ObjectClass};

/// Maximum number of links of an event.
const MAX_LINKS: usize = 64;

/// Collects the links of an event.
pub(super) struct LinkCollector<'s> {
    pub(super) session: &'s Session,
    pub(super) event: EventIndex,
    links: Vec<EventLink>,
}

impl Session {
    /// The causes and effects of an event, causes first.
    pub(super) fn links(&self, event: &Event) -> Vec<EventLink> {
        let mut links = LinkCollector {
            session: self,
            event: event.index,
            links: Vec::new(),
        };
        links.add_dispatches(event);
        links.add_waits(event);
        links.add_transfers();
        links.add_interrupts();
        links.add_interrupts_off();
        links.add_mutex_holds();
        links.add_inversions();
        links.add_active_objects();
        let mut found = links.links;
        found.sort_by_key(|link| (!link.cause, link.event));
        found.dedup();
        found.truncate(MAX_LINKS);
        found
    }

    /// Name of the context that logged an event.
    fn context_name_at(&self, event: EventIndex) -> String {
        let context = self.recording.trace.events.context(event);
        self.context_name(context.unwrap_or(ContextId::UNKNOWN))
    }
}

impl LinkCollector<'_> {
    fn add(&mut self, cause: bool, event: EventIndex, text: String) {
        if event != self.event {
            self.links.push(EventLink {
                cause,
                text,
                event: self.session.event_number(event.0),
                time: {
                    let time = self.session.time_of(event.index());
                    self.session.recording_ticks(time)
                },
            });
        }
    }

    pub(super) fn cause(&mut self, event: EventIndex, text: String) {
        self.add(true, event, text);
    }

    pub(super) fn effect(&mut self, event: EventIndex, text: String) {
        self.add(false, event, text);
    }

    /// Links resumptions and dispatches with the first event of the run.
    fn add_dispatches(&mut self, event: &Event) {
        let session = self.session;
        let schedule = &session.recording.schedule;
        let dispatches = session.caches.schedule_index.dispatches(schedule);
        for run in session.intervals_first_run_at(event) {
            let name = session.context_name(run.thread);
            if let Some(ready) = session.wake_event(run) {
                self.cause(
                    ready,
                    format!("{name} resumed by {}", session.context_name_at(ready)),
                );
            }
            let began = session.interval(run).map(|interval| interval.event);
            let of_run = began.into_iter().flat_map(|began| dispatches.find(began));
            for dispatch in of_run.filter(|dispatch| dispatch.thread == run.thread) {
                let why = dispatch_cause_text(dispatch.cause);
                self.cause(dispatch.event, format!("{name} dispatched: {why}"));
            }
        }
        for thread in session.threads_involved(event) {
            for ready in session.intervals_starting_at(thread, event.index) {
                let run = ready.next();
                if session.wake_event(run).is_some()
                    && let Some(first) = session.first_running_event(run)
                {
                    let name = session.context_name(thread);
                    self.effect(first, format!("woke {name}, which runs"));
                }
            }
        }
        for dispatch in dispatches.find(event.index) {
            let name = session.context_name(dispatch.thread);
            let mut runs = session.intervals_starting_at(dispatch.thread, event.index);
            if let Some(first) = runs.find_map(|run| session.first_running_event(run)) {
                let why = dispatch_cause_text(dispatch.cause);
                self.effect(first, format!("dispatches {name}: {why}"));
            }
        }
    }

    /// Links suspensions with the resumptions that end them.
    fn add_waits(&mut self, event: &Event) {
        let session = self.session;
        for thread in session.threads_involved(event) {
            for run in session.intervals_starting_at(thread, event.index) {
                self.add_wait_before(run);
                if let Some(wake_up) = session.wake_up(run.next())
                    && wake_up.waiting.start_known
                {
                    let by = session.context_name_at(wake_up.cause());
                    let name = session.context_name(thread);
                    self.effect(wake_up.cause(), format!("{name} resumed by {by}"));
                }
            }
        }
    }

    fn add_wait_before(&mut self, ready: IntervalRef) {
        let session = self.session;
        let waited = session.wake_up(ready).map(|wake_up| wake_up.waiting);
        if let Some(waited) = waited.filter(|waited| waited.start_known)
            && let ThreadState::Waiting {
                wait_reason,
                resource,
            } = waited.state
        {
            let name = session.context_name(ready.thread);
            let object = resource.map(|resource| session.resource_name(resource));
            let waited_for = wait_reason.describe(object.as_deref());
            self.cause(waited.event, format!("{name} was {waited_for}"));
        }
    }

    /// Links calls that add to an object with calls that take from it.
    fn add_transfers(&mut self) {
        let session = self.session;
        let (schedule, orders) = (&session.recording.schedule, &session.caches.schedule_index);
        for transfer in orders.puts(schedule).find(self.event) {
            let what = session.transfer_text(&transfer);
            let taker = match transfer.taker {
                Contexts::INTERRUPT => session.context_name_at(transfer.take),
                thread => session.context_name(thread),
            };
            self.effect(transfer.take, format!("{what} taken by {taker}"));
        }
        for transfer in orders.takes(schedule).find(self.event) {
            let what = session.transfer_text(&transfer);
            let by = session.context_name_at(transfer.put);
            self.cause(transfer.put, format!("{what} put by {by}"));
        }
    }

    /// Links entries and exits of interrupt service routines.
    fn add_interrupts(&mut self) {
        let (session, of) = (self.session, self.event);
        let (schedule, orders) = (&session.recording.schedule, &session.caches.schedule_index);
        for activation in orders.isr_entries(schedule).find(of) {
            let name = session.isr_name(activation.number);
            let ends = if activation.exited {
                "ends"
            } else {
                "last seen"
            };
            self.effect(activation.last, format!("{name} {ends}"));
        }
        for activation in orders.isr_exits(schedule).find(of) {
            let name = session.isr_name(activation.number);
            let begins = if activation.entered {
                "begins"
            } else {
                "first seen"
            };
            self.cause(activation.first, format!("{name} {begins}"));
        }
    }

    /// Links the starts and ends of interrupts-off sections.
    fn add_interrupts_off(&mut self) {
        let (session, of) = (self.session, self.event);
        let (schedule, orders) = (&session.recording.schedule, &session.caches.schedule_index);
        for section in orders.interrupts_off_starts(schedule).find(of) {
            let text = match section.ending {
                InterruptsOffEnding::Restored => "interrupts are enabled again",
                _ => "interrupts last known to be off",
            };
            self.effect(section.last, text.to_owned());
        }
        for section in orders.interrupts_off_ends(schedule).find(of) {
            let text = if section.start_known {
                "interrupts are disabled"
            } else {
                "interrupts first known to be off"
            };
            self.cause(section.first, text.to_owned());
        }
    }

    /// Links acquisitions and releases of mutexes.
    fn add_mutex_holds(&mut self) {
        let (session, of) = (self.session, self.event);
        let (schedule, orders) = (&session.recording.schedule, &session.caches.schedule_index);
        for hold in orders.mutex_acquires(schedule).find(of) {
            if hold.is_complete() {
                let owner = session.context_name(hold.owner);
                let mutex = session.resource_name(hold.resource);
                self.effect(hold.last, format!("{owner} releases {mutex}"));
            }
        }
        for hold in orders.mutex_releases(schedule).find(of) {
            if hold.is_complete() {
                let owner = session.context_name(hold.owner);
                let mutex = session.resource_name(hold.resource);
                self.cause(hold.first, format!("{owner} acquired {mutex}"));
            }
        }
    }

    /// Links the call, the suspension and the resumption of priority inversions.
    fn add_inversions(&mut self) {
        let (session, of) = (self.session, self.event);
        let (schedule, orders) = (&session.recording.schedule, &session.caches.schedule_index);
        for inversion in orders.inversion_requests(schedule).find(of) {
            if let Some(start) = inversion.first {
                let text = session.inversion_text(inversion, "begins");
                self.effect(start, text);
            }
        }
        for inversion in orders.inversion_starts(schedule).find(of) {
            if let Some(get) = inversion.get {
                self.cause(get, session.inversion_text(inversion, "requested"));
            }
            if let Some(end) = inversion.last {
                self.effect(end, session.inversion_text(inversion, "ends"));
            }
        }
        for inversion in orders.inversion_ends(schedule).find(of) {
            if let Some(start) = inversion.first {
                self.cause(start, session.inversion_text(inversion, "began"));
            }
        }
    }
}

impl Session {
    /// What was put into an object, as display text.
    fn transfer_text(&self, transfer: &Transfer) -> String {
        let resources = &self.recording.schedule.resources;
        let class = resources.get(transfer.resource.index());
        let thing = match class.map(|resource| resource.class) {
            Some(ObjectClass::Queue) => "message",
            Some(ObjectClass::BlockPool | ObjectClass::BytePool) => "block",
            _ => "unit",
        };
        let name = self.resource_name(transfer.resource);
        format!("{thing} of {name}")
    }

    /// Name of the taker: the thread that was resumed for the item, or the caller.
    fn inversion_text(&self, inversion: &Inversion, what: &str) -> String {
        let blocked = self.context_name(inversion.blocked);
        let mutex = self.resource_name(inversion.resource);
        let owner = inversion.owners.first().copied();
        let owner = self.context_name(owner.unwrap_or(ContextId::UNKNOWN));
        format!("priority inversion {what}: {blocked} blocked on {mutex} of {owner}")
    }
}

/// Why a thread was dispatched, as display text.
fn dispatch_cause_text(cause: SwitchCause) -> &'static str {
    match cause {
        SwitchCause::Start => "the scheduler started",
        SwitchCause::Idle => "nothing else was ready",
        SwitchCause::Suspension => "the previous thread was suspended",
        SwitchCause::Solicited => "a call of the previous thread resumed it",
        SwitchCause::Interrupt => "an interrupt resumed it",
        SwitchCause::TimeSlice => "the time slice ended",
        SwitchCause::Yield => "the previous thread yielded",
        SwitchCause::Unknown => "unknown cause",
    }
}
