//! Views and canned queries as SQL for other engines. What the SQL means there is tested in
//! `interop/`.

use super::{SYSTEM, data, query, query_with_input, rows};

#[test]
fn the_views_are_printed_for_each_engine() {
    for dialect in ["datafusion", "duckdb", "spark", "trino"] {
        let script = query(["--emit", dialect, "--schema", "traces"]).ok();
        let views = script.matches("CREATE OR REPLACE VIEW traces.").count();
        assert_eq!(views, 10, "{script}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("views.sql");
    let words = ["--emit", "duckdb", "--output", path.to_str().unwrap()];
    assert_eq!(query(words).ok(), "");
    let script = query(["--emit", "duckdb"]).ok();
    assert_eq!(std::fs::read_to_string(path).unwrap(), script);
}

#[test]
fn a_canned_query_is_printed_with_its_values() {
    let words = ["--emit=spark", "--named=worst-wakeup", "--set=n=3"];
    let text = query(words).ok();
    assert!(text.ends_with("\nLIMIT 3;\n"), "{text}");
    let error = query(["--emit=spark", "--named=worst-wakeup", "--set=n=x"]).error();
    assert!(error.contains("number"), "{error}");
    let error = query(["--emit=spark", "--named=none"]).error();
    assert!(error.contains("unknown canned query"), "{error}");
    let error = query(["--emit=spark", "--schema=a..b"]).error();
    assert!(error.contains("schema"), "{error}");
    let error = query(["--emit=spark", "--clock=1MHz"]).error();
    assert!(error.contains("reads no recording"), "{error}");
}

/// The views of the script are those of rtoscope.
#[test]
fn rtoscope_runs_its_own_script() {
    let file = data(SYSTEM);
    let count = "SELECT kind, sum(duration) FROM cpu_time GROUP BY kind ORDER BY kind;\n";
    let script = query(["--emit", "datafusion"]).ok();
    let words = ["--shell", "--format=jsonl", "--clock=25MHz"].map(std::ffi::OsStr::new);
    let words: Vec<_> = words.into_iter().chain([file.as_os_str()]).collect();
    let answer = |input: &str| rows(&query_with_input(&words, input.as_bytes()).ok());
    assert_eq!(answer(&format!("{script}{count}")), answer(count));
}
