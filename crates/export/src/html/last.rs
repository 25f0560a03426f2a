//! What ran before the fault or reset that ended a recording.

use super::cells::{duration, escaped};
use super::load;
use rtoscope_analysis::View;
use rtoscope_analysis::report::findings::final_reset;
use rtoscope_analysis::report::load::Load;
use rtoscope_analysis::schedule::RunningContext;
use rtoscope_trace::{Contexts, DiagnosticKind};
use std::collections::HashMap;
use std::fmt::Write as _;

/// The slices of a core that are shown.
const MAX_SLICES: usize = 48;
/// The contexts that are shown: those that ran last.
const MAX_LANES: usize = 16;
const WIDTH: f64 = 960.0;

/// A context, and when it ran.
struct Lane {
    name: String,
    class: String,
    path: String,
}

/// A lane for each context that ran in the last slices, the last one first; `None`
/// unless a fault or a reset ended the recording.
pub(super) fn last_slices(view: &View<'_>, load: Option<&Load>) -> Option<String> {
    let reset = final_reset(view)?;
    let cores = &view.schedule.cores;
    let starts = cores.iter().filter_map(|core| {
        let first = core.slices.len().saturating_sub(MAX_SLICES);
        Some(core.slices.get(first)?.start)
    });
    let window = starts.max()?.0..view.schedule.span.0;
    let span = window
        .end
        .checked_sub(window.start)
        .filter(|span| *span > 0)?;
    let colours: HashMap<_, _> = load.map_or_else(HashMap::new, |load| {
        let rows = load.contexts.iter().zip(load::colours(load));
        rows.filter_map(|(row, class)| Some((row.context.as_str(), class?)))
            .collect()
    });
    let mut slices: Vec<_> = cores
        .iter()
        .flat_map(|core| core.within(window.clone()))
        .collect();
    slices.sort_by_key(|(_, part)| std::cmp::Reverse(part.end));
    let mut lanes: Vec<Lane> = Vec::new();
    let x = |ticks: u64| (ticks - window.start) as f64 / span as f64 * WIDTH;
    for (slice, part) in slices {
        let running = slice.running.running_context();
        let (name, class) = match running {
            RunningContext::Thread(thread) => (view.trace.context_name(thread), "others"),
            RunningContext::Isr(_) => {
                let number = view.isr_number(running);
                (view.schedule.isr_name(number), "isr")
            }
            RunningContext::Kernel => (view.trace.context_name(Contexts::INTERRUPT), "isr"),
            RunningContext::Idle => (view.trace.context_name(Contexts::IDLE), "unknown"),
            RunningContext::Initialize => {
                (view.trace.context_name(Contexts::INITIALIZE), "initialize")
            }
            RunningContext::Unknown => ("unknown".to_owned(), "unknown"),
        };
        let known = lanes.iter().position(|lane| lane.name == name);
        let at = known.unwrap_or(lanes.len());
        if known.is_none() {
            if lanes.len() == MAX_LANES {
                continue;
            }
            let class = colours.get(name.as_str()).map_or(class, String::as_str);
            lanes.push(Lane {
                class: class.to_owned(),
                name,
                path: String::new(),
            });
        }
        if let Some(lane) = lanes.get_mut(at) {
            let (left, right) = (x(part.start), x(part.end));
            // Short slices remain visible.
            let width = (right - left).max(1.0);
            let left = left.min(WIDTH - width);
            let _ = write!(lane.path, "M{left:.1} 0h{width:.1}v14h-{width:.1}z");
        }
    }
    let mut html = "<div class=\"last\">".to_owned();
    for lane in &lanes {
        let _ = write!(
            html,
            "<span title=\"{0}\">{0}</span><svg viewBox=\"0 0 {WIDTH} 14\" preserveAspectRatio=\"none\" role=\"img\"><title>{0}</title><path class=\"{1}\" d=\"{2}\"/></svg>",
            escaped(&lane.name),
            lane.class,
            lane.path
        );
    }
    let _ = write!(
        html,
        "<span></span><p><span>{}</span><b>{} at {}</b></p></div>",
        duration(view, window.start),
        match reset.kind {
            DiagnosticKind::Fault => "fault",
            _ => "reset",
        },
        duration(view, window.end),
    );
    Some(html)
}
