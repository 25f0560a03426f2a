//! How loaded cores are.

use super::line::Line;
use crate::answer::Curve;
use crate::pixels::Pixels;
use crate::place::Moment;
use crate::query::Window;
use crate::session::{AskError, Session};
use rtoscope_analysis::schedule::{Executing, Slices, Who};

/// Slices between two whose sums are kept.
const STRIDE: usize = 32;

/// The load of each core, in the order of the schedule.
#[derive(Debug)]
pub(crate) struct Loads(Vec<Load>);

/// How long a core executed threads and interrupts, and how long that is known
/// of it, up to every [`STRIDE`]th slice.
#[derive(Debug)]
struct Load(Vec<Ticks>);

/// Ticks of a core.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Ticks {
    busy: u64,
    known: u64,
}

/// The same, with parts of ticks.
#[derive(Debug, Clone, Copy, Default)]
struct Share {
    busy: f64,
    known: f64,
    whole: f64,
}

/// Whether that is busy, and whether it is known what it is.
fn is_busy(who: Who) -> [bool; 2] {
    match who.executing() {
        Executing::Thread(_) | Executing::Isr(_) | Executing::Kernel => [true, true],
        Executing::Idle | Executing::Initialize => [false, true],
        Executing::Unknown => [false, false],
    }
}

impl Ticks {
    fn add(&mut self, who: Who, ticks: u64) {
        let [busy, known] = is_busy(who);
        self.busy += ticks * u64::from(busy);
        self.known += ticks * u64::from(known);
    }
}

impl Load {
    fn of(slices: &Slices) -> Self {
        let mut sum = Ticks::default();
        let mut kept = Vec::with_capacity(slices.all.len() / STRIDE + 1);
        for (at, (slice, end)) in slices.iter().enumerate() {
            if at % STRIDE == 0 {
                kept.push(sum);
            }
            sum.add(slice.who, end.0.saturating_sub(slice.start.0));
        }
        Self(kept)
    }

    /// What the core did up to a moment.
    fn until(&self, slices: &Slices, moment: Moment) -> Until {
        let tick = moment.tick.min(slices.end.0);
        let behind = slices.all.partition_point(|slice| slice.start.0 <= tick);
        let mut until = Until {
            ticks: Ticks::default(),
            who: Who::UNKNOWN,
            moment,
        };
        let Some(last) = behind.checked_sub(1) else {
            return until;
        };
        let first = last / STRIDE * STRIDE;
        until.ticks = self.0.get(last / STRIDE).copied().unwrap_or_default();
        for (slice, end) in slices.from(first).take(last + 1 - first) {
            let ticks = end.0.min(tick).saturating_sub(slice.start.0);
            until.ticks.add(slice.who, ticks);
            until.who = slice.who;
        }
        until
    }
}

/// What a core did up to a moment, and what it executes then.
#[derive(Debug, Clone, Copy)]
struct Until {
    ticks: Ticks,
    who: Who,
    moment: Moment,
}

impl Until {
    /// Adds what the core did from another moment on; if no time passes, what
    /// it does then.
    fn since(&self, before: &Self, share: &mut Share) {
        let whole = self.moment.since(before.moment);
        let [busy, known] = is_busy(before.who);
        if whole <= 0.0 {
            share.busy += f64::from(u8::from(busy));
            share.known += f64::from(u8::from(known));
            share.whole += 1.0;
            return;
        }
        let [busy_last, known_last] = is_busy(self.who);
        // Between two ticks nothing changes.
        let part = |ticks: u64, is_first: bool, is_last: bool| {
            let first = before.moment.fraction * f64::from(u8::from(is_first));
            let last = self.moment.fraction * f64::from(u8::from(is_last));
            ticks as f64 + last - first
        };
        let (ticks, earlier) = (self.ticks, before.ticks);
        share.busy += part(ticks.busy.saturating_sub(earlier.busy), busy, busy_last);
        share.known += part(ticks.known.saturating_sub(earlier.known), known, known_last);
        share.whole += whole;
    }
}

impl Session {
    fn loads(&self) -> &Loads {
        self.caches.loads.get_or_init(|| {
            let cores = self.analysis.schedule.cores.iter();
            Loads(cores.map(Load::of).collect())
        })
    }

    /// The part of the time in which threads and interrupts execute on a core,
    /// or on all, in percent; `None` where nothing is known of it.
    pub(super) fn load_curve(
        &self,
        core: Option<u8>,
        window: &Window,
        width: u32,
    ) -> Result<Curve, AskError> {
        let cores = self.analysis.schedule.cores.iter().zip(&self.loads().0);
        let wanted = |slices: &Slices| core.is_none_or(|core| core == slices.core);
        let cores: Vec<_> = cores.filter(|(slices, _)| wanted(slices)).collect();
        if let Some(core) = core.filter(|_| cores.is_empty()) {
            return Err(self.no_core(core));
        }
        let extent = self.extent(window.axis);
        let mut line = Line::default();
        let mut before: Option<(f64, f64, Vec<Until>)> = None;
        for edge in Pixels::of(window, width).edges() {
            let at = edge.clamp(extent.start, extent.end);
            let moment = self.moment(window.axis, at);
            let cores = cores.iter();
            let now: Vec<_> = cores
                .map(|(slices, load)| load.until(slices, moment))
                .collect();
            if let Some((start, first, before)) = &before {
                let mut share = Share::default();
                if *first < at {
                    for (before, now) in before.iter().zip(&now) {
                        now.since(before, &mut share);
                    }
                }
                let is_known = share.known > 0.0;
                let percent = is_known.then(|| thousandths(100.0 * share.busy / share.whole));
                line.add(*start, percent.map(|percent| (percent, percent)));
            }
            before = Some((edge, at, now));
        }
        Ok(line.finish(None, Some(100.0)))
    }
}

/// A percentage as exact as anybody can see.
fn thousandths(percent: f64) -> f64 {
    (percent.clamp(0.0, 100.0) * 1000.0).round() / 1000.0
}
