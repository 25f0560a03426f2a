//! Reports as text.

mod active_objects;
mod context_switches;
mod interrupts_and_load;
mod latency_and_locks;
mod objects_and_health;
mod scheduling;

use rtoscope_analysis::View;
use rtoscope_analysis::report::{Distribution, ReportDocument, ReportKind};
use rtoscope_command::output::{append_section, format_table};
use rtoscope_trace::printable::Printable;
use rtoscope_trace::{SwitchModel, Ticks};
use std::fmt::Write as _;

/// Renders the reports of the document, one below the other.
pub(crate) fn render(document: &ReportDocument, view: &View<'_>) -> String {
    let mut text = header(document, view);
    let head = text.len();
    for kind in ReportKind::ALL {
        if let Some(body) = report_body(*kind, document, view) {
            append_section(&mut text, &report_title(*kind), &body);
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
    let untimed = !view.trace.clock.measures_time();
    let reason = |kind: ReportKind| match kind {
        kind if untimed && kind.needs_time() => "the clock does not measure time",
        kind if is_log && kind.needs_calls() => "context-switch logs have none",
        _ if !is_empty => "",
        kind if kind.is_about_active_objects() => "the trace has no active objects",
        kind if kind.is_about_component() => "the format has no events of FileX, NetX and USBX",
        ReportKind::ContextSwitches => "the trace is not a context-switch log",
        _ => "",
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

fn report_title(kind: ReportKind) -> String {
    let mut letters = kind.name().chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    let capital: String = first.into_iter().chain(letters).collect();
    let name = match kind {
        ReportKind::Isr => "ISR",
        ReportKind::ContextSwitches => "Context switches",
        ReportKind::Filex => "FileX",
        ReportKind::Netx => "NetX",
        ReportKind::Usbx => "USBX",
        _ => &capital,
    };
    format!("{name}: {}", kind.description())
}

/// The header: the recording and the scope.
pub(super) fn header(document: &ReportDocument, view: &View<'_>) -> String {
    let span = match view.trace.timescale().duration(document.span()) {
        Some(time) => format!("{} ticks = {time}", document.span_ticks),
        None if view.trace.clock.measures_time() => format!("{} ticks", document.span_ticks),
        None => "no times".to_owned(),
    };
    let part = if document.start_ticks > 0 || document.end_ticks < view.schedule.span.0 {
        format!(
            " (from {} to {} of {})",
            document.start_ticks, document.end_ticks, view.schedule.span
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

fn report_body(kind: ReportKind, document: &ReportDocument, view: &View<'_>) -> Option<String> {
    let formatter = ReportFormatter { view };
    Some(match kind {
        ReportKind::Profile => formatter.profile(document.profile.as_deref()?),
        ReportKind::Performance => formatter.performance(document.performance.as_ref()?),
        ReportKind::Threads => formatter.threads(document.threads.as_deref()?),
        ReportKind::Stacks => formatter.stacks(document.stacks.as_deref()?),
        ReportKind::Services => formatter.services(document.services.as_deref()?),
        ReportKind::Inversions => formatter.inversions(document.inversions.as_deref()?),
        ReportKind::Latency => formatter.latency(document.latency.as_ref()?),
        ReportKind::Isr => formatter.isr(document.isr.as_deref()?),
        ReportKind::Locks => formatter.locks(document.locks.as_deref()?),
        ReportKind::Load => formatter.load(document.load.as_ref()?),
        ReportKind::Objects => formatter.objects(document.objects.as_deref()?),
        ReportKind::ContextSwitches => {
            formatter.context_switches(document.context_switches.as_ref()?)
        }
        ReportKind::Active => formatter.active(document.active.as_deref()?),
        ReportKind::Signals => formatter.signals(document.signals.as_deref()?),
        ReportKind::States => formatter.states(document.states.as_deref()?),
        ReportKind::Transitions => formatter.transitions(document.transitions.as_ref()?),
        ReportKind::Timers => formatter.timers(document.timers.as_deref()?),
        ReportKind::Filex => formatter.component(document.filex.as_ref()?),
        ReportKind::Netx => formatter.component(document.netx.as_ref()?),
        ReportKind::Usbx => formatter.component(document.usbx.as_ref()?),
        ReportKind::Health => formatter.health(document.health.as_ref()?),
    })
}

/// Formats the reports of a view.
pub(super) struct ReportFormatter<'a> {
    pub(super) view: &'a View<'a>,
}

impl ReportFormatter<'_> {
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

    /// The cells of a distribution, for the columns of `DISTRIBUTION_COLUMNS`.
    fn distribution(&self, found: &Distribution) -> Vec<String> {
        let mut cells = vec![found.count.to_string()];
        let mean = found.mean.round() as u64;
        let figures = [found.min, mean, found.p50, found.p90, found.p99, found.max];
        cells.extend(figures.map(|ticks| self.ticks(ticks)));
        cells.push(found.event.to_string());
        cells
    }
}

/// The columns of a distribution; all are right-aligned.
const DISTRIBUTION_COLUMNS: [&str; 8] = [
    "count", "min", "mean", "p50", "p90", "p99", "max", "at event",
];

/// Formats a percentage; empty if no time passed.
fn percent(percent: Option<f64>) -> String {
    percent.map_or_else(String::new, |percent| format!("{percent:.1} %"))
}

/// Formats an optional value; empty if there is none.
fn optional(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// Renders a table, or a message if it has no rows.
fn table_or(header: &[&str], right: &[&str], rows: Vec<Vec<String>>, nothing: &str) -> String {
    if rows.is_empty() {
        format!("{nothing}\n")
    } else {
        format_table(header, right, rows)
    }
}
