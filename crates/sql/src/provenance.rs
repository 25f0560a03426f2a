//! Provenance: the metadata of files.

use rtoscope_analysis::AnalyzedRecording;
use rtoscope_command::export::dataset::Tag;
use rtoscope_tables::Table;
use rtoscope_trace::Frequency;
use serde::Serialize;

/// Where the rows of a file come from, stored as key-value metadata.
pub(crate) struct Provenance {
    table: Table,
    tags: Vec<Tag>,
    recordings: Vec<RecordingProvenance>,
}

/// A recording with rows in the file.
#[derive(Serialize)]
struct RecordingProvenance {
    file: String,
    format: String,
    events: usize,
    clock: ClockProvenance,
}

/// The clock of a recording; the keys are those of `rtoscope/info/1`.
#[derive(Serialize)]
struct ClockProvenance {
    quality: String,
    frequency_hz: Option<u64>,
}

impl Provenance {
    pub(crate) fn new(table: Table, tags: &[Tag]) -> Self {
        Self {
            table,
            tags: tags.to_vec(),
            recordings: Vec::new(),
        }
    }

    /// Adds a recording.
    pub(crate) fn add_recording(&mut self, recording: &AnalyzedRecording) {
        let trace = &recording.trace;
        self.recordings.push(RecordingProvenance {
            file: recording.info.name.clone(),
            format: recording.info.format.to_owned(),
            events: trace.events.len(),
            clock: ClockProvenance {
                quality: trace.clock.quality.to_string(),
                frequency_hz: trace.clock.frequency().map(Frequency::hertz),
            },
        });
    }

    /// Metadata that is known before the rows: the program's version, the
    /// table's name, and the tags as a JSON object.
    pub(crate) fn leading_metadata(&self) -> [(String, String); 3] {
        let tags = self.tags.iter();
        let tags = tags.map(|(key, value)| (key.clone(), value.clone().into()));
        let tags = serde_json::Value::Object(tags.collect());
        [
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("table", self.table.name().to_owned()),
            ("tags", tags.to_string()),
        ]
        .map(metadata_entry)
    }

    /// Metadata that is known after the rows: the recordings, as a JSON array.
    pub(crate) fn trailing_metadata(&self) -> (String, String) {
        let recordings = serde_json::json!(self.recordings).to_string();
        metadata_entry(("recordings", recordings))
    }
}

fn metadata_entry((key, value): (&str, String)) -> (String, String) {
    (format!("rtoscope.{key}"), value)
}
