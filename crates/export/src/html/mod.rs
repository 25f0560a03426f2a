//! Reports in one self-contained HTML file.
//!
//! It shows the reports of `rtoscope_analysis::report` and computes nothing itself.
//! Every value carries its key in the reports' JSON.

mod cells;
mod chart;
mod charts;
mod comparison;
mod last;
mod load;
pub mod notebook;
mod overlay;
mod summary;
mod table;

use crate::Progress;
use crate::naming::file_name;
pub use cells::{dash, escaped, grouped};
pub use chart::bar;
pub use comparison::{ComparisonSource, write_comparison};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::View;
use rtoscope_analysis::report::{
    FINDINGS_TITLE, FrontEnd, ReportDocument, ReportKind, ReportOptions,
};
use std::collections::BTreeSet;
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
    let names = names(sources);
    let title = match names.as_slice() {
        [one] => escaped(one),
        several => format!("{} recordings", several.len()),
    };
    begin_page(&title, output)?;
    if sources.len() > 1 {
        contents(&names, output)?;
    }
    for ((source, name), number) in sources.iter().zip(&names).zip(0..) {
        let document = ReportDocument::new(name, &source.view(), &ReportOptions::default());
        let html = article(source, &document, number);
        output.write_all(html.as_bytes())?;
        progress(source.trace.events.len() as u64);
    }
    end_page("rtoscope report", output)
}

/// The names of the recordings. A report that is handed on shows no folders, unless only they
/// distinguish the recordings.
fn names<'a>(sources: &[&'a AnalyzedRecording]) -> Vec<&'a str> {
    let whole = sources.iter().map(|source| source.info.name.as_str());
    let files = whole.clone().map(file_name);
    let distinct: BTreeSet<_> = files.clone().collect();
    match distinct.len() == sources.len() {
        true => files.collect(),
        false => whole.collect(),
    }
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

fn contents(names: &[&str], output: &mut dyn Write) -> io::Result<()> {
    write!(output, "<h1>{} recordings</h1>\n<nav><ul>", names.len())?;
    for (name, number) in names.iter().zip(0..) {
        let name = escaped(name);
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
    let sections = sections(&source.view(), document, number);
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
fn sections(view: &View<'_>, document: &ReportDocument, number: usize) -> Vec<ReportSection> {
    let findings = ReportSection {
        title: FINDINGS_TITLE,
        html: summary::findings(document, &table::event_rows(document, number)),
    };
    // The load first, as its chart shows the whole recording.
    let others = ReportKind::ALL
        .iter()
        .filter(|kind| **kind != ReportKind::Load);
    let reports = [ReportKind::Load].iter().chain(others);
    let reports = reports.filter_map(|kind| {
        let html = report(*kind, view, document, number)?;
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

/// The body of a report; `None` if the document does not have it.
fn report(
    kind: ReportKind,
    view: &View<'_>,
    document: &ReportDocument,
    number: usize,
) -> Option<String> {
    if kind == ReportKind::Load {
        return load::chart(view, document.load.as_ref()?);
    }
    let mut html = String::new();
    for (table, at) in document.tables(kind, FrontEnd::Html).iter().zip(0..) {
        let extra = match kind {
            ReportKind::Profile => {
                charts::profile(document.profile.as_deref()?, document.load.as_ref())
            }
            ReportKind::Objects => charts::objects(view, document.objects.as_deref()?),
            ReportKind::States if table.path.ends_with(".states") => charts::states(),
            _ => table::Extra::default(),
        };
        let body = table::table(view, table, &extra, number);
        if at > 0 && !body.is_empty() {
            let _ = write!(html, "<h3>{}</h3>", table::title(table));
        }
        html.push_str(&body);
        if kind == ReportKind::States && at == 0 {
            for machine in document.states.iter().flatten() {
                html.push_str(&charts::machine(view, machine));
            }
        }
    }
    if kind == ReportKind::Threads && !html.is_empty() {
        html.push_str("<ul class=\"legend\">");
        for (class, name) in table::STATE_CLASSES {
            let _ = write!(html, "<li><i class=\"{class}\"></i>{name}</li>");
        }
        html.push_str("</ul>");
    }
    Some(html)
}
