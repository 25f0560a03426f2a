//! Recordings for tests of exports.

use rtoscope_analysis::levels::Histories;
use rtoscope_analysis::{Analysis, Scope};
use rtoscope_decode::source::Source as File;
use rtoscope_decode::{Choice, Content, Options, Recording};
use rtoscope_tables::Source;
use std::path::{Path, PathBuf};

/// A recording, and what is known of it.
pub(crate) struct Opened {
    name: String,
    recording: Recording,
    analysis: Analysis,
    histories: Histories,
}

impl Opened {
    /// Analyses a recording.
    pub(crate) fn new(name: &str, recording: Recording) -> Self {
        let trace = &recording.trace;
        let interpreter = || recording.origin.interpreter(trace);
        let analysis = Analysis::of(trace, Scope::default(), &mut interpreter());
        let histories = Histories::of(trace, &mut interpreter());
        Self {
            name: name.to_owned(),
            recording,
            analysis,
            histories,
        }
    }

    /// Opens a file.
    pub(crate) fn open(path: &Path, options: &Options) -> Self {
        let file = File::open(path).unwrap();
        let content = Content::open(file.input(), Choice::First, None).unwrap();
        let recording = content.decode(options).unwrap();
        Self::new(&path.display().to_string(), recording)
    }

    /// What exporters get.
    pub(crate) fn source(&self) -> Source<'_> {
        let origin = &self.recording.origin;
        Source {
            name: &self.name,
            format: origin.format().name(),
            view: self
                .analysis
                .view(&self.recording.trace, origin.statistics()),
            histories: &self.histories,
        }
    }
}

/// A file of the repository's test data, such as `threadx/be32_ppc_names.trx`.
pub(crate) fn open(name: &str) -> Opened {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    Opened::open(&folder.join(name), &Options::default())
}
