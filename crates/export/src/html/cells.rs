//! Text and numbers in HTML, with their keys in the report's JSON (`data-key`), so
//! that tests can compare the page with the report.

use crate::escape;
use rtoscope_analysis::View;
use rtoscope_analysis::report::{format_decimal, format_flag, format_percent};
use rtoscope_trace::Ticks;
use std::fmt::Display;

/// Escapes text for HTML.
pub fn escaped(text: impl Display) -> String {
    escape::xml(&text.to_string())
}

/// A text of the report.
pub(super) fn text(key: &str, text: impl Display) -> String {
    format!("<span data-key=\"{}\">{}</span>", key, escaped(text))
}

/// A value of the report, and its displayed form.
fn figure(key: &str, value: impl Display, shown: impl Display) -> String {
    format!("<data data-key=\"{key}\" value=\"{value}\">{shown}</data>")
}

/// A count.
pub(super) fn count(key: &str, value: impl Into<u64>) -> String {
    let value = value.into();
    figure(key, value, grouped(value))
}

/// A duration, or a time since the first event, in ticks.
pub(super) fn time(view: &View<'_>, key: &str, ticks: u64) -> String {
    figure(key, ticks, duration(view, ticks))
}

/// A duration with a fraction, in ticks.
pub(super) fn fractional_time(view: &View<'_>, key: &str, ticks: f64) -> String {
    figure(key, ticks, duration(view, ticks.round() as u64))
}

/// A percentage.
pub(super) fn percent(key: &str, value: f64) -> String {
    figure(key, value, format_percent(value))
}

/// A number with a fraction.
pub(super) fn decimal(key: &str, value: f64) -> String {
    figure(key, value, format_decimal(value))
}

/// A text that replaces a missing value.
pub(super) fn note(text: impl Display) -> String {
    format!("<span class=\"soft\">{}</span>", escaped(text))
}

/// The number of an event.
pub(super) fn event(key: &str, value: impl Into<u64>) -> String {
    let value = value.into();
    figure(
        key,
        value,
        format_args!("<span class=\"event\">#{value}</span>"),
    )
}

/// A dash, for a value that is unknown or not applicable.
pub fn dash() -> String {
    "<span class=\"nothing\">–</span>".to_owned()
}

/// An optional value, or a dash.
pub(super) fn or_dash<T>(value: Option<T>, shown: impl FnOnce(T) -> String) -> String {
    value.map_or_else(dash, shown)
}

/// A yes/no value.
pub(super) fn flag(key: &str, value: bool) -> String {
    figure(key, value, format_flag(value))
}

/// A formatted duration, in ticks if the frequency is unknown; a dash if the clock
/// does not measure time.
pub(super) fn duration(view: &View<'_>, ticks: u64) -> String {
    match view.nanoseconds(Ticks(ticks)) {
        Some(_) => escaped(view.duration(Ticks(ticks))),
        None if !view.trace.clock.measures_time() => dash(),
        None if ticks == 1 => "1 tick".to_owned(),
        None => format!("{} ticks", grouped(ticks)),
    }
}

/// A number with narrow spaces as thousands separators.
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut shown = String::with_capacity(digits.len() * 2);
    for (digit, following) in digits.chars().zip((0..digits.len()).rev()) {
        shown.push(digit);
        if following > 0 && following % 3 == 0 {
            shown.push('\u{202F}');
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        let shown = [0, 999, 1000, 1_234_567].map(grouped);
        assert_eq!(
            shown,
            ["0", "999", "1\u{202F}000", "1\u{202F}234\u{202F}567"]
        );
        let max = grouped(u64::MAX);
        assert!(max.starts_with("18\u{202F}446"), "{max}");
    }

    #[test]
    fn text_is_escaped() {
        let shown = text("name", "<b>\"&'\u{0}");
        let expected = "<span data-key=\"name\">&lt;b&gt;&quot;&amp;'\u{FFFD}</span>";
        assert_eq!(shown, expected);
        assert_eq!(or_dash(None::<u64>, |_| String::new()), dash());
    }
}
