//! Timers from start to end.

use super::super::{Active, PostId, TimerEnd, TimerRun};
use super::cuts::Cuts;
use rtoscope_trace::{Address, ContextId, Event, Signal, Ticks};
use std::collections::HashMap;

/// The timers that the trace speaks of.
#[derive(Debug, Default)]
pub(super) struct Timers {
    all: HashMap<Address, Timer>,
    /// The run that expired last, whose event has not been posted yet.
    sends: Option<Sends>,
}

#[derive(Debug, Default)]
struct Timer {
    /// Cuts that it has taken note of.
    cuts: usize,
    signal: Option<Signal>,
    /// The run that has not ended.
    run: Option<usize>,
}

#[derive(Debug, Clone, Copy)]
struct Sends {
    run: usize,
    object: ContextId,
    signal: Signal,
}

impl Timers {
    pub(super) fn create(
        &mut self,
        cuts: &Cuts,
        active: &mut Active,
        address: Address,
        signal: Signal,
    ) {
        self.timer(cuts, active, address).signal = Some(signal);
    }

    pub(super) fn start(
        &mut self,
        cuts: &Cuts,
        active: &mut Active,
        event: &Event,
        start: &TimerRun,
    ) {
        let timer = self.timer(cuts, active, start.timer);
        timer.end_at(active, event, TimerEnd::Restarted);
        timer.begin(active, start);
    }

    pub(super) fn stop(
        &mut self,
        cuts: &Cuts,
        active: &mut Active,
        event: &Event,
        address: Address,
        left: u32,
    ) {
        // Nothing is left of one that does not run: it expired unseen.
        let ending = match left {
            0 => TimerEnd::Lost,
            left => TimerEnd::Stopped { left },
        };
        let timer = self.timer(cuts, active, address);
        timer.end_at(active, event, ending);
    }

    pub(super) fn expire(
        &mut self,
        cuts: &Cuts,
        active: &mut Active,
        event: &Event,
        address: Address,
        object: ContextId,
        signal: Signal,
    ) {
        self.sends = None;
        let timer = self.timer(cuts, active, address);
        timer.signal = Some(signal);
        let Some(run) = timer.end_at(active, event, TimerEnd::Expired) else {
            return;
        };
        if let Some(expired) = active.timers.get_mut(run) {
            expired.signal = Some(signal);
            expired.object = object;
            let next = TimerRun {
                ticks: expired.period,
                periodic: true,
                first: event.index,
                start: event.time,
                ..*expired
            };
            if next.period > 0 {
                timer.begin(active, &next);
            }
        }
        self.sends = Some(Sends {
            run,
            object,
            signal,
        });
    }

    pub(super) fn remove(
        &mut self,
        cuts: &Cuts,
        active: &mut Active,
        event: &Event,
        address: Address,
    ) {
        let timer = self.timer(cuts, active, address);
        let run = timer.run.and_then(|run| active.timers.get(run));
        // The record of its expiry is filtered out. What is removed while it goes
        // on was created anew.
        let expired = run.is_some_and(|run| run.period == 0);
        let ending = if expired {
            TimerEnd::Expired
        } else {
            TimerEnd::Lost
        };
        timer.end_at(active, event, ending);
    }

    /// An event is posted at the back of a queue, perhaps by the timer that
    /// expired last.
    pub(super) fn post(
        &mut self,
        active: &mut Active,
        object: ContextId,
        signal: Signal,
        post: PostId,
    ) {
        if let Some(sends) = self.sends
            && (sends.object, sends.signal) == (object, signal)
        {
            self.sends = None;
            if let Some(run) = active.timers.get_mut(sends.run) {
                run.post = Some(post);
            }
        }
    }

    /// The timer tick is over, which sends whatever expires in it.
    pub(super) fn end_tick(&mut self) {
        self.sends = None;
    }

    /// The trace ends.
    pub(super) fn finish(mut self, cuts: &Cuts, active: &mut Active, span: Ticks) {
        for timer in self.all.values_mut() {
            timer.catch_up(cuts, active);
            timer.end(active, span, TimerEnd::Running);
        }
    }

    fn timer(&mut self, cuts: &Cuts, active: &mut Active, address: Address) -> &mut Timer {
        let timer = self.all.entry(address).or_default();
        timer.catch_up(cuts, active);
        timer
    }
}

impl Timer {
    fn catch_up(&mut self, cuts: &Cuts, active: &mut Active) {
        if let Some(cut) = cuts.catch_up(&mut self.cuts) {
            self.signal = None;
            self.end(active, cut.time, TimerEnd::Lost);
        }
    }

    fn begin(&mut self, active: &mut Active, run: &TimerRun) {
        self.run = Some(active.timers.len());
        active.timers.push(TimerRun {
            signal: self.signal,
            end: run.start,
            ending: TimerEnd::Running,
            last: None,
            post: None,
            ..*run
        });
    }

    /// Its run ends, if it runs. Returns the run.
    fn end(&mut self, active: &mut Active, now: Ticks, ending: TimerEnd) -> Option<usize> {
        let at = self.run.take()?;
        let run = active.timers.get_mut(at)?;
        run.end = now;
        run.ending = ending;
        Some(at)
    }

    /// The same with an event that tells so, unless what it tells is that the
    /// end was not seen.
    fn end_at(&mut self, active: &mut Active, event: &Event, ending: TimerEnd) -> Option<usize> {
        let at = self.end(active, event.time, ending)?;
        let run = active.timers.get_mut(at)?;
        run.last = (ending != TimerEnd::Lost).then_some(event.index);
        Some(at)
    }
}
