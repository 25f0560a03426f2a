//! Timers from start to end.

use super::super::{ActiveObjects, PostId, TimerEnding, TimerRun};
use super::discontinuities::Discontinuities;
use foldhash::HashMap;
use rtoscope_trace::{Address, ContextId, EventHeader, Signal, Ticks};

/// The timers of the trace.
#[derive(Debug, Clone, Default)]
pub(super) struct TimerTracker {
    all: HashMap<Address, TimerState>,
    /// The run that expired last and has not posted its event yet.
    pending_expiry: Option<PendingExpiry>,
}

#[derive(Debug, Clone, Default)]
struct TimerState {
    /// Number of discontinuities that it has passed.
    passed_discontinuities: usize,
    signal: Option<Signal>,
    /// The run that has not ended.
    run: Option<usize>,
}

#[derive(Debug, Clone, Copy)]
struct PendingExpiry {
    run: usize,
    object: ContextId,
    signal: Signal,
}

impl TimerTracker {
    pub(super) fn create(
        &mut self,
        discontinuities: &Discontinuities,
        active: &mut ActiveObjects,
        address: Address,
        signal: Signal,
    ) {
        self.timer(discontinuities, active, address).signal = Some(signal);
    }

    pub(super) fn start(
        &mut self,
        discontinuities: &Discontinuities,
        active: &mut ActiveObjects,
        event: &EventHeader,
        start: &TimerRun,
    ) {
        let timer = self.timer(discontinuities, active, start.timer);
        timer.end_at_event(active, event, TimerEnding::Restarted);
        timer.begin(active, start);
    }

    pub(super) fn stop(
        &mut self,
        discontinuities: &Discontinuities,
        active: &mut ActiveObjects,
        event: &EventHeader,
        address: Address,
        left: u32,
    ) {
        // A stopped timer with nothing left has expired without a record.
        let ending = match left {
            0 => TimerEnding::Lost,
            left => TimerEnding::Stopped { remaining: left },
        };
        let timer = self.timer(discontinuities, active, address);
        timer.end_at_event(active, event, ending);
    }

    pub(super) fn expire(
        &mut self,
        discontinuities: &Discontinuities,
        active: &mut ActiveObjects,
        event: &EventHeader,
        address: Address,
        object: ContextId,
        signal: Signal,
    ) {
        self.pending_expiry = None;
        let timer = self.timer(discontinuities, active, address);
        timer.signal = Some(signal);
        let Some(run) = timer.end_at_event(active, event, TimerEnding::Expired) else {
            return;
        };
        if let Some(expired) = active.timer_runs.get_mut(run) {
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
        self.pending_expiry = Some(PendingExpiry {
            run,
            object,
            signal,
        });
    }

    pub(super) fn remove(
        &mut self,
        discontinuities: &Discontinuities,
        active: &mut ActiveObjects,
        event: &EventHeader,
        address: Address,
    ) {
        let timer = self.timer(discontinuities, active, address);
        let run = timer.run.and_then(|run| active.timer_runs.get(run));
        // The record of its expiry is filtered out. A running timer that is
        // removed was created anew.
        let expired = run.is_some_and(|run| run.period == 0);
        let ending = if expired {
            TimerEnding::Expired
        } else {
            TimerEnding::Lost
        };
        timer.end_at_event(active, event, ending);
    }

    /// An event is posted at the back of a queue, possibly by the timer that
    /// expired last.
    pub(super) fn post(
        &mut self,
        active: &mut ActiveObjects,
        object: ContextId,
        signal: Signal,
        post: PostId,
    ) {
        if let Some(sends) = self.pending_expiry
            && (sends.object, sends.signal) == (object, signal)
        {
            self.pending_expiry = None;
            if let Some(run) = active.timer_runs.get_mut(sends.run) {
                run.post = Some(post);
            }
        }
    }

    /// Ends the timer tick, in which each expiring timer posts its event.
    pub(super) fn end_tick(&mut self) {
        self.pending_expiry = None;
    }

    /// Ends the trace.
    pub(super) fn finish(
        mut self,
        discontinuities: &Discontinuities,
        active: &mut ActiveObjects,
        span: Ticks,
    ) {
        for timer in self.all.values_mut() {
            timer.catch_up(discontinuities, active);
            timer.end(active, span, TimerEnding::Running);
        }
    }

    fn timer(
        &mut self,
        discontinuities: &Discontinuities,
        active: &mut ActiveObjects,
        address: Address,
    ) -> &mut TimerState {
        let timer = self.all.entry(address).or_default();
        timer.catch_up(discontinuities, active);
        timer
    }
}

impl TimerState {
    fn catch_up(&mut self, discontinuities: &Discontinuities, active: &mut ActiveObjects) {
        if let Some(discontinuity) = discontinuities.catch_up(&mut self.passed_discontinuities) {
            self.signal = None;
            self.end(active, discontinuity.time, TimerEnding::Lost);
        }
    }

    fn begin(&mut self, active: &mut ActiveObjects, run: &TimerRun) {
        self.run = Some(active.timer_runs.len());
        active.timer_runs.push(TimerRun {
            signal: self.signal,
            end: run.start,
            ending: TimerEnding::Running,
            last: None,
            post: None,
            ..*run
        });
    }

    /// Ends the timer's run, if there is one, and returns it.
    fn end(
        &mut self,
        active: &mut ActiveObjects,
        now: Ticks,
        ending: TimerEnding,
    ) -> Option<usize> {
        let at = self.run.take()?;
        let run = active.timer_runs.get_mut(at)?;
        run.end = now;
        run.ending = ending;
        Some(at)
    }

    /// The same with the event that ended the run, unless the event only shows
    /// that the end is missing.
    fn end_at_event(
        &mut self,
        active: &mut ActiveObjects,
        event: &EventHeader,
        ending: TimerEnding,
    ) -> Option<usize> {
        let at = self.end(active, event.time, ending)?;
        let run = active.timer_runs.get_mut(at)?;
        run.last = (ending != TimerEnding::Lost).then_some(event.index);
        Some(at)
    }
}
