//! Reports to read, in one HTML file that needs nothing else.
//!
//! What it shows are the reports of `rtoscope_analysis::report`, which are never
//! computed anew. Every figure carries its key in the reports' JSON.

mod active;
mod chart;
mod health;
mod load;
mod objects;
mod scheduling;
mod summary;
mod switches;
mod table;
mod text;
mod threads;

use crate::Progress;
use rtoscope_analysis::View;
use rtoscope_analysis::report::{Document, Wish};
use rtoscope_tables::Source;
use std::fmt::Write as _;
use std::io::{self, Write};
use text::escaped;

const STYLE: &str = include_str!("style.css");

/// Writes a report of recordings that needs nothing else.
///
/// # Errors
///
/// If the output fails.
pub fn write(
    sources: &[Source<'_>],
    output: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> io::Result<()> {
    let title = match sources {
        [one] => escaped(one.name),
        several => format!("{} recordings", several.len()),
    };
    write!(
        output,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title} · rtoscope</title>\n<style>\n{STYLE}</style></head>\n<body>\n<main>\n"
    )?;
    if sources.len() > 1 {
        contents(sources, output)?;
    }
    for (source, number) in sources.iter().zip(0..) {
        let document = Document::new(source.name, &source.view, &Wish::default());
        let html = article(source, &document, number);
        output.write_all(html.as_bytes())?;
        progress(source.view.trace.events.len() as u64);
    }
    let version = env!("CARGO_PKG_VERSION");
    write!(
        output,
        "</main>\n<footer>Made by rtoscope {version}: the figures of <code>rtoscope report</code>. \
         A dash stands for what is not known, or cannot be.</footer>\n</body></html>\n"
    )?;
    output.flush()
}

fn contents(sources: &[Source<'_>], output: &mut dyn Write) -> io::Result<()> {
    write!(output, "<h1>{} recordings</h1>\n<nav><ul>", sources.len())?;
    for (source, number) in sources.iter().zip(0..) {
        let name = escaped(source.name);
        write!(output, "<li><a href=\"#r{number}\">{name}</a></li>")?;
    }
    output.write_all(b"</ul></nav>\n<p class=\"soft\">Their times have no common zero.</p>\n")
}

/// A part of a report under a heading of its own.
struct Section {
    title: &'static str,
    html: String,
}

impl Section {
    /// None if it has nothing to show.
    fn new(title: &'static str, html: String) -> Option<Self> {
        (!html.is_empty()).then_some(Self { title, html })
    }
}

fn article(source: &Source<'_>, document: &Document, number: usize) -> String {
    let mut html = format!("<article id=\"r{number}\" data-source=\"{number}\">\n");
    html.push_str(&summary::header(source, document));
    let sections = sections(&source.view, document);
    html.push_str("<nav aria-label=\"Sections\"><ul>");
    for (section, at) in sections.iter().zip(0..) {
        let title = section.title;
        let _ = write!(html, "<li><a href=\"#r{number}s{at}\">{title}</a></li>");
    }
    html.push_str("</ul></nav>\n");
    for (section, at) in sections.iter().zip(0..) {
        let Section { title, html: body } = section;
        let _ = write!(
            html,
            "<section id=\"r{number}s{at}\">\n<h2>{title}</h2>\n{body}\n</section>\n"
        );
    }
    html.push_str("</article>\n");
    html
}

/// What a recording has anything to say of, in the order in which it is read.
fn sections(view: &View<'_>, document: &Document) -> Vec<Section> {
    let all = [
        Section::new("Findings", summary::findings(document)),
        Section::new("Processors", scheduling::load(view, document)),
        Section::new("Threads", threads::threads(view, document)),
        Section::new("Scheduling", scheduling::performance(document)),
        Section::new("Latencies", threads::latency(view, document)),
        Section::new("Stacks", threads::stacks(document)),
        Section::new("Active objects", active::objects(view, document)),
        Section::new("Signals", active::signals(view, document)),
        Section::new("States", active::states(view, document)),
        Section::new("Transitions", active::transitions(document)),
        Section::new("Timers", active::timers(view, document)),
        Section::new(
            "Queues, semaphores and pools",
            objects::objects(view, document),
        ),
        Section::new("Interrupts", scheduling::interrupts(view, document)),
        Section::new("Interrupts off", switches::interrupts_off(view, document)),
        Section::new("Idle", switches::idle(view, document)),
        Section::new("Mutexes", objects::mutexes(view, document)),
        Section::new("Priority inversions", objects::inversions(view, document)),
        Section::new("Services and events", objects::services(document)),
        Section::new(
            "File system, network and USB",
            objects::components(document),
        ),
        Section::new("What can be trusted", health::health(document)),
    ];
    all.into_iter().flatten().collect()
}
