//! Small charts inside a line or a table cell.

use super::cells::{duration, escaped, grouped, percent, time};
use rtoscope_analysis::View;
use rtoscope_analysis::report::{Distribution, objects::LevelRow};
use std::fmt::Write as _;

/// A percentage of the report with a bar of that length.
pub(super) fn share(key: &str, value: f64) -> String {
    bar(value, &percent(key, value))
}

/// A bar as long as a percentage, before its text, which is HTML.
pub fn bar(percent: f64, text: &str) -> String {
    let width = percent.clamp(0.0, 100.0);
    format!(
        "<span class=\"share\"><span class=\"bar\"><span style=\"width:{width:.1}%\"></span></span>{text}</span>"
    )
}

/// A stacked bar of parts, each with its name, size and class.
pub(super) fn stacked_bar(label: &str, all: &[(String, u64, &str)]) -> String {
    const WIDTH: f64 = 160.0;
    let total: f64 = all.iter().map(|(_, size, _)| *size as f64).sum();
    let mut svg = format!(
        "<svg class=\"parts\" viewBox=\"0 0 160 12\" role=\"img\"><title>{}</title>",
        escaped(label)
    );
    let mut left = 0.0;
    for (name, size, class) in all.iter().filter(|(_, size, _)| *size > 0) {
        let width = *size as f64 / total * WIDTH;
        let _ = write!(
            svg,
            "<rect class=\"{class}\" x=\"{left:.2}\" width=\"{width:.2}\" height=\"12\"><title>{}</title></rect>",
            escaped(name)
        );
        left += width;
    }
    svg.push_str("</svg>");
    svg
}

/// A distribution: median, 99th percentile, maximum and histogram.
pub(super) fn distribution(view: &View<'_>, key: &str, found: &Distribution) -> String {
    let part = |name: &str, ticks| time(view, &format!("{key}.{name}"), ticks);
    format!(
        "<span class=\"spread\">{}<span>{} · {} · <b>{}</b></span></span>",
        histogram(view, found),
        part("p50", found.p50),
        part("p99", found.p99),
        part("max", found.max),
    )
}

fn histogram(view: &View<'_>, found: &Distribution) -> String {
    const WIDTH: f64 = 144.0;
    const HEIGHT: f64 = 18.0;
    let max = found.histogram.iter().map(|bin| bin.count).max();
    let max = max.unwrap_or_default().max(1) as f64;
    let width = WIDTH / found.histogram.len().max(1) as f64;
    let mut svg = format!(
        "<svg class=\"histogram\" viewBox=\"0 0 144 18\" role=\"img\"><title>{} durations from {} to {}</title><path d=\"",
        grouped(found.count),
        duration(view, found.min),
        duration(view, found.max),
    );
    for (bin, place) in found.histogram.iter().zip(0_u32..) {
        if bin.count > 0 {
            // Rare values remain visible.
            let height = (bin.count as f64 / max * HEIGHT).max(1.0);
            let left = f64::from(place) * width;
            let bar = width - 0.4;
            let _ = write!(svg, "M{left:.1} 18h{bar:.1}v-{height:.1}h-{bar:.1}z");
        }
    }
    svg.push_str("\"/></svg>");
    svg
}

/// An object's level over time: the band between minimum and maximum, with holes
/// where it is unknown.
pub(super) fn level(view: &View<'_>, level: &LevelRow, capacity: Option<u64>) -> String {
    const WIDTH: f64 = 200.0;
    const HEIGHT: f64 = 28.0;
    let window = view.window();
    let span = (window.end - window.start).max(1) as f64;
    let top = capacity.unwrap_or_default().max(level.max.into()).max(1) as f64;
    let x = |ticks: u64| ticks.saturating_sub(window.start) as f64 / span * WIDTH;
    let y = |value: u32| HEIGHT - f64::from(value) / top * (HEIGHT - 2.0) - 1.0;
    let mut svg = format!(
        "<svg class=\"level\" viewBox=\"0 0 200 28\" role=\"img\"><title>Level over time, from {} to {}{}</title><path d=\"",
        level.min,
        level.max,
        capacity.map_or_else(String::new, |capacity| format!(" of {}", grouped(capacity))),
    );
    let ends = level.graph.iter().skip(1).map(|(start, ..)| *start);
    for ((start, lowest, highest), end) in level.graph.iter().zip(ends.chain([window.end])) {
        if let (Some(lowest), Some(highest)) = (lowest, highest) {
            // A constant level is a line.
            let (low, high) = (y(*lowest) + 0.7, y(*highest) - 0.7);
            let width = (x(end) - x(*start)).max(0.3);
            let _ = write!(
                svg,
                "M{:.1} {low:.1}V{high:.1}h{width:.1}V{low:.1}z",
                x(*start)
            );
        }
    }
    svg.push_str("\"/></svg>");
    svg
}
