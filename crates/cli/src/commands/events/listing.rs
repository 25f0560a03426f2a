//! An event listing that can be appended to.

use super::column::{Column, ColumnValues};
use super::selection::EventSelection;
use super::serialize;
use super::text_table::EventTable;
use clap::{Args, ValueEnum};
use std::fmt::Write as _;

/// The options of an event listing.
#[derive(Args)]
pub(crate) struct ListingArgs {
    /// Columns to show, in this order
    #[arg(
        long,
        value_name = "COLUMNS",
        value_delimiter = ',',
        hide_possible_values = true,
        long_help = columns_help()
    )]
    pub(crate) columns: Vec<Column>,

    /// Output format; json writes one object per line
    #[arg(short, long, default_value = "text")]
    format: ListingFormat,
}

#[derive(Clone, Copy, ValueEnum)]
enum ListingFormat {
    Text,
    Csv,
    #[value(aliases = ["jsonl", "json-lines", "ndjson"])]
    Json,
}

/// All columns with what they hold.
fn columns_help() -> String {
    let mut text = "Columns to show, in this order".to_owned();
    for value in Column::value_variants()
        .iter()
        .filter_map(Column::to_possible_value)
    {
        let _ = write!(
            text,
            "\n- {}: {}",
            value.get_name(),
            value.get_help().cloned().unwrap_or_default()
        );
    }
    text
}

/// An event listing that can be appended to.
pub(crate) enum Listing {
    Table(EventTable),
    Csv {
        columns: Vec<Column>,
        has_header: bool,
    },
    Json {
        columns: Vec<Column>,
    },
}

impl ListingArgs {
    /// Creates an empty listing. As CSV, it has a column for text by default if there are
    /// text logs.
    pub(crate) fn listing(&self, has_text_logs: bool) -> Listing {
        let mut columns = self.columns.clone();
        if columns.is_empty() && has_text_logs && matches!(self.format, ListingFormat::Csv) {
            columns.extend(Column::CSV.into_iter().chain([Column::Arguments]));
        }
        match self.format {
            ListingFormat::Text => Listing::Table(EventTable::new(columns)),
            ListingFormat::Csv => Listing::Csv {
                columns,
                has_header: false,
            },
            ListingFormat::Json => Listing::Json { columns },
        }
    }
}

impl Listing {
    /// Whether this is the text listing.
    pub(crate) const fn is_text(&self) -> bool {
        matches!(self, Self::Table(_))
    }

    /// Writes events to standard output. Returns their number.
    pub(crate) fn append(
        &mut self,
        values: &ColumnValues<'_>,
        selection: &EventSelection<'_>,
    ) -> anyhow::Result<u64> {
        match self {
            Self::Table(table) => table.append(values, selection),
            Self::Csv {
                columns,
                has_header: is_begun,
            } => {
                let with_head = !std::mem::replace(is_begun, true);
                serialize::write_csv(values, selection, columns, with_head)
            }
            Self::Json { columns } => serialize::write_json_lines(values, selection, columns),
        }
    }
}
