//! The process of a recording, and facts about it as a whole.

use super::tracks::RecordingWriter;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_trace::{NoTime, Ticks, Timescale};
use std::io::Write;

/// Names the process, and writes facts about the recording.
pub(super) fn write(
    to: &mut RecordingWriter<'_, '_, impl Write>,
    source: &AnalyzedRecording,
    process: u32,
) {
    let track = to.recording;
    let unit = time_unit(&to.scale);
    to.json.metadata(track, "process_name", |arguments| {
        arguments.text("name", &source.info.name);
    });
    to.json.metadata(track, "process_labels", |arguments| {
        arguments.text("labels", format_args!("{}, {unit}", source.info.format));
    });
    to.json.metadata(track, "process_sort_index", |arguments| {
        arguments.number("sort_index", process.into());
    });
    to.declare(track, "recording");
    let (trace, start, name) = (&source.trace, to.time(Ticks(0)), &source.info.name);
    to.json
        .instant(track, start, "recording", name, |arguments| {
            arguments.text("format", source.info.format);
            arguments.text("unit", unit);
            if let Some(frequency) = trace.clock.frequency() {
                arguments.number("frequency hz", frequency.hertz());
            }
            arguments.text("clock", trace.clock.quality);
            arguments.number("events", trace.events.len() as u64);
            arguments.number("span ticks", trace.events.span().0);
            arguments.number("diagnostics", source.diagnostics.iter().count() as u64);
        });
}

/// The unit of the times in the document.
fn time_unit(scale: &Timescale) -> String {
    match scale.no_time() {
        None => "times are nanoseconds".to_owned(),
        Some(NoTime::UnknownFrequency) => "1 tick is shown as 1 ns".to_owned(),
        Some(why) => why.to_string(),
    }
}
