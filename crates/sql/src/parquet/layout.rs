//! The columns of a Parquet file.

use crate::AnalyzedRecording;
use crate::arrow::{PartitionColumns, TableBatches, schema};
use crate::ticks::ticks_to_ns;
use arrow::array::{ArrayRef, AsArray as _, Int64Array, PrimitiveArray};
use arrow::datatypes::{DataType, Field, Int64Type, Schema, SchemaRef};
use arrow::error::ArrowError;
use rtoscope_command::export::dataset::{TICKS_PER_SECOND, Tag};
use rtoscope_tables::{Derivation, Table};
use rtoscope_trace::Frequency;
use std::ops::Range;
use std::sync::Arc;

/// Rows that are compared with their derivation at a time.
const BATCH_ROWS: usize = 1 << 16;

/// The columns of a file.
pub(super) struct FileColumns {
    schema: SchemaRef,
    sources: Vec<ColumnSource>,
    tags: PartitionColumns,
}

/// The values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ColumnSource {
    /// A column of the table.
    Table(usize),
    Tag(usize),
    /// The frequency from which nanoseconds follow.
    TicksPerSecond(Option<Frequency>),
}

impl FileColumns {
    /// All columns of a table, followed by tags.
    pub(super) fn all(table: Table, tags: &[Tag]) -> Self {
        let columns = (0..table.columns().len()).map(ColumnSource::Table);
        let sources = columns.chain((0..tags.len()).map(ColumnSource::Tag));
        let tags = PartitionColumns::new(table, tags);
        Self {
            schema: Arc::clone(tags.schema()),
            sources: sources.collect(),
            tags,
        }
    }

    /// The columns of a table without those that follow from others, and the frequency of
    /// the clock.
    pub(super) fn compact(table: Table, rows: Option<&TableBatches<'_>>) -> Self {
        let ticks_per_second = rows.and_then(|rows| ticks_per_second(rows.recording()));
        let derived: Vec<_> = (0..table.columns().len())
            .filter_map(|column| Some((column, table.derivation(column)?)))
            .collect();
        let follows = |&(column, derivation): &(usize, Derivation)| {
            rows.is_none_or(|rows| follows(rows, column, derivation, ticks_per_second))
        };
        let (nanoseconds, differences): (Vec<_>, Vec<_>) = derived
            .into_iter()
            .partition(|(_, derivation)| matches!(derivation, Derivation::Nanoseconds { .. }));
        // Without a frequency, no column in nanoseconds follows.
        let has_time = nanoseconds.iter().all(follows);
        let nanoseconds = nanoseconds.into_iter().filter(|_| has_time);
        let differences = differences.into_iter().filter(follows);
        let omitted: Vec<_> = nanoseconds
            .chain(differences)
            .map(|(column, _)| column)
            .collect();
        let columns = 0..table.columns().len();
        let columns = columns.filter(|column| !omitted.contains(column));
        let mut sources: Vec<_> = columns.map(ColumnSource::Table).collect();
        let schema = schema(table);
        let mut fields: Vec<_> = sources
            .iter()
            .filter_map(|source| match source {
                ColumnSource::Table(column) => schema.fields().get(*column).cloned(),
                _ => None,
            })
            .collect();
        let has_nanoseconds = (0..table.columns().len()).any(|column| {
            matches!(
                table.derivation(column),
                Some(Derivation::Nanoseconds { .. })
            )
        });
        if has_nanoseconds {
            sources.push(ColumnSource::TicksPerSecond(
                ticks_per_second.filter(|_| has_time),
            ));
            fields.push(Arc::new(Field::new(
                TICKS_PER_SECOND,
                DataType::Int64,
                true,
            )));
        }
        Self {
            schema: Arc::new(Schema::new(fields)),
            sources,
            tags: PartitionColumns::new(table, &[]),
        }
    }

    pub(super) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The index in the file of a column of the table.
    pub(super) fn index_of(&self, column: usize) -> Option<usize> {
        let mut sources = self.sources.iter();
        sources.position(|source| *source == ColumnSource::Table(column))
    }

    /// The values of a column of the file.
    pub(super) fn values(
        &self,
        batches: &TableBatches<'_>,
        rows: Range<usize>,
        column: usize,
    ) -> Result<ArrayRef, ArrowError> {
        Ok(match self.sources.get(column) {
            Some(ColumnSource::Table(column)) => batches.column(rows, *column)?,
            Some(ColumnSource::Tag(tag)) => self.tags.values(*tag, rows.len())?,
            Some(ColumnSource::TicksPerSecond(Some(frequency))) => {
                let hertz = i64::try_from(frequency.hertz()).unwrap_or(i64::MAX);
                Arc::new(Int64Array::from_value(hertz, rows.len()))
            }
            Some(ColumnSource::TicksPerSecond(None)) | None => {
                Arc::new(Int64Array::new_null(rows.len()))
            }
        })
    }
}

/// The frequency of a recording whose clock counts time.
fn ticks_per_second(recording: &AnalyzedRecording) -> Option<Frequency> {
    let frequency = recording.trace.timescale().frequency()?;
    // SQL computes with a floating-point number.
    Some(frequency).filter(|frequency| frequency.hertz() <= 1 << f64::MANTISSA_DIGITS)
}

/// Whether a column follows from others in all rows.
fn follows(
    rows: &TableBatches<'_>,
    column: usize,
    derivation: Derivation,
    ticks_per_second: Option<Frequency>,
) -> bool {
    (0..rows.len()).step_by(BATCH_ROWS).all(|first| {
        let range = first..rows.len().min(first + BATCH_ROWS);
        let values = |column| {
            let values = rows.column(range.clone(), column).ok()?;
            values.as_primitive_opt::<Int64Type>().cloned()
        };
        let derived = match derivation {
            Derivation::Nanoseconds { ticks } => {
                values(ticks).map(|ticks| nanoseconds(&ticks, ticks_per_second))
            }
            Derivation::Difference { end, start } => {
                let both = values(end).zip(values(start));
                both.map(|(end, start)| {
                    let pairs = end.values().iter().zip(start.values());
                    pairs.map(|(end, start)| end.checked_sub(*start)).collect()
                })
            }
        };
        derived.is_some_and(|derived| values(column) == Some(derived))
    })
}

/// Ticks in nanoseconds; null without a frequency.
fn nanoseconds(
    ticks: &PrimitiveArray<Int64Type>,
    ticks_per_second: Option<Frequency>,
) -> Int64Array {
    let ticks = ticks.iter();
    ticks
        .map(|ticks| ticks_to_ns(ticks?, ticks_per_second?))
        .collect()
}
