use super::application::Application;
use super::reframe::Reframer;
use super::setup::SimulatedBoard;
use super::tracer::{Output, Tracer};
use super::truth_builder::RkhTruthBuilder;
use super::{RkhOptions, RkhTruth};
use crate::GenerateError;
use crate::writer::BlockWriter;
use rtoscope_record::rkh::StreamSetup;
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

fn simulate(
    options: &RkhOptions,
    truth: RkhTruthBuilder,
    output: &mut dyn Output,
    progress: &mut dyn FnMut(u64),
) -> Result<RkhTruth, GenerateError> {
    let tracer = Tracer::new(options, truth, output, progress);
    let mut application = Application::new(options, tracer);
    application.run(options);
    Ok(application.tracer.finish()?.finish())
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
    let configuration = options.configuration();
    let truth = if configuration == SimulatedBoard::CONFIGURATION {
        simulate(options, account, &mut output, progress)?
    } else {
        let mut reframer = Reframer::new(&mut output, configuration);
        simulate(options, account, &mut reframer, progress)?
    };
    output.finish()?;
    progress(options.records);
    let summary = RkhSummary {
        records: truth.records - truth.lost,
        bytes: output.position(),
    };
    Ok((summary, truth))
}
