//! Small pages that a notebook shows in frames: a recording at a glance, and a lane.

use super::cells::{duration, escaped};
use super::table::STATE_CLASSES;
use super::{begin_page, load, summary};
use rtoscope_analysis::report::{ReportDocument, ReportKind, ReportOptions};
use rtoscope_analysis::schedule::{RunningContext, ThreadState};
use rtoscope_analysis::{AnalyzedRecording, View};
use rtoscope_trace::{ContextId, Contexts};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;

/// The columns of a lane.
const COLUMNS: usize = 960;
const HEIGHT: f64 = 24.0;

/// A page with the header, the findings and the CPU load of a recording.
///
/// # Errors
///
/// If there is not enough memory.
pub fn glance(recording: &AnalyzedRecording) -> io::Result<Vec<u8>> {
    let view = recording.view();
    let options = ReportOptions {
        kinds: [ReportKind::Health, ReportKind::Load].into(),
        ..ReportOptions::default()
    };
    let document = ReportDocument::new(&recording.info.name, &view, &options);
    let mut body = summary::header(recording, &document);
    body.push_str(&summary::findings(&document, &BTreeMap::new()));
    let load = document.load.as_ref();
    body.extend(load.and_then(|load| load::chart(&view, load)));
    page(&recording.info.name, &body)
}

/// A page with the lane of a context: the states of a thread, or when another context ran. Of each
/// column, the height of a colour is the share of the time in that state.
///
/// # Errors
///
/// If there is not enough memory.
pub fn lane(recording: &AnalyzedRecording, context: ContextId) -> io::Result<Vec<u8>> {
    let view = recording.view();
    let name = view.trace.context_name(context);
    let mut shares: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    let span = view.schedule.span.0;
    for (start, end, class) in spans(&view, context) {
        let columns = shares.entry(class).or_insert_with(|| vec![0.0; COLUMNS]);
        add(columns, start, end, span);
    }
    let mut body = format!(
        "<div class=\"last\"><span title=\"{0}\">{0}</span><svg style=\"border-right: 0; \
         height: {HEIGHT}px; padding: 0\" viewBox=\"0 0 {COLUMNS} {HEIGHT}\" \
         preserveAspectRatio=\"none\" role=\"img\"><title>{0}</title>",
        escaped(&name)
    );
    let mut below = vec![0.0; COLUMNS];
    let mut legend = String::new();
    for (class, columns) in &shares {
        let Some((class, state)) = STATE_CLASSES.get(*class) else {
            continue;
        };
        let path = path(columns, &mut below);
        let _ = write!(
            body,
            "<path class=\"{class}\" d=\"{path}\"><title>{state}</title></path>"
        );
        let _ = write!(legend, "<li><i class=\"{class}\"></i>{state}</li>");
    }
    let _ = write!(
        body,
        "</svg><span></span><p><span>{}</span><span>{}</span></p></div>",
        duration(&view, 0),
        duration(&view, span)
    );
    match legend.is_empty() {
        true => body.push_str("<p>Nothing is known of it.</p>"),
        false => {
            let _ = write!(body, "<ul class=\"legend\">{legend}</ul>");
        }
    }
    page(&name, &body)
}

fn page(title: &str, body: &str) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    begin_page(&escaped(title), &mut page)?;
    page.extend_from_slice(body.as_bytes());
    page.extend_from_slice(b"</main></body></html>\n");
    Ok(page)
}

/// The start, end and [class](STATE_CLASSES) of the spans of a context, in ticks.
fn spans(view: &View<'_>, context: ContextId) -> Vec<(u64, u64, usize)> {
    let class = |state: &str| {
        let mut all = STATE_CLASSES.iter();
        all.position(|(_, name)| *name == state).unwrap_or_default()
    };
    let [running, ready, waiting, unknown] = ["running", "ready", "waiting", "unknown"].map(class);
    let end = view.schedule.span.0;
    if view
        .trace
        .contexts
        .threads()
        .any(|thread| thread.id == context)
    {
        let states = view.schedule.threads.get(context.index());
        let states = states.into_iter().flat_map(|states| states.with_next(0));
        let spans = states.filter_map(|(interval, next)| {
            let class = match interval.state {
                ThreadState::Unknown => unknown,
                ThreadState::Ready => ready,
                ThreadState::Running => running,
                ThreadState::Waiting { .. } => waiting,
                ThreadState::Deleted => return None,
            };
            let end = next.map_or(end, |next| next.start.0);
            Some((interval.start.0, end, class))
        });
        return spans.collect();
    }
    let is_it = |running: RunningContext| match running {
        RunningContext::Isr(_) | RunningContext::Kernel => context == Contexts::INTERRUPT,
        RunningContext::Idle => context == Contexts::IDLE,
        RunningContext::Initialize => context == Contexts::INITIALIZE,
        RunningContext::Thread(_) | RunningContext::Unknown => false,
    };
    let slices = view
        .schedule
        .cores
        .iter()
        .flat_map(|core| core.within(0..end));
    slices
        .filter(|(slice, _)| is_it(slice.running.running_context()))
        .map(|(_, part)| (part.start, part.end, running))
        .collect()
}

/// Adds the share that a span has of each column.
fn add(columns: &mut [f64], start: u64, end: u64, span: u64) {
    let at = |ticks: u64| ticks as f64 / span.max(1) as f64 * COLUMNS as f64;
    let (from, to) = (at(start), at(end));
    let first = from as usize;
    let touched = (to.ceil() as usize).saturating_sub(first);
    for (share, column) in columns.iter_mut().zip(0_u32..).skip(first).take(touched) {
        let column = f64::from(column);
        *share += (to.min(column + 1.0) - from.max(column)).max(0.0);
    }
}

/// The area of some shares on top of those `below`, which it adds to them; columns of the same
/// height are one rectangle.
fn path(columns: &[f64], below: &mut [f64]) -> String {
    let mut path = String::new();
    let mut last: Option<(usize, usize, [String; 2])> = None;
    let mut draw = |part: Option<(usize, usize, [String; 2])>| {
        if let Some((left, right, [low, high])) = part {
            let _ = write!(path, "M{left} {low}V{high}H{right}V{low}z");
        }
    };
    for ((share, below), column) in columns.iter().zip(below).zip(0..) {
        let low = *below;
        // Several cores can run interrupts at the same time.
        *below = (low + share).min(1.0);
        let y = [low, *below].map(|share| format!("{:.1}", (1.0 - share) * HEIGHT));
        match &mut last {
            Some((_, right, known)) if *right == column && *known == y => *right = column + 1,
            _ if *share <= 0.0 => {}
            _ => draw(last.replace((column, column + 1, y))),
        }
    }
    draw(last);
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_show_shares_of_time() {
        let mut columns = vec![0.0; COLUMNS];
        let span = 2 * COLUMNS as u64;
        // A whole column, and half of the next one.
        add(&mut columns, 2, 5, span);
        assert_eq!(columns.get(..4), Some(&[0.0, 1.0, 0.5, 0.0][..]));
        add(&mut columns, span - 4, span, span);
        let mut below = vec![0.0; COLUMNS];
        let drawn = path(&columns, &mut below);
        assert_eq!(
            drawn,
            "M1 24.0V0.0H2V24.0zM2 24.0V12.0H3V24.0zM958 24.0V0.0H960V24.0z"
        );
        assert_eq!(below, columns);
    }
}
