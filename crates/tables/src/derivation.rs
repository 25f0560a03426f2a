//! Columns that follow from other columns of the same row: files of the first versions, and of
//! other tools, lack these.

use crate::{Column, ColumnType, Table};

/// How a column follows from others of its table, given by their indexes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Derivation {
    /// Ticks in nanoseconds, rounded down; null if the ticks are, or if the clock does not
    /// count time.
    Nanoseconds {
        /// The column in ticks.
        ticks: usize,
    },
    /// The time from a start to an end.
    Difference {
        /// The column with the end.
        end: usize,
        /// The column with the start.
        start: usize,
    },
}

/// Columns that are the difference of two others: name, end, start.
const DIFFERENCES: [[&str; 3]; 2] = [
    ["duration", "end", "start"],
    ["latency", "to_time", "from_time"],
];

impl Table {
    /// How a column follows from others, if it does in recordings that are not damaged.
    pub fn derivation(self, column: usize) -> Option<Derivation> {
        let of = self.columns().get(column)?;
        let ticks = |name: &str| {
            let index = self.column_index(name)?;
            let column = self.columns().get(index)?;
            (column.unit == Some("ticks")).then_some((index, column))
        };
        if let Some(name) = of
            .name
            .strip_suffix("_ns")
            .filter(|_| of.unit == Some("ns"))
        {
            let (ticks, _) = ticks(name)?;
            return Some(Derivation::Nanoseconds { ticks });
        }
        let has_value = |column: &Column| !column.nullable && column.column_type == ColumnType::I64;
        let [_, end, start] = DIFFERENCES.iter().find(|names| names[0] == of.name)?;
        let (end, end_column) = ticks(end)?;
        let (start, start_column) = ticks(start)?;
        let all = [of, end_column, start_column];
        (of.unit == Some("ticks") && all.into_iter().all(has_value))
            .then_some(Derivation::Difference { end, start })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;

    #[test]
    fn durations_and_nanoseconds_follow_from_others() {
        let derivation = |table: Table, name| table.derivation(table.column_index(name).unwrap());
        let [start, end, duration] =
            ["start", "end", "duration"].map(|name| Table::Slices.column_index(name).unwrap());
        let difference = Derivation::Difference { end, start };
        assert_eq!(derivation(Table::Slices, "duration"), Some(difference));
        let nanoseconds = Derivation::Nanoseconds { ticks: duration };
        assert_eq!(derivation(Table::Slices, "duration_ns"), Some(nanoseconds));
        assert_eq!(derivation(Table::Slices, "end"), None);
        assert_eq!(derivation(Table::Slices, "file"), None);
        // They can be null without the others.
        assert_eq!(derivation(Table::Markers, "duration"), None);
        assert!(derivation(Table::Flows, "latency").is_some());
    }
}
