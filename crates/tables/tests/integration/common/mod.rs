//! Recordings for tests of tables, and tables that are easy to inspect.

use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::timing::TimingDeclarations;
use rtoscope_decode::source::{Input, Source as File};
use rtoscope_decode::{BufferChoice, DecodeOptions, DecodedRecording, UnpackedInput};
use rtoscope_fixtures::{recordings_and_shared, recordings_in, shared_traces};
use rtoscope_tables::{ColumnData, ColumnValues, Table, TableRows};
use rtoscope_trace::{Frequency, TextLog};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A recording with its analysis, and the tables that tests have read.
pub(crate) struct TestRecording(AnalyzedRecording, RefCell<BTreeMap<&'static str, Rc<Grid>>>);

impl Deref for TestRecording {
    type Target = AnalyzedRecording;

    fn deref(&self) -> &AnalyzedRecording {
        &self.0
    }
}

impl TestRecording {
    pub(crate) fn new(name: &str, recording: DecodedRecording) -> Self {
        let DecodedRecording { trace, format_info } = recording;
        let analyzed = AnalyzedRecording::new(name, name, trace, &format_info);
        Self(analyzed, RefCell::default())
    }

    /// Opens a file with a clock of 25 MHz, unless it has its own.
    pub(crate) fn open(path: &Path) -> Option<Self> {
        let recording = decode(path)?;
        Some(Self::new(&path.display().to_string(), recording))
    }

    pub(crate) fn apply_timing(&mut self, timing: &TimingDeclarations) {
        self.0.apply_timing(timing).unwrap();
        self.1.take();
    }

    pub(crate) fn add_text_log(&mut self, log: TextLog) {
        self.0.text_logs.push(log);
        self.1.take();
    }

    pub(crate) fn grid(&self, table: Table) -> Rc<Grid> {
        let mut grids = self.1.borrow_mut();
        let grid = grids.entry(table.name());
        Rc::clone(grid.or_insert_with(|| Rc::new(Grid::of(table, self))))
    }
}

/// The repository's recordings, and those next to the repository, if any.
pub(crate) fn recordings() -> Vec<PathBuf> {
    let folders = ["threadx", "rkh", "firmware"];
    let mut all: Vec<_> = folders
        .into_iter()
        .flat_map(recordings_and_shared)
        .collect();
    all.extend(recordings_in(&shared_traces("tracex-samples")));
    all
}

/// Generated recordings.
pub(crate) fn generated() -> [TestRecording; 3] {
    let mut threadx = Vec::new();
    let settings = rtoscope_generate::ThreadXOptions {
        events: 6_000,
        cores: 2,
        inheritance: true,
        timeouts: true,
        shared_objects: true,
        ..Default::default()
    };
    rtoscope_generate::write(&settings, &mut threadx, &mut |_| ()).unwrap();
    let mut rkh = Vec::new();
    let settings = rtoscope_generate::rkh::RkhOptions {
        records: 6_000,
        losses: true,
        ..Default::default()
    };
    rtoscope_generate::rkh::write(&settings, &mut rkh, &mut |_| ()).unwrap();
    let mut cswitch = Vec::new();
    let settings = rtoscope_generate::cswitch::CswitchOptions {
        entries: 6_000,
        ..Default::default()
    };
    rtoscope_generate::cswitch::write(&settings, &mut cswitch, &mut |_| ()).unwrap();
    let all = [("threadx", threadx), ("rkh", rkh), ("cswitch", cswitch)];
    all.map(|(name, bytes)| {
        let content = UnpackedInput::open(Input::new(&bytes), BufferChoice::First, None).unwrap();
        let recording = content.decode(&DecodeOptions::default()).unwrap();
        TestRecording::new(&format!("generated {name}"), recording)
    })
}

/// Calls `check` with each recording that can be decoded.
pub(crate) fn each(check: impl Fn(&TestRecording)) {
    let opened = recordings().into_iter();
    let opened = opened.filter_map(|path| TestRecording::open(&path));
    let count = opened.chain(generated()).inspect(&check).count();
    assert!(count > 30, "only {count} recordings");
}

/// A file of the repository's test data.
pub(crate) fn open(name: &str) -> TestRecording {
    TestRecording::open(&path(name)).unwrap()
}

/// The same, not analysed.
pub(crate) fn recording(name: &str) -> DecodedRecording {
    decode(&path(name)).unwrap()
}

fn path(name: &str) -> PathBuf {
    rtoscope_fixtures::testdata(name)
}

fn decode(path: &Path) -> Option<DecodedRecording> {
    let mut options = DecodeOptions::default();
    options.threadx.clock.frequency = Frequency::from_hertz(25_000_000);
    let file = File::open(path).unwrap();
    let content = UnpackedInput::open(file.input(), BufferChoice::First, None).ok()?;
    content.decode(&options).ok()
}

/// A value in a table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell {
    Missing,
    Bool(bool),
    Number(i128),
    Fraction(f64),
    Text(String),
}

impl Cell {
    pub(crate) fn number(&self) -> i128 {
        match self {
            Self::Number(number) => *number,
            other => panic!("{other:?} is not a number"),
        }
    }

    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            other => panic!("{other:?} is not text"),
        }
    }

    pub(crate) fn is(&self, text: &str) -> bool {
        matches!(self, Self::Text(own) if own == text)
    }
}

/// The cells of a column.
pub(crate) fn cells(values: &ColumnValues) -> Vec<Cell> {
    let cell = |row: usize| match &values.data {
        _ if !values.is_valid(row) => Cell::Missing,
        ColumnData::Bool(values) => Cell::Bool(values[row]),
        ColumnData::U8(values) => Cell::Number(values[row].into()),
        ColumnData::U16(values) => Cell::Number(values[row].into()),
        ColumnData::U32(values) => Cell::Number(values[row].into()),
        ColumnData::U64(values) => Cell::Number(values[row].into()),
        ColumnData::I64(values) => Cell::Number(values[row].into()),
        ColumnData::F64(values) => Cell::Fraction(values[row]),
        ColumnData::Strings { strings, codes } => {
            Cell::Text(strings.get(codes[row] as usize).unwrap().to_owned())
        }
    };
    (0..values.len()).map(cell).collect()
}

/// A complete table.
pub(crate) struct Grid {
    columns: BTreeMap<&'static str, Vec<Cell>>,
    rows: usize,
}

impl Grid {
    pub(crate) fn of(table: Table, source: &AnalyzedRecording) -> Self {
        let rows = TableRows::new(table, source);
        let all: Vec<_> = (0..table.columns().len()).collect();
        let batch = rows.batch(0..rows.len(), &all);
        let names = table.columns().iter().map(|column| column.name);
        Self {
            columns: names.zip(batch.iter().map(cells)).collect(),
            rows: rows.len(),
        }
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        (0..self.rows).map(|row| Row(self, row))
    }

    /// The sum of a column over the rows that match.
    pub(crate) fn sum(&self, column: &str, matches_row: impl Fn(&Row<'_>) -> bool) -> i128 {
        let rows = self.rows().filter(matches_row);
        rows.map(|row| row.number(column)).sum()
    }

    pub(crate) fn count(&self, matches_row: impl Fn(&Row<'_>) -> bool) -> i128 {
        self.rows().filter(matches_row).count() as i128
    }
}

/// A row of a table.
pub(crate) struct Row<'g>(&'g Grid, usize);

impl<'g> Row<'g> {
    pub(crate) fn get(&self, column: &str) -> &'g Cell {
        &self.0.columns[column][self.1]
    }

    pub(crate) fn number(&self, column: &str) -> i128 {
        self.get(column).number()
    }

    pub(crate) fn text(&self, column: &str) -> &'g str {
        self.get(column).text()
    }

    /// `None` if the value is missing.
    pub(crate) fn known(&self, column: &str) -> Option<&'g Cell> {
        Some(self.get(column)).filter(|cell| **cell != Cell::Missing)
    }

    pub(crate) fn is(&self, column: &str, text: &str) -> bool {
        self.get(column).is(text)
    }

    pub(crate) fn holds(&self, column: &str) -> bool {
        *self.get(column) == Cell::Bool(true)
    }
}
