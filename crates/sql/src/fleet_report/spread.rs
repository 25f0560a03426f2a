//! A plot of percentiles in each row, on one logarithmic scale.

use arrow::array::{Array as _, AsArray as _, Int64Array, RecordBatch};
use arrow::datatypes::Int64Type;
use rtoscope_export::html::{dash, escaped};
use rtoscope_trace::Nanoseconds;

const WIDTH: f64 = 240.0;
const COLUMNS: [&str; 4] = ["p50_ns", "p90_ns", "p99_ns", "max_ns"];

/// The percentiles of all rows, and their scale.
pub(super) struct Spread<'a> {
    columns: [&'a Int64Array; 4],
    /// The logarithms at the left and at the right end.
    ends: (f64, f64),
}

impl<'a> Spread<'a> {
    /// `None` if the result has no percentiles.
    pub(super) fn new(rows: &'a RecordBatch) -> Option<Self> {
        let columns = COLUMNS.map(|name| {
            let column = rows.column_by_name(name)?;
            column.as_primitive_opt::<Int64Type>()
        });
        let [Some(p50), Some(p90), Some(p99), Some(max)] = columns else {
            return None;
        };
        let columns = [p50, p90, p99, max];
        let all = columns.iter().flat_map(|column| column.iter().flatten());
        let all = all.map(logarithm);
        let (first, last) = all.fold((f64::MAX, f64::MIN), |(first, last), value| {
            (first.min(value), last.max(value))
        });
        // Whole powers of ten, at least one decade.
        let (first, last) = (first.floor(), last.ceil());
        let ends = (first, last.max(first + 1.0));
        Some(Self { columns, ends })
    }

    /// The heading, with the ends of the scale.
    pub(super) fn heading(&self) -> String {
        let end = |value: f64| escaped(Nanoseconds(10_f64.powf(value) as u64));
        format!(
            "{} – {}, logarithmic: median, 90 %, 99 %, maximum",
            end(self.ends.0),
            end(self.ends.1)
        )
    }

    /// The plot of a row: a bar from the median to the 99th percentile, a mark at the 90th, and a
    /// line to the maximum.
    pub(super) fn cell(&self, row: usize) -> String {
        if self.columns.iter().any(|column| column.is_null(row)) {
            return dash();
        }
        let [p50, p90, p99, max] = self.columns.map(|column| self.x(column.value(row)));
        let [low, middle, high, highest] = self
            .columns
            .map(|column| Nanoseconds(u64::try_from(column.value(row)).unwrap_or_default()));
        let title = format!("median {low}, 90 % {middle}, 99 % {high}, maximum {highest}");
        let mut svg = format!(
            "<svg class=\"spread-plot\" width=\"{WIDTH}\" height=\"16\" viewBox=\"0 0 {WIDTH} 16\" role=\"img\"><title>{}</title>",
            escaped(title)
        );
        let mut decade = self.ends.0;
        while decade <= self.ends.1 {
            let x = self.place(decade);
            svg.push_str(&format!("<path class=\"grid\" d=\"M{x:.1} 0v16\"/>"));
            decade += 1.0;
        }
        svg.push_str(&format!(
            "<path class=\"whisker\" d=\"M{p99:.1} 8H{max:.1}M{max:.1} 4v8\"/>\
             <rect class=\"c0\" x=\"{p50:.1}\" y=\"4\" width=\"{:.1}\" height=\"8\"/>\
             <path class=\"mark\" d=\"M{p90:.1} 2v12\"/></svg>",
            (p99 - p50).max(1.0)
        ));
        svg
    }

    fn x(&self, nanoseconds: i64) -> f64 {
        self.place(logarithm(nanoseconds))
    }

    fn place(&self, logarithm: f64) -> f64 {
        let (first, last) = self.ends;
        2.0 + (logarithm - first) / (last - first) * (WIDTH - 4.0)
    }
}

/// The decimal logarithm; that of 1 for 0.
fn logarithm(nanoseconds: i64) -> f64 {
    (nanoseconds.max(1) as f64).log10()
}
