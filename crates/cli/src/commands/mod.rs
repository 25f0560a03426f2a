//! One module per subcommand.

pub(crate) mod catalogue;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod critical_path;
pub(crate) mod diagram;
pub(crate) mod doctor;
pub(crate) mod events;
pub(crate) mod expect;
pub(crate) mod export;
mod export_page;
pub(crate) mod info;
pub(crate) mod live;
pub(crate) mod merge;
pub(crate) mod objects;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod schema;
pub(crate) mod shell;
#[cfg(feature = "viewer")]
pub(crate) mod view;

use rtoscope_analysis::AnalyzedRecording;
use rtoscope_command::input::{DecodeArgs, FileArgs, TimingArgs};
use rtoscope_command::output;
use rtoscope_decode::DecodedRecording;
use serde::Serialize;

/// Decodes and analyses a recording, and applies the declared timing.
fn analyze(
    file: &FileArgs,
    decode: &DecodeArgs,
    timing: &TimingArgs,
) -> anyhow::Result<AnalyzedRecording> {
    let DecodedRecording { trace, format_info } = file.recording(decode)?;
    let mut recording = AnalyzedRecording::new(file.source_name(), "", trace, &format_info);
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
