//! Views and canned queries as SQL for other engines. What the SQL means there is tested in
//! `interop/`.

use super::datasets::{export, export_table};
use super::{SYSTEM, data, query, query_json, query_with_input, rows};
use std::fs;
use std::path::Path;

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

/// The script for the tables of a folder.
fn tables(dialect: &str, folder: &Path) -> String {
    let words = ["--emit", dialect, "--schema", "traces"].map(AsRef::as_ref);
    query(words.into_iter().chain([folder.as_os_str()])).ok()
}

/// The statement that creates a view, on one line.
fn view(script: &str, name: &str) -> String {
    let start = format!("CREATE OR REPLACE VIEW traces.{name} AS\n");
    let (_, statement) = script.split_once(&start).unwrap();
    let (statement, _) = statement.split_once(";\n").unwrap();
    let line = statement.split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace("( ", "(").replace(" )", ")")
}

#[test]
fn the_tables_of_a_folder_are_created() {
    let folder = tempfile::tempdir().unwrap();
    let fleet = folder.path().join("it's a fleet");
    export(&fleet, &[&data(SYSTEM)], &["device=1", "Site=x"]).ok();
    // The file of a tool that merges files, without columns that follow from others.
    let merged = fleet.join("slices/device=1/Site=x/cm3_system.parquet");
    let sql = "SELECT file, recording_id, core, start, \"end\", kind, context_id, context, isr_id,
        isr, event, CAST(25000000 AS BIGINT) AS ticks_per_second FROM slices";
    let (file, options) = (data(SYSTEM), ["--output".as_ref(), merged.as_os_str()]);
    let words = [file.as_os_str(), sql.as_ref()].into_iter().chain(options);
    query(words).ok();
    let times =
        "SELECT sum(duration) AS ticks, sum(duration_ns) AS ns, max(end_ns) AS last FROM slices";
    let words = [fleet.as_os_str(), "--format=jsonl".as_ref(), times.as_ref()];
    assert_eq!(rows(&query(words).ok()), query_json(&[SYSTEM], times));
    let slices = fleet.join("slices").to_str().unwrap().replace('\'', "''");
    for (dialect, files) in [
        ("duckdb", format!("read_parquet('{slices}/**/*.parquet'")),
        (
            "datafusion",
            format!("PARTITIONED BY (device, Site) LOCATION '{slices}/';"),
        ),
        (
            "spark",
            format!(
                "PARTITIONED BY (device, `Site`) LOCATION '{}';\n\
                MSCK REPAIR TABLE traces.slices_files;",
                slices.replace("''", "\\'")
            ),
        ),
        (
            "trino",
            format!(
                "-- traces.slices_files has the files in {}, partitioned by device, \"Site\":",
                slices.replace("''", "'")
            ),
        ),
    ] {
        let script = tables(dialect, &fleet);
        assert!(script.contains(&files), "{files} in {script}");
        let slices = view(&script, "slices");
        let [start, end] = match dialect {
            "spark" => ["`start`", "`end`"],
            _ => ["\"start\"", "\"end\""],
        };
        let difference = format!("coalesce(duration, {end} - {start})");
        for part in [
            format!(" {difference} AS duration,"),
            format!(" coalesce(start_ns, CASE WHEN {start} >= 0 AND CAST("),
            format!(" coalesce(duration_ns, CASE WHEN {difference} >= 0 AND CAST("),
        ] {
            assert!(slices.contains(&part), "{part} in {slices}");
        }
        assert!(slices.ends_with("FROM traces.slices_files"), "{slices}");
        assert!(slices.contains(" device, "), "{slices}");
        // Its durations can be null without the times, so they are in the files.
        assert!(view(&script, "markers").contains(" duration, "));
        assert_eq!(script.matches("VIEW traces.cpu_time AS").count(), 1);
    }
    // With a query, it is last.
    let words = ["--emit=duckdb", "--named=worst-wakeup", "--set=n=3"].map(AsRef::as_ref);
    let script = query(words.into_iter().chain([fleet.as_os_str()])).ok();
    assert!(script.contains("VIEW slices AS") && script.ends_with("\nLIMIT 3;\n"));
}

#[test]
fn columns_of_the_files_are_not_computed() {
    let folder = tempfile::tempdir().unwrap();
    for table in ["recordings", "slices"] {
        let file = folder.path().join(format!("{table}.parquet"));
        export_table(table, "1", SYSTEM, &file);
    }
    let script = tables("duckdb", folder.path());
    let slices = view(&script, "slices");
    assert!(
        slices.contains("end_ns, duration, duration_ns, "),
        "{slices}"
    );
    assert!(slices.ends_with(", device FROM traces.slices_files"));
    assert!(!slices.contains("coalesce"));
    let files = view(&script, "slices_files");
    assert!(files.starts_with("FROM read_parquet('"), "{files}");
    assert!(files.contains("slices.parquet', hive_partitioning = false"));
    // A table without files has no rows.
    let events = view(&script, "events");
    assert!(
        events.contains("CAST(NULL AS BIGINT) AS time_ns, "),
        "{events}"
    );
    assert!(events.ends_with("WHERE 1 = 0"), "{events}");
}

#[test]
fn folders_that_other_engines_cannot_read_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let error = |folders: &[&Path]| {
        let words = folders.iter().map(|folder| folder.as_os_str());
        query(["--emit=duckdb".as_ref()].into_iter().chain(words)).error()
    };
    let mixed = folder.path().join("mixed");
    export(&mixed, &[&data(SYSTEM)], &["device=1"]).ok();
    export(&mixed, &[&data(SYSTEM)], &["device=2", "site=x"]).ok();
    let found = query(["--emit=spark".as_ref(), mixed.as_os_str()]).error();
    assert!(
        found.contains("different tags (device; device, site)"),
        "{found}"
    );
    let script = tables("duckdb", &mixed);
    let slices = view(&script, "slices_files");
    let pattern = |tags: &str| format!("slices/{tags}/*.parquet', hive_partitioning = true");
    for tags in ["device=*", "device=*/site=*"] {
        assert!(slices.contains(&pattern(tags)), "{slices}");
    }
    assert!(view(&script, "slices").contains("device, site FROM"));
    let found = error(&[&mixed, &mixed]);
    assert!(found.contains("one folder"), "{found}");
    let found = error(&[folder.path()]);
    assert!(found.contains("a folder written by"), "{found}");
    let pattern = folder.path().join("a*");
    export(&pattern, &[&data(SYSTEM)], &[]).ok();
    let found = error(&[&pattern]);
    assert!(found.contains("do not read this path"), "{found}");
    // A file that is not Parquet, and one without the columns of every table.
    let other = folder.path().join("other");
    fs::create_dir_all(other.join("recordings")).unwrap();
    fs::write(other.join("recordings/a.parquet"), "nothing").unwrap();
    let found = error(&[&other]);
    assert!(found.contains("not a Parquet file"), "{found}");
    let system = data(SYSTEM);
    let recordings = other.join("recordings/a.parquet");
    let words = [
        system.as_os_str(),
        "SELECT file FROM recordings".as_ref(),
        "--output".as_ref(),
        recordings.as_os_str(),
    ];
    query(words).ok();
    let found = error(&[&other]);
    assert!(found.contains("lack the column recording_id"), "{found}");
}
