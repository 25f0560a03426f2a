//! `rtoscope merge`: one time axis for several recordings.

mod list;
mod text;

use anyhow::{bail, ensure};
use clap::Args;
use rtoscope_analysis::alignment::{
    self, AlignedRecording, AlignmentInput, AlignmentMethod, Drift, MatchRule, MergeDocument,
};
use rtoscope_command::CheckOutcome;
use rtoscope_command::input::{
    CaptureHistory, DecodeArgs, FileArgs, FilesArgs, Packing, guard_overwrite, parse_drift,
};
use rtoscope_command::output::{self, OutputFormat};
use rtoscope_trace::printable::Printable;
use rtoscope_trace::{EventIndex, Frequency, Trace};
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct MergeArgs {
    #[command(flatten)]
    files: FilesArgs,

    /// The timestamps of all recordings are from the same counter
    #[arg(long, conflicts_with_all = ["absolute", "rules"], help_heading = "Alignment")]
    common_counter: bool,

    /// By the times at which the bytes of captures arrived at the host
    #[arg(long, conflicts_with = "rules", help_heading = "Alignment")]
    absolute: bool,

    /// By causes and effects: `can_send(id) -> can_receive(id)`; repeatable
    ///
    /// An event of the first recording, and the one of the others that it causes; with `<-`, the
    /// others have the cause. In parentheses, the argument that has the same value in both:
    /// `info1` to `info4`, `item1` … of a record, or its name.
    #[arg(
        id = "rules",
        long = "match",
        value_name = "RULE",
        value_parser = MatchRule::parse,
        help_heading = "Alignment"
    )]
    rules: Vec<MatchRule>,

    /// Maximum difference of the clocks' speeds, such as 200ppm
    #[arg(
        long,
        value_name = "DRIFT",
        value_parser = parse_drift,
        conflicts_with_all = ["common_counter", "absolute"],
        help_heading = "Alignment"
    )]
    max_drift: Option<Drift>,

    /// List the recordings and their places in a file that commands take in place of recordings
    #[arg(short, long, value_name = "FILE.toml")]
    output: Option<PathBuf>,

    #[command(flatten)]
    decode: DecodeArgs,

    /// Output format
    #[arg(short, long, default_value = "text")]
    format: OutputFormat,
}

/// A recording as it is aligned.
struct OpenedRecording {
    name: String,
    format: &'static str,
    trace: Trace,
    host_start: Option<i128>,
}

pub(crate) fn run(arguments: &MergeArgs) -> anyhow::Result<CheckOutcome> {
    let files: Vec<_> = arguments.files.iter().map(FileArgs::on_own_clock).collect();
    let [first_file, others @ ..] = files.as_slice() else {
        bail!("no recordings");
    };
    ensure!(!others.is_empty(), "an axis needs two recordings");
    if let Some(output) = &arguments.output {
        guard_overwrite(files.iter().map(|file| &*file.file), Some(output.as_path()))?;
        list::check_name(output)?;
    }
    let methods = others.iter().map(|file| arguments.method(file));
    let methods: Vec<_> = methods.collect::<anyhow::Result<_>>()?;
    let first = arguments.open(first_file)?;
    let mut document = MergeDocument::new(&methods[0]);
    let reference = AlignedRecording::reference(&first.name, first.format, &first.trace);
    document.recordings.push(reference);
    let mut entries = vec![list::entry(first_file, first.frequency(), None)];
    for (file, method) in others.iter().zip(&methods) {
        let other = arguments.open(file)?;
        let alignment = alignment::align(first.input(), other.input(), method);
        document.recordings.push(AlignedRecording::new(
            &other.name,
            other.format,
            &other.trace,
            first.frequency(),
            &alignment,
        ));
        let place = alignment.ok();
        entries.push(list::entry(file, other.frequency(), place.as_ref()));
    }
    // Uncertainties are in the document already, in nanoseconds.
    for (entry, recording) in entries.iter_mut().zip(&document.recordings).skip(1) {
        entry.uncertainty = text::uncertainty(recording);
    }
    match arguments.format {
        OutputFormat::Json => output::write_json(&document)?,
        OutputFormat::Text => output::write_text(&text::render(&document))?,
    }
    if !document.is_complete() {
        if let Some(output) = &arguments.output {
            rtoscope_command::message!(
                "{} is not written: a recording has no place on the axis",
                Printable::path(&output)
            );
        }
        return Ok(CheckOutcome::Failed);
    }
    if let Some(output) = &arguments.output {
        list::write(output, entries)?;
    }
    Ok(match document.has_problems() {
        true => CheckOutcome::Undecided,
        false => CheckOutcome::Passed,
    })
}

impl MergeArgs {
    /// How a recording is aligned: as the options say, else by the rules of the file that lists it.
    fn method(&self, file: &FileArgs) -> anyhow::Result<AlignmentMethod> {
        if self.common_counter {
            return Ok(AlignmentMethod::CommonCounter);
        }
        if self.absolute {
            return Ok(AlignmentMethod::Absolute);
        }
        let listed = file.listed().map(|listed| listed.rules.clone());
        let rules = match self.rules.is_empty() {
            true => listed.unwrap_or_default(),
            false => self.rules.clone(),
        };
        ensure!(
            !rules.is_empty(),
            "{}: nothing says how it is aligned; set --match, --common-counter or --absolute",
            file.name()
        );
        Ok(AlignmentMethod::Match {
            rules,
            max_drift: self.max_drift.map(|Drift(drift)| Drift(drift.abs())),
        })
    }

    fn open(&self, file: &FileArgs) -> anyhow::Result<OpenedRecording> {
        file.with_recording(&self.decode, |packing, recording| {
            let host_start = match packing {
                Packing::File(_) => None,
                Packing::Folder(history) => host_start(&recording.trace, history),
            };
            Ok(OpenedRecording {
                name: file.source_name(),
                format: recording.format_info.format().name(),
                trace: recording.trace,
                host_start,
            })
        })
    }
}

impl OpenedRecording {
    fn input(&self) -> AlignmentInput<'_> {
        AlignmentInput {
            trace: &self.trace,
            host_start: self.host_start,
        }
    }

    fn frequency(&self) -> Option<Frequency> {
        self.trace.timescale().frequency()
    }
}

/// The latest time by the host's clock at which the first event can have been recorded: no event
/// was recorded after it had arrived.
fn host_start(trace: &Trace, history: &CaptureHistory) -> Option<i128> {
    let scale = trace.timescale();
    let starts = history.arrivals.iter().filter_map(|(arrival, events)| {
        let last = events.checked_sub(trace.origin.event)?.checked_sub(1)?;
        let last = EventIndex(u32::try_from(last).ok()?);
        let time = scale.time(trace.events.time(last)?)?;
        Some(i128::from(arrival.0) - i128::from(time.0))
    });
    starts.min()
}
