//! The CPU load over time, as a stacked chart.

use super::cells::{duration, escaped};
use rtoscope_analysis::View;
use rtoscope_analysis::report::load::{Load, LoadRow};
use rtoscope_analysis::report::profile::ProfileKind;
use std::fmt::Write as _;

/// The number of threads with a colour of their own: those with the most CPU time.
pub(super) const THREAD_COLOURS: usize = 12;

/// The areas stretch to the width of the page; their height and the labels do not.
const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 200.0;
/// Space for the axis labels; the stylesheet reserves that on the left.
const TOP_MARGIN: f64 = 8.0;
const BOTTOM_MARGIN: f64 = 22.0;

/// The percentages with grid lines.
const PERCENTS: [f64; 5] = [0.0, 25.0, 50.0, 75.0, 100.0];

/// A row of the load and its colour class.
struct LoadSeries<'l> {
    row: &'l LoadRow,
    class: String,
}

/// The chart with its legend; `None` if no time passes.
pub(super) fn chart(view: &View<'_>, load: &Load) -> Option<String> {
    if load.start.is_empty() {
        return None;
    }
    let series = series(load);
    let mut html = format!(
        "<figure><svg class=\"load\" height=\"{}\" role=\"img\"><title>CPU load over time</title>",
        TOP_MARGIN + HEIGHT + BOTTOM_MARGIN,
    );
    axes(&mut html, view, load);
    let _ = write!(
        html,
        "<svg y=\"{TOP_MARGIN}\" width=\"100%\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" preserveAspectRatio=\"none\"><title>By context</title>"
    );
    for percent in PERCENTS {
        let _ = write!(
            html,
            "<path class=\"grid\" d=\"M0 {}H{WIDTH}\"/>",
            y_position(percent)
        );
    }
    // Everything without a colour of its own shows as busy below the others.
    let busy: Vec<_> = load
        .busy
        .iter()
        .map(|busy| busy.unwrap_or_default())
        .collect();
    let nothing = vec![0.0; busy.len()];
    area(&mut html, load, "others", "other threads", &nothing, &busy);
    let mut below = nothing;
    for one in &series {
        let above: Vec<_> = one
            .row
            .percent
            .iter()
            .zip(&below)
            .map(|(a, b)| a + b)
            .collect();
        area(
            &mut html,
            load,
            &one.class,
            &one.row.context,
            &below,
            &above,
        );
        below = above;
    }
    if let Some(unknown) = load
        .contexts
        .iter()
        .find(|row| row.kind == ProfileKind::Unknown)
    {
        let from: Vec<_> = unknown.percent.iter().map(|part| 100.0 - part).collect();
        let top = vec![100.0; from.len()];
        area(&mut html, load, "unknown", "unknown", &from, &top);
    }
    tooltips(&mut html, view, load);
    html.push_str("</svg></svg><figcaption><ul class=\"legend\">");
    for one in &series {
        let name = escaped(&one.row.context);
        let _ = write!(html, "<li><i class=\"{}\"></i>{name}</li>", one.class);
    }
    let has = |fits: fn(&&LoadRow) -> bool| load.contexts.iter().filter(fits).count();
    if has(|row| row.kind == ProfileKind::Thread) > THREAD_COLOURS {
        html.push_str("<li><i class=\"others\"></i>other threads</li>");
    }
    if has(|row| row.kind == ProfileKind::Unknown) > 0 {
        html.push_str("<li><i class=\"unknown\"></i>unknown</li>");
    }
    html.push_str("</ul></figcaption></figure>");
    Some(html)
}

/// The colour classes of the threads, by row of the load. The row for several
/// threads has no address and no colour of its own.
pub(super) fn colours(load: &Load) -> Vec<Option<String>> {
    let mut threads: Vec<_> = load.contexts.iter().enumerate().collect();
    threads.retain(|(_, row)| row.kind == ProfileKind::Thread && row.address.is_some());
    threads.sort_by_key(|(_, row)| {
        std::cmp::Reverse(row.cpu_time.iter().map(|it| u128::from(*it)).sum::<u128>())
    });
    let mut colours = vec![None; load.contexts.len()];
    for ((place, _), number) in threads.into_iter().take(THREAD_COLOURS).zip(0..) {
        if let Some(colour) = colours.get_mut(place) {
            *colour = Some(format!("c{number}"));
        }
    }
    colours
}

/// From bottom to top: interrupts, initialisation, then threads.
fn series(load: &Load) -> Vec<LoadSeries<'_>> {
    let fixed = |kind: ProfileKind, class: &'static str| {
        let rows = load.contexts.iter().filter(move |row| row.kind == kind);
        rows.map(move |row| LoadSeries {
            row,
            class: class.to_owned(),
        })
    };
    let threads = load.contexts.iter().zip(colours(load));
    let threads = threads.filter_map(|(row, class)| Some(LoadSeries { row, class: class? }));
    fixed(ProfileKind::Isr, "isr")
        .chain(fixed(ProfileKind::Initialize, "initialize"))
        .chain(threads)
        .collect()
}

/// The start and end of a window.
fn window(load: &Load, place: usize) -> [f64; 2] {
    let first = load.start.first().copied().unwrap_or_default();
    let span = load.end.saturating_sub(first).max(1) as f64;
    let at = |place| load.start.get(place).copied().unwrap_or(load.end);
    [place, place + 1].map(|place| at(place).saturating_sub(first) as f64 / span * WIDTH)
}

fn y_position(percent: f64) -> f64 {
    HEIGHT - percent.clamp(0.0, 100.0) / 100.0 * HEIGHT
}

/// The area between two step lines, without the windows in which it is empty.
fn area(html: &mut String, load: &Load, class: &str, name: &str, below: &[f64], above: &[f64]) {
    let mut path = String::new();
    for ((below, above), place) in below.iter().zip(above).zip(0..) {
        if above > below {
            let [left, right] = window(load, place);
            let (low, high) = (y_position(*below), y_position(*above));
            let _ = write!(path, "M{left:.1} {low:.1}V{high:.1}H{right:.1}V{low:.1}z");
        }
    }
    if !path.is_empty() {
        let name = escaped(name);
        let _ = write!(
            html,
            "<path class=\"{class}\" d=\"{path}\"><title>{name}</title></path>"
        );
    }
}

/// The axis labels, outside the stretched part.
fn axes(html: &mut String, view: &View<'_>, load: &Load) {
    for percent in PERCENTS {
        let _ = write!(
            html,
            "<text x=\"-6\" y=\"{:.0}\" text-anchor=\"end\">{percent} %</text>",
            TOP_MARGIN + y_position(percent) + 4.0
        );
    }
    let first = load.start.first().copied().unwrap_or_default();
    let span = load.end.saturating_sub(first);
    for part in 0..=4_u64 {
        let ticks = first + (u128::from(span) * u128::from(part) / 4) as u64;
        // Narrow pages have no space for the labels in between.
        let (class, anchor) = match part {
            0 => ("bound", "start"),
            2 => ("half", "middle"),
            4 => ("bound", "end"),
            _ => ("quarter", "middle"),
        };
        let _ = write!(
            html,
            "<text class=\"{class}\" x=\"{}%\" y=\"{}\" text-anchor=\"{anchor}\">{}</text>",
            part * 25,
            TOP_MARGIN + HEIGHT + 16.0,
            duration(view, ticks)
        );
    }
}

/// The tooltip of each window.
fn tooltips(html: &mut String, view: &View<'_>, load: &Load) {
    const MAX_NAMED_THREADS: usize = 8;
    for (start, place) in load.start.iter().zip(0..) {
        let [left, right] = window(load, place);
        let mut parts: Vec<_> = load
            .contexts
            .iter()
            .filter_map(|row| Some((*row.percent.get(place)?, row)))
            .filter(|(percent, _)| *percent > 0.0)
            .collect();
        parts.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let lines = parts.iter().take(MAX_NAMED_THREADS).map(|(percent, row)| {
            let name = escaped(&row.context);
            format!("\n{name}: {percent:.1} %")
        });
        let _ = write!(
            html,
            "<rect class=\"hint\" x=\"{left:.1}\" width=\"{:.1}\" height=\"{HEIGHT}\"><title>from {}{}</title></rect>",
            right - left,
            duration(view, *start),
            lines.collect::<String>()
        );
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use super::super::STYLESHEET;
    use super::*;
    use roxmltree::Document;
    use rtoscope_analysis::AnalyzedRecording;
    use rtoscope_analysis::report::Hex;
    use rtoscope_analysis::report::load::load;
    use rtoscope_decode::source::Source as File;
    use rtoscope_decode::{BufferChoice, DecodeOptions, UnpackedInput};
    use rtoscope_trace::Address;

    fn opened() -> AnalyzedRecording {
        let file = File::open(rtoscope_fixtures::testdata("threadx/cm3_short.trx")).unwrap();
        let content = UnpackedInput::open(file.input(), BufferChoice::First, None).unwrap();
        let recording = content.decode(&DecodeOptions::default()).unwrap();
        AnalyzedRecording::new("short", "short", recording.trace, &recording.format_info)
    }

    /// The declarations of a class in the stylesheet.
    fn rule(class: &str) -> &'static str {
        let (_, after) = STYLESHEET.split_once(&format!("\n{class} {{")).unwrap();
        after.split_once('}').unwrap().0
    }

    #[test]
    fn labels_do_not_stretch() {
        let opened = opened();
        let view = opened.view();
        let html = chart(&view, &load(&view, 60)).unwrap();
        let page = Document::parse(&html).unwrap();
        let labels = || page.descendants().filter(|node| node.has_tag_name("text"));
        assert_eq!(labels().count(), 10);
        for label in labels() {
            assert!(label.ancestors().all(|node| !node.has_attribute("viewBox")));
        }
        assert!(rule("svg text").contains("font-size: 12px"));
    }

    #[test]
    fn idle_and_unknown_look_different() {
        // A frame around the background that shows idle in the chart, and an area.
        assert!(rule(".idle").contains("border") && !rule(".idle").contains("background"));
        assert!(rule(".unknown").contains("background"));
    }

    #[test]
    fn threads_without_a_row_have_no_colour() {
        let opened = opened();
        let view = opened.view();
        let row = |context: &str, address, ticks| LoadRow {
            context: context.to_owned(),
            kind: ProfileKind::Thread,
            address,
            cpu_time: vec![ticks],
            percent: vec![0.0],
        };
        let mut load = load(&view, 1);
        load.contexts = vec![
            row("few", Some(Hex(Address(1))), 3),
            row("most", Some(Hex(Address(2))), 5),
            row("(other threads)", None, 99),
        ];
        let [first, second] = ["c1", "c0"].map(|class| Some(class.to_owned()));
        assert_eq!(colours(&load), [first, second, None]);
    }
}
