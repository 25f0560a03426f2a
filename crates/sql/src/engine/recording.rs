//! A recording that is decoded and analysed on demand.

use crate::AnalyzedRecording;
use crate::arrow::TableBatches;
use arrow::array::RecordBatch;
use rtoscope_tables::Table;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Decodes a recording with a name and an identifier; whether for the first time.
type OpenRecording = dyn Fn(&str, &str, bool) -> anyhow::Result<AnalyzedRecording> + Send + Sync;

/// A recording that is decoded and analysed on demand.
pub(crate) struct LazyRecording {
    name: String,
    id: String,
    /// The size of its file, if it is a file.
    bytes: u64,
    open: Option<Box<OpenRecording>>,
    /// Whether it stays in memory, because it cannot be decoded again.
    is_kept: bool,
    was_opened: AtomicBool,
    /// Locked while it is decoded.
    in_memory: Mutex<Option<Arc<AnalyzedRecording>>>,
    /// The number of rows of each table, once determined.
    rows: [OnceLock<usize>; Table::ALL.len()],
    /// Its row in the table `recordings`, once it was decoded: all columns but those that
    /// need the analysis.
    row: OnceLock<Option<RecordBatch>>,
}

/// Columns of the table `recordings` that need the analysis.
const ANALYZED_COLUMNS: [&str; 4] = ["findings", "deadlines", "judged_deadlines", "diagnostics"];

impl LazyRecording {
    /// A recording that `open` decodes, from a file of this size.
    pub(super) fn new(name: String, id: String, bytes: u64, open: Box<OpenRecording>) -> Self {
        Self {
            name,
            id,
            bytes,
            open: Some(open),
            is_kept: false,
            was_opened: AtomicBool::new(false),
            in_memory: Mutex::default(),
            rows: std::array::from_fn(|_| OnceLock::new()),
            row: OnceLock::new(),
        }
    }

    /// A recording that stays in memory.
    pub(super) fn opened(name: String, id: String, analyzed: AnalyzedRecording) -> Self {
        Self {
            open: None,
            is_kept: true,
            in_memory: Mutex::new(Some(Arc::new(analyzed))),
            ..Self::new(name, id, 0, Box::new(|_, _, _| anyhow::bail!("not a file")))
        }
    }

    /// The recording, which stays in memory.
    pub(super) fn into_kept(self) -> Self {
        Self {
            is_kept: true,
            ..self
        }
    }

    /// The value of the column `file`.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The value of the column `recording_id`.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// The size of its file, about proportional to its number of events.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether it stays in memory.
    pub(super) fn is_kept(&self) -> bool {
        self.is_kept
    }

    fn lock(&self) -> MutexGuard<'_, Option<Arc<AnalyzedRecording>>> {
        self.in_memory
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The recording, if it is in memory.
    pub(super) fn in_memory(&self) -> Option<Arc<AnalyzedRecording>> {
        self.lock().clone()
    }

    /// Decodes the recording, unless it is in memory.
    ///
    /// # Errors
    ///
    /// If it cannot be decoded.
    pub(super) fn open(&self) -> anyhow::Result<Arc<AnalyzedRecording>> {
        let mut in_memory = self.lock();
        if let Some(opened) = &*in_memory {
            return Ok(Arc::clone(opened));
        }
        let Some(open) = &self.open else {
            anyhow::bail!("the recording is not in memory");
        };
        let is_first = !self.was_opened.swap(true, Ordering::Relaxed);
        let opened = Arc::new(open(&self.name, &self.id, is_first)?);
        self.row.get_or_init(|| {
            let columns = decoded_columns();
            TableBatches::new(&opened, Table::Recordings)
                .batch(0..1, &columns)
                .ok()
        });
        *in_memory = Some(Arc::clone(&opened));
        Ok(opened)
    }

    /// Drops the recording from memory; queries that use it keep it until they end.
    pub(super) fn drop_from_memory(&self) {
        self.lock().take();
    }

    /// The number of rows of a table, if that is known.
    pub(super) fn known_rows(&self, table: Table) -> Option<usize> {
        let known = self.rows_cell(table)?.get().copied();
        known.or_else(|| Some(self.count_rows(table, &self.in_memory()?)))
    }

    /// Counts the rows of a table of the decoded recording, once.
    pub(super) fn count_rows(&self, table: Table, opened: &Arc<AnalyzedRecording>) -> usize {
        let count = || TableBatches::new(opened, table).len();
        let cell = self.rows_cell(table);
        cell.map_or_else(count, |cell| *cell.get_or_init(count))
    }

    fn rows_cell(&self, table: Table) -> Option<&OnceLock<usize>> {
        let index = Table::ALL.iter().position(|one| *one == table);
        index.and_then(|index| self.rows.get(index))
    }

    /// Columns of its row in the table `recordings`, if they are known without decoding it
    /// again.
    pub(super) fn known_row(&self, columns: &[usize]) -> Option<RecordBatch> {
        let row = self.row.get()?.as_ref()?;
        let decoded = decoded_columns();
        let index = |column: &usize| decoded.iter().position(|one| one == column);
        let indexes: Option<Vec<_>> = columns.iter().map(index).collect();
        row.project(&indexes?).ok()
    }
}

/// The columns of the table `recordings` that are known once it is decoded.
fn decoded_columns() -> Vec<usize> {
    let columns = Table::Recordings.columns().iter().enumerate();
    let decoded = columns.filter(|(_, column)| !ANALYZED_COLUMNS.contains(&column.name));
    decoded.map(|(index, _)| index).collect()
}

impl fmt::Debug for LazyRecording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LazyRecording").field(&self.name).finish()
    }
}
