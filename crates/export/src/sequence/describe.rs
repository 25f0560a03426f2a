//! Rows in words, and whom they touch.

use super::collect::What;
use super::{LifelineId, Mark, Row};
use crate::naming;
use rtoscope_analysis::active::{Active, Ending, Post, PostId, Step, TimerRun};
use rtoscope_analysis::naming::Naming;
use rtoscope_trace::reaction::{Outcome, Role};
use rtoscope_trace::{Address, EventIndex, Party, Signal, Ticks, Trace};
use std::collections::BTreeMap;

/// Makes rows and counts off those whom they touch.
pub(super) struct Describer<'a> {
    trace: &'a Trace,
    active: &'a Active,
    naming: Naming<'a>,
    /// The posts of timers that expired, with their timers.
    expired: BTreeMap<PostId, Address>,
    ids: BTreeMap<Party, LifelineId>,
    /// Whom the lifelines of the rows stand for.
    pub(super) parties: Vec<Party>,
}

impl<'a> Describer<'a> {
    pub(super) fn new(trace: &'a Trace, active: &'a Active) -> Self {
        let runs = active.timers.iter();
        Self {
            trace,
            active,
            naming: Naming(trace),
            expired: runs
                .filter_map(|run| Some((run.post?, run.timer)))
                .collect(),
            ids: BTreeMap::new(),
            parties: Vec::new(),
        }
    }

    /// The row of something; `None` of what the lists do not have.
    pub(super) fn row(&mut self, event: EventIndex, what: What) -> Option<Row> {
        let (mark, label) = self.mark(what)?;
        let time = Ticks(self.trace.events.time.get(event.index()).copied()?);
        Some(Row {
            event,
            time,
            number: self.trace.number(event),
            clock: naming::time(self.trace, self.trace.moment(time)),
            mark,
            label,
            details: naming::event(self.trace, event),
        })
    }

    fn mark(&mut self, what: What) -> Option<(Mark, String)> {
        let active = self.active;
        Some(match what {
            What::Gap(missing) => (Mark::Gap, gap(missing)),
            What::Restart => (Mark::Restart, "target started again".to_owned()),
            What::Post(id) => self.post(active.posts.get(id.index())?, id),
            What::Take(id) => {
                let step = active.steps.get(id.index())?;
                let on = self.lifeline(Party::Object(step.object));
                (Mark::Take { on, posted: None }, handled(self.naming, step))
            }
            What::Call(number) => {
                let call = active.calls.get(number)?;
                let from = self.lifeline(call.from);
                let to = match call.to {
                    Party::Unknown => from,
                    to => self.lifeline(to),
                };
                let label = format!("{}()", self.naming.function(call.function));
                (Mark::Call { from, to }, label)
            }
            What::Deferral(number) => {
                let deferral = active.deferrals.get(number)?;
                let party = deferral.object.map_or(Party::Unknown, Party::Object);
                let on = self.lifeline(party);
                let signal = self.naming.signal(deferral.signal);
                let queue = self.naming.queue(deferral.queue);
                (Mark::Defer { on }, format!("defer {signal} into {queue}"))
            }
            What::TimerStart(number) => {
                let run = active.timers.get(number)?;
                let on = self.lifeline(Party::Object(run.object));
                (Mark::TimerStart { on }, self.start(run))
            }
            What::TimerStop(number) => {
                let run = active.timers.get(number)?;
                let on = self.lifeline(Party::Object(run.object));
                let label = format!("stop {}", self.naming.timer(run.timer));
                (Mark::TimerStop { on }, label)
            }
            What::Timeout(number) => {
                let run = active.timers.get(number)?;
                let on = self.lifeline(Party::Object(run.object));
                (Mark::Timeout { on }, self.timeout(run.timer, run.signal))
            }
            What::Action(number) => {
                let action = active.actions.get(number)?;
                let on = self.lifeline(Party::Object(action.object));
                let function = self.naming.function(action.function);
                let label = format!("{}{function}()", role(action.role));
                (Mark::Action { on }, label)
            }
            What::State(object, number) => {
                let stay = active.stays.get(object.index())?.get(number)?;
                let on = self.lifeline(Party::Object(object));
                (Mark::State { on }, self.naming.vertex(stay.state))
            }
            What::Refusal(id) => {
                let step = active.steps.get(id.index())?;
                let on = self.lifeline(Party::Object(step.object));
                let label = format!("{}: {}", refusal(step), handled(self.naming, step));
                (Mark::Refused { on }, label)
            }
        })
    }

    fn post(&mut self, post: &Post, id: PostId) -> (Mark, String) {
        let timer = self.expired.get(&id).copied();
        let to = self.lifeline(Party::Object(post.to));
        // What a timer sends is the object's own, unless somebody is said to
        // drive the timer.
        let from = match (post.from, timer) {
            (Party::Unknown, Some(_)) => to,
            (Party::Other(sender), Some(timer)) if sender == timer => to,
            (from, _) => self.lifeline(from),
        };
        let mut label = match timer {
            Some(timer) => self.timeout(timer, Some(post.signal)),
            None => self.naming.signal(post.signal),
        };
        if post.recalled {
            label.push_str(" (recalled)");
        } else if post.front {
            label.push_str(" (front)");
        }
        let mark = Mark::Post {
            from,
            to,
            front: post.front || post.recalled,
            timer: timer.is_some(),
            taken: None,
        };
        (mark, label)
    }

    fn timeout(&self, timer: Address, signal: Option<Signal>) -> String {
        let timer = self.naming.timer(timer);
        match signal {
            Some(signal) => format!("{} ({timer})", self.naming.signal(signal)),
            None => format!("timeout of {timer}"),
        }
    }

    fn start(&self, run: &TimerRun) -> String {
        let plural = if run.ticks == 1 { "" } else { "s" };
        let timer = self.naming.timer(run.timer);
        let start = format!("start {timer}, {} tick{plural}", run.ticks);
        match run.period {
            0 => start,
            period => format!("{start}, then every {period}"),
        }
    }

    fn lifeline(&mut self, party: Party) -> LifelineId {
        let next = LifelineId(self.parties.len());
        let id = *self.ids.entry(party).or_insert(next);
        if id == next {
            self.parties.push(party);
        }
        id
    }
}

/// What a step handles.
pub(super) fn handled(naming: Naming<'_>, step: &Step) -> String {
    match step.signal {
        Some(signal) => naming.signal(signal),
        None if step.initial => "initial transition".to_owned(),
        None => "(unknown event)".to_owned(),
    }
}

fn gap(missing: Option<u64>) -> String {
    match missing {
        Some(1) => "1 record missing".to_owned(),
        Some(count) => format!("{count} records missing"),
        None => "records missing".to_owned(),
    }
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Effect => "effect ",
        Role::Entry => "entry ",
        Role::Exit => "exit ",
        Role::Initial => "initial ",
        Role::Preprocess => "preprocess ",
        Role::Guard => "guard ",
        Role::Other => "",
    }
}

fn refusal(step: &Step) -> &'static str {
    match step.ending {
        Ending::Told(Outcome::Unhandled) => "unhandled",
        Ending::Told(Outcome::GuardFalse) => "guard false",
        Ending::Told(Outcome::NoBranch) => "no branch open",
        Ending::Told(Outcome::UnknownState) => "unknown kind of state",
        Ending::Told(Outcome::TooDeep) => "states nested too deep",
        Ending::Told(Outcome::TooManySegments) => "too many segments",
        _ => "refused",
    }
}
