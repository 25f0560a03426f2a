//! Timers, counted down by a periodic interrupt.

use super::address;
use super::events::Signal;
use super::tracer::Tracer;
use rtoscope_record::rkh::ActiveObject;

/// The timer of an active object, which posts a signal to it.
#[derive(Debug)]
pub(super) struct Timer {
    pub(super) owner: u8,
    pub(super) signal: Signal,
    /// Ticks until it expires; 0 if it does not run.
    left: u16,
    period: u16,
}

impl Timer {
    pub(super) fn new(owner: u8, signal: Signal) -> Self {
        Self {
            owner,
            signal,
            left: 0,
            period: 0,
        }
    }

    /// Starts or restarts the timer.
    pub(super) fn start(&mut self, tracer: &mut Tracer<'_>, ticks: u16, period: u16) {
        (self.left, self.period) = (ticks, period);
        let (timer, ao) = (address::timer(self.owner), address::object(self.owner));
        let started = tracer.put("TMR START", |recorder| {
            recorder.tmr_start(timer, ao, ticks.into(), period.into());
        });
        tracer.truth.start_timer(self.owner, started);
    }

    /// Stops the timer if it runs; RKH records the call in either case.
    pub(super) fn stop(&mut self, tracer: &mut Tracer<'_>) {
        let left = std::mem::take(&mut self.left);
        let (timer, period) = (address::timer(self.owner), self.period);
        let stopped = tracer.put("TMR STOP", |recorder| {
            recorder.tmr_stop(timer, left.into(), period.into());
        });
        tracer
            .truth
            .stop_timer(self.owner, stopped.filter(|_| left > 0));
    }

    /// Counts down at a timer interrupt; returns whether the timer expires.
    pub(super) fn tick(&mut self, tracer: &mut Tracer<'_>) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        if self.left > 0 {
            return false;
        }
        let timer = address::timer(self.owner);
        let ao = ActiveObject::new(address::object(self.owner), self.owner);
        let signal = self.signal.number();
        let expired = tracer.put("TMR TOUT", |recorder| recorder.tmr_tout(timer, signal, ao));
        tracer.truth.expire_timer(self.owner, expired);
        self.left = self.period;
        if self.period == 0 {
            tracer.put("TMR REM", |recorder| recorder.tmr_rem(timer));
        }
        true
    }
}
