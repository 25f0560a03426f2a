//! Containers that follow each other, woven into one row of events.

use super::core::{Core, Grown};
use super::kept::Event;
use super::line::Line;
use super::stitch::{Snapshot, Stitch};
use crate::clock::ClockOptions;
use crate::cswitch::log::{CoreLog, Log, Missing, Shape};
use crate::live::Moment;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What is known between two containers.
#[derive(Debug, Clone)]
pub(super) struct Weaver {
    /// By number.
    pub(super) cores: BTreeMap<u8, Core>,
    pub(super) line: Line,
    /// Events whose order among those of other cores is not sure yet.
    open: Vec<Event>,
    /// The time of the last event whose place is sure.
    settled: Option<u64>,
    /// When the last container came.
    at: Moment,
    /// Whether the last container told of all cores.
    tells_all: bool,
}

/// Events that wait at most for what a core tells that containers leave out.
const MOST_OPEN: usize = 4096;

impl Weaver {
    pub(super) fn new(options: ClockOptions, shape: Shape) -> Self {
        Self {
            cores: BTreeMap::new(),
            line: Line::new(options, shape),
            open: Vec::new(),
            settled: None,
            at: Moment::default(),
            tells_all: false,
        }
    }

    /// This, which was known before a container, without what reading the
    /// container again gives. `behind` is what was known behind it.
    pub(super) fn before(mut self, behind: &Self) -> Self {
        if behind.tells_all {
            // They all have their places behind it.
            self.open = Vec::new();
        }
        for (number, core) in &mut self.cores {
            if let Some(behind) = behind.cores.get(number) {
                core.forget(behind);
            }
        }
        self
    }

    /// The newest event that has its place is this.
    pub(super) fn reach(&mut self, newest: Option<&Event>) {
        self.settled = newest.map(|newest| newest.time).max(self.settled);
    }

    /// The logs of the cores, without their entries.
    pub(super) fn logs(&self) -> Vec<CoreLog<'static>> {
        self.cores.values().map(Core::log).collect()
    }

    /// How the logs of a container follow what is known, by the numbers of their
    /// cores.
    pub(super) fn stitches(&mut self, log: &Log<'_>) -> Vec<(u8, Stitch)> {
        let stitch = |core: &CoreLog<'_>| {
            let bytes = bytes(core);
            (
                core.core,
                self.core(core.core).stitch(&snapshot(log, core, &bytes)),
            )
        };
        log.cores.iter().map(stitch).collect()
    }

    /// Takes the logs of a container; gives the events whose order is sure.
    pub(super) fn weave(
        &mut self,
        log: &Log<'_>,
        stitches: &[(u8, Stitch)],
        at: Moment,
    ) -> Vec<Event> {
        self.line.hear(log);
        let before = self.line.newest();
        let mut grown = Vec::new();
        for (number, stitch) in stitches {
            let Some(core) = log.cores.iter().find(|core| core.core == *number) else {
                continue;
            };
            let bytes = bytes(core);
            let snapshot = snapshot(log, core, &bytes);
            grown.push(self.core(*number).grow(&snapshot, *stitch, core));
        }
        self.add(grown, at);
        self.at = at;
        let tells_of = |number: &u8| log.cores.iter().any(|log| log.core == *number);
        self.tells_all = self.cores.keys().all(tells_of);
        let sure = self.sure(before);
        self.close(sure)
    }

    /// Nothing will come that could change the order of what is there.
    pub(super) fn finish(&mut self) -> Vec<Event> {
        let shape = self.line.shape;
        let grown = self
            .cores
            .values_mut()
            .map(|core| core.give_up(shape))
            .collect();
        self.add(grown, self.at);
        self.close(Some(u64::MAX))
    }

    fn core(&mut self, number: u8) -> &mut Core {
        let core = self.cores.entry(number);
        core.or_insert_with(|| Core::new(number))
    }

    /// Gives new entries their times.
    fn add(&mut self, grown: Vec<Grown>, at: Moment) {
        let grown = grown.into_iter().map(|grown| (grown.fresh, grown.entries));
        let (fresh, entries): (Vec<_>, Vec<_>) = grown.unzip();
        let times = self.line.times(&fresh, at);
        for ((fresh, entries), (times, hand)) in fresh.iter().zip(entries).zip(times) {
            let core = self.core(fresh.core);
            let is_late = fresh.hand.is_none();
            core.hand = hand.or(core.hand);
            let mut left_out = 0_u64;
            for ((entry, missing), time) in entries.into_iter().zip(times) {
                // A core that is heard of late may tell of what went before what
                // has its place.
                if is_late && self.settled.is_some_and(|settled| time < settled) {
                    left_out += 1;
                    continue;
                }
                let left_out = Missing::entries(std::mem::take(&mut left_out));
                self.open.push(Event {
                    time,
                    core: fresh.core,
                    missing: missing.and(left_out),
                    entry,
                });
            }
        }
    }

    /// Up to which time nothing can come any more. What a core has not told yet
    /// is newer than what it has told; and where a container tells of all cores,
    /// than all that the container before it told, which was made earlier:
    /// `before` is the newest time of that.
    fn sure(&self, before: Option<u64>) -> Option<u64> {
        if self.cores.len() == 1 || !self.tells_all && self.open.len() > MOST_OPEN {
            return Some(u64::MAX);
        }
        let hands = self
            .cores
            .values()
            .map(|core| core.hand.map(|hand| hand.time));
        let told = hands.min().flatten();
        told.max(before.filter(|_| self.tells_all))
    }

    /// Puts the events up to a time in their order.
    fn close(&mut self, sure: Option<u64>) -> Vec<Event> {
        self.open.sort_by_key(|event| (event.time, event.core));
        let end = self.open.partition_point(|event| Some(event.time) <= sure);
        let mut events: Vec<Event> = self.open.drain(..end).collect();
        for event in &mut events {
            // Counters of cores may differ by a few ticks.
            event.time = event.time.max(self.settled.unwrap_or_default());
            self.settled = Some(event.time);
        }
        events
    }
}

fn snapshot<'s>(log: &Log<'_>, core: &CoreLog<'_>, bytes: &'s [u8]) -> Snapshot<'s> {
    Snapshot {
        shape: log.shape,
        bytes,
        past: core.past,
    }
}

/// The entries of a core, oldest first.
fn bytes<'l>(core: &CoreLog<'l>) -> Cow<'l, [u8]> {
    match core.parts.as_slice() {
        [] => Cow::Borrowed(&[]),
        [only] => Cow::Borrowed(only.bytes),
        parts => {
            let parts: Vec<&[u8]> = parts.iter().map(|part| part.bytes).collect();
            Cow::Owned(parts.concat())
        }
    }
}
