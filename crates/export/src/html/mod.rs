//! Reports in one self-contained HTML file.
//!
//! It shows the reports of `rtoscope_analysis::report` and computes nothing itself.
//! Every value carries its key in the reports' JSON.

mod active_objects;
mod cells;
mod chart;
mod context_switches;
mod health;
mod last;
mod load;
mod objects;
mod scheduling;
mod summary;
mod table;

use crate::Progress;
pub use cells::{dash, escaped, grouped};
pub use chart::bar;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::View;
use rtoscope_analysis::report::components::Component;
use rtoscope_analysis::report::{FINDINGS_TITLE, ReportDocument, ReportKind, ReportOptions};
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
    begin_page(&title, output)?;
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
    end_page("rtoscope report", output)
}

/// Begins a self-contained page. `title` is HTML.
///
/// # Errors
///
/// If the output fails.
pub fn begin_page(title: &str, output: &mut dyn Write) -> io::Result<()> {
    write!(
        output,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title} · rtoscope</title>\n<style>\n{STYLESHEET}</style></head>\n<body>\n<main>\n"
    )
}

/// Ends a page with the command that has the same values.
///
/// # Errors
///
/// If the output fails.
pub fn end_page(command: &str, output: &mut dyn Write) -> io::Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    write!(
        output,
        "</main>\n<footer>Made by rtoscope {version} with the values of <code>{command}</code>. A dash marks an unknown or inapplicable value.</footer>\n</body></html>\n"
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
    let findings = ReportSection {
        title: FINDINGS_TITLE,
        html: summary::findings(document),
    };
    let reports = READING_ORDER.iter().filter_map(|kind| {
        let html = report(*kind, view, document)?;
        let title = kind.title();
        (!html.is_empty()).then_some(ReportSection { title, html })
    });
    let last = last::last_slices(view, document.load.as_ref()).map(|html| ReportSection {
        title: "Before the reset",
        html,
    });
    std::iter::once(findings)
        .chain(last)
        .chain(reports)
        .collect()
}

/// The load first, as its chart shows the whole recording.
const READING_ORDER: [ReportKind; ReportKind::ALL.len()] = {
    use ReportKind::*;
    [
        Load,
        Profile,
        Threads,
        Performance,
        Latency,
        Periods,
        Deadlines,
        Pipeline,
        Intervals,
        Stacks,
        Active,
        Signals,
        States,
        Transitions,
        Timers,
        Objects,
        Communication,
        Isr,
        ContextSwitches,
        Markers,
        Hardware,
        Locks,
        Inversions,
        Services,
        Filex,
        Netx,
        Usbx,
        Health,
    ]
};

/// The body of a report; `None` if the document does not have it.
fn report(kind: ReportKind, view: &View<'_>, document: &ReportDocument) -> Option<String> {
    use table::{figures, report_table};
    let component = |component: &Component| objects::component(component, kind.title());
    Some(match kind {
        ReportKind::Load => load::chart(view, document.load.as_ref()?)?,
        ReportKind::Profile => {
            scheduling::profile(view, document.profile.as_deref()?, document.load.as_ref())
        }
        ReportKind::Performance => figures(view, document.performance.as_ref()?, ""),
        ReportKind::Threads => scheduling::threads(view, document.threads.as_deref()?),
        ReportKind::Stacks => report_table(view, document.stacks.as_deref()?, |row| {
            let used = row.stack.used_percent.unwrap_or_default();
            (row.stack.outside, (used * 1000.0) as u64)
        }),
        ReportKind::Services => report_table(view, document.services.as_deref()?, |row| row.count),
        ReportKind::Inversions => {
            report_table(view, document.inversions.as_deref()?, |row| row.ticks)
        }
        ReportKind::Latency => scheduling::latency(view, document.latency.as_ref()?),
        ReportKind::Periods => {
            report_table(view, document.periods.as_deref()?, |row| row.activations)
        }
        ReportKind::Deadlines => scheduling::deadlines(view, document.deadlines.as_deref()?),
        ReportKind::Pipeline => scheduling::pipelines(view, document.pipeline.as_deref()?),
        ReportKind::Intervals => scheduling::intervals(view, document.intervals.as_deref()?),
        ReportKind::Isr => report_table(view, document.isr.as_deref()?, |row| row.ticks),
        ReportKind::Locks => report_table(view, document.locks.as_deref()?, |row| row.acquisitions),
        ReportKind::Objects => objects::objects(view, document.objects.as_deref()?),
        ReportKind::Communication => {
            let found = document.communication.as_ref()?;
            let uses = report_table(view, &found.uses, |row| row.puts + row.takes);
            uses + &report_table(view, &found.flows, |row| row.count)
        }
        ReportKind::ContextSwitches => {
            context_switches::context_switches(view, document.context_switches.as_ref()?)
        }
        ReportKind::Markers => report_table(view, document.markers.as_deref()?, |row| {
            row.spans + row.instants
        }),
        ReportKind::Hardware => {
            let found = document.hardware.as_ref()?;
            let units = report_table(view, &found.units, |row| row.busy_ticks);
            units + &report_table(view, &found.slots, |row| row.outside)
        }
        ReportKind::Active => report_table(view, document.active.as_deref()?, |row| row.busy_ticks),
        ReportKind::Signals => report_table(view, document.signals.as_deref()?, |row| row.posted),
        ReportKind::States => active_objects::states(view, document.states.as_deref()?),
        ReportKind::Transitions => {
            active_objects::transitions(view, document.transitions.as_ref()?)
        }
        ReportKind::Timers => report_table(view, document.timers.as_deref()?, |row| row.runs),
        ReportKind::Filex => component(document.filex.as_ref()?),
        ReportKind::Netx => component(document.netx.as_ref()?),
        ReportKind::Usbx => component(document.usbx.as_ref()?),
        ReportKind::Health => health::health(view, document.health.as_ref()?),
    })
}
