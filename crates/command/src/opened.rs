//! A recording, and all that is known of it.

use crate::export::dataset;
use rtoscope_analysis::levels::Histories;
use rtoscope_analysis::{Analysis, Scope};
use rtoscope_decode::Recording;
use rtoscope_tables::Source;
use std::path::Path;

/// A recording, analysed as a whole.
#[derive(Debug)]
pub struct Opened {
    name: String,
    id: String,
    recording: Recording,
    analysis: Analysis,
    histories: Histories,
}

impl Opened {
    /// Analyses a recording, which has a name for people: its file's. Alone, the
    /// file's stem identifies it.
    pub fn new(name: impl Into<String>, recording: Recording) -> Self {
        let name = name.into();
        let id = dataset::stems([Path::new(&name)]).concat();
        Self::identified(name, id, recording)
    }

    /// Analyses a recording that has an identity among others.
    pub fn identified(name: impl Into<String>, id: String, recording: Recording) -> Self {
        let trace = &recording.trace;
        let interpreter = || recording.origin.interpreter(trace);
        let analysis = Analysis::of(trace, Scope::default(), &mut interpreter());
        let histories = Histories::of(trace, &mut interpreter());
        Self {
            name: name.into(),
            id,
            recording,
            analysis,
            histories,
        }
    }

    /// What exports and tables are made of.
    pub fn source(&self) -> Source<'_> {
        let Recording { trace, origin } = &self.recording;
        Source {
            name: &self.name,
            recording_id: &self.id,
            format: origin.format().name(),
            view: self.analysis.view(trace, origin.statistics()),
            histories: &self.histories,
        }
    }
}
