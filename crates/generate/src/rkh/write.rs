use super::application::Application;
use super::tracer::Tracer;
use super::truth_builder::RkhTruthBuilder;
use super::{RkhOptions, RkhTruth};
use crate::GenerateError;
use crate::writer::BlockWriter;
use std::io::Write;

/// The content of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RkhSummary {
    /// Number of records.
    pub records: u64,
    /// Size in bytes.
    pub bytes: u64,
}

/// Simulates active objects and writes their stream to `output`.
///
/// Calls `progress` regularly with the number of records so far.
pub fn write(
    options: &RkhOptions,
    output: &mut impl Write,
    progress: &mut dyn FnMut(u64),
) -> Result<RkhSummary, GenerateError> {
    write_with_truth(options, output, progress).map(|(summary, _)| summary)
}

/// Writes a stream like [`write`](fn@write) and returns its ground truth.
pub fn write_with_truth(
    options: &RkhOptions,
    output: &mut impl Write,
    progress: &mut dyn FnMut(u64),
) -> Result<(RkhSummary, RkhTruth), GenerateError> {
    options.check()?;
    let mut output = BlockWriter::new(output);
    let account = RkhTruthBuilder::new(options);
    let tracer = Tracer::new(options, account, &mut output, progress);
    let mut application = Application::new(options, tracer);
    application.run(options);
    let truth = application.tracer.finish()?.finish();
    output.finish()?;
    progress(options.records);
    let summary = RkhSummary {
        records: truth.records - truth.lost,
        bytes: output.position(),
    };
    Ok((summary, truth))
}
