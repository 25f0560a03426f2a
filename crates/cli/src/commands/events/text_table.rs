//! Events as text: aligned columns, streamed.

use super::column::{Column, ColumnValues};
use super::selection::{EventSelection, Row};
use anstyle::{AnsiColor, Style};
use rtoscope_command::output;
use rtoscope_trace::{ContextKind, Event, Trace};
use std::io::Write;

/// The number of events that determine the column widths; a wider value later
/// pushes the rest of its line to the right.
const WIDTH_SAMPLE_EVENTS: usize = 1000;

const NAME_STYLE: Style = Style::new().bold();
const FAINT_STYLE: Style = Style::new().dimmed();
const INTERRUPT_STYLE: Style = AnsiColor::Magenta.on_default();
const THREAD_STYLE: Style = AnsiColor::Cyan.on_default();

/// A table of events that can be appended to.
pub(crate) struct EventTable {
    columns: Vec<Column>,
    /// The width of each column so far; empty before the header is written.
    widths: Vec<usize>,
}

impl EventTable {
    /// Creates a table of these columns, or of the default columns if there are
    /// none.
    pub(crate) fn new(columns: Vec<Column>) -> Self {
        Self {
            columns,
            widths: Vec::new(),
        }
    }

    /// Appends events. Returns their number.
    pub(crate) fn append(
        &mut self,
        values: &ColumnValues<'_>,
        selection: &EventSelection<'_>,
    ) -> anyhow::Result<u64> {
        if self.columns.is_empty() {
            self.columns = values.default_columns();
        }
        let coloured = output::is_coloured();
        let faint = coloured.then_some(FAINT_STYLE);
        let mut output = output::stdout();
        let is_begun = !self.widths.is_empty();
        self.widen(values, selection);
        if !is_begun {
            let mut head = String::new();
            for (column, width) in self.columns.iter().zip(&self.widths) {
                pad(&mut head, column.name(), *width, column.is_number());
            }
            paint(&mut output, faint, head.trim_end())?;
            writeln!(output)?;
        }
        let trace = values.trace();
        selection.write(output, |rows, text| {
            let (mut line, mut value) = (String::new(), String::new());
            for row in rows {
                if let Row::Event(event) = row
                    && trace.is_restart(event.index)
                {
                    paint(text, faint, "target restarted")?;
                    text.push(b'\n');
                }
                let mut pending = 0;
                for (column, width) in self.columns.iter().zip(&self.widths) {
                    value.clear();
                    values.append_row(&mut value, *column, row);
                    line.clear();
                    pad(&mut line, &value, *width, column.is_number());
                    let shown = line.trim_end();
                    if shown.is_empty() {
                        pending += line.len();
                        continue;
                    }
                    write!(text, "{:pending$}", "")?;
                    let style = match row {
                        Row::Event(event) if coloured => column_style(trace, *column, event),
                        _ => faint,
                    };
                    paint(text, style, shown)?;
                    pending = line.len() - shown.len();
                }
                text.push(b'\n');
            }
            Ok(())
        })
    }

    /// Widens the columns to fit a sample of the events.
    fn widen(&mut self, values: &ColumnValues<'_>, selection: &EventSelection<'_>) {
        if self.widths.is_empty() {
            let names = self.columns.iter().map(|column| column.name().len());
            self.widths = names.collect();
        }
        let mut value = String::new();
        for row in selection.rows().take(WIDTH_SAMPLE_EVENTS) {
            for (column, width) in self.columns.iter().zip(&mut self.widths) {
                value.clear();
                values.append_row(&mut value, *column, &row);
                *width = (*width).max(value.chars().count());
            }
        }
    }
}

fn pad(line: &mut String, value: &str, width: usize, right: bool) {
    let fill = width.saturating_sub(value.chars().count());
    if right {
        line.extend(std::iter::repeat_n(' ', fill));
        line.push_str(value);
    } else {
        line.push_str(value);
        line.extend(std::iter::repeat_n(' ', fill));
    }
    line.push_str("  ");
}

fn column_style(trace: &Trace, column: Column, event: &Event) -> Option<Style> {
    match column {
        Column::Kind => Some(NAME_STYLE),
        Column::Event | Column::Timestamp => Some(FAINT_STYLE),
        Column::Context => match trace.contexts.get(event.context)?.kind {
            ContextKind::Thread => Some(THREAD_STYLE),
            ContextKind::Interrupt => Some(INTERRUPT_STYLE),
            ContextKind::Initialize | ContextKind::Idle => Some(FAINT_STYLE),
        },
        _ => None,
    }
}

fn paint(output: &mut impl Write, style: Option<Style>, text: &str) -> std::io::Result<()> {
    match style {
        Some(style) => write!(output, "{style}{text}{style:#}"),
        None => output.write_all(text.as_bytes()),
    }
}
