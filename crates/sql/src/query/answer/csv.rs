//! Answers as CSV.

use super::Answer;
use arrow::array::{Array as _, ArrayRef, RecordBatch, StringArray};
use arrow::csv::{Writer, WriterBuilder};
use arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use std::io::Write;
use std::sync::Arc;

/// A line of names, and a line for each row.
pub(super) struct Lines<W: Write> {
    schema: SchemaRef,
    writer: Writer<W>,
}

impl<W: Write> Lines<W> {
    pub(super) fn new(schema: &SchemaRef, output: W) -> anyhow::Result<Self> {
        let fields = schema.fields().iter().map(|field| match is_text(field) {
            true => Arc::new(Field::new(field.name(), DataType::Utf8, true)),
            false => field.clone(),
        });
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let mut writer = WriterBuilder::new().with_header(true).build(output);
        // The names are there also where no row is.
        writer.write(&RecordBatch::new_empty(schema.clone()))?;
        Ok(Self { schema, writer })
    }
}

impl<W: Write> Answer for Lines<W> {
    fn add(&mut self, rows: &RecordBatch) -> anyhow::Result<()> {
        let schema = rows.schema();
        let columns = rows.columns().iter().zip(schema.fields());
        let columns = columns.map(|(column, field)| match is_text(field) {
            true => text(column),
            false => Ok(column.clone()),
        });
        let columns = columns.collect::<Result<_, _>>()?;
        let rows = RecordBatch::try_new(self.schema.clone(), columns)?;
        Ok(self.writer.write(&rows)?)
    }

    fn finish(self: Box<Self>) -> anyhow::Result<()> {
        Ok(self.writer.into_inner().flush()?)
    }
}

/// Whether a column is written as the text that people see of it: CSV knows no
/// lists, and no bytes.
fn is_text(field: &FieldRef) -> bool {
    field.data_type().is_nested() || field.data_type().is_binary()
}

fn text(column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let options = FormatOptions::new();
    let formatter = ArrayFormatter::try_new(column, &options)?;
    let texts = (0..column.len()).map(|row| match column.is_null(row) {
        true => Ok(None),
        false => formatter.value(row).try_to_string().map(Some),
    });
    let texts: StringArray = texts.collect::<Result<_, _>>()?;
    Ok(Arc::new(texts))
}
