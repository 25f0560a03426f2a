//! The values of a line.

use crate::decimal::time_unit;
use crate::mapping::{FieldDef, FieldType, FieldValue, MappingTables};
use std::collections::HashMap;
use std::ops::Range;

/// Maximum number of columns: those of a line are bits of a number.
pub(super) const MAX_COLUMNS: usize = 64;

/// The names of the columns, and which of them have a meaning for every event.
#[derive(Debug, Clone, Default)]
pub(super) struct Columns {
    pub(super) names: Vec<String>,
    numbers: HashMap<Box<str>, usize>,
    pub(super) time: Option<usize>,
    /// The power of ten of the unit of times, if the name has one.
    pub(super) unit: Option<i32>,
    pub(super) event: Option<usize>,
    pub(super) core: Option<usize>,
}

impl Columns {
    /// The number of the column with a name, which is added if it is new; `None` if there are too
    /// many.
    pub(super) fn find_or_add(&mut self, name: &str, tables: &MappingTables) -> Option<usize> {
        if let Some(known) = self.numbers.get(name) {
            return Some(*known);
        }
        let number = self.names.len();
        if number >= MAX_COLUMNS {
            return None;
        }
        let (base, unit) = time_unit(name.as_bytes());
        if self.time.is_none() && tables.is_time(base) {
            (self.time, self.unit) = (Some(number), unit);
        } else if self.event.is_none() && tables.is_event(name) {
            self.event = Some(number);
        } else if self.core.is_none() && matches!(name, "core" | "cpu") {
            self.core = Some(number);
        }
        self.names.push(name.to_owned());
        self.numbers.insert(name.into(), number);
        Some(number)
    }

    /// Whether a line can be an event.
    pub(super) fn is_complete(&self) -> bool {
        self.time.is_some() && self.event.is_some()
    }
}

/// The value of a column.
#[derive(Debug, Clone, Default)]
struct Cell {
    text: Range<usize>,
    /// Whether it is a text even if it looks like a number.
    is_text: bool,
}

/// The values of a line, by column. Used for one line after the other.
#[derive(Debug, Clone, Default)]
pub(super) struct Row {
    cells: Vec<Cell>,
    text: Vec<u8>,
}

impl Row {
    /// Removes all values.
    pub(super) fn clear(&mut self) {
        self.cells.clear();
        self.text.clear();
    }

    /// Sets the value of a column.
    pub(super) fn set(&mut self, column: usize, text: &[u8], is_text: bool) {
        let start = self.text.len();
        self.text.extend_from_slice(text);
        if self.cells.len() <= column {
            self.cells.resize(column + 1, Cell::default());
        }
        if let Some(cell) = self.cells.get_mut(column) {
            *cell = Cell {
                text: start..self.text.len(),
                is_text,
            };
        }
    }

    /// The text of a column; empty if it has no value.
    pub(super) fn text(&self, column: Option<usize>) -> &[u8] {
        let cell = column.and_then(|column| self.cells.get(column));
        let text = cell.and_then(|cell| self.text.get(cell.text.clone()));
        text.unwrap_or_default()
    }

    /// The number of a column; the highest one if it is larger.
    pub(super) fn number(&self, column: Option<usize>) -> Option<u32> {
        match value(self.text(column), false) {
            FieldValue::Unsigned(number) => Some(u32::try_from(number).unwrap_or(u32::MAX)),
            FieldValue::Signed(_) | FieldValue::Text(_) => None,
        }
    }

    /// The columns with values but time and event, and their values.
    pub(super) fn fields<'r>(
        &'r self,
        columns: &Columns,
    ) -> impl Iterator<Item = (usize, FieldValue<'r>)> + use<'r> {
        let (time, event) = (columns.time, columns.event);
        let cells = self.cells.iter().enumerate();
        cells.filter_map(move |(column, cell)| {
            let text = self.text.get(cell.text.clone()).unwrap_or_default();
            let is_field = Some(column) != time && Some(column) != event && !text.is_empty();
            is_field.then(|| (column, value(text, cell.is_text)))
        })
    }
}

fn value(text: &[u8], is_text: bool) -> FieldValue<'_> {
    let number = std::str::from_utf8(text).ok().filter(|_| !is_text);
    let number = number.and_then(|text| {
        let hex = text
            .strip_prefix("0x")
            .map(|hex| u64::from_str_radix(hex, 16));
        if let Some(Ok(hex)) = hex {
            return Some(FieldValue::Unsigned(hex));
        }
        let unsigned = text.parse().ok().map(FieldValue::Unsigned);
        unsigned.or_else(|| text.parse().ok().map(FieldValue::Signed))
    });
    number.unwrap_or(FieldValue::Text(text))
}

/// The definition of a field with a value like this one.
pub(super) fn field(name: &str, value: FieldValue<'_>) -> FieldDef {
    FieldDef {
        name: name.to_owned(),
        field_type: match value {
            FieldValue::Unsigned(_) => FieldType::Unsigned,
            FieldValue::Signed(_) => FieldType::Signed,
            FieldValue::Text(_) => FieldType::Text,
        },
        bits: 64,
    }
}
