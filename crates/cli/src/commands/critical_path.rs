//! `rtoscope critical-path`: what led to an event.

use anyhow::Context as _;
use clap::Args;
use clap::builder::RangedU64ValueParser;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::critical_path::{CriticalPathFinder, CriticalPathOptions};
use rtoscope_analysis::report::critical_path::{CriticalPathReport, critical_path};
use rtoscope_command::input::{DecodeArgs, FileArgs};
use rtoscope_command::output::{self, OutputFormat};
use rtoscope_command::scope::find_context;
use rtoscope_decode::DecodedRecording;
use rtoscope_trace::{EventIndex, Ticks, Trace, TracePosition};
use schemars::JsonSchema;
use serde::Serialize;

/// Maximum number of segments that can be requested.
const MAX_SEGMENTS: u64 = 100_000;

#[derive(Args)]
pub(crate) struct CriticalPathArgs {
    #[command(flatten)]
    file: FileArgs,

    #[command(flatten)]
    question: EventQuestion,

    #[command(flatten)]
    decode: DecodeArgs,

    /// Output format
    #[arg(short, long, default_value = "text")]
    format: OutputFormat,
}

/// Which event to explain, and how far back.
#[derive(Args)]
pub(crate) struct EventQuestion {
    /// The event, by its number
    #[arg(long, value_name = "NUMBER")]
    pub(crate) event: u32,

    /// Explain this thread or active object at the event, by name or address, instead of
    /// the context that logged the event
    #[arg(long, value_name = "CONTEXT")]
    pub(crate) context: Option<String>,

    /// Go back to this time, also beyond the first cause: 20000 (ticks), 1.5ms (with
    /// --clock) or event:120
    #[arg(long, value_name = "MOMENT")]
    pub(crate) from: Option<TracePosition>,

    /// Show at most N segments, the last ones
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = CriticalPathOptions::default().max_segments,
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=MAX_SEGMENTS)
    )]
    pub(crate) limit: usize,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct CriticalPathDocument<'p> {
    schema: &'static str,
    #[serde(flatten)]
    path: &'p CriticalPathReport,
}

pub(crate) fn run(arguments: &CriticalPathArgs) -> anyhow::Result<()> {
    let recording = arguments.file.recording(&arguments.decode)?;
    arguments
        .file
        .hint_at_diagnostics(&recording.trace.diagnostics);
    let DecodedRecording { trace, format_info } = recording;
    let name = arguments.file.source_name();
    let recording = AnalyzedRecording::new(name, "", trace, &format_info);
    let path = arguments.question.path(&recording)?;
    match arguments.format {
        OutputFormat::Json => output::write_json(&CriticalPathDocument {
            schema: "rtoscope/critical-path/1",
            path: &path,
        }),
        OutputFormat::Text => output::write_text(&render(&recording.trace, &path)),
    }
}

impl EventQuestion {
    /// The critical path.
    ///
    /// # Errors
    ///
    /// If the recording has no such event, context or time.
    pub(crate) fn path(&self, recording: &AnalyzedRecording) -> anyhow::Result<CriticalPathReport> {
        let trace = &recording.trace;
        let from = self.from.map(|from| from.first_tick(trace));
        let context = self.context.as_deref();
        let context = context.map(|name| find_context(trace, name));
        let options = CriticalPathOptions {
            from: from.transpose().map_err(anyhow::Error::msg)?,
            context: context.transpose()?,
            max_segments: self.limit,
        };
        let finder = CriticalPathFinder::new(trace, &recording.schedule, &recording.active);
        let path = finder.path(EventIndex(self.event), options);
        let path = path.with_context(|| {
            let (event, count) = (self.event, trace.events.len());
            format!("there is no event {event}: the trace has {count} events")
        })?;
        Ok(critical_path(&recording.view(), &path))
    }
}

pub(crate) fn render(trace: &Trace, path: &CriticalPathReport) -> String {
    let duration = |ticks: u64| trace.timescale().duration_text(Ticks(ticks));
    let mut text = format!(
        "Critical path of {} to event {}: {}, back to {}\n\n",
        path.context,
        path.event,
        duration(path.duration),
        path.origin_text
    );
    let rows = path.segments.iter().map(|segment| {
        let resumes = segment.resumes.as_ref();
        vec![
            segment.start.to_string(),
            duration(segment.duration),
            segment.event.to_string(),
            segment.context.clone(),
            segment.cause.clone(),
            segment.blocks.clone().unwrap_or_default(),
            resumes.map_or_else(String::new, |it| {
                format!("event {} resumes {}, {}", it.event, it.context, it.waited)
            }),
        ]
    });
    let header = [
        "tick",
        "time",
        "event",
        "context",
        "cause",
        "meanwhile",
        "then",
    ];
    text += &output::format_table(&header, &["tick", "time", "event"], rows);
    let percent = |share: Option<f64>| share.map_or_else(String::new, |it| format!("{it:.1} %"));
    let rows = path.contexts.iter().map(|total| {
        let time = duration(total.duration);
        vec![total.context.clone(), time, percent(total.share)]
    });
    let contexts = output::format_table(&["context", "time", "share"], &["time", "share"], rows);
    output::append_section(&mut text, "Time by context", &contexts);
    let rows = path.causes.iter().map(|total| {
        vec![
            total.context.clone(),
            total.cause.clone(),
            duration(total.duration),
            percent(total.share),
        ]
    });
    let header = ["context", "cause", "time", "share"];
    let causes = output::format_table(&header, &["time", "share"], rows);
    output::append_section(&mut text, "Time by cause", &causes);
    text
}
