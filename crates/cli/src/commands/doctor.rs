//! `rtoscope doctor`: checks the port of a recorder.

use clap::Args;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::doctor::{Arrival, RuleResult, RuleVerdict, TraceCheck};
use rtoscope_command::CheckOutcome;
use rtoscope_command::input::{DecodeArgs, FileArgs, Packing};
use rtoscope_command::output::{self, OutputFormat};
use rtoscope_decode::DecodedRecording;
use rtoscope_decode::live::HostTime;
use rtoscope_trace::{Ticks, Trace};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

#[derive(Args)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    file: FileArgs,

    #[command(flatten)]
    decode: DecodeArgs,

    /// Output format
    #[arg(short, long, default_value = "text")]
    format: OutputFormat,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct DoctorDocument<'a> {
    schema: &'static str,
    source: &'a str,
    format: &'static str,
    events: usize,
    #[serde(flatten)]
    check: &'a TraceCheck,
}

/// Returns whether no rule failed.
pub(crate) fn run(arguments: &DoctorArgs) -> anyhow::Result<CheckOutcome> {
    let (recording, arrivals) = arguments
        .file
        .with_recording(&arguments.decode, |packing, recording| {
            Ok((recording, arrivals(packing)))
        })?;
    let DecodedRecording { trace, format_info } = recording;
    let source = arguments.file.source_name();
    let recording = AnalyzedRecording::new(source, "", trace, &format_info);
    let mut interpreter = format_info.interpreter(&recording.trace);
    let check = TraceCheck::new(&recording, &mut interpreter, &arrivals);
    match arguments.format {
        OutputFormat::Json => output::write_json(&DoctorDocument {
            schema: "rtoscope/doctor/1",
            source: &recording.info.name,
            format: recording.info.format,
            events: recording.trace.events.len(),
            check: &check,
        })?,
        OutputFormat::Text => output::write_text(&render(&recording, &check))?,
    }
    Ok(CheckOutcome::of(check.failed == 0))
}

/// When the events of a capture arrived. The target is halted while its memory is read.
fn arrivals(packing: &Packing<'_>) -> Vec<Arrival> {
    let Packing::Folder(history) = packing else {
        return Vec::new();
    };
    let source = history.recording.facts().map(|facts| facts.source.as_str());
    let is_halted = source.is_some_and(|source| source.starts_with("gdb:"));
    let all = history.arrivals.iter().filter(|_| !is_halted);
    let arrival = |(at, events): &(HostTime, u64)| Arrival {
        nanoseconds: at.0,
        events: *events,
    };
    all.map(arrival).collect()
}

fn render(recording: &AnalyzedRecording, check: &TraceCheck) -> String {
    let mut text = format!(
        "{}: {}, {} events: {} rules passed, {} failed, {} not checked\n",
        recording.info.name,
        recording.info.format_title,
        recording.trace.events.len(),
        check.passed,
        check.failed,
        check.not_checked
    );
    let of = |verdict| check.rules.iter().filter(move |it| it.verdict == verdict);
    for rule in of(RuleVerdict::Failed) {
        let _ = write!(
            text,
            "\nfailed  {}: {}\n",
            rule.rule.name(),
            rule.description
        );
        let place = place(rule, &recording.trace);
        let _ = writeln!(text, "        {}{place}", rule.message);
        if let Some(advice) = rule.advice {
            let _ = writeln!(text, "        {advice}");
        }
    }
    for (verdict, title) in [
        (RuleVerdict::Passed, "Passed"),
        (RuleVerdict::NotChecked, "Not checked"),
    ] {
        let rows: Vec<_> = of(verdict)
            .map(|it| vec![it.rule.name().to_owned(), it.message.clone()])
            .collect();
        if !rows.is_empty() {
            let table = output::format_table(&["rule", "found"], &[], rows);
            output::append_section(&mut text, title, &table);
        }
    }
    text
}

/// How often and where first.
fn place(rule: &RuleResult, trace: &Trace) -> String {
    let count = match rule.count {
        0 | 1 => String::new(),
        count => format!(" ({count} times)"),
    };
    let (Some(event), Some(ticks)) = (rule.event, rule.time) else {
        return count;
    };
    let time = trace.timescale().duration_text(Ticks(ticks));
    format!("{count} [event {event}, {time}]")
}
