//! Builds the ground truth as records are made.

use super::events::Signal;
use super::machine::Machine;
use super::{
    ActiveObjectTruth, MachineStateTruth, RkhOptions, RkhTruth, SignalTruth, StepEndingTruth,
    TimerTruth, address, pump, start, station,
};
use crate::Address;
use rtoscope_record::rkh as record;
use std::collections::BTreeMap;

/// How a step ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StepEnding {
    Processed,
    Unhandled,
}

/// Builds the ground truth as records are made. Anything after the last record
/// has no time and does not count.
#[derive(Debug)]
pub(super) struct RkhTruthBuilder {
    truth: RkhTruth,
    objects: Vec<ObjectProgress>,
    kinds: BTreeMap<&'static str, u64>,
    signals: BTreeMap<(u8, Signal, u32), (u64, u64)>,
    was_lost: bool,
    /// The first and last timestamp in the stream, and the time of the last
    /// record.
    first: Option<u64>,
    last: u64,
    now: u64,
}

/// The activity of an active object.
#[derive(Debug, Default)]
struct ObjectProgress {
    /// The start of its current step.
    step: Option<u64>,
    /// Its state and the start of the visit.
    state: Option<(usize, u64)>,
}

impl RkhTruthBuilder {
    pub(super) fn new(options: &RkhOptions) -> Self {
        let numbers = 0..=options.pumps;
        let timer = |number| TimerTruth {
            address: to_address(address::timer(number)),
            starts: 0,
            stops: 0,
            expirations: 0,
        };
        Self {
            truth: RkhTruth {
                records: 0,
                lost: 0,
                gaps: 0,
                span_ticks: 0,
                kinds: BTreeMap::new(),
                objects: numbers.clone().map(object).collect(),
                signals: Vec::new(),
                timers: numbers.clone().map(timer).collect(),
            },
            objects: numbers.map(|_| ObjectProgress::default()).collect(),
            kinds: BTreeMap::new(),
            signals: BTreeMap::new(),
            was_lost: false,
            first: None,
            last: 0,
            now: 0,
        }
    }

    /// Adds a record; `time` is its timestamp, if it has one.
    pub(super) fn count(&mut self, name: &'static str, time: Option<u64>, lost: bool) {
        self.truth.records += 1;
        self.truth.lost += u64::from(lost);
        self.truth.gaps += u64::from(lost && !self.was_lost);
        self.was_lost = lost;
        self.now = time.unwrap_or(self.now);
        if lost {
            return;
        }
        *self.kinds.entry(name).or_default() += 1;
        if let Some(time) = time {
            self.first.get_or_insert(time);
            self.last = time;
        }
    }

    fn object(&mut self, number: u8) -> Option<(&mut ActiveObjectTruth, &mut ObjectProgress)> {
        let index = usize::from(number);
        Some((
            self.truth.objects.get_mut(index)?,
            self.objects.get_mut(index)?,
        ))
    }

    pub(super) fn post(
        &mut self,
        to: u8,
        signal: Signal,
        sender: record::Address,
        front: bool,
        queued: u32,
    ) {
        let (posted, in_front) = self.signals.entry((to, signal, sender.0)).or_default();
        *posted += 1;
        *in_front += u64::from(front);
        if let Some((object, _)) = self.object(to) {
            object.posted += 1;
            object.max_queued = object.max_queued.max(queued);
        }
    }

    pub(super) fn begin(&mut self, number: u8, time: Option<u64>) {
        if let (Some(time), Some((object, present))) = (time, self.object(number)) {
            object.steps += 1;
            object.step_starts.push(time);
            present.step = Some(time);
        }
    }

    pub(super) fn end(&mut self, number: u8, time: Option<u64>, ending: StepEnding) {
        if let (Some(time), Some((object, present))) = (time, self.object(number)) {
            object.busy_ticks += present.step.take().map_or(0, |since| time - since);
            match ending {
                StepEnding::Processed => object.endings.processed += 1,
                StepEnding::Unhandled => object.endings.unhandled += 1,
            }
        }
    }

    pub(super) fn enter_state(&mut self, number: u8, time: Option<u64>, state: usize) {
        if let (Some(time), Some((object, present))) = (time, self.object(number)) {
            let before = present.state.replace((state, time));
            end_visit(object, before, time);
            if let Some(state) = object.states.get_mut(state) {
                state.visits += 1;
            }
        }
    }

    pub(super) fn transition(&mut self, number: u8, time: Option<u64>) {
        if let (Some(_), Some((object, _))) = (time, self.object(number)) {
            object.transitions += 1;
        }
    }

    pub(super) fn guard_false(&mut self, number: u8, time: Option<u64>) {
        if let (Some(_), Some((object, _))) = (time, self.object(number)) {
            object.guards_false += 1;
        }
    }

    pub(super) fn defer(&mut self, number: u8) {
        if let Some((object, _)) = self.object(number) {
            object.deferred += 1;
        }
    }

    pub(super) fn recall(&mut self, number: u8) {
        if let Some((object, _)) = self.object(number) {
            object.recalled += 1;
        }
    }

    pub(super) fn start_timer(&mut self, owner: u8, time: Option<u64>) {
        if let (Some(_), Some(timer)) = (time, self.truth.timers.get_mut(usize::from(owner))) {
            timer.starts += 1;
        }
    }

    pub(super) fn stop_timer(&mut self, owner: u8, time: Option<u64>) {
        if let (Some(_), Some(timer)) = (time, self.truth.timers.get_mut(usize::from(owner))) {
            timer.stops += 1;
        }
    }

    pub(super) fn expire_timer(&mut self, owner: u8, time: Option<u64>) {
        if let (Some(_), Some(timer)) = (time, self.truth.timers.get_mut(usize::from(owner))) {
            timer.expirations += 1;
        }
    }

    /// Ends the recording with the last record.
    pub(super) fn finish(mut self) -> RkhTruth {
        let now = self.now;
        for (object, present) in self.truth.objects.iter_mut().zip(self.objects) {
            object.busy_ticks += present.step.map_or(0, |since| now - since);
            end_visit(object, present.state, now);
        }
        let first = self.first.unwrap_or(self.last);
        let objects = self.truth.objects.iter_mut();
        for time in objects.flat_map(|object| &mut object.step_starts) {
            *time = time.saturating_sub(first);
        }
        self.truth.span_ticks = self.last - first;
        let kinds = self.kinds.into_iter();
        self.truth.kinds = kinds
            .map(|(name, count)| (name.to_owned(), count))
            .collect();
        let signals = self.signals.into_iter();
        let row = |((to, signal, sender), (posted, front)): ((u8, Signal, u32), (u64, u64))| {
            let mut names = Signal::ALL.iter();
            let name = names.find_map(|(known, name)| (*known == signal).then_some(*name));
            SignalTruth {
                object: start::name(to),
                signal: name.unwrap_or_default().to_owned(),
                sender: sender_name(sender),
                posted,
                front,
            }
        };
        self.truth.signals = signals.map(row).collect();
        self.truth
    }
}

/// Ends a visit of a state at `now`.
fn end_visit(object: &mut ActiveObjectTruth, state: Option<(usize, u64)>, now: u64) {
    if let Some((state, since)) = state
        && let Some(state) = object.states.get_mut(state)
    {
        state.ticks += now - since;
    }
}

fn object(number: u8) -> ActiveObjectTruth {
    let machine: &Machine = match number {
        super::application::STATION => &station::MACHINE,
        _ => &pump::MACHINE,
    };
    let states = machine.states.iter().zip(0..);
    ActiveObjectTruth {
        name: start::name(number),
        address: to_address(address::object(number)),
        posted: 0,
        max_queued: 0,
        steps: 0,
        step_starts: Vec::new(),
        endings: StepEndingTruth::default(),
        guards_false: 0,
        deferred: 0,
        recalled: 0,
        transitions: 0,
        busy_ticks: 0,
        states: states
            .map(|(state, index)| MachineStateTruth {
                name: state.name.to_owned(),
                address: to_address(machine.vertex(index)),
                visits: 0,
                ticks: 0,
            })
            .collect(),
    }
}

fn to_address(address: record::Address) -> Address {
    Address(address.0.into())
}

/// The name of a sender.
fn sender_name(sender: u32) -> String {
    let mut objects = 0..=u8::MAX >> 1;
    match objects.find(|number| address::object(*number).0 == sender) {
        Some(number) => start::name(number),
        None => start::TICK_INTERRUPT.to_owned(),
    }
}
