//! Builds rows with their text and endpoints.

use super::row_sources::RowSource;
use super::{DiagramRow, LifelineId, RowKind};
use crate::naming;
use rtoscope_analysis::active::{ActiveObjects, Post, PostId, RtcStep, StepEnding, TimerRun};
use rtoscope_analysis::naming::NameFormatter;
use rtoscope_trace::active_object::{ActionRole, StepOutcome};
use rtoscope_trace::{Address, Endpoint, EventIndex, Signal, Trace};
use std::collections::BTreeMap;

/// Builds rows and numbers their endpoints.
pub(super) struct RowBuilder<'a> {
    trace: &'a Trace,
    naming: NameFormatter<'a>,
    /// The posts of expired timers, with their timers.
    expired_timers: BTreeMap<PostId, Address>,
    ids: BTreeMap<Endpoint, LifelineId>,
    /// The endpoints of the lifelines.
    pub(super) endpoints: Vec<Endpoint>,
}

impl<'a> RowBuilder<'a> {
    pub(super) fn new(trace: &'a Trace, active: &'a ActiveObjects) -> Self {
        let runs = active.timer_runs.iter();
        Self {
            trace,
            naming: NameFormatter(trace),
            expired_timers: runs
                .filter_map(|run| Some((run.post?, run.timer)))
                .collect(),
            ids: BTreeMap::new(),
            endpoints: Vec::new(),
        }
    }

    /// The row of a source; `None` if the trace does not have its event.
    pub(super) fn row(&mut self, event: EventIndex, source: RowSource<'_>) -> Option<DiagramRow> {
        let time = self.trace.events.time(event)?;
        let (mark, label) = self.row_kind(source);
        let recording_time = self.trace.recording_time(time);
        Some(DiagramRow {
            event,
            time,
            number: self.trace.recording_event(event),
            time_text: self.trace.timescale().duration_text(recording_time),
            kind: mark,
            label,
            details: naming::describe_event(self.trace, event),
        })
    }

    fn row_kind(&mut self, source: RowSource<'_>) -> (RowKind, String) {
        match source {
            RowSource::Gap(missing) => (RowKind::Gap, gap(missing)),
            RowSource::Restart => (RowKind::Restart, "target restarted".to_owned()),
            RowSource::Post(id, post) => self.post(post, id),
            RowSource::Take(_, step) => {
                let on = self.lifeline(Endpoint::Object(step.object));
                let kind = RowKind::Take { on, post_row: None };
                (kind, handled_event(self.naming, step))
            }
            RowSource::Call(call) => {
                let from = self.lifeline(call.from);
                let to = match call.to {
                    Endpoint::Unknown => from,
                    to => self.lifeline(to),
                };
                let label = format!("{}()", self.naming.function(call.function));
                (RowKind::Call { from, to }, label)
            }
            RowSource::Deferral(deferral) => {
                let endpoint = deferral.object.map_or(Endpoint::Unknown, Endpoint::Object);
                let on = self.lifeline(endpoint);
                let signal = self.naming.signal(deferral.signal);
                let queue = self.naming.queue(deferral.queue);
                let label = format!("defer {signal} into {queue}");
                (RowKind::Defer { on }, label)
            }
            RowSource::TimerStart(run) => {
                let on = self.lifeline(Endpoint::Object(run.object));
                (RowKind::TimerStart { on }, self.start(run))
            }
            RowSource::TimerStop(run) => {
                let on = self.lifeline(Endpoint::Object(run.object));
                let label = format!("stop {}", self.naming.timer(run.timer));
                (RowKind::TimerStop { on }, label)
            }
            RowSource::Timeout(run) => {
                let on = self.lifeline(Endpoint::Object(run.object));
                (RowKind::Timeout { on }, self.timeout(run.timer, run.signal))
            }
            RowSource::Action(action) => {
                let on = self.lifeline(Endpoint::Object(action.object));
                let function = self.naming.function(action.function);
                let label = format!("{}{function}()", role(action.role));
                (RowKind::Action { on }, label)
            }
            RowSource::State(object, interval) => {
                let on = self.lifeline(Endpoint::Object(object));
                (RowKind::State { on }, self.naming.vertex(interval.state))
            }
            RowSource::Refusal(step) => {
                let on = self.lifeline(Endpoint::Object(step.object));
                let label = format!("{}: {}", refusal(step), handled_event(self.naming, step));
                (RowKind::Refused { on }, label)
            }
        }
    }

    fn post(&mut self, post: &Post, id: PostId) -> (RowKind, String) {
        let timer = self.expired_timers.get(&id).copied();
        let to = self.lifeline(Endpoint::Object(post.to));
        // The sender of a timer's event is the object itself, unless the timer's
        // driver is known.
        let from = match (post.from, timer) {
            (Endpoint::Unknown, Some(_)) => to,
            (Endpoint::Other(sender), Some(timer)) if sender == timer => to,
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
        let mark = RowKind::Post {
            from,
            to,
            to_front: post.front || post.recalled,
            from_timer: timer.is_some(),
            take_row: None,
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

    fn lifeline(&mut self, endpoint: Endpoint) -> LifelineId {
        let next = LifelineId(self.endpoints.len());
        let id = *self.ids.entry(endpoint).or_insert(next);
        if id == next {
            self.endpoints.push(endpoint);
        }
        id
    }
}

/// Describes the event that a step handles.
pub(super) fn handled_event(naming: NameFormatter<'_>, step: &RtcStep) -> String {
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

fn role(role: ActionRole) -> &'static str {
    match role {
        ActionRole::Effect => "effect ",
        ActionRole::Entry => "entry ",
        ActionRole::Exit => "exit ",
        ActionRole::Initial => "initial ",
        ActionRole::Preprocess => "preprocess ",
        ActionRole::Guard => "guard ",
        ActionRole::Other => "",
    }
}

fn refusal(step: &RtcStep) -> &'static str {
    match step.ending {
        StepEnding::Recorded(StepOutcome::Unhandled) => "unhandled",
        StepEnding::Recorded(StepOutcome::GuardFalse) => "guard false",
        StepEnding::Recorded(StepOutcome::NoBranch) => "no branch enabled",
        StepEnding::Recorded(StepOutcome::UnknownState) => "unknown kind of state",
        StepEnding::Recorded(StepOutcome::TooDeep) => "states nested too deep",
        StepEnding::Recorded(StepOutcome::TooManySegments) => "too many segments",
        _ => "refused",
    }
}
