//! Tables as streams of Arrow record batches.

use crate::background::catch;
use crate::error;
use anyhow::Context as _;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_arrow::{TableStream, TextArrays};
use rtoscope_cli::answers;
use rtoscope_tables::{Table, TableRows};
use std::ffi::CStr;
use std::sync::Arc;

/// The names that the Arrow PyCapsule interface demands.
const SCHEMA: &CStr = c"arrow_schema";
const STREAM: &CStr = c"arrow_array_stream";

/// Readers take dictionaries whose strings differ from batch to batch.
const TEXTS: TextArrays = TextArrays::Dictionary;

/// A column: name, type, unit, description.
type ColumnDescription = (
    &'static str,
    &'static str,
    Option<&'static str>,
    &'static str,
);

/// The name, description and columns of each table.
#[pyfunction]
pub(crate) fn tables() -> Vec<(&'static str, &'static str, Vec<ColumnDescription>)> {
    let describe = |table: &Table| {
        let columns = table.columns().iter();
        let columns = columns.map(|it| (it.name, it.column_type.name(), it.unit, it.about));
        (table.name(), table.about(), columns.collect())
    };
    Table::ALL.iter().map(describe).collect()
}

/// Some columns of a table of a recording.
#[pyclass(frozen, name = "Table", module = "rtoscope._native")]
pub(crate) struct NativeTable {
    recording: Arc<AnalyzedRecording>,
    table: Table,
    columns: Vec<usize>,
}

impl NativeTable {
    /// All columns of a table, or those with the given names.
    pub(crate) fn new(
        recording: Arc<AnalyzedRecording>,
        name: &str,
        columns: Option<&[String]>,
    ) -> anyhow::Result<Self> {
        let table =
            Table::from_name(name).with_context(|| format!("no table is named {name:?}"))?;
        let index = |column: &String| {
            let index = table.column_index(column);
            index.with_context(|| format!("table {name} has no column {column:?}"))
        };
        let columns = match columns {
            Some(columns) => columns.iter().map(index).collect::<Result<_, _>>()?,
            None => (0..table.columns().len()).collect(),
        };
        Ok(Self {
            recording,
            table,
            columns,
        })
    }

    fn stream(&self) -> Result<TableStream, ArrowError> {
        let recording = Arc::clone(&self.recording);
        TableStream::new(recording, self.table, self.columns.clone(), TEXTS)
    }
}

#[pymethods]
impl NativeTable {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let count = |recording: &_| Ok(TableRows::new(self.table, recording).len());
        let rows = || catch(|| answers::made_from(&self.recording, count));
        py.detach(rows)
            .map_err(|cause| error::new(py, &cause, None))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = TEXTS.schema(self.table).project(&self.columns);
        let schema = schema.and_then(|schema| FFI_ArrowSchema::try_from(&schema));
        let schema = schema.map_err(|cause| error::new(py, &cause.into(), None))?;
        PyCapsule::new_with_value(py, schema, SCHEMA)
    }

    /// Another schema is not produced: the interface lets the reader cast.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let stream = py.detach(|| catch(|| Ok(self.stream()?)));
        let stream = stream.map_err(|cause| error::new(py, &cause, None))?;
        let recording = Arc::clone(&self.recording);
        let stream = FFI_ArrowArrayStream::new(Box::new(CaughtStream { stream, recording }));
        PyCapsule::new_with_value(py, stream, STREAM)
    }
}

/// A stream whose panics become errors.
struct CaughtStream {
    stream: TableStream,
    recording: Arc<AnalyzedRecording>,
}

impl Iterator for CaughtStream {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let stream = &mut self.stream;
        let next = |_: &_| stream.next().transpose().map_err(Into::into);
        let next = catch(|| answers::made_from(&self.recording, next));
        let external = |error: anyhow::Error| ArrowError::ExternalError(error.into());
        next.map_err(external).transpose()
    }
}

impl RecordBatchReader for CaughtStream {
    fn schema(&self) -> SchemaRef {
        self.stream.schema()
    }
}
