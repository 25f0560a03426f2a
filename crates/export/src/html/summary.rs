//! The header and findings of a recording.

use super::cells::{count, escaped, event, or_dash, text, time};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::report::health::Health;
use rtoscope_analysis::report::{ReportDocument, TableRow as _};
use rtoscope_trace::{NoTime, Timescale};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The title and facts about the recording.
pub(super) fn header(source: &AnalyzedRecording, document: &ReportDocument) -> String {
    let view = &source.view();
    let trace = view.trace;
    let mut html = format!(
        "<header><h1>{}</h1>\n<dl data-report=\"\">",
        text("source", &document.source)
    );
    let mut fact = |title: &str, value: String| {
        let _ = write!(html, "<div><dt>{title}</dt><dd>{value}</dd></div>");
    };
    fact("Format", escaped(source.info.format_title));
    fact("Time", time(view, "span", document.span));
    fact("Events", count("events", document.events));
    fact("Clock", clock(trace.timescale()));
    fact("Cores", count("cores", document.cores as u64));
    let threads = trace.contexts.threads().count();
    if view.active.is_empty() {
        fact("Threads", super::cells::grouped(threads as u64));
    } else {
        let objects = view.active.objects.len();
        fact("Active objects", super::cells::grouped(objects as u64));
    }
    if let Some(health) = &document.health {
        fact(
            "Events lost",
            match (health.gaps.as_slice(), health.lost_events) {
                ([], _) => "none".to_owned(),
                (gaps, 0) => format!("unknown number, {} gaps", gaps.len()),
                (gaps, _) => format!(
                    "{} in {}",
                    count("health.lost_events", health.lost_events),
                    rtoscope_trace::diagnostic::pluralise(gaps.len() as u64, "gap", "gaps")
                ),
            },
        );
        let known = health.coverage.percent;
        let known = or_dash(known, |known| {
            super::cells::percent("health.coverage.percent", known)
        });
        fact(Health::label("coverage.percent"), known);
    }
    html.push_str("</dl></header>\n");
    html
}

fn clock(scale: Timescale) -> String {
    match (scale.frequency(), scale.no_time()) {
        (Some(frequency), _) => frequency.to_string(),
        (None, None | Some(NoTime::UnknownFrequency)) => {
            "unknown frequency: times are ticks".to_owned()
        }
        (None, Some(why)) => why.to_string(),
    }
}

/// The findings, the most severe first. Their events lead to the rows that name them.
pub(super) fn findings(document: &ReportDocument, rows: &BTreeMap<u32, String>) -> String {
    if document.findings.is_empty() {
        return "<p>No findings.</p>".to_owned();
    }
    let mut html = "<ul class=\"findings\" data-report=\"findings\">\n".to_owned();
    for (finding, row) in document.findings.iter().zip(0..) {
        let weight = finding.severity.name();
        let _ = write!(
            html,
            "<li class=\"{weight}\" data-row=\"{row}\"><b>{}</b>{}",
            text("severity", weight),
            text("message", &finding.message)
        );
        if let Some(at) = finding.event {
            html.push_str(" <span class=\"soft\">at event</span> ");
            let at_event = event("event", at);
            html.push_str(&match rows.get(&at) {
                Some(row) => format!("<a href=\"#{row}\">{at_event}</a>"),
                None => at_event,
            });
        }
        html.push_str("</li>\n");
    }
    html.push_str("</ul>");
    html
}
