//! Step bars: the run-to-completion steps of active objects.

use super::row_builder::handled_event;
use super::{LifelineId, RowId, SequenceDiagram, SequenceOptions, StepBar};
use rtoscope_analysis::active::{ActiveObjects, RtcStep, StepEnding};
use rtoscope_analysis::naming::NameFormatter;
use rtoscope_trace::{Endpoint, EventIndex, Ticks, Trace};
use std::collections::BTreeMap;
use std::ops::Range;

/// Creates the bars for a diagram's rows and lifelines.
pub(super) fn step_bars(
    trace: &Trace,
    active: &ActiveObjects,
    options: &SequenceOptions,
    sequence: &SequenceDiagram,
    events: &Range<EventIndex>,
) -> Vec<StepBar> {
    let naming = NameFormatter(trace);
    let lifelines = sequence.lifelines.iter().zip((0..).map(LifelineId));
    let places: BTreeMap<_, _> = lifelines.map(|(line, id)| (line.endpoint, id)).collect();
    // A signal that is filtered out has no bar, as it has no row.
    let fits = |step: &RtcStep| {
        let signal = step.signal.map(|signal| naming.signal(signal));
        options.includes(&[Endpoint::Object(step.object)])
            && options.includes_signal(signal.as_deref())
    };
    let overlaps = |step: &&RtcStep| step.first < events.end && step.last >= events.start;
    let mut bars = Vec::new();
    for step in active.steps.iter().filter(overlaps) {
        let on = places.get(&Endpoint::Object(step.object));
        let rows = step_rows(sequence, step);
        if let (Some(on), false) = (on, rows.is_empty())
            && fits(step)
        {
            bars.push(step_bar(trace, step, *on, &rows, sequence, events));
        }
    }
    bars.sort_by_key(|bar| bar.first);
    set_depths(&mut bars);
    bars
}

/// The rows of a step's events, and of other events in between.
fn step_rows(sequence: &SequenceDiagram, step: &RtcStep) -> Range<usize> {
    let rows = &sequence.rows;
    let first = rows.partition_point(|row| row.event < step.first);
    first..rows.partition_point(|row| row.event <= step.last)
}

fn step_bar(
    trace: &Trace,
    step: &RtcStep,
    on: LifelineId,
    rows: &Range<usize>,
    sequence: &SequenceDiagram,
    events: &Range<EventIndex>,
) -> StepBar {
    let signal = handled_event(NameFormatter(trace), step);
    let scale = trace.timescale();
    let took = scale.duration_text(Ticks(step.end.0.saturating_sub(step.start.0)));
    let from = scale.duration_text(trace.recording_time(step.start));
    let ending = match step.ending {
        StepEnding::Recorded(_) => "",
        StepEnding::Lost => "; records of its end are missing",
        StepEnding::Unrecorded => "; its end is not recorded",
        StepEnding::Open => "; not finished at the end of the trace",
    };
    // If the limit skipped rows, the last row can be before the step's end.
    let cut = sequence.skipped_rows > 0 && rows.end == sequence.rows.len();
    StepBar {
        on,
        event: step.first,
        first: RowId(rows.start),
        last: RowId(rows.end.saturating_sub(1)),
        starts_before: step.first < events.start,
        is_open_ended: !matches!(step.ending, StepEnding::Recorded(_))
            || step.last >= events.end
            || cut,
        depth: 0,
        details: format!("{signal} from {from}, {took}{ending}"),
    }
}

/// Sets the nesting depths of bars, which are sorted by first row.
fn set_depths(bars: &mut [StepBar]) {
    let mut around = BTreeMap::<LifelineId, Vec<RowId>>::new();
    for bar in bars {
        let ends = around.entry(bar.on).or_default();
        ends.retain(|end| *end >= bar.first);
        bar.depth = ends.len();
        ends.push(bar.last);
    }
}
