//! The table `recordings`.

use super::TableContent;
use super::field::columns;
use super::label::Label;
use super::row_list::{OwnedRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::report::findings::findings;
use rtoscope_trace::Ticks;

/// The only row: all values come from the row context.
pub(crate) struct RecordingRow;

columns! {
    RecordingRow;
    format: Word = |_, _| Label::Format,
        "`threadx`, `rkh` or `cswitch`";
    events: count = |scene, _| scene.trace().events.len() as u64,
        "number of events";
    first_event: event = |scene, _| scene.trace().origin.event,
        "number of the first event; greater than 0 in a part of a longer recording";
    start: ticks = |scene, _| scene.time(Ticks(0)),
        "time of the first event; greater than 0 in a part of a longer recording";
    span: ticks = |scene, _| scene.trace().events.span().0,
        "from the first event to the last";
    start_ns: nanoseconds = |scene, _| scene.time_ns(Ticks(0)),
        "`start` in nanoseconds";
    span_ns: nanoseconds = |scene, _| scene.nanoseconds(scene.trace().events.span()),
        "`span` in nanoseconds";
    frequency_hz: optional hertz = |scene, _| frequency(scene),
        "clock frequency, if known";
    clock_quality: Word = |scene, _| Label::Quality(scene.trace().clock.quality),
        "`good`, `static` (the clock stood still), `event-counter` (it counts events), `unknown` (fewer than two events)";
    cores: U32 = |scene, _| scene.trace().cores.len() as u32,
        "number of cores that logged events";
    contexts: U32 = |scene, _| scene.trace().contexts.len() as u32,
        "number of rows in `contexts`";
    objects: U32 = |scene, _| scene.trace().objects.len() as u32,
        "number of rows in `objects`";
    gaps: U32 = |scene, _| scene.trace().gaps.len() as u32,
        "number of rows in `gaps`";
    missing: optional count = |scene, _| missing_events(scene),
        "number of events missing in the gaps; null if unknown";
    findings: U32 = |scene, _| findings(&scene.source.view).len() as u32,
        "number of rows in `findings`";
    diagnostics: U32 = |scene, _| scene.source.view.diagnostics.iter().count() as u32,
        "number of rows in `diagnostics`";
}

fn frequency(scene: &RowContext<'_>) -> Option<f64> {
    let frequency = scene.trace().clock.timebase()?;
    Some(frequency.0.get() as f64)
}

fn missing_events(scene: &RowContext<'_>) -> Option<u64> {
    let gaps = scene.trace().gaps.iter();
    let mut missing = gaps.map(|gap| gap.missing);
    missing.try_fold(0, |sum: u64, missing| Some(sum.saturating_add(missing?)))
}

pub(super) fn rows<'a>(scene: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    list_content(scene, OwnedRows(vec![RecordingRow]))
}
