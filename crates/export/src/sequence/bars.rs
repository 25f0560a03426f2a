//! Activation bars: when active objects handled events.

use super::describe::handled;
use super::{Bar, LifelineId, RowId, Sequence, Wish};
use crate::naming;
use rtoscope_analysis::active::{Active, Ending, Step};
use rtoscope_analysis::naming::Naming;
use rtoscope_trace::{EventIndex, Party, Ticks, Trace};
use std::collections::BTreeMap;
use std::ops::Range;

/// The bars of a diagram whose rows and lifelines are made.
pub(super) fn bars(
    trace: &Trace,
    active: &Active,
    wish: &Wish,
    sequence: &Sequence,
    events: &Range<EventIndex>,
) -> Vec<Bar> {
    let naming = Naming(trace);
    let lifelines = sequence.lifelines.iter().zip((0..).map(LifelineId));
    let places: BTreeMap<_, _> = lifelines.map(|(line, id)| (line.party, id)).collect();
    // Of a signal that is not wanted there is no bar, as there is no row.
    let fits = |step: &Step| {
        let signal = step.signal.map(|signal| naming.signal(signal));
        wish.wants(&[Party::Object(step.object)]) && wish.fits(signal.as_deref())
    };
    let overlaps = |step: &&Step| step.first < events.end && step.last >= events.start;
    let mut bars = Vec::new();
    for step in active.steps.iter().filter(overlaps) {
        let on = places.get(&Party::Object(step.object));
        let rows = rows(sequence, step);
        if let (Some(on), false) = (on, rows.is_empty())
            && fits(step)
        {
            bars.push(bar(trace, step, *on, &rows, sequence, events));
        }
    }
    bars.sort_by_key(|bar| bar.first);
    nest(&mut bars);
    bars
}

/// The rows of the events of a step, and of others' that came meanwhile.
fn rows(sequence: &Sequence, step: &Step) -> Range<usize> {
    let rows = &sequence.rows;
    let first = rows.partition_point(|row| row.event < step.first);
    first..rows.partition_point(|row| row.event <= step.last)
}

fn bar(
    trace: &Trace,
    step: &Step,
    on: LifelineId,
    rows: &Range<usize>,
    sequence: &Sequence,
    events: &Range<EventIndex>,
) -> Bar {
    let signal = handled(Naming(trace), step);
    let took = naming::time(trace, Ticks(step.end.0.saturating_sub(step.start.0)));
    let from = naming::time(trace, trace.moment(step.start));
    let ending = match step.ending {
        Ending::Told(_) => "",
        Ending::Lost => "; records of its end are missing",
        Ending::Untold => "; its end is not recorded",
        Ending::Open => "; still so at the end of the trace",
    };
    // Where the limit cut rows off, the last row can be before the step's end.
    let cut = sequence.left_out > 0 && rows.end == sequence.rows.len();
    Bar {
        on,
        event: step.first,
        first: RowId(rows.start),
        last: RowId(rows.end.saturating_sub(1)),
        from_before: step.first < events.start,
        open: !matches!(step.ending, Ending::Told(_)) || step.last >= events.end || cut,
        depth: 0,
        details: format!("{signal} from {from}, {took}{ending}"),
    }
}

/// Says of bars, by their first row, in how many others they lie.
fn nest(bars: &mut [Bar]) {
    let mut around = BTreeMap::<LifelineId, Vec<RowId>>::new();
    for bar in bars {
        let ends = around.entry(bar.on).or_default();
        ends.retain(|end| *end >= bar.first);
        bar.depth = ends.len();
        ends.push(bar.last);
    }
}
