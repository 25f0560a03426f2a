//! Views match the tables they are computed from.

use super::{SYSTEM, data, query, query_json, query_with_input, rows};
use rtoscope_tables::sql::views;
use serde_json::{Value, json};

const TRACES: [&str; 3] = [SYSTEM, "threadx/smp32_cores.trx", "threadx/linux32_isr.trx"];

#[test]
fn all_time_is_attributed() {
    for trace in TRACES {
        let sql = "SELECT sum(c.duration) = max(t.span) * max(n.cores) AS complete, round(sum(c.percent), 6) AS percent
            FROM cpu_time c, recordings t, (SELECT count(DISTINCT core) AS cores FROM slices) n";
        let found = &query_json(&[trace], sql)[0];
        assert_eq!(found["complete"], true, "{trace}");
        assert_eq!(found["percent"], 100.0, "{trace}");
    }
}

#[test]
fn seconds_add_up() {
    for trace in TRACES {
        let sql = "SELECT sum(duration_ns) AS n FROM cpu_by_second
            UNION ALL SELECT sum(end_ns - start_ns) FROM slices";
        let found = query_json(&[trace], sql);
        assert_eq!(found[0], found[1], "{trace}");
        let most = "SELECT max(duration_ns) <= 1000000000 AS fits FROM
            (SELECT second, core_count, sum(duration_ns) / core_count AS duration_ns FROM cpu_by_second,
             (SELECT count(DISTINCT core) AS core_count FROM slices) GROUP BY second, core_count)";
        assert_eq!(query_json(&[trace], most)[0]["fits"], true, "{trace}");
    }
}

#[test]
fn too_long_recordings_have_no_seconds() {
    // 1.9 million seconds, in which no slice is as long as a million.
    let sql = "SELECT (SELECT count(*) FROM cpu_by_second) AS seconds,
        (SELECT max(duration_ns) < 1000000000000000 FROM slices) AS short";
    let words = ["--clock=5Hz", "--format=jsonl", sql].map(AsRef::as_ref);
    let found = query([data(SYSTEM).as_os_str()].into_iter().chain(words)).ok();
    assert_eq!(rows(&found), [json!({"seconds": 0, "short": true})]);
}

#[test]
fn routines_without_entry_and_exit_have_no_times() {
    let sql = "SELECT isr, activations, self_duration, self_duration_ns, percent FROM isr_load";
    let unknown = json!({
        "isr": "ISR (unnumbered)", "activations": 17, "self_duration": null, "self_duration_ns": null, "percent": null,
    });
    assert_eq!(query_json(&["rkh/nat_short.bin"], sql), [unknown]);
    // On a clock that stood still, the CPU time is 0.
    let still = query_json(&["threadx/cm3_dwt_zero.trx"], sql);
    let numbered = still.iter().find(|row| row["isr"] == "ISR 25").unwrap();
    assert_eq!(numbered["self_duration"], 0);
    assert_eq!(numbered["percent"], Value::Null);
}

/// Compares every pair.
#[test]
fn running_contexts_match_all_pairs() {
    for trace in TRACES {
        let pairs = "SELECT r.context_id, r.start AS ready_start, s.core, s.kind, s.context_id AS runner_id, s.isr,
              greatest(r.start, s.start) AS start,
              least(r.\"end\", s.\"end\") - greatest(r.start, s.start) AS duration
            FROM thread_states r JOIN slices s ON s.start < r.\"end\" AND r.start < s.\"end\"
            WHERE r.state = 'ready' AND r.duration > 0 AND s.duration > 0";
        let view = "SELECT context_id, ready_start, core, kind, runner_id, isr, start, duration FROM ready_while_running";
        let order = "ORDER BY context_id, ready_start, core, start";
        let pairs = query_json(
            &[trace, trace],
            &format!("SELECT * FROM ({pairs} AND r.file = s.file) {order}"),
        );
        assert!(!pairs.is_empty(), "{trace}");
        // That for other engines is another statement.
        let portable = views::all().find(|view| view.name == "ready_while_running");
        let portable = format!("({})", portable.unwrap().sql);
        for view in [view, &view.replace("ready_while_running", &portable)] {
            let view = query_json(&[trace, trace], &format!("{view} {order}"));
            assert_eq!(view, pairs, "{trace}");
        }
    }
}

#[test]
fn messages_and_wake_ups_are_flows() {
    let sql =
        "SELECT (SELECT count(*) FROM wake_up_latencies) + (SELECT count(*) FROM message_latencies)
        = (SELECT count(*) FROM flows WHERE kind <> 'post') AS same";
    for trace in TRACES {
        assert_eq!(query_json(&[trace], sql)[0]["same"], true, "{trace}");
    }
}

#[test]
fn view_columns_match_their_documentation() {
    let file = data(SYSTEM);
    let list = ".tables\n";
    let words = [
        file.as_os_str(),
        "--shell".as_ref(),
        "--format=jsonl".as_ref(),
    ];
    let tables = query_with_input(words, list.as_bytes()).ok();
    let views: Vec<_> = tables
        .lines()
        .filter(|line| line.contains("  view  "))
        .collect();
    assert!(views.len() >= 5, "{tables}");
    for line in views {
        let view = line.split(' ').next().unwrap();
        let output = query_with_input(words, format!(".schema {view}\n").as_bytes()).ok();
        let listed = output
            .lines()
            .skip(1)
            .map(|line| line.split(' ').next().unwrap());
        let described = query_json(&[SYSTEM], &format!("DESCRIBE {view}"));
        let described = described
            .iter()
            .map(|row: &Value| row["column_name"].as_str().unwrap());
        assert!(listed.eq(described), "{view}");
    }
}
