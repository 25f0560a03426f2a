//! Functions for traces.

use super::{SYSTEM, query_json};
use rtoscope_analysis::report::bins;
use serde_json::{Value, json};

#[test]
fn times_are_formatted_as_in_reports() {
    let sql = "SELECT format_time(1250000) AS a, format_time(-999) AS b, format_time(NULL) AS c,
        format_time(max(start_ns)) AS d FROM slices WHERE start = 25000000";
    let expected = json!({"a": "1.250 ms", "b": "-999 ns", "c": null, "d": null});
    assert_eq!(query_json(&[SYSTEM], sql), [expected]);
    let sql = "SELECT DISTINCT format_time(duration_ns) AS t FROM slices WHERE duration = 25000
        UNION SELECT format_time(span_ns) FROM recordings";
    assert!(!query_json(&[SYSTEM], sql).is_empty());
}

#[test]
fn intervals_overlap() {
    let sql =
        "SELECT overlap(0, 10, 5, 20) AS a, overlap(5, 20, 0, 10) AS b, overlap(0, 1, 5, 6) AS c,
        overlap(0, 9, 2, 4) AS d, overlap(0, 9, NULL, 4) AS e";
    let expected = json!({"a": 5, "b": 5, "c": 0, "d": 2, "e": null});
    assert_eq!(query_json(&[SYSTEM], sql), [expected]);
    // Summed over all pairs of slices, the overlap is the time of the cores.
    let sql = "SELECT sum(overlap(a.start, a.\"end\", b.start, b.\"end\")) = (SELECT sum(duration) FROM slices) AS same
        FROM slices a JOIN slices b ON a.core = b.core AND a.start < b.\"end\" AND b.start < a.\"end\"";
    assert_eq!(query_json(&[SYSTEM], sql), [json!({"same": true})]);
}

#[test]
fn histograms_match_the_reports() {
    let sql = "SELECT context, duration FROM thread_states WHERE state = 'ready' AND start_known";
    let mut durations = std::collections::BTreeMap::<String, Vec<u64>>::new();
    for row in query_json(&[SYSTEM, "threadx/smp32_cores.trx"], sql) {
        let context = row["context"].as_str().unwrap().to_owned();
        durations
            .entry(context)
            .or_default()
            .push(row["duration"].as_u64().unwrap());
    }
    let sql = "SELECT context, h['min'] AS start, h['max'] AS stop, h['count'] AS n FROM (
          SELECT context, unnest(histogram(duration)) AS h
          FROM thread_states WHERE state = 'ready' AND start_known GROUP BY context
        )";
    let mut found = query_json(&[SYSTEM, "threadx/smp32_cores.trx"], sql);
    found.sort_by_key(|bin| (bin["context"].to_string(), bin["start"].as_u64()));
    let expected = durations.into_iter().flat_map(|(context, ticks)| {
        let bins = bins(ticks).into_iter();
        bins.map(move |bin| json!({"context": context, "start": bin.min, "stop": bin.max, "n": bin.count}))
    });
    let mut expected: Vec<Value> = expected.collect();
    expected.sort_by_key(|bin| (bin["context"].to_string(), bin["start"].as_u64()));
    assert!(expected.len() > 5);
    assert_eq!(found, expected);
    let none = "SELECT histogram(duration) AS h FROM slices WHERE duration < 0";
    assert_eq!(query_json(&[SYSTEM], none), [json!({"h": []})]);
}
