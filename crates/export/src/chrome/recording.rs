//! The process of a recording.

use super::tracks::RecordingWriter;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::timeline::unit_of_times;
use std::io::Write;

/// Names the process, and the track with facts about the recording.
pub(super) fn write(
    to: &mut RecordingWriter<'_, '_, impl Write>,
    source: &AnalyzedRecording,
    process: u32,
) {
    let track = to.recording;
    let times = unit_of_times(&source.trace);
    to.json.metadata(track, "process_name", |arguments| {
        arguments.text("name", &source.info.name);
    });
    to.json.metadata(track, "process_labels", |arguments| {
        arguments.text("labels", format_args!("{}, {times}", source.info.format));
    });
    to.json.metadata(track, "process_sort_index", |arguments| {
        arguments.number("sort_index", process.into());
    });
    to.declare(track, "recording");
}
