//! Active objects: machine states and timers.

use super::Value::{Event, Flag, Number, Text};
use super::{Class, Lanes, Timeline, Value};
use rtoscope_analysis::View;
use rtoscope_analysis::naming::NameFormatter;
use std::collections::BTreeMap;
use std::io;

/// Writes the state of each machine, and its active states where entry and exit are recorded.
pub(crate) fn states<T: Timeline>(view: &View<'_>, to: &mut T) -> io::Result<()> {
    let active = view.active;
    for object in &active.objects {
        let name = view.trace.context_name(*object);
        for (label, class, intervals) in [
            ("state", Class::State, &active.state_intervals),
            (
                "active states",
                Class::ActiveState,
                &active.active_state_intervals,
            ),
        ] {
            let mut lanes = Lanes::<T>::new(format!("{name}: {label}"));
            for interval in intervals.get(object.index()).into_iter().flatten() {
                let state = NameFormatter(view.trace).vertex(interval.state);
                let arguments = [
                    ("event", Event(interval.first)),
                    ("end recorded", Flag(interval.complete)),
                ];
                let times = [interval.start, interval.end];
                lanes.slice(to, times, class, &state, &arguments)?;
            }
        }
    }
    Ok(())
}

/// Writes the runs of timers, one track per timer.
pub(crate) fn timers<T: Timeline>(view: &View<'_>, to: &mut T) -> io::Result<()> {
    let naming = NameFormatter(view.trace);
    let mut timers: BTreeMap<_, Lanes<T>> = BTreeMap::new();
    for run in &view.active.timer_runs {
        let lanes = timers.entry(run.timer).or_insert_with(|| {
            let name = naming.timer(run.timer);
            Lanes::new(format!("timer {name}"))
        });
        let signal = run.signal.map(|signal| naming.signal(signal));
        let signal = signal.as_deref().unwrap_or("(unknown signal)");
        let object = view.trace.context_name(run.object);
        let arguments = [
            ("to", Text(&object)),
            ("timer ticks", Number(run.ticks.into())),
            ("period", Number(run.period.into())),
            ("ending", Text(run.ending.name())),
            ("first event", Event(run.first)),
            ("last event", Value::event(run.last)),
        ];
        lanes.slice(to, [run.start, run.end], Class::Timer, signal, &arguments)?;
    }
    Ok(())
}
