//! Open recordings, and what commands answer about them.

use crate::table::NativeTable;
use crate::{background, error};
use anyhow::{Context as _, ensure};
use pyo3::prelude::*;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::compare::{CollectedFigures, ComparisonDocument, RecordingFigures};
use rtoscope_cli::answers::{self, CheckAnswer, OpenRecording};
use rtoscope_command::scope;
use rtoscope_export::html::notebook;
use std::ffi::OsString;
use std::sync::Arc;

/// An open recording.
#[pyclass(frozen, name = "Recording", module = "rtoscope._native")]
pub(crate) struct NativeRecording {
    recording: Arc<AnalyzedRecording>,
    /// The document of `rtoscope info`, as JSON.
    #[pyo3(get)]
    info: String,
}

/// Opens a recording with the arguments of a command line.
#[pyfunction]
pub(crate) fn open(
    py: Python<'_>,
    file: &str,
    arguments: Vec<OsString>,
) -> PyResult<NativeRecording> {
    let opened = background::run(py, Some(file), move || answers::open(&arguments))?;
    let OpenRecording { recording, info } = opened;
    Ok(NativeRecording { recording, info })
}

/// Checks recordings with the arguments of a command line. `opened` are the same, if they are
/// open. Returns the document and the text of `rtoscope check`.
#[pyfunction]
pub(crate) fn check(
    py: Python<'_>,
    arguments: Vec<OsString>,
    opened: Vec<PyRef<'_, NativeRecording>>,
) -> PyResult<(String, String)> {
    let opened = recordings(&opened);
    background::run(py, None, move || {
        let CheckAnswer { json, text } = answers::check(&arguments, &opened)?;
        Ok((json, text))
    })
}

/// Compares recordings; returns the document of `rtoscope compare`.
#[pyfunction]
pub(crate) fn compare(
    py: Python<'_>,
    before: Vec<PyRef<'_, NativeRecording>>,
    after: Vec<PyRef<'_, NativeRecording>>,
) -> PyResult<String> {
    let [before, after] = [recordings(&before), recordings(&after)];
    background::run(py, None, move || {
        let document = ComparisonDocument::new(&figures(&before), &figures(&after));
        ensure!(
            !document.comparison.figures.is_empty(),
            "the recordings have no figure in common, or the clock of some is unknown"
        );
        Ok(serde_json::to_string(&document)?)
    })
}

fn recordings(opened: &[PyRef<'_, NativeRecording>]) -> Vec<Arc<AnalyzedRecording>> {
    let recordings = opened.iter().map(|opened| Arc::clone(&opened.recording));
    recordings.collect()
}

fn figures(recordings: &[Arc<AnalyzedRecording>]) -> Vec<RecordingFigures> {
    let figures = recordings
        .iter()
        .map(|recording| CollectedFigures::new(&recording.view()).figures(&recording.info.name));
    figures.collect()
}

impl NativeRecording {
    /// Runs `work` on the recording, without the interpreter's lock.
    fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&AnalyzedRecording) -> anyhow::Result<T> + Send + 'static,
    ) -> PyResult<T> {
        let recording = Arc::clone(&self.recording);
        let name = self.recording.info.name.clone();
        background::run(py, Some(&name), move || {
            answers::made_from(&recording, work)
        })
    }
}

#[pymethods]
impl NativeRecording {
    /// The document of `rtoscope report` as JSON, with the arguments of its command line.
    fn report(&self, py: Python<'_>, arguments: Vec<OsString>) -> PyResult<String> {
        self.run(py, move |recording| answers::report(&arguments, recording))
    }

    /// All columns of a table, or those with the given names.
    #[pyo3(signature = (name, columns = None))]
    fn table(
        &self,
        py: Python<'_>,
        name: &str,
        columns: Option<Vec<String>>,
    ) -> PyResult<NativeTable> {
        let table = NativeTable::new(Arc::clone(&self.recording), name, columns.as_deref());
        table.map_err(|cause| error::new(py, &cause, Some(&self.recording.info.name)))
    }

    /// A page with the header, the findings and the CPU load.
    fn glance(&self, py: Python<'_>) -> PyResult<String> {
        self.run(py, |recording| {
            Ok(String::from_utf8(notebook::glance(recording)?)?)
        })
    }

    /// A page with the lane of the context with a name or an address.
    fn lane(&self, py: Python<'_>, name: String) -> PyResult<String> {
        self.run(py, move |recording| {
            let trace = &recording.trace;
            let mut contexts = trace.contexts.iter();
            let context = contexts.find(|it| scope::matches_context(trace, it, &name));
            let context = context.with_context(|| format!("no context matches {name:?}"))?;
            Ok(String::from_utf8(notebook::lane(recording, context.id)?)?)
        })
    }
}
