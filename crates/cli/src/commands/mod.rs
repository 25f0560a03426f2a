//! One module per subcommand.

pub(crate) mod catalogue;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod critical_path;
pub(crate) mod diagram;
pub(crate) mod doctor;
pub(crate) mod events;
pub(crate) mod export;
mod export_page;
pub(crate) mod info;
pub(crate) mod live;
#[cfg(feature = "mcp")]
pub(crate) mod mcp;
pub(crate) mod merge;
pub(crate) mod objects;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod schema;
pub(crate) mod shell;
#[cfg(feature = "viewer")]
pub(crate) mod view;

use anyhow::{Context as _, ensure};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_command::input::{DecodeArgs, FileArgs, TimingArgs};
use rtoscope_command::output;
use rtoscope_decode::DecodedRecording;
use rtoscope_trace::printable::Printable;
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};

/// Decodes and analyses a recording, and applies the declared timing.
fn analyze(
    file: &FileArgs,
    decode: &DecodeArgs,
    timing: &TimingArgs,
) -> anyhow::Result<AnalyzedRecording> {
    analyze_decoded(file.source_name(), file.recording(decode)?, decode, timing)
}

fn analyze_decoded(
    name: String,
    recording: DecodedRecording,
    decode: &DecodeArgs,
    timing: &TimingArgs,
) -> anyhow::Result<AnalyzedRecording> {
    let DecodedRecording { trace, format_info } = recording;
    let mut recording = AnalyzedRecording::new(name, "", trace, &format_info);
    if let Some(timing) = timing.read(decode)? {
        timing.apply(&mut recording)?;
    }
    Ok(recording)
}

/// A document as indented JSON.
pub(crate) fn json_text(document: &impl Serialize) -> anyhow::Result<String> {
    let mut json = Vec::new();
    output::json_text::write_indented(&mut json, document)?;
    Ok(String::from_utf8(json)? + "\n")
}

/// The recordings of a folder, by name.
fn recordings_in(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let name = || Printable::path(&folder).to_string();
    let entries = fs::read_dir(folder).with_context(name)?;
    let entries = entries.map(|entry| Ok(entry?.path()));
    let mut paths = entries
        .collect::<std::io::Result<Vec<_>>>()
        .with_context(name)?;
    paths.sort();
    let is_hidden = |path: &Path| {
        let name = path.file_name().unwrap_or_default();
        name.as_encoded_bytes().starts_with(b".")
    };
    paths.retain(|path| !is_hidden(path) && !path.ends_with("rtoscope.toml"));
    ensure!(
        !paths.is_empty(),
        "{}: the folder has no recordings",
        name()
    );
    Ok(paths)
}
