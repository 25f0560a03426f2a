//! Best Trace Format, for timing tools of the automotive industry and for Trace Compass.
//!
//! ```text
//! timeline ──schedule_writer──▶ processes (states of tasks and ISRs), cores ──▶ lines
//!          ──mutex_edges──────▶ semaphores ─────────────────────────────────────▶
//! ```

mod entity_names;
mod line_writer;
mod mutex_edges;
mod process;
mod schedule_writer;

use crate::Progress;
use crate::naming::file_name;
use line_writer::LineWriter;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::timeline::{Changes, final_dispatches, unit_of_times};
use rtoscope_trace::{Ticks, Trace};
use rtoscope_wire::btf::TimeScale;
use schedule_writer::ScheduleWriter;
use std::io::{self, Write};

/// The version of the specification.
const VERSION: &str = "2.2.0";

/// Changes between two progress updates.
const PROGRESS_BATCH: u32 = 1 << 15;

/// Writes a recording.
///
/// # Errors
///
/// If the output fails.
pub fn write(
    source: &AnalyzedRecording,
    output: impl Write,
    progress: &mut Progress<'_>,
) -> io::Result<()> {
    let (view, trace) = (source.view(), &source.trace);
    let unit = time_unit(trace);
    let mut lines = LineWriter::new(output, trace.timescale().in_units(unit.per_second()));
    lines.parameter("version", VERSION)?;
    let creator = concat!("rtoscope ", env!("CARGO_PKG_VERSION"));
    lines.parameter("creator", creator)?;
    lines.parameter("inputFile", file_name(&source.info.name))?;
    lines.parameter(TimeScale::KEY, unit.name())?;
    if trace.timescale().no_time().is_some() {
        lines.comment(&unit_of_times(trace))?;
    }
    let mut writer = ScheduleWriter::new(&view, lines);
    let mut events = 0;
    for ((time, change), number) in Changes::new(&view, Vec::new()).zip(1_u32..) {
        writer.apply(time, &change)?;
        if number.is_multiple_of(PROGRESS_BATCH) {
            let passed = trace.events.index_at_or_after(time).0;
            progress((passed - events).into());
            events = passed;
        }
    }
    let end = trace.events.span();
    writer.dispatch_at_end(end, &final_dispatches(&view))?;
    writer.finish(end)?;
    progress(trace.events.len() as u64 - u64::from(events));
    Ok(())
}

/// Nanoseconds, or picoseconds if only they are exact and the times fit. Readers may parse times
/// as signed.
fn time_unit(trace: &Trace) -> TimeScale {
    let scale = |unit: TimeScale| trace.timescale().in_units(unit.per_second());
    let end: Ticks = trace.events.span();
    let [fine, usual] = [TimeScale::Picoseconds, TimeScale::Nanoseconds];
    let is_exact = scale(usual).units_per_tick().is_some();
    match scale(fine).units(end) {
        units if !is_exact && units < i64::MAX as u64 => fine,
        _ => usual,
    }
}
