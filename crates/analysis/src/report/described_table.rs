//! Tables with their rows, without the type of a row: what renderers read.

use super::ReportKind;
use super::components::{Component, ComponentFigure};
use super::table::{Cell, CellKind, FrontEnd, ReportColumn, TableRow};
use serde::Serialize;
use std::borrow::Cow;

/// A table of a report with its rows, or a list of figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DescribedTable<'r> {
    /// The path of its rows in the JSON document, such as `states.0.states`.
    pub path: Cow<'static, str>,
    /// Its title.
    pub title: &'static str,
    /// The row of another table to which the rows belong, by its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<Cow<'r, str>>,
    /// An explanation of columns; can be empty.
    pub note: &'static str,
    /// The meaning of an empty table.
    pub empty: &'static str,
    /// See [`ReportTable::rank`](super::ReportTable::rank).
    pub rank: &'static str,
    /// Whether the cells of the only row, if there is one, are a list of figures.
    pub is_figures: bool,
    /// The columns, in order.
    pub columns: Vec<ColumnDescription>,
    /// The cells; `None` is unknown or does not apply.
    pub rows: Vec<Vec<Option<Cell<'r>>>>,
}

/// A column of a table, or a figure of a list. See
/// [`ReportColumn`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ColumnDescription {
    /// The path of the value in the row's JSON.
    pub key: Cow<'static, str>,
    /// The label.
    pub label: Cow<'static, str>,
    /// The kind of the values.
    pub kind: CellKind,
    /// The unit, unless the value is a duration; can be empty.
    pub unit: &'static str,
    /// An explanation; can be empty.
    pub hint: &'static str,
    /// Shown for a missing value; can be empty.
    pub missing: &'static str,
    /// The percentages from which on a value is a warning, and an error.
    pub warns: Option<[f64; 2]>,
    /// Whether it is a sum that grows with the recording.
    #[serde(skip)]
    pub is_total: bool,
}

impl<'r> DescribedTable<'r> {
    /// The table of rows as a front end shows it.
    pub fn new<R: TableRow>(rows: impl IntoIterator<Item = &'r R>, front_end: FrontEnd) -> Self {
        let columns: Vec<&ReportColumn<R>> = R::columns(front_end).collect();
        let cells = |row| columns.iter().map(|column| column.cell(row)).collect();
        Self {
            path: R::TABLE.path.into(),
            title: R::TABLE.title,
            of: None,
            note: R::TABLE.note,
            empty: R::TABLE.empty,
            rank: R::TABLE.rank,
            is_figures: false,
            rows: rows.into_iter().map(cells).collect(),
            columns: columns.into_iter().map(ColumnDescription::new).collect(),
        }
    }

    /// The figures of a report that has one row.
    pub fn figures<R: TableRow>(row: &'r R, front_end: FrontEnd) -> Self {
        Self {
            is_figures: true,
            ..Self::new([row], front_end)
        }
    }

    /// The figures of a component other than 0.
    pub fn component(kind: ReportKind, component: &'r Component) -> Self {
        let figures = component.figures.iter().filter(|figure| figure.value > 0);
        let figures = figures.filter(|_| component.has_events);
        let cells: Vec<_> = figures
            .clone()
            .map(|it| Some(Cell::Count(it.value)))
            .collect();
        let column = |figure: &ComponentFigure| ColumnDescription {
            key: figure.name.clone(),
            label: figure.label(),
            kind: CellKind::Count,
            unit: "",
            hint: "",
            missing: "",
            warns: None,
            is_total: true,
        };
        Self {
            path: kind.name().into(),
            title: kind.title(),
            of: None,
            note: "Figures other than 0",
            empty: "No events of this component in the trace",
            rank: "",
            is_figures: true,
            columns: figures.map(column).collect(),
            rows: Some(cells)
                .filter(|cells| !cells.is_empty())
                .into_iter()
                .collect(),
        }
    }

    /// The same for the rows that belong to the row of another table with an index and a name.
    #[must_use]
    pub fn of(self, index: usize, name: impl Into<Cow<'r, str>>) -> Self {
        Self {
            path: self.path.replacen('*', &index.to_string(), 1).into(),
            of: Some(name.into()),
            ..self
        }
    }

    /// The indices of at most `limit` rows, those with the highest values of the ranking
    /// column first. Equal ones keep their order.
    pub fn ranked(&self, limit: usize) -> Vec<usize> {
        let column = self
            .columns
            .iter()
            .position(|column| column.key == self.rank);
        let mut order: Vec<_> = (0..self.rows.len()).collect();
        if let Some(column) = column {
            let value = |row: &usize| {
                let cell = self
                    .rows
                    .get(*row)
                    .and_then(|row| row.get(column)?.as_ref());
                cell.map_or(f64::NEG_INFINITY, Cell::magnitude)
            };
            order.sort_by(|one, other| value(other).total_cmp(&value(one)));
        }
        order.truncate(limit);
        order
    }
}

impl ColumnDescription {
    fn new<R>(column: &ReportColumn<R>) -> Self {
        Self {
            key: column.key.into(),
            label: column.label.into(),
            kind: column.kind,
            unit: column.unit,
            hint: column.hint,
            missing: column.missing,
            warns: column.warns,
            is_total: column.is_total,
        }
    }
}
