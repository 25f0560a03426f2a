//! Which recording a dataset has under a name and tags.
//!
//! A hidden folder of the dataset has a file for each file of the table `recordings`: the
//! [fingerprint](rtoscope_trace::Trace::fingerprint) of the recording, and the name that it had. It is outside
//! the folders of tables, in which some readers take every file for one of the table.

use crate::output::{atomic_output, create_parent};
use anyhow::{Context as _, bail};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_tables::Table;
use rtoscope_trace::printable::Printable;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The hidden folder.
const FOLDER: &str = ".identity";

/// What identifies a recording.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RecordingIdentity {
    format: String,
    fingerprint: String,
    /// The name of its file.
    name: String,
}

impl RecordingIdentity {
    pub(super) fn new(recording: &AnalyzedRecording) -> Self {
        Self {
            format: recording.info.format.to_owned(),
            fingerprint: format!("{:016x}", recording.trace.fingerprint()),
            name: Printable::text(&recording.info.name).to_string(),
        }
    }

    /// Refuses to replace another recording.
    ///
    /// # Errors
    ///
    /// If the file of the table `recordings` exists and does not belong to this recording.
    pub(super) fn check_same(&self, dataset: &Path, path: &Path) -> anyhow::Result<()> {
        if !path.exists() {
            return Ok(());
        }
        let place = Printable::path(&path);
        let advice = "give it a tag of its own, or replace the other one with --replace";
        match Self::read(dataset, path)? {
            Some(other) if other.is_same(self) => Ok(()),
            Some(other) => bail!(
                "{place}: the dataset has another recording with this name and these tags, {}, \
                 which {} would replace; {advice}",
                other.name,
                self.name
            ),
            None => bail!(
                "{place}: the dataset has a recording with this name and these tags, and nothing \
                 shows whether it is {}; {advice}",
                self.name
            ),
        }
    }

    /// Writes the hidden file for that of the table `recordings`.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn write(&self, dataset: &Path, path: &Path) -> anyhow::Result<()> {
        let Self {
            format,
            fingerprint,
            name,
        } = self;
        let hidden = hidden_path(dataset, path);
        create_parent(&hidden)?;
        atomic_output::write_file(Some(&hidden), |output| {
            Ok(writeln!(output, "{format} {fingerprint} {name}")?)
        })
    }

    /// Reads it; `None` if there is none.
    fn read(dataset: &Path, path: &Path) -> anyhow::Result<Option<Self>> {
        let hidden = hidden_path(dataset, path);
        let text = match fs::read(&hidden) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text.with_context(|| Printable::path(&hidden).to_string())?,
        };
        let text = String::from_utf8_lossy(&text);
        let mut words = text
            .trim_end_matches('\n')
            .splitn(3, ' ')
            .map(str::to_owned);
        let mut word = || words.next().unwrap_or_default();
        Ok(Some(Self {
            format: word(),
            fingerprint: word(),
            name: word(),
        }))
    }

    fn is_same(&self, other: &Self) -> bool {
        self.format == other.format && self.fingerprint == other.fingerprint
    }
}

/// The path of the hidden file for one of the table `recordings`.
fn hidden_path(dataset: &Path, path: &Path) -> PathBuf {
    let recordings = dataset.join(Table::Recordings.name());
    let place = path.strip_prefix(recordings).unwrap_or(path);
    dataset.join(FOLDER).join(place)
}
