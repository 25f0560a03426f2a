//! Common code of the tests of file formats.

use arrow::array::RecordBatch;
use clap::Parser;
use rtoscope_command::export::ExportArgs;
use rtoscope_sql::AnalyzedRecording;
use rtoscope_sql::arrow::TableBatches;
use rtoscope_tables::Table;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

/// Recordings of all three formats.
pub(crate) const RECORDINGS: [&str; 7] = [
    "threadx/cm3_system.trx",
    "threadx/smp32_cores.trx",
    "threadx/linux64_wrap.trx",
    "rkh/allrec_base.bin",
    "rkh/dmg_flip.bin",
    "rkh/ut.bin",
    "firmware/memory.bin.gz",
];

/// A recording of this repository.
pub(crate) fn path(name: &str) -> PathBuf {
    rtoscope_fixtures::testdata(name)
}

/// Arguments of `rtoscope export`.
pub(crate) fn arguments<I: IntoIterator<Item: Into<OsString>>>(words: I) -> ExportArgs {
    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        export: ExportArgs,
    }
    let words = words.into_iter().map(Into::into);
    let words: Vec<OsString> = [OsString::from("export")]
        .into_iter()
        .chain(words)
        .collect();
    Cli::try_parse_from(words).unwrap().export
}

/// A recording of this repository, opened.
pub(crate) fn open(name: &str) -> Arc<AnalyzedRecording> {
    let mut words = vec![path(name).into_os_string(), "--to=parquet".into()];
    words.push("--clock=25MHz".into());
    if name == "firmware/memory.bin.gz" {
        words.extend(["--symbols".into(), path("firmware/demo.elf").into()]);
        words.push("-Olog-base=0x20000000".into());
    }
    Arc::new(arguments(words).open().next().unwrap().unwrap())
}

/// All rows of a table.
pub(crate) fn rows(opened: &Arc<AnalyzedRecording>, table: Table) -> RecordBatch {
    let batches = TableBatches::new(opened, table);
    let columns: Vec<usize> = (0..table.columns().len()).collect();
    batches.batch(0..batches.len(), &columns).unwrap()
}
