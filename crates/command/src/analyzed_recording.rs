//! A recording with its analysis.

use crate::export::dataset;
use rtoscope_analysis::levels::LevelHistories;
use rtoscope_analysis::{Analysis, Scope};
use rtoscope_decode::DecodedRecording;
use rtoscope_tables::TableSource;
use std::path::Path;

/// A recording, analysed completely.
#[derive(Debug)]
pub struct AnalyzedRecording {
    name: String,
    id: String,
    recording: DecodedRecording,
    analysis: Analysis,
    histories: LevelHistories,
}

impl AnalyzedRecording {
    /// Analyses a recording. `name` is its file name; the recording's identity is
    /// the file's stem.
    pub fn new(name: impl Into<String>, recording: DecodedRecording) -> Self {
        let name = name.into();
        let id = dataset::file_stems([Path::new(&name)]).concat();
        Self::with_id(name, id, recording)
    }

    /// Analyses a recording with an identity in a dataset.
    pub fn with_id(name: impl Into<String>, id: String, recording: DecodedRecording) -> Self {
        let trace = &recording.trace;
        let interpreter = || recording.format_info.interpreter(trace);
        let analysis = Analysis::run(trace, Scope::default(), &mut interpreter());
        let histories = LevelHistories::from_trace(trace, &mut interpreter());
        Self {
            name: name.into(),
            id,
            recording,
            analysis,
            histories,
        }
    }

    /// The source of exports and tables.
    pub fn source(&self) -> TableSource<'_> {
        let DecodedRecording {
            trace,
            format_info: origin,
        } = &self.recording;
        TableSource {
            name: &self.name,
            recording_id: &self.id,
            format: origin.format().name(),
            format_title: origin.format().title(),
            view: self.analysis.view(trace, origin.statistics()),
            histories: &self.histories,
        }
    }
}
