//! Output formats.

use super::{SYSTEM, data, query};
use arrow::array::Int64Array;
use arrow::ipc::reader::FileReader;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::ffi::OsStr;
use std::fs::{self, File};

const SQL: &str =
    "SELECT event, context, info4 FROM events WHERE event IN (4, 8, 9) ORDER BY event";

fn query_as(format: &str, sql: &str) -> String {
    let file = data(SYSTEM);
    let format = ["--format".as_ref(), OsStr::new(format), sql.as_ref()];
    query([file.as_os_str()].into_iter().chain(format)).ok()
}

#[test]
fn text_formats_match() {
    let csv = query_as("csv", SQL);
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("event,context,info4"));
    assert_eq!(lines.count(), 3);
    let jsonl = query_as("jsonl", SQL);
    assert!(
        jsonl.starts_with("{\"event\":4,\"context\":\"(interrupt)\","),
        "{jsonl}"
    );
    let array: serde_json::Value = serde_json::from_str(&query_as("json", SQL)).unwrap();
    assert_eq!(array.as_array().unwrap().len(), 3);
    let table = query_as("table", SQL);
    assert!(table.starts_with("event  context"), "{table}");
    assert!(table.ends_with("\n3 rows\n"), "{table}");
}

#[test]
fn empty_results_have_columns() {
    let none = "SELECT event AS a, 'x' AS b FROM events WHERE false";
    assert_eq!(query_as("csv", none), "a,b\n");
    assert_eq!(query_as("jsonl", none), "");
    assert_eq!(query_as("json", none), "[]\n");
    assert_eq!(query_as("table", none), "a  b\n0 rows\n");
}

#[test]
fn duplicate_columns_become_distinct() {
    let sql = "SELECT a.event, b.event, count(*) FROM events a JOIN events b ON a.event = b.event WHERE a.event = 1 GROUP BY a.event, b.event";
    assert_eq!(query_as("csv", sql), "event,event_2,count(*)\n1,1,1\n");
}

#[test]
fn lists_and_nulls_are_written() {
    let sql = "SELECT [1, 2] AS list, NULL AS none, CAST(18446744073709551615 AS BIGINT UNSIGNED) AS most";
    let csv = query_as("csv", sql);
    assert_eq!(csv, "list,none,most\n\"[1, 2]\",,18446744073709551615\n");
    let jsonl = query_as("jsonl", sql);
    assert_eq!(
        jsonl,
        "{\"list\":[1,2],\"none\":null,\"most\":18446744073709551615}\n"
    );
}

#[test]
fn empty_texts_are_not_null() {
    let csv = query_as("csv", "SELECT '' AS a, NULL AS b, ' x' AS c, 'y' AS d");
    assert_eq!(csv, "a,b,c,d\n\"\",,\" x\",y\n");
    // Readers would skip an empty line.
    assert_eq!(query_as("csv", "SELECT NULL AS a"), "a\n\"\"\n");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_reported_once() {
    use std::process::Command;
    let file = data(SYSTEM);
    let export = |format: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope-sql"));
        command.args([
            "export",
            "--table=events",
            "--to",
            format,
            "-o",
            "/dev/full",
        ]);
        super::CommandResult::of(command.arg(&file).output().unwrap())
    };
    let query_full = |format: &str| {
        let sql = "SELECT * FROM events";
        let words = ["-o", "/dev/full", "--format", format, sql].map(AsRef::as_ref);
        query([file.as_os_str()].into_iter().chain(words))
    };
    for result in [
        export("parquet"),
        export("arrow"),
        query_full("parquet"),
        query_full("csv"),
    ] {
        let result = result.error();
        assert_eq!(result.matches("No space left").count(), 1, "{result}");
    }
}

#[test]
fn plans_are_written_in_lines() {
    let plan = query_as("table", "EXPLAIN SELECT event FROM events WHERE event > 1");
    assert!(!plan.contains("\\n"), "{plan}");
    assert!(plan.lines().count() > 4, "{plan}");
}

#[test]
fn files_contain_all_rows() {
    let folder = tempfile::tempdir().unwrap();
    let file = data(SYSTEM);
    let sum = |column: &dyn arrow::array::Array| {
        let values = column.as_any().downcast_ref::<Int64Array>().unwrap();
        values.iter().flatten().sum::<i64>()
    };
    let save = |name: &str| {
        let path = folder.path().join(name);
        let sql = "SELECT event, context FROM events".as_ref();
        query([file.as_os_str(), "-o".as_ref(), path.as_os_str(), sql]).ok();
        path
    };
    let parquet = File::open(save("a.parquet")).unwrap();
    let parquet = ParquetRecordBatchReaderBuilder::try_new(parquet).unwrap();
    let batches = parquet.build().unwrap().map(Result::unwrap);
    assert_eq!(
        batches.map(|rows| sum(rows.column(0))).sum::<i64>(),
        2999 * 1500
    );
    let arrow = FileReader::try_new(File::open(save("a.arrow")).unwrap(), None).unwrap();
    assert_eq!(arrow.schema().field(1).name(), "context");
    let batches = arrow.map(Result::unwrap);
    assert_eq!(
        batches.map(|rows| sum(rows.column(0))).sum::<i64>(),
        2999 * 1500
    );
    let csv = fs::read_to_string(save("a.csv")).unwrap();
    assert_eq!(csv.lines().count(), 3001);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

#[test]
fn rows_fail_a_check() {
    let file = data(SYSTEM);
    let check = |sql: &str| {
        let result = query([file.as_os_str(), "--expect-empty".as_ref(), sql.as_ref()]);
        (result.status, result.stdout.lines().count())
    };
    let no_event = "SELECT event FROM events WHERE event > 10000";
    assert_eq!(check(no_event), (Some(0), 2));
    assert_eq!(check("SELECT event FROM events LIMIT 3"), (Some(1), 5));
}

#[test]
fn addresses_are_hexadecimal_in_text_only() {
    let sql = "SELECT address AS first, address + 0 AS second FROM contexts WHERE kind = 'thread' LIMIT 1";
    let csv = query_as("csv", sql);
    let row = csv.lines().nth(1).unwrap();
    let number: u64 = row.split(',').next().unwrap().parse().unwrap();
    assert_eq!(row, format!("{number},{number}"));
    let table = query_as("table", sql);
    let cells: Vec<_> = table.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(cells, [format!("{number:#x}"), number.to_string()]);
    // Not all rows of this column are addresses.
    let mixed = "SELECT address AS a FROM contexts UNION ALL SELECT 7 ORDER BY a LIMIT 1";
    let mixed = query_as("table", mixed);
    assert!(!mixed.contains("0x"), "{mixed}");
}
