//! Overviews.

use crate::test_case::{TestCase, cases};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::schedule::RunningContext;
use rtoscope_decode::DecodedRecording;
use rtoscope_fixtures::ProcessorTimer;
use rtoscope_generate::ThreadXOptions;
use rtoscope_session::{Command, QueryError, Session};
use rtoscope_trace::{Contexts, EventKindId, Name, Objects, Ticks, TraceOrigin};
use serde_json::{Value, json};

fn numbers(list: &Value, field: &str) -> Vec<u64> {
    let list = list.as_array().unwrap().iter();
    list.map(|one| one[field].as_u64().unwrap()).collect()
}

#[test]
fn counts_add_up() {
    for case in cases() {
        let overview = case.query(json!({"query": "overview"}));
        let (trace, schedule) = (&case.trace, &case.schedule);
        assert_eq!(overview["schema"], "rtoscope/session/1");
        assert_eq!(overview["name"], case.name);
        assert_eq!(overview["events"], case.events());
        assert_eq!(overview["span"], trace.events.span().0);
        assert_eq!(overview["inversions"], schedule.inversions.len());

        let kinds = &overview["kinds"];
        let ids = numbers(kinds, "id");
        assert!(ids.is_sorted_by(|one, other| one < other));
        for (id, count) in ids.iter().zip(numbers(kinds, "events")) {
            let of_kind = trace.events.kinds();
            let of_kind = of_kind.filter(|kind| *kind == EventKindId(*id as u32));
            assert_eq!(of_kind.count() as u64, count);
        }
        let total = u64::from(case.events());
        assert_eq!(numbers(kinds, "events").iter().sum::<u64>(), total);

        let contexts = &overview["contexts"];
        assert_eq!(numbers(contexts, "events").iter().sum::<u64>(), total);
        let mut executed = vec![0; trace.contexts.len()];
        for slices in &schedule.cores {
            for (slice, end) in slices.iter() {
                let context = match slice.running.running_context() {
                    RunningContext::Thread(thread) => thread,
                    RunningContext::Isr(_) | RunningContext::Kernel => Contexts::INTERRUPT,
                    RunningContext::Idle => Contexts::IDLE,
                    RunningContext::Initialize => Contexts::INITIALIZE,
                    RunningContext::Unknown => continue,
                };
                executed[context.index()] += end.0 - slice.start.0;
            }
        }
        assert_eq!(numbers(contexts, "cpu_time"), executed);
        for (context, shown) in trace.contexts.iter().zip(contexts.as_array().unwrap()) {
            let own = trace
                .events
                .iter()
                .find(|event| event.context == context.id);
            let object = context.object.and_then(|object| trace.objects.get(object));
            let first = own.and_then(|event| event.priority());
            let registered = object.and_then(|object| object.priority);
            assert_eq!(shown["priority"], json!(registered.or(first)));
        }

        let lanes = overview["lanes"].as_array().unwrap();
        let names: Vec<_> = lanes.iter().map(|lane| lane["name"].as_str()).collect();
        assert!(
            names
                .iter()
                .all(|name| name.is_some_and(|name| !name.is_empty()))
        );
        assert_eq!(names[0], Some("Summary"));
        let threads = lanes.iter().filter(|lane| lane["kind"] == "thread");
        assert_eq!(threads.count(), trace.contexts.threads().count());

        let machines = lanes.iter().filter(|lane| lane["kind"] == "machine");
        let known = case
            .active
            .state_intervals
            .iter()
            .filter(|intervals| !intervals.is_empty());
        assert_eq!(machines.count(), known.count());

        let recording = AnalyzedRecording::new("", "", trace.clone(), &case.origin);
        let levels = recording.whole.levels.iter();
        let known = levels.filter(|one| one.level.first().is_some());
        let known: Vec<_> = known.map(|one| u64::from(one.resource.0)).collect();
        assert_eq!(numbers(&overview["levels"], "resource"), known);
    }
}

#[test]
fn the_legend_has_every_kind_and_counts_those_that_occur() {
    for case in cases() {
        let legend = case.query(json!({"query": "legend"}));
        let total: u64 = numbers(&legend, "events").iter().sum();
        assert_eq!(total, u64::from(case.events()));
        let ids = numbers(&legend, "id");
        assert!(ids.is_sorted_by(|one, other| one < other));
        assert!(ids.len() >= case.trace.catalogue.len());
        for kind in legend.as_array().unwrap() {
            let letters = kind["letters"].as_str().unwrap();
            assert!((1..=3).contains(&letters.chars().count()));
            assert_eq!(kind["colour"].as_str().unwrap().len(), 7);
        }
    }
}

#[test]
fn parts_report_their_offset() {
    let whole = TestCase::recorded("cm3_system.trx");
    let none = json!({ "event": 0, "time": 0 });
    assert_eq!(whole.query(json!({"query": "overview"}))["base"], none);

    let (trace, origin) = (whole.trace.clone(), whole.origin.clone());
    let mut recording = DecodedRecording {
        trace,
        format_info: origin,
    };
    recording.trace.origin = TraceOrigin {
        event: 5_000_000_000,
        time: Ticks(7_000_000_000),
    };
    let mut part = TestCase::recorded("cm3_system.trx");
    part.session = Session::new("cm3_system.trx", recording);
    let base = json!({ "event": 5_000_000_000_u64, "time": 7_000_000_000_u64 });
    assert_eq!(part.query(json!({"query": "overview"}))["base"], base);
    let (shown, expected) = (
        part.query(json!({"query": "event", "event": 5_000_000_100_u64})),
        whole.query(json!({"query": "event", "event": 100})),
    );
    assert_eq!(shown["event"], 5_000_000_100_u64);
    let time = 7_000_000_000 + expected["time"].as_u64().unwrap();
    assert_eq!(shown["time"], time);
    assert_eq!(shown["time_text"], format!("{time} ticks"));
    let older = json!({"query": "event", "event": 4_999_999_999_u64});
    assert_eq!(part.try_query(older), Err(QueryError::Discarded));
    // In the trace, all other answers are those of the whole recording, but for the origin.
    let queries = |event: u64, time: u64| {
        let window = json!({"axis": "time", "start": time + 1000, "end": time + 90_000});
        let events = json!({"axis": "index", "start": event + 100, "end": event + 300});
        [
            json!({"query": "locate", "axis": "time", "at": time + 5000}),
            json!({"query": "events", "offset": event + 40, "limit": 30}),
            json!({"query": "step", "from": event + 7, "direction": "next", "by": {"mode": "switch"}}),
            json!({"query": "probe", "axis": "index", "at": event + 200, "lanes": [0, 1, 2, 3, 4]}),
            json!({"query": "critical-path", "event": event + 200, "limit": 50}),
            json!({"query": "report", "start": time + 1000, "end": time + 80_000}),
            json!({"query": "report", "tables": true}),
            json!({"query": "raw-events", "window": events, "offset": 0, "limit": 50}),
            json!({"query": "graph", "source": {"kind": "load", "core": null}, "window": window, "width": 9}),
            json!({"query": "cpu-load", "core": null, "window": window, "width": 9, "limit": 5}),
        ]
    };
    let origin = queries(5_000_000_000, 7_000_000_000);
    for (query, of_part) in queries(0, 0).into_iter().zip(origin) {
        let shifted = shifted(&whole.query(query), "");
        assert_eq!(part.query(of_part.clone()), shifted, "{of_part}");
    }
}

/// An answer for a part that starts at event 5,000,000,000 and tick 7,000,000,000.
fn shifted(value: &Value, key: &str) -> Value {
    const MOMENTS: [&str; 5] = ["time", "start", "end", "positions", "times"];
    match value {
        Value::Number(number) if key == "event" || key.ends_with("_event") => {
            json!(number.as_u64().unwrap() + 5_000_000_000)
        }
        Value::Number(number) if MOMENTS.contains(&key) => match number.as_u64() {
            Some(ticks) => json!(ticks + 7_000_000_000),
            None => json!(number.as_f64().unwrap() + 7e9),
        },
        Value::String(lines) if key == "lines" => {
            let lines = lines.lines().map(|line| {
                let (event, rest) = line.split_once(',').unwrap();
                format!("{},{rest}\n", event.parse::<u64>().unwrap() + 5_000_000_000)
            });
            json!(lines.collect::<String>())
        }
        Value::Array(list) => list.iter().map(|one| shifted(one, key)).collect(),
        Value::Object(members) => {
            let members = members.iter();
            let members = members.map(|(key, one)| (key.clone(), shifted(one, key)));
            Value::Object(members.collect())
        }
        other => other.clone(),
    }
}

#[test]
fn clock_frequency_can_be_set() {
    let mut case = TestCase::recorded("cm3_system.trx");
    let event = json!({"query": "event", "event": 100});
    assert!(
        !case.query(event.clone())["time_text"]
            .as_str()
            .unwrap()
            .contains('(')
    );
    let hz = Some(25_000_000);
    case.session
        .apply(Command::Clock { frequency_hz: hz })
        .unwrap();
    let overview = case.query(json!({"query": "overview"}));
    assert_eq!(overview["clock"]["frequency_hz"], 25_000_000);
    assert!(
        case.query(event)["time_text"]
            .as_str()
            .unwrap()
            .ends_with("s)")
    );
    assert!(
        case.session
            .apply(Command::Clock {
                frequency_hz: Some(0)
            })
            .is_err()
    );
}

/// Whatever the frequency, ticks of a clock that stood still are no times.
#[test]
fn a_clock_that_does_not_measure_time() {
    let mut case = TestCase::recorded("cm3_dwt_zero.trx");
    let hz = Some(1_000_000);
    case.session
        .apply(Command::Clock { frequency_hz: hz })
        .unwrap();
    let why = "the clock stood still: only the order of events is known";
    let clock = &case.query(json!({"query": "overview"}))["clock"];
    assert_eq!(clock["frequency_hz"], Value::Null);
    assert_eq!(clock["no_time"], why);
    let report = case.query(json!({"query": "report"}));
    assert_eq!(report["frequency_hz"], Value::Null);
    assert_eq!(report["span_ns"], Value::Null);
    let findings = report["findings"].as_array().unwrap();
    assert!(findings.iter().any(|finding| finding["message"] == why));
    let details = case.query(json!({"query": "event", "event": 7}));
    assert_eq!(details["time_text"], "0 ticks");
    let timed = TestCase::recorded("cm3_system.trx");
    let overview = timed.query(json!({"query": "overview"}));
    assert_eq!(overview["clock"]["no_time"], Value::Null);
}

/// A name of 350 kB, which only the details of its event contain.
#[test]
fn long_names_are_truncated() {
    let TestCase { mut trace, .. } = TestCase::recorded("cm3_system.trx");
    let long = "<b>&\u{202e}".repeat(50_000);
    let objects = trace.objects.iter().cloned().map(|mut object| {
        object.name = Name::new(long.as_bytes());
        object
    });
    trace.objects = Objects::new(objects.collect());
    let mut case = TestCase::recorded("cm3_system.trx");
    let origin = case.origin.clone();
    case.session = Session::new(
        "long",
        DecodedRecording {
            trace,
            format_info: origin,
        },
    );
    for query in [
        json!({"query": "overview"}),
        json!({"query": "events", "offset": 0, "limit": 1000}),
        json!({"query": "history", "object": 0, "offset": 0, "limit": 1000}),
    ] {
        assert!(case.query(query).to_string().len() < 1_200_000);
    }
    let name = &case.query(json!({"query": "overview"}))["contexts"][3]["name"];
    assert_eq!(name.as_str().unwrap().chars().count(), 201);
}

#[test]
fn many_threads_take_little_time() {
    let settings = ThreadXOptions {
        events: 60_000,
        threads: 10_000,
        ..ThreadXOptions::default()
    };
    let case = TestCase::generated("many", &settings);
    let timer = ProcessorTimer::start();
    let overview = case.query(json!({"query": "overview"}));
    // Unoptimised; the limit catches quadratic cost.
    assert!(timer.elapsed().as_secs() < 5, "{:?}", timer.elapsed());
    assert!(overview["contexts"].as_array().unwrap().len() > 10_000);
}
