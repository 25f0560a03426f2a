//! Results as aligned text tables.

use super::writer::ResultWriter;
use crate::engine::table_columns::is_address;
use arrow::array::{Array as _, ArrayRef, AsArray as _, RecordBatch};
use arrow::datatypes::{DataType, SchemaRef, UInt64Type};
use arrow::util::display::{ArrayFormatter, FormatOptions};
use rtoscope_trace::Address;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::printable::{Printable, is_printable};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::iter;
use unicode_width::UnicodeWidthStr as _;

/// Rows that are buffered to determine the column widths. Later rows only widen
/// them.
const MAX_BUFFERED_ROWS: usize = 4096;

/// The columns of `EXPLAIN`.
const PLAN_COLUMNS: [&str; 2] = ["plan_type", "plan"];

/// Aligned columns with a header, followed by the number of rows.
pub(super) struct TableWriter<'a> {
    output: &'a mut (dyn Write + Send),
    columns: Vec<Column>,
    /// The cells of the buffered rows.
    cells: Vec<String>,
    rows: u64,
    buffered: usize,
    header_written: bool,
    /// Whether the texts are plans, which have several lines, rather than
    /// names.
    is_plan: bool,
}

struct Column {
    name: String,
    is_address: bool,
    is_number: bool,
    width: usize,
}

impl<'a> TableWriter<'a> {
    pub(super) fn new(schema: &SchemaRef, output: &'a mut (dyn Write + Send)) -> Self {
        let columns = schema.fields().iter().map(|field| {
            let name = printable(field.name().clone());
            Column {
                is_number: is_number(field.data_type()),
                is_address: is_address(field),
                width: name.width(),
                name,
            }
        });
        let names = schema.fields().iter().map(|field| field.name());
        Self {
            output,
            is_plan: names.eq(PLAN_COLUMNS),
            columns: columns.collect(),
            cells: Vec::new(),
            rows: 0,
            buffered: 0,
            header_written: false,
        }
    }

    /// Buffers a row until the column widths are known.
    fn buffer_row(&mut self, cells: impl IntoIterator<Item = String>) -> io::Result<()> {
        for (cell, column) in cells.into_iter().zip(&mut self.columns) {
            let cell = printable(cell);
            column.width = column.width.max(cell.width());
            self.cells.push(cell);
        }
        self.buffered += 1;
        match self.buffered {
            MAX_BUFFERED_ROWS => self.write_buffered(),
            _ => Ok(()),
        }
    }

    fn write_buffered(&mut self) -> io::Result<()> {
        let mut line = String::new();
        if !self.header_written {
            self.header_written = true;
            let names = self.columns.iter().map(|column| &*column.name);
            aligned(&mut line, &self.columns, names);
        }
        let width = self.columns.len().max(1);
        for cells in self.cells.chunks(width) {
            aligned(&mut line, &self.columns, cells.iter().map(String::as_str));
            self.output.write_all(line.as_bytes())?;
            line.clear();
        }
        self.cells.clear();
        self.buffered = 0;
        self.output.write_all(line.as_bytes())
    }
}

impl ResultWriter for TableWriter<'_> {
    fn write_batch(&mut self, rows: &RecordBatch) -> anyhow::Result<()> {
        let options = FormatOptions::new();
        let columns = rows.columns().iter();
        let columns = columns.map(|column| ArrayFormatter::try_new(column, &options));
        let formatters: Vec<_> = columns.collect::<Result<_, _>>()?;
        for row in 0..rows.num_rows() {
            let cells = formatters.iter().zip(rows.columns()).zip(&self.columns);
            let cells = cells.map(|((formatter, values), column)| {
                let address = column.is_address.then(|| address(values, row)).flatten();
                address.map_or_else(|| formatter.value(row).try_to_string(), Ok)
            });
            let cells = cells.collect::<Result<Vec<_>, _>>()?;
            match &cells[..] {
                [kind, plan] if self.is_plan => {
                    let mut kinds = iter::once(kind.as_str()).chain(iter::repeat(""));
                    for line in plan.lines() {
                        let kind = kinds.next().unwrap_or_default();
                        self.buffer_row([kind, line].map(str::to_owned))?;
                    }
                }
                _ => self.buffer_row(cells)?,
            }
        }
        self.rows += rows.num_rows() as u64;
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> anyhow::Result<()> {
        self.write_buffered()?;
        writeln!(self.output, "{}", pluralise(self.rows, "row", "rows"))?;
        Ok(self.output.flush()?)
    }
}

/// Appends a line of aligned cells, numbers to the right.
fn aligned<'a>(line: &mut String, columns: &[Column], cells: impl Iterator<Item = &'a str>) {
    let start = line.len();
    for (index, (cell, column)) in cells.zip(columns).enumerate() {
        if index > 0 {
            line.push_str("  ");
        }
        let blanks = column.width - cell.width();
        match column.is_number {
            true => _ = write!(line, "{:blanks$}{cell}", ""),
            false => _ = write!(line, "{cell}{:blanks$}", ""),
        }
    }
    let end = line[start..].trim_end_matches(' ').len();
    line.truncate(start + end);
    line.push('\n');
}

/// A text on one line, with all non-printable characters escaped.
fn printable(text: String) -> String {
    match text.chars().all(is_printable) {
        true => text,
        false => Printable::text(&text).to_string(),
    }
}

/// The text of an address.
pub(crate) fn address(values: &ArrayRef, row: usize) -> Option<String> {
    let values = values.as_primitive_opt::<UInt64Type>()?;
    let address = values.is_valid(row).then(|| Address(values.value(row)));
    address.map(|address| address.to_string())
}

/// Whether values of a type are numbers.
pub(crate) fn is_number(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => is_number(values),
        kind => kind.is_numeric(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Int64Array, StringArray};
    use std::sync::Arc;

    fn table(rows: &RecordBatch, times: usize) -> String {
        let mut output = Vec::new();
        let mut lines = TableWriter::new(&rows.schema(), &mut output);
        for _ in 0..times {
            lines.write_batch(rows).unwrap();
        }
        Box::new(lines).finish().unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn numbers_are_right_aligned_and_nulls_are_empty() {
        let names: ArrayRef = Arc::new(StringArray::from(vec![Some("a\n\u{9b}2J\u{202e}"), None]));
        let numbers: ArrayRef = Arc::new(Int64Array::from(vec![Some(-1), None]));
        let units: ArrayRef = Arc::new(StringArray::from(vec!["µs", "ns"]));
        let columns = [("name", names), ("number", numbers), ("unit", units)];
        let rows = RecordBatch::try_from_iter(columns).unwrap();
        let expected = "name                       number  unit\na\\n\\xc2\\x9b2J\\xe2\\x80\\xae      -1  µs\n                                   ns\n2 rows\n";
        assert_eq!(table(&rows, 1), expected);
        assert_eq!(table(&rows.slice(0, 0), 1), "name  number  unit\n0 rows\n");
    }

    #[test]
    fn plans_span_lines() {
        let kinds: ArrayRef = Arc::new(StringArray::from(vec!["logical_plan", "physical_plan"]));
        let plans: ArrayRef = Arc::new(StringArray::from(vec!["Filter\n  Scan", "Scan\n"]));
        let rows = RecordBatch::try_from_iter([("plan_type", kinds), ("plan", plans)]).unwrap();
        let expected = "plan_type      plan\nlogical_plan   Filter\n                 Scan\nphysical_plan  Scan\n2 rows\n";
        assert_eq!(table(&rows, 1), expected);
    }

    #[test]
    fn long_tables_have_one_header() {
        let names: ArrayRef = Arc::new(StringArray::from(vec!["a", "bb", "c"]));
        let rows = RecordBatch::try_from_iter([("n", names)]).unwrap();
        let table = table(&rows, MAX_BUFFERED_ROWS);
        assert_eq!(table.lines().count(), 3 * MAX_BUFFERED_ROWS + 2);
        assert_eq!(table.lines().filter(|line| *line == "n").count(), 1);
    }
}
