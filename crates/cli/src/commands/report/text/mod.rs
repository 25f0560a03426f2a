//! Reports as text.

mod load;
mod objects;
mod table;
mod threads;

use rtoscope_analysis::View;
use rtoscope_analysis::report::{FrontEnd, ReportDocument, ReportKind, format_percent};
use rtoscope_command::output::append_section;
use rtoscope_trace::printable::Printable;
use rtoscope_trace::{SwitchModel, Ticks};
use std::fmt::Write as _;

/// Maximum number of rows of a table.
pub(super) const MAX_ROWS: usize = 200;

/// Renders the reports of the document, one below the other.
pub(crate) fn render(document: &ReportDocument, view: &View<'_>) -> String {
    render_rows(document, view, MAX_ROWS)
}

/// The same with at most `max_rows` rows of a table.
pub(crate) fn render_rows(document: &ReportDocument, view: &View<'_>, max_rows: usize) -> String {
    let formatter = ReportFormatter { view, max_rows };
    let mut text = header(document, view);
    let head = text.len();
    for kind in ReportKind::ALL {
        if let Some(body) = formatter.report_body(*kind, document) {
            append_section(&mut text, kind.title(), &body);
        }
    }
    if let Some(why) = skipped_note(document, view, text.len() == head) {
        let _ = writeln!(text, "\n{why}");
    }
    text
}

/// Explains why requested reports were skipped. Reports specific to another format
/// are not mentioned beside others.
fn skipped_note(document: &ReportDocument, view: &View<'_>, is_empty: bool) -> Option<String> {
    let is_log = view.trace.switch_model != SwitchModel::Inferred;
    let is_undeclared = |kind| match kind {
        ReportKind::Deadlines => view.deadlines.is_empty(),
        ReportKind::Pipeline => view.pipelines.is_empty(),
        ReportKind::Intervals => view.intervals.is_empty(),
        _ => false,
    };
    let format_lacks = |kind: ReportKind| match kind {
        kind if is_log && kind.needs_calls() => "not recorded",
        _ if !is_empty => "",
        kind if kind.is_about_active_objects() => "the trace has no active objects",
        kind if kind.is_about_component() => "the format has no events of FileX, NetX and USBX",
        ReportKind::ContextSwitches => "the trace is not a context-switch log",
        ReportKind::Deadlines => "no deadlines are declared in rtoscope.toml",
        ReportKind::Pipeline => "no pipeline is declared, in rtoscope.toml or by --pipeline",
        ReportKind::Intervals => "no intervals are declared, in rtoscope.toml or by --interval",
        ReportKind::Markers => "the trace has no points of interest",
        ReportKind::Hardware => "no hardware is declared in rtoscope.toml",
        _ => "",
    };
    let reason = |kind: ReportKind| match kind.missing_time(&view.trace.clock) {
        _ if is_undeclared(kind) && !is_empty => "",
        Some(why) => why.text(),
        None => format_lacks(kind),
    };
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for kind in &document.skipped {
        let why = reason(*kind);
        match reasons.iter_mut().find(|(reason, _)| *reason == why) {
            Some((_, names)) => names.push(kind.name()),
            None => reasons.push((why, vec![kind.name()])),
        }
    }
    reasons.retain(|(why, _)| !why.is_empty());
    let lines = reasons.iter().map(|(why, names)| {
        let names = names.join(", ");
        format!("skipped: {names} ({why})")
    });
    (!reasons.is_empty()).then(|| lines.collect::<Vec<_>>().join("\n"))
}

/// The header: the recording and the scope.
pub(super) fn header(document: &ReportDocument, view: &View<'_>) -> String {
    let span = match view.trace.timescale().duration(document.span()) {
        Some(time) => format!("{} ticks = {time}", document.span),
        None if view.trace.clock.measures_time() => format!("{} ticks", document.span),
        None => "no times".to_owned(),
    };
    let part = if document.start > 0 || document.end < view.schedule.span.0 {
        format!(
            " (from {} to {} of {})",
            document.start, document.end, view.schedule.span
        )
    } else {
        String::new()
    };
    let cores = match document.cores {
        1 => String::new(),
        cores => format!(", {cores} cores"),
    };
    format!(
        "{}: {} events, {span}{part}{cores}\n",
        Printable::text(&document.source),
        document.events
    )
}

/// Formats the reports of a view.
pub(super) struct ReportFormatter<'a> {
    pub(super) view: &'a View<'a>,
    /// Maximum number of rows of a table.
    pub(super) max_rows: usize,
}

impl ReportFormatter<'_> {
    fn report_body(&self, kind: ReportKind, document: &ReportDocument) -> Option<String> {
        let view = self.view;
        let no_time = || view.trace.clock.quality.no_time();
        match kind {
            ReportKind::Load => return Some(self.load(document.load.as_ref()?)),
            ReportKind::Profile if document.profile.is_some() => {
                if let Some(why) = no_time() {
                    return Some(format!("unknown: {why}\n"));
                }
                if view.span().0 == 0 {
                    return Some("no time passes\n".to_owned());
                }
            }
            _ => {}
        }
        let tables = document.tables(kind, FrontEnd::Text);
        let mut text = self.tables(&tables);
        match kind {
            ReportKind::Threads => {
                text.push_str(&self.thread_states(document.threads.as_deref()?));
            }
            ReportKind::Objects => {
                text.push_str(&self.level_graphs(document.objects.as_deref()?));
            }
            _ => {}
        }
        (!tables.is_empty()).then_some(text)
    }

    /// Formats a duration: a time if the clock's frequency is known, else ticks;
    /// empty if the clock does not measure time.
    fn ticks(&self, ticks: u64) -> String {
        let trace = self.view.trace;
        match trace.timescale().duration(Ticks(ticks)) {
            Some(time) => time.to_string(),
            None if trace.clock.measures_time() => ticks.to_string(),
            None => String::new(),
        }
    }

    /// Formats a duration with its unit.
    fn duration(&self, ticks: u64) -> String {
        self.view.duration(Ticks(ticks))
    }

    /// The unit of durations, for column headers.
    fn unit(&self) -> &'static str {
        match self.view.trace.clock.frequency() {
            Some(_) => "time",
            None => "ticks",
        }
    }
}

/// Formats a percentage; empty if no time passed.
fn percent(percent: Option<f64>) -> String {
    percent.map_or_else(String::new, format_percent)
}
