//! Reports in one self-contained HTML file.
//!
//! It shows the reports of `rtoscope_analysis::report` and computes nothing itself.
//! Every value carries its key in the reports' JSON.

mod active_objects;
mod cells;
mod chart;
mod context_switches;
mod health;
mod load;
mod objects;
mod scheduling;
mod summary;
mod table;
mod threads;

use crate::Progress;
use cells::escaped;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::View;
use rtoscope_analysis::report::{ReportDocument, ReportOptions};
use std::fmt::Write as _;
use std::io::{self, Write};

const STYLESHEET: &str = include_str!("style.css");

/// Writes a self-contained report of recordings.
///
/// # Errors
///
/// If the output fails.
pub fn write(
    sources: &[&AnalyzedRecording],
    output: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> io::Result<()> {
    let title = match sources {
        [one] => escaped(&one.info.name),
        several => format!("{} recordings", several.len()),
    };
    write!(
        output,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title} · rtoscope</title>\n<style>\n{STYLESHEET}</style></head>\n<body>\n<main>\n"
    )?;
    if sources.len() > 1 {
        contents(sources, output)?;
    }
    for (source, number) in sources.iter().zip(0..) {
        let document =
            ReportDocument::new(&source.info.name, &source.view(), &ReportOptions::default());
        let html = article(source, &document, number);
        output.write_all(html.as_bytes())?;
        progress(source.trace.events.len() as u64);
    }
    let version = env!("CARGO_PKG_VERSION");
    write!(
        output,
        "</main>\n<footer>Made by rtoscope {version} with the values of <code>rtoscope report</code>. A dash marks an unknown or inapplicable value.</footer>\n</body></html>\n"
    )?;
    output.flush()
}

fn contents(sources: &[&AnalyzedRecording], output: &mut dyn Write) -> io::Result<()> {
    write!(output, "<h1>{} recordings</h1>\n<nav><ul>", sources.len())?;
    for (source, number) in sources.iter().zip(0..) {
        let name = escaped(&source.info.name);
        write!(output, "<li><a href=\"#r{number}\">{name}</a></li>")?;
    }
    output.write_all(b"</ul></nav>\n<p class=\"soft\">Their times have no common zero.</p>\n")
}

/// A section of the report with a heading.
struct ReportSection {
    title: &'static str,
    html: String,
}

impl ReportSection {
    /// Returns `None` if the section is empty.
    fn new(title: &'static str, html: String) -> Option<Self> {
        (!html.is_empty()).then_some(Self { title, html })
    }
}

fn article(source: &AnalyzedRecording, document: &ReportDocument, number: usize) -> String {
    let mut html = format!("<article id=\"r{number}\" data-source=\"{number}\">\n");
    html.push_str(&summary::header(source, document));
    let sections = sections(&source.view(), document);
    html.push_str("<nav aria-label=\"Sections\"><ul>");
    for (section, at) in sections.iter().zip(0..) {
        let title = section.title;
        let _ = write!(html, "<li><a href=\"#r{number}s{at}\">{title}</a></li>");
    }
    html.push_str("</ul></nav>\n");
    for (section, at) in sections.iter().zip(0..) {
        let ReportSection { title, html: body } = section;
        let _ = write!(
            html,
            "<section id=\"r{number}s{at}\">\n<h2>{title}</h2>\n{body}\n</section>\n"
        );
    }
    html.push_str("</article>\n");
    html
}

/// The non-empty sections of a recording, in reading order.
fn sections(view: &View<'_>, document: &ReportDocument) -> Vec<ReportSection> {
    let all = [
        ReportSection::new("Findings", summary::findings(document)),
        ReportSection::new("Processors", scheduling::load(view, document)),
        ReportSection::new("Threads", threads::threads(view, document)),
        ReportSection::new("Scheduling", scheduling::performance(document)),
        ReportSection::new("Latencies", threads::latency(view, document)),
        ReportSection::new("Stacks", threads::stacks(document)),
        ReportSection::new("Active objects", active_objects::objects(view, document)),
        ReportSection::new("Signals", active_objects::signals(view, document)),
        ReportSection::new("States", active_objects::states(view, document)),
        ReportSection::new("Transitions", active_objects::transitions(document)),
        ReportSection::new("Timers", active_objects::timers(view, document)),
        ReportSection::new(
            "Queues, semaphores and pools",
            objects::objects(view, document),
        ),
        ReportSection::new("Interrupts", scheduling::interrupts(view, document)),
        ReportSection::new(
            "Interrupts off",
            context_switches::interrupts_off(view, document),
        ),
        ReportSection::new("Idle", context_switches::idle(view, document)),
        ReportSection::new("Mutexes", objects::mutexes(view, document)),
        ReportSection::new("Priority inversions", objects::inversions(view, document)),
        ReportSection::new("Services and events", objects::services(document)),
        ReportSection::new(
            "File system, network and USB",
            objects::components(document),
        ),
        ReportSection::new("Data quality", health::health(document)),
    ];
    all.into_iter().flatten().collect()
}
