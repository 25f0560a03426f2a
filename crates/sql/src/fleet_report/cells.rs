//! The cells of a result, shown by the names and units of their columns.

use arrow::array::{Array as _, ArrayRef, AsArray as _, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type, Int64Type};
use rtoscope_analysis::report::format_percent;
use rtoscope_export::html::{bar, dash, escaped, grouped};
use rtoscope_trace::Nanoseconds;

/// How the values of a column are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Text,
    /// `critical`, `warning`, `note`.
    Severity,
    Count,
    Decimal,
    /// Nanoseconds, by the suffix `_ns`.
    Duration,
    /// A share of 100 %, by the name: with a bar.
    Share,
    /// A change in percent, which can be more than 100 %.
    Change,
    /// Nanoseconds or a share, as the column `unit` says.
    Measured,
}

/// A column of a result.
pub(super) struct Column<'a> {
    name: &'a str,
    about: &'a str,
    style: Style,
    values: &'a ArrayRef,
    /// The values as text, for texts.
    texts: Option<StringArray>,
}

impl<'a> Column<'a> {
    pub(super) fn new(name: &'a str, about: &'a str, values: &'a ArrayRef) -> Self {
        let style = match (name, values.data_type()) {
            ("severity", _) => Style::Severity,
            ("median" | "other_median", _) => Style::Measured,
            ("change_percent", _) => Style::Change,
            (_, DataType::Int64) if name.ends_with("_ns") => Style::Duration,
            (_, DataType::Float64) if name.ends_with("percent") => Style::Share,
            (_, DataType::Float64) => Style::Decimal,
            (_, kind) if kind.is_integer() => Style::Count,
            _ => Style::Text,
        };
        let texts = cast(values, &DataType::Utf8).ok();
        let texts = texts.map(|texts| texts.as_string::<i32>().clone());
        Self {
            name,
            about,
            style,
            values,
            texts,
        }
    }

    /// The column's name in words, with its description as a hint.
    pub(super) fn heading(&self) -> String {
        let name = self.name.trim_end_matches("_ns").replace('_', " ");
        let name = match name.strip_suffix("percent") {
            Some(name) => format!("{} %", name.trim_end()),
            None => name,
        };
        format!(
            "<abbr title=\"{}\">{}</abbr>",
            escaped(self.about),
            escaped(name.trim_start())
        )
    }

    pub(super) fn class(&self) -> &'static str {
        match self.style {
            Style::Text | Style::Severity | Style::Share => "",
            _ => " class=\"figure\"",
        }
    }

    /// The cell of a row; a dash for null.
    pub(super) fn cell(&self, row: usize) -> String {
        self.shown(row).unwrap_or_else(dash)
    }

    fn shown(&self, row: usize) -> Option<String> {
        let text = self.texts.as_ref().filter(|texts| texts.is_valid(row));
        let text = text.map(|texts| texts.value(row))?;
        Some(match self.style {
            Style::Text => escaped(text),
            Style::Severity => format!("<span class=\"{0}\"><b>{0}</b></span>", escaped(text)),
            Style::Count => match text.parse() {
                Ok(count) => grouped(count),
                Err(_) => escaped(text),
            },
            Style::Duration => {
                let nanoseconds = self.values.as_primitive::<Int64Type>().value(row);
                match u64::try_from(nanoseconds) {
                    Ok(nanoseconds) => escaped(Nanoseconds(nanoseconds)),
                    Err(_) => escaped(text),
                }
            }
            Style::Decimal => format!("{:.2}", self.number(row)),
            Style::Share => {
                let percent = self.number(row);
                bar(percent, &format_percent(percent))
            }
            Style::Change => format!("{:+.1} %", self.number(row)),
            Style::Measured => significant(self.number(row)),
        })
    }

    fn number(&self, row: usize) -> f64 {
        self.values.as_primitive::<Float64Type>().value(row)
    }
}

/// A number with four significant digits.
fn significant(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let magnitude = value.abs().log10().floor() as i32;
    let places = usize::try_from(3 - magnitude).unwrap_or(0).min(12);
    format!("{value:.places$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Float64Array, Int64Array};
    use std::sync::Arc;

    fn cell(name: &str, values: &ArrayRef) -> [String; 2] {
        let column = Column::new(name, "a <b>", values);
        [column.heading(), column.cell(0)]
    }

    #[test]
    fn values_are_shown_with_their_units() {
        let heading = |name: &str| format!("<abbr title=\"a &lt;b&gt;\">{name}</abbr>");
        let integer = |value: i64| Arc::new(Int64Array::from(vec![value])) as ArrayRef;
        let float = |value: f64| Arc::new(Float64Array::from(vec![value])) as ArrayRef;
        let text = |value: &str| Arc::new(StringArray::from(vec![value])) as ArrayRef;
        let expected = [heading("p99"), "1.500 µs".to_owned()];
        assert_eq!(cell("p99_ns", &integer(1500)), expected);
        let shown = cell("recordings", &integer(20_000))[1].clone();
        assert_eq!(shown, "20\u{202F}000");
        assert_eq!(cell("change_percent", &float(20.04))[1], "+20.0 %");
        assert_eq!(cell("median", &float(0.123_456))[1], "0.1235");
        assert_eq!(cell("median", &float(123_456.7))[1], "123457");
        assert!(cell("percent", &float(50.0))[1].contains("width:50.0%"));
        assert_eq!(cell("device", &text("<1>"))[1], "&lt;1&gt;");
        let null = Arc::new(Int64Array::from(vec![None::<i64>])) as ArrayRef;
        assert!(cell("recorded_ns", &null)[1].contains('–'));
    }
}
