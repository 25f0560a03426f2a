//! The statistics of the queries for fleets, against their definitions.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use super::CannedQuery;
use ::arrow::array::{AsArray as _, RecordBatch};
use ::arrow::datatypes::{DataType, Float64Type, Int64Type};
use datafusion::prelude::SessionContext;
use rtoscope_command::query::QueryParameter;
use std::fmt::Write as _;

/// A device with a version, and the recordings of one metric: the sum and the divisor.
type Device = (&'static str, Vec<(i64, i64)>);

fn parameters(set: &[(&str, &str)]) -> Vec<QueryParameter> {
    let set = set.iter().map(|(name, value)| QueryParameter {
        name: (*name).to_owned(),
        value: (*value).to_owned(),
    });
    set.collect()
}

fn run(query: &str, set: &[(&str, &str)], tables: &[(&str, String)]) -> Vec<RecordBatch> {
    let query = CannedQuery::by_name(query).unwrap();
    answer(&query.bound(&parameters(set)).unwrap(), tables)
}

fn answer(sql: &str, tables: &[(&str, String)]) -> Vec<RecordBatch> {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.build().unwrap();
    runtime.block_on(async {
        let context = SessionContext::new();
        for (name, rows) in tables {
            let create = format!("CREATE TABLE {name} AS {rows}");
            context.sql(&create).await.unwrap();
        }
        context.sql(sql).await.unwrap().collect().await.unwrap()
    })
}

fn regressions(devices: &[Device], set: &[(&str, &str)]) -> Vec<RecordBatch> {
    run("firmware-regressions", set, &tables(devices))
}

/// The tables that compare versions.
fn tables(devices: &[Device]) -> [(&'static str, String); 2] {
    let (mut recordings, mut metrics) = (Vec::new(), Vec::new());
    for (at, (firmware, figures)) in devices.iter().enumerate() {
        for (number, (total, divisor)) in figures.iter().enumerate() {
            let id = format!("{at}-{number}");
            recordings.push(format!("('{id}', 'device {at}', '{firmware}')"));
            metrics.push(format!(
                "('{id}', 'wake_up_latency', 'thread', 'ui', 'ns', {total}, {divisor})"
            ));
        }
    }
    let values = |columns: &str, rows: &[String]| {
        format!(
            "SELECT * FROM (VALUES {}) AS t ({columns})",
            rows.join(", ")
        )
    };
    let metric_columns = "recording_id, metric, kind, subject, unit, total, divisor";
    [
        (
            "recordings",
            values("recording_id, device, firmware", &recordings),
        ),
        ("recording_metrics", values(metric_columns, &metrics)),
    ]
}

/// Median, median of the others, probability in percent, and `z`, from all pairs.
fn expected(own: &[f64], other: &[f64]) -> [f64; 4] {
    let median = |values: &[f64]| {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted[(sorted.len() - 1) / 2]
    };
    let pairs = own.iter().flat_map(|a| other.iter().map(move |b| (a, b)));
    let u: f64 = pairs
        .map(|(a, b)| match a.total_cmp(b) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        })
        .sum();
    let (n, m) = (own.len() as f64, other.len() as f64);
    let mut all = [own, other].concat();
    all.sort_by(f64::total_cmp);
    let equal = all.chunk_by(|a, b| a == b).map(|chunk| chunk.len() as f64);
    let ties: f64 = equal.map(|t| t * t * t - t).sum();
    let count = n + m;
    let variance = n * m / 12.0 * (count + 1.0 - ties / (count * (count - 1.0)));
    let z = (u - n * m / 2.0) / variance.sqrt();
    [median(own), median(other), 100.0 * u / (n * m), z]
}

#[test]
fn regressions_are_those_of_the_rank_sum_test() {
    // Few values, so that many are equal; every third device has two recordings.
    let value = |at: u64, slower: i64| {
        let random = i64::try_from((at * 7919 + 13) % 29).unwrap();
        (100 + random + slower) * 10
    };
    let devices: Vec<Device> = (0..90)
        .map(|at| {
            let (firmware, slower) = [("1.0", 0), ("1.1", 0), ("2.0", 20)][at as usize % 3];
            let total = value(at, slower);
            match at % 2 {
                0 => (firmware, vec![(total, 10)]),
                _ => (firmware, vec![(total, 10), (total + 20, 10)]),
            }
        })
        .collect();
    let values = |wanted: bool| {
        let devices = devices.iter().filter(|it| (it.0 == "2.0") == wanted);
        let values = devices.map(|(_, figures)| {
            let sums = figures
                .iter()
                .fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
            sums.0 as f64 / sums.1 as f64
        });
        values.collect::<Vec<_>>()
    };
    let batches = regressions(&devices, &[]);
    assert_eq!(batches.iter().map(RecordBatch::num_rows).sum::<usize>(), 1);
    let row = batches.iter().find(|batch| batch.num_rows() > 0).unwrap();
    let text = |name: &str| {
        row.column_by_name(name)
            .unwrap()
            .as_string::<i32>()
            .value(0)
    };
    let number = |name: &str| {
        let column = row.column_by_name(name).unwrap();
        column.as_primitive::<Float64Type>().value(0)
    };
    let count = |name: &str| {
        let column = row.column_by_name(name).unwrap();
        column.as_primitive::<Int64Type>().value(0)
    };
    assert_eq!((text("firmware"), text("subject")), ("2.0", "ui"));
    assert_eq!((count("devices"), count("other_devices")), (30, 60));
    let [median, other, greater, z] = expected(&values(true), &values(false));
    assert_eq!((number("median"), number("other_median")), (median, other));
    assert!((number("greater_percent") - greater).abs() < 0.01);
    assert!((number("z") - z).abs() < 0.01 && z > 5.0, "{z}");
    let change = 100.0 * (median - other) / other;
    assert!((number("change_percent") - change).abs() < 0.01);
}

#[test]
fn equal_versions_and_few_devices_are_no_regressions() {
    let alike = |at: u64| vec![(1000 + i64::try_from(at % 7).unwrap() * 50, 1)];
    let devices: Vec<Device> = (0..80)
        .map(|at| (["a", "b"][at as usize / 40], alike(at)))
        .collect();
    assert!(
        regressions(&devices, &[])
            .iter()
            .all(|it| it.num_rows() == 0)
    );
    // All values are the same, so their deviation is 0.
    let same: Vec<Device> = (0..80)
        .map(|at| (["a", "b"][at % 2], vec![(5, 1)]))
        .collect();
    assert!(
        regressions(&same, &[("z", "1")])
            .iter()
            .all(|it| it.num_rows() == 0)
    );
    // Entirely different, but too few for a result.
    let few = |count: usize| -> Vec<Device> {
        (0..2 * count)
            .map(|at| {
                (
                    ["a", "b"][at % 2],
                    vec![(100 + 900 * (at as i64 % 2) + at as i64, 1)],
                )
            })
            .collect()
    };
    assert!(
        regressions(&few(17), &[])
            .iter()
            .all(|it| it.num_rows() == 0)
    );
    let found = regressions(&few(18), &[]);
    assert_eq!(found.iter().map(RecordBatch::num_rows).sum::<usize>(), 1);
}

#[test]
fn percentiles_of_latencies_are_those_of_the_sorted_list() {
    let mut latencies = String::new();
    for at in 0..1000_u32 {
        let separator = if at == 0 { "" } else { ", " };
        // A permutation of 1 to 1000.
        let latency = at * 377 % 1000 + 1;
        let _ = write!(
            latencies,
            "{separator}('r', 'ui', CAST({latency} AS BIGINT), true)"
        );
    }
    let columns = "recording_id, context, latency_ns, complete";
    let tables = [
        (
            "wake_up_latencies",
            format!("SELECT * FROM (VALUES {latencies}) AS t ({columns})"),
        ),
        (
            "recordings",
            "SELECT 'r' AS recording_id, '1.0' AS firmware".to_owned(),
        ),
    ];
    let batches = run("latency-by-firmware", &[], &tables);
    let row = batches.iter().find(|batch| batch.num_rows() > 0).unwrap();
    let number = |name: &str| {
        let column = row.column_by_name(name).unwrap();
        column.as_primitive::<Int64Type>().value(0)
    };
    let names = [
        "wake_ups", "p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns",
    ];
    assert_eq!(names.map(number), [1000, 500, 900, 990, 999, 1000]);
}

#[test]
fn versions_with_too_few_devices_are_undecided() {
    let reasons = |counts: &[(&'static str, usize)], set: &[(&str, &str)]| {
        let devices: Vec<Device> = counts
            .iter()
            .flat_map(|(firmware, count)| vec![(*firmware, vec![(100, 10)]); *count])
            .collect();
        let query = CannedQuery::by_name("firmware-regressions").unwrap();
        let sql = query.undecided(&parameters(set)).unwrap().unwrap();
        let batches = answer(&sql, &tables(&devices));
        let texts = batches.iter().flat_map(|batch| {
            let column = ::arrow::compute::cast(batch.column(0), &DataType::Utf8).unwrap();
            let texts = column.as_string::<i32>().iter().flatten();
            texts.map(str::to_owned).collect::<Vec<_>>()
        });
        let mut texts: Vec<_> = texts.collect();
        texts.sort();
        texts
    };
    let none: [String; 0] = [];
    assert_eq!(reasons(&[("1", 18), ("2", 18)], &[]), none);
    let few = "version 2: too few devices for a z of 5: 17, and 17 of other versions";
    let only = [("firmware", "2")];
    assert_eq!(reasons(&[("1", 17), ("2", 17)], &only), [few]);
    // Many on one side make up for fewer on the other.
    assert_eq!(reasons(&[("1", 400), ("2", 9)], &only), none);
    assert_eq!(reasons(&[("1", 400), ("2", 8)], &only).len(), 1);
    assert_eq!(reasons(&[("1", 17), ("2", 17)], &[("z", "4")]), none);
    let unknown_version = "versions like 3: there are none";
    assert_eq!(
        reasons(&[("1", 18), ("2", 18)], &[("firmware", "3")]),
        [unknown_version]
    );
    let found = reasons(
        &[("1", 18), ("2", 18)],
        &[("firmware", "2"), ("baseline", "0")],
    );
    assert!(
        found[0].contains(": 18, and 0 of other versions"),
        "{found:?}"
    );
}
