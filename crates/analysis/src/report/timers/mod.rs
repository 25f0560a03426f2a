//! Timers of active objects: runs, endings and accuracy.

use super::{Distribution, Hex, Samples, View};
use crate::active::{TimerEnding, TimerRun};
use crate::naming::NameFormatter;
use crate::report::ReportKind;
use crate::report::table::FrontEnd::{Text, Viewer};
use crate::report::table::{ReportTable, TableRow, column};
use rtoscope_trace::{Address, Ticks};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// A timer.
///
/// A run lasts from the start, or from the last expiry of a periodic timer, to
/// its end, and counts in the window in which it ends.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TimerRow {
    /// Its name, or its address if it has none.
    pub name: String,
    /// Its address.
    pub address: Hex,
    /// The active object that last received its event.
    pub object: String,
    /// The signal that it last sent, if known.
    pub signal: Option<String>,
    /// Number of runs.
    pub runs: u64,
    /// Runs that expired.
    pub expired: u64,
    /// Runs that were stopped.
    pub stopped: u64,
    /// Runs that another start ended.
    pub restarted: u64,
    /// Runs that the end of the trace, or of the scope, interrupts.
    pub running: u64,
    /// Runs with an unknown end, because records are missing.
    pub lost: u64,
    /// The expired runs, by nominal duration.
    pub nominal: Vec<NominalRuns>,
    /// The difference of consecutive runs of a periodic timer.
    pub jitter: Option<Distribution>,
    /// From the expiry to the start of the step that handles its event.
    pub delay: Option<Distribution>,
}

impl TableRow for TimerRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "timers",
        title: ReportKind::Timers.title(),
        note: "",
        empty: "No timers were started",
        rank: "runs",
        columns: &[
            column!(Text, name, "Timer"),
            column!(Text, object, "Receiver"),
            column!(Text, signal, "Signal").missing("(unknown)"),
            column!(Count, runs, "Runs"),
            column!(Count, expired, "Expired"),
            column!(Count, stopped, "Stopped"),
            column!(Count, restarted, "Restarted").hint("Started again before it expired"),
            column!(Count, running, "Running")
                .hint("At the end")
                .only(&[Text, Viewer]),
            column!(Count, lost, "Lost").hint("Missing records"),
            column!(Distribution, jitter, "Jitter").hint("difference between successive periods"),
            column!(Distribution, delay, "Expiry to step")
                .hint("from the expiry to the step that handles its event"),
        ],
    };
}

/// Runs with the same nominal duration.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct NominalRuns {
    /// Nominal duration, in ticks of the framework's timer.
    pub timer_ticks: u32,
    /// Whether these are continuations of a periodic timer, rather than starts.
    pub periodic: bool,
    /// Actual durations, in ticks of the trace's clock.
    pub duration: Distribution,
}

impl TableRow for NominalRuns {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "timers.*.nominal",
        title: "Start to expiry",
        note: "",
        empty: "No timer expired",
        rank: "",
        columns: &[
            column!(Count, timer_ticks, "Nominal duration").unit("timer ticks"),
            column!(Flag, periodic, "Periodic"),
            column!(Distribution, duration, "Start to expiry")
                .hint("from the start, or the last expiry, to the expiry"),
        ],
    };
}

/// The timers that send to the objects of the scope, by their address.
pub fn timers(view: &View<'_>) -> Vec<TimerRow> {
    let mut all: BTreeMap<Address, TimerTotals<'_>> = BTreeMap::new();
    let window = view.window();
    for run in view
        .active
        .timer_runs
        .iter()
        .filter(|run| view.includes_thread(run.object))
    {
        let cut = run.ending == TimerEnding::Running || run.end.0 > window.end;
        if run.start.0 > window.end || run.end.0 < window.start {
            continue;
        }
        all.entry(run.timer).or_default().run(view, run, cut);
    }
    all.into_iter()
        .map(|(timer, totals)| totals.row(view, timer))
        .collect()
}

#[derive(Debug, Default)]
struct TimerTotals<'r> {
    last: Option<&'r TimerRun>,
    runs: u64,
    expired: u64,
    stopped: u64,
    restarted: u64,
    running: u64,
    lost: u64,
    nominal: BTreeMap<(u32, bool), Samples>,
    /// The end and the duration of the last periodic run that expired.
    period: Option<(Ticks, u64)>,
    jitter: Samples,
    delay: Samples,
}

impl<'r> TimerTotals<'r> {
    fn run(&mut self, view: &View<'r>, run: &'r TimerRun, cut: bool) {
        self.last = Some(run);
        self.runs += 1;
        if cut {
            self.running += 1;
            return;
        }
        let count = match run.ending {
            TimerEnding::Expired => &mut self.expired,
            TimerEnding::Stopped { .. } => &mut self.stopped,
            TimerEnding::Restarted => &mut self.restarted,
            TimerEnding::Running => &mut self.running,
            TimerEnding::Lost => &mut self.lost,
        };
        *count += 1;
        if run.ending == TimerEnding::Expired {
            self.expire(view, run);
        }
    }

    fn expire(&mut self, view: &View<'r>, run: &TimerRun) {
        let ticks = run.end.0.saturating_sub(run.start.0);
        let post = run
            .post
            .and_then(|post| view.active.posts.get(post.index()));
        let event = post.map_or(run.first, |post| post.event);
        let nominal = self.nominal.entry((run.ticks, run.periodic)).or_default();
        nominal.add(Ticks(ticks), event);
        if run.periodic {
            // The previous one ended where this one begins.
            if let Some((end, before)) = self.period
                && end == run.start
            {
                self.jitter.add(Ticks(ticks.abs_diff(before)), event);
            }
            self.period = Some((run.end, ticks));
        } else {
            self.period = None;
        }
        let step = post.and_then(|post| view.active.steps.get(post.step?.index()));
        if let Some(step) = step
            && view.contains(step.start)
        {
            let delay = step.start.0.saturating_sub(run.end.0);
            self.delay.add(Ticks(delay), step.first);
        }
    }

    fn row(self, view: &View<'_>, timer: Address) -> TimerRow {
        let naming = NameFormatter(view.trace);
        let clock = &view.trace.clock;
        let nominal = self.nominal.into_iter();
        let nominal = nominal.filter_map(|((timer_ticks, periodic), samples)| {
            Some(NominalRuns {
                timer_ticks,
                periodic,
                duration: samples.distribution(clock)?,
            })
        });
        let signal = self.last.and_then(|run| run.signal);
        TimerRow {
            name: naming.timer(timer),
            address: Hex(timer),
            object: self
                .last
                .map(|run| view.trace.context_name(run.object))
                .unwrap_or_default(),
            signal: signal.map(|signal| naming.signal(signal)),
            runs: self.runs,
            expired: self.expired,
            stopped: self.stopped,
            restarted: self.restarted,
            running: self.running,
            lost: self.lost,
            nominal: nominal.collect(),
            jitter: self.jitter.distribution(clock),
            delay: self.delay.distribution(clock),
        }
    }
}

#[cfg(test)]
mod tests;
