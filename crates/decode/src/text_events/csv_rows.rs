//! Rows of a CSV file.

use super::row::{Columns, MAX_COLUMNS, Row};
use crate::mapping::MappingTables;
use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

/// Maximum length of a row.
const MAX_ROW_BYTES: usize = 1 << 16;

/// Reads rows.
pub(super) struct CsvRows {
    reader: Reader,
    output: Vec<u8>,
    ends: Vec<usize>,
    /// Number of columns that the first row names.
    count: usize,
    /// The numbers of the columns.
    columns: Vec<Option<usize>>,
}

/// A read row.
pub(super) enum CsvRow {
    /// The text ends.
    End,
    /// The names of the columns.
    Names {
        /// The number of the first name that several columns have.
        repeated: Option<usize>,
    },
    /// The values are in the row.
    Values,
    Rejected(&'static str),
}

impl CsvRows {
    /// Reads a text that begins like this.
    pub(super) fn new(text: &[u8]) -> Self {
        let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let common = [b',', b';', b'\t'];
        let separator = common.into_iter().find(|it| line.contains(it));
        let mut builder = ReaderBuilder::new();
        let reader = builder
            .delimiter(separator.unwrap_or(b','))
            .comment(Some(b'#'));
        Self {
            reader: reader.build(),
            output: vec![0; MAX_ROW_BYTES],
            ends: vec![0; MAX_COLUMNS + 1],
            count: 0,
            columns: Vec::new(),
        }
    }

    /// Reads the row at the start of `bytes`, and returns its length.
    pub(super) fn read(
        &mut self,
        bytes: &[u8],
        columns: &mut Columns,
        tables: &MappingTables,
        row: &mut Row,
    ) -> (CsvRow, usize) {
        let (mut used, mut written, mut found) = (0, 0, 0);
        let mut is_excess = false;
        loop {
            let rest = bytes.get(used..).unwrap_or_default();
            let output = self.output.get_mut(written..).unwrap_or_default();
            let ends = self.ends.get_mut(found..).unwrap_or_default();
            let (result, read, wrote, ended) = self.reader.read_record(rest, output, ends);
            (used, written, found) = (used + read, written + wrote, found + ended);
            match result {
                // An empty input is the end of the text.
                ReadRecordResult::InputEmpty if rest.is_empty() => return (CsvRow::End, used),
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => {
                    is_excess = true;
                    (written, found) = (0, 0);
                }
                ReadRecordResult::Record => break,
                ReadRecordResult::End => return (CsvRow::End, used),
            }
        }
        if is_excess {
            return (
                CsvRow::Rejected("more than 65536 characters, or than 64 columns"),
                used,
            );
        }
        let mut start = 0;
        let ends = self.ends.get(..found).unwrap_or_default();
        let cells = ends.iter().map(|end| {
            let cell = self.output.get(start..*end).unwrap_or_default();
            start = *end;
            cell.trim_ascii()
        });
        if self.count == 0 {
            self.count = found;
            let names = cells.map(String::from_utf8_lossy);
            self.columns = names
                .map(|name| columns.find_or_add(&name, tables))
                .collect();
            let numbers = || self.columns.iter().flatten();
            let is_repeated = |column: &&usize| {
                let has_name = columns.names.get(**column).is_some_and(|it| !it.is_empty());
                has_name && numbers().filter(|it| it == column).count() > 1
            };
            let repeated = numbers().find(is_repeated).copied();
            return (CsvRow::Names { repeated }, used);
        }
        if found != self.count {
            return (
                CsvRow::Rejected("another number of columns than names"),
                used,
            );
        }
        row.clear();
        for (column, cell) in self.columns.iter().zip(cells) {
            if let Some(column) = column {
                row.set(*column, cell, false);
            }
        }
        (CsvRow::Values, used)
    }
}
