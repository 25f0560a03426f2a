//! A list of events that grows at its end.

use super::column::{Column, Values};
use super::machine;
use super::select::Selection;
use super::text::Table;
use clap::{Args, ValueEnum};

/// How events are listed.
#[derive(Args)]
pub(crate) struct ListingArguments {
    /// What to show of each event, in this order
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) columns: Vec<Column>,

    /// How to write them; json is one object a line
    #[arg(short, long, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Text,
    Csv,
    #[value(aliases = ["jsonl", "json-lines", "ndjson"])]
    Json,
}

/// A list of events.
pub(crate) enum Listing {
    Text(Table),
    Csv {
        columns: Vec<Column>,
        is_begun: bool,
    },
    Json {
        columns: Vec<Column>,
    },
}

impl ListingArguments {
    /// An empty list.
    pub(crate) fn listing(&self) -> Listing {
        let columns = self.columns.clone();
        match self.format {
            Format::Text => Listing::Text(Table::new(columns)),
            Format::Csv => Listing::Csv {
                columns,
                is_begun: false,
            },
            Format::Json => Listing::Json { columns },
        }
    }
}

impl Listing {
    /// An empty list for people.
    pub(crate) fn text() -> Self {
        Self::Text(Table::new(Vec::new()))
    }

    /// Whether people are to read it.
    pub(crate) const fn is_for_people(&self) -> bool {
        matches!(self, Self::Text(_))
    }

    /// Writes events to standard output. Returns how many.
    pub(crate) fn append(
        &mut self,
        values: &Values<'_>,
        selection: &Selection<'_>,
    ) -> anyhow::Result<u64> {
        match self {
            Self::Text(table) => table.append(values, selection),
            Self::Csv { columns, is_begun } => {
                let with_head = !std::mem::replace(is_begun, true);
                machine::csv(values, selection, columns, with_head)
            }
            Self::Json { columns } => machine::json_lines(values, selection, columns),
        }
    }
}
