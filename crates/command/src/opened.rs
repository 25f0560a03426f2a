//! A recording, and all that is known of it.

use rtoscope_analysis::levels::Histories;
use rtoscope_analysis::{Analysis, Scope};
use rtoscope_decode::Recording;
use rtoscope_tables::Source;

/// A recording, analysed as a whole.
#[derive(Debug)]
pub struct Opened {
    name: String,
    recording: Recording,
    analysis: Analysis,
    histories: Histories,
}

impl Opened {
    /// Analyses a recording, which has a name for people: its file's.
    pub fn new(name: impl Into<String>, recording: Recording) -> Self {
        let trace = &recording.trace;
        let interpreter = || recording.origin.interpreter(trace);
        let analysis = Analysis::of(trace, Scope::default(), &mut interpreter());
        let histories = Histories::of(trace, &mut interpreter());
        Self {
            name: name.into(),
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
            format: origin.format().name(),
            view: self.analysis.view(trace, origin.statistics()),
            histories: &self.histories,
        }
    }
}
