//! The table `recordings`.

use super::TableContent;
use super::column_getters::columns;
use super::label::Label;
use super::row_list::{OwnedRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::report::deadlines::{DeadlineVerdict, deadlines};
use rtoscope_analysis::report::findings::findings;
use rtoscope_trace::Ticks;

/// The only row: all values come from the row context.
pub(crate) struct RecordingRow;

columns! {
    COLUMNS: RecordingRow;
    format: Dictionary = |_, _| Label::Format,
        "`threadx`, `rkh` or `cswitch`";
    events: count = |ctx, _| ctx.trace().events.len() as u64,
        "number of events";
    first_event: event = |ctx, _| ctx.trace().origin.event,
        "number of the first event; greater than 0 in a part of a longer recording";
    start: time = |_, _| Ticks(0),
        "time of the first event; greater than 0 in a part of a longer recording";
    span: duration = |ctx, _| ctx.trace().events.span(),
        "from the first event to the last";
    frequency_hz: optional hertz = |ctx, _| frequency(ctx),
        "clock frequency, if known";
    clock_quality: Dictionary = |ctx, _| Label::Quality(ctx.trace().clock.quality),
        "`good`, `static` (the clock stood still), `event-counter` (it counts events), `lossy` (it measures only part of the time), `uneven` (its ticks are not of equal length), `unknown` (fewer than two events)";
    cores: U32 = |ctx, _| ctx.trace().cores.len() as u32,
        "number of cores that logged events";
    contexts: U32 = |ctx, _| ctx.trace().contexts.len() as u32,
        "number of rows in `contexts`";
    objects: U32 = |ctx, _| ctx.trace().objects.len() as u32,
        "number of rows in `objects`";
    gaps: U32 = |ctx, _| ctx.trace().gaps.len() as u32,
        "number of rows in `gaps`";
    missing: optional count = |ctx, _| missing_events(ctx),
        "number of events missing in the gaps; null if unknown";
    findings: U32 = |ctx, _| findings(&ctx.recording.view()).len() as u32,
        "number of rows in `findings`";
    deadlines: U32 = |ctx, _| ctx.recording.deadlines.len() as u32,
        "number of declared deadlines";
    judged_deadlines: U32 = |ctx, _| judged_deadlines(ctx),
        "number of these that were kept or missed; others could not be judged";
    diagnostics: U32 = |ctx, _| ctx.recording.diagnostics.iter().count() as u32,
        "number of rows in `diagnostics`";
}

fn frequency(ctx: &RowContext<'_>) -> Option<f64> {
    let frequency = ctx.trace().clock.frequency()?;
    Some(frequency.hertz() as f64)
}

fn missing_events(ctx: &RowContext<'_>) -> Option<u64> {
    let gaps = ctx.trace().gaps.iter();
    let mut missing = gaps.map(|gap| gap.missing);
    missing.try_fold(0, |sum: u64, missing| Some(sum.saturating_add(missing?)))
}

fn judged_deadlines(ctx: &RowContext<'_>) -> u32 {
    if !ctx.trace().clock.measures_time() {
        return 0;
    }
    let rows = deadlines(&ctx.recording.view());
    let judged = rows
        .iter()
        .filter(|row| row.verdict != DeadlineVerdict::Unknown);
    judged.count() as u32
}

pub(super) fn rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    list_content(ctx, OwnedRows(vec![RecordingRow]))
}
