//! Results of SQL match the figures of the reports.

use super::{data, query, query_with_input, rows};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::report::{
    View, inversions, isr, latency, locks, objects, profile, services, states,
};
use rtoscope_decode::source::Source;
use rtoscope_decode::{BufferChoice, DecodeOptions, DecodedRecording, UnpackedInput};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

/// A figure: name, subject, value.
type Figure = (String, String, u64);

const QUERIES: &str = "
SELECT file, 'cpu' AS q, coalesce(isr, context, '(unknown)') AS w, sum(duration) AS n
  FROM cpu_time WHERE kind <> 'kernel' GROUP BY 1, 3 HAVING sum(duration) > 0;
SELECT file, 'service' AS q, CAST(number AS VARCHAR) AS w, sum(count) AS n FROM service_counts GROUP BY 1, 3;
SELECT file, 'wake-ups' AS q, context AS w, count(*) AS n FROM wake_up_latencies WHERE complete GROUP BY 1, 3;
SELECT file, 'max wake-up' AS q, context AS w, max(latency) AS n FROM wake_up_latencies WHERE complete GROUP BY 1, 3;
SELECT file, 'inversion' AS q, object || ' ' || blocked || ' ' || coalesce(CAST(unbounded AS VARCHAR), '') AS w, duration AS n
  FROM inversions;
SELECT file, 'min level' AS q, object || ' ' || object_address AS w, min(level) AS n FROM levels
  WHERE level IS NOT NULL GROUP BY 1, 3;
SELECT file, 'max level' AS q, object || ' ' || object_address AS w, max(level) AS n FROM levels
  WHERE level IS NOT NULL GROUP BY 1, 3;
SELECT file, 'max hold' AS q, object || ' ' || object_address AS w, max(duration) AS n FROM mutex_holds
  WHERE start_known AND ending = 'released' GROUP BY 1, 3;
SELECT file, 'isr' AS q, isr AS w, self_duration AS n FROM isr_load WHERE self_duration IS NOT NULL;
SELECT file, 'isr activations' AS q, isr AS w, activations AS n FROM isr_load;
SELECT file, 'isr share' AS q, isr AS w, CAST(round(percent * 1000) AS BIGINT) AS n FROM isr_load
  WHERE percent IS NOT NULL;
";

/// Figures that need a clock that measures time.
const DURATIONS: [&str; 4] = ["wake-ups", "max wake-up", "max hold", "isr share"];

/// The figures of each file. They are queried together, because most of the time is spent
/// on planning.
fn by_sql(paths: &[PathBuf]) -> BTreeMap<PathBuf, Vec<Figure>> {
    let words = ["--shell", "--format=jsonl"].map(AsRef::as_ref);
    let words = paths.iter().map(|path| path.as_os_str()).chain(words);
    let result = query_with_input(words, QUERIES.as_bytes()).ok();
    let mut figures: BTreeMap<_, Vec<_>> = paths.iter().map(|it| (it.clone(), vec![])).collect();
    for row in rows(&result) {
        let text = |name: &str| row[name].as_str().unwrap().to_owned();
        let of_file = figures.get_mut(Path::new(&text("file"))).unwrap();
        of_file.push((text("q"), text("w"), row["n"].as_u64().unwrap()));
    }
    for figures in figures.values_mut() {
        figures.sort();
    }
    figures
}

fn by_reports(view: &View<'_>) -> Vec<Figure> {
    let mut figures = Vec::new();
    let mut add = |name: &str, subject: String, number: u64| {
        figures.push((name.to_owned(), subject, number));
    };
    let mut cpu = BTreeMap::<String, u64>::new();
    for row in profile::profile(view) {
        if row.context != "(interrupt or scheduler)" {
            *cpu.entry(row.context).or_default() += row.duration;
        }
    }
    cpu.retain(|_, ticks| *ticks > 0);
    cpu.into_iter()
        .for_each(|(context, ticks)| add("cpu", context, ticks));
    for row in services::services(view) {
        add("service", row.id.to_string(), row.count);
    }
    for thread in latency::latency(view).threads {
        if let Some(wake_up) = thread.wake_up {
            add("wake-ups", thread.name.clone(), wake_up.count);
            add("max wake-up", thread.name, wake_up.max);
        }
    }
    for row in inversions::inversions(view) {
        let unbounded = row.unbounded.map(|it| it.to_string()).unwrap_or_default();
        let subject = format!("{} {} {unbounded}", row.object, row.blocked);
        add("inversion", subject, row.duration);
    }
    for row in objects::objects(view) {
        if let Some(level) = row.level {
            let subject = format!("{} {}", row.object, row.object_address.0.0);
            add("min level", subject.clone(), level.min.into());
            add("max level", subject, level.max.into());
        }
    }
    for row in locks::locks(view) {
        if let Some(hold) = row.hold {
            add(
                "max hold",
                format!("{} {}", row.object, row.object_address.0.0),
                hold.max,
            );
        }
    }
    for row in isr::isr(view) {
        add("isr activations", row.name.clone(), row.activations);
        // Otherwise its CPU time is unknown.
        if row.number.is_some() || row.total > 0 {
            add("isr", row.name.clone(), row.total);
            if let Some(percent) = row.percent {
                add("isr share", row.name, (percent * 1000.0).round() as u64);
            }
        }
    }
    figures.sort();
    figures
}

/// Shares of the whole time span, even for a machine subject state is known for a
/// part of it only.
#[test]
fn state_shares_match_the_report() {
    let mut has_unknown_time = false;
    for name in [
        "rkh/ut.bin",
        "rkh/allrec_base.bin",
        "rkh/ahsm_all.bin",
        "rkh/nat_short.bin",
    ] {
        let path = data(name);
        let source = Source::open(&path).unwrap();
        let content = UnpackedInput::open(source.input(), BufferChoice::First, None).unwrap();
        let recording = content.decode(&DecodeOptions::default()).unwrap();
        let DecodedRecording { trace, format_info } = recording;
        let recording = AnalyzedRecording::new(name, "", trace, &format_info);
        let machines = states::states(&recording.view());
        has_unknown_time |= machines
            .iter()
            .any(|machine| machine.unknown > 0 && !machine.states.is_empty());
        let expected = machines.iter().flat_map(|machine| {
            let row = |row: &states::StateRow| {
                json!({
                    "object": machine.object, "state": row.state, "visits": row.visits,
                    "duration": row.duration, "percent": row.percent,
                })
            };
            machine.states.iter().map(row).collect::<Vec<_>>()
        });
        let sql = "SELECT object, state, visits, duration, round(percent, 3) AS percent FROM state_residency";
        let words = [path.as_os_str(), "--format=jsonl".as_ref(), sql.as_ref()];
        let mut found: Vec<_> = rows(&query(words).ok())
            .iter()
            .map(Value::to_string)
            .collect();
        let mut expected: Vec<_> = expected.map(|row| row.to_string()).collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{name}");
    }
    assert!(has_unknown_time);
}

#[test]
fn sql_matches_the_reports() {
    let folder = tempfile::tempdir().unwrap();
    let cores = folder.path().join("two cores.trx");
    let settings = rtoscope_generate::ThreadXOptions {
        cores: 2,
        ..Default::default()
    };
    let mut file = File::create(&cores).unwrap();
    rtoscope_generate::write(&settings, &mut file, &mut |_| ()).unwrap();
    let mut recordings = rtoscope_fixtures::recordings_and_shared("threadx");
    assert!(recordings.len() >= 20);
    recordings.push(cores.clone());
    let all = by_sql(&recordings);
    assert_eq!(by_sql(std::slice::from_ref(&cores))[&cores], all[&cores]);
    for (path, mut by_sql) in all {
        let source = Source::open(&path).unwrap();
        let content = UnpackedInput::open(source.input(), BufferChoice::First, None).unwrap();
        let recording = content.decode(&DecodeOptions::default()).unwrap();
        let DecodedRecording { trace, format_info } = recording;
        let recording = AnalyzedRecording::new("", "", trace, &format_info);
        let (trace, view) = (&recording.trace, recording.view());
        let mut by_reports = by_reports(&view);
        if !trace.clock.measures_time() {
            // Ticks are not durations then: no report has any.
            for figures in [&mut by_sql, &mut by_reports] {
                figures.retain(|(name, ..)| !DURATIONS.contains(&name.as_str()));
            }
        }
        assert_eq!(by_sql, by_reports, "{}", path.display());
    }
}

/// In the recording, each event is 1000 ticks after the previous one.
#[test]
fn an_event_counter_has_no_shares_of_time() {
    let mut bytes = std::fs::read(data("threadx/linux32_inv_nondet.trx")).unwrap();
    rtoscope_fixtures::restamp_threadx(&mut bytes, |event| event * 1000);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("counted.trx");
    std::fs::write(&file, bytes).unwrap();
    for view in ["cpu_time", "isr_load", "state_residency"] {
        let sql = format!("SELECT count(percent) AS shares FROM {view}");
        let words = [file.as_os_str(), "--format=jsonl".as_ref(), sql.as_ref()];
        let found = rows(&query(words).ok());
        assert_eq!(found[0]["shares"], 0, "{view}");
    }
    let words = ["--clock=1MHz", "--format=jsonl", "--named=cpu-over-time"].map(AsRef::as_ref);
    let found = rows(&query([file.as_os_str()].into_iter().chain(words)).ok());
    assert!(!found.is_empty());
    for row in found {
        assert!(
            row["duration"].is_u64() && row["percent"].is_null(),
            "{row}"
        );
    }
}
