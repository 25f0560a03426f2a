//! The figures of two sessions side by side.

use rtoscope_decode::DecodeOptions;
use rtoscope_session::{QueryResponse, Session};
use serde_json::{Value, json};

fn open(name: &str, hertz: u64) -> Session {
    let bytes = rtoscope_fixtures::read_testdata(name);
    let mut session = Session::open(name, &bytes, &DecodeOptions::default()).unwrap();
    let clock = json!({"command": "clock", "frequency_hz": hertz});
    session
        .apply(serde_json::from_value(clock).unwrap())
        .unwrap();
    session
}

fn query(session: &Session, query: Value) -> Value {
    match session.query(&serde_json::from_value(query).unwrap()) {
        Ok(QueryResponse::Json(text)) => serde_json::from_str(&text).unwrap(),
        other => panic!("{other:?}"),
    }
}

/// The same recording on a clock that is twice as fast: every duration is halved.
#[test]
fn figures_and_durations_are_those_of_each_clock() {
    let [before, after] = [25_000_000, 50_000_000].map(|hz| open("threadx/cm3_system.trx", hz));
    let baseline = query(&before, json!({"query": "figures"}));
    let document = query(&after, json!({"query": "comparison", "baseline": baseline}));
    assert_eq!(document["schema"], "rtoscope/compare/1");
    assert_eq!(
        (&document["new"], &document["vanished"]),
        (&json!([]), &json!([]))
    );
    let figures = document["figures"].as_array().unwrap();
    let found = figures.iter().find(|it| {
        (&it["table"], &it["subject"], &it["figure"])
            == (
                &json!("latency.threads"),
                &json!("ui"),
                &json!("jitter.max"),
            )
    });
    let found = found.unwrap();
    assert_eq!(
        (&found["before"], &found["percent"]),
        (&json!(197_320.0), &json!(-50.0))
    );

    let of = json!({"table": "latency.threads", "subject": "ui", "figure": "jitter.max"});
    let [own, other] = [&before, &after].map(|it| query(it, json!({"query": "figure", "of": of})));
    assert_eq!(own["event"], 1491);
    let last = |side: &Value| {
        side["durations"]["counts"]
            .as_array()
            .unwrap()
            .last()
            .cloned()
    };
    assert_eq!(
        (last(&own), last(&other)),
        (Some(json!([197_320, 1])), Some(json!([98_660, 1])))
    );
    let baseline = &own["durations"];
    let overlaid = json!({"query": "overlaid-histogram", "of": of, "baseline": baseline});
    let histogram = query(&after, overlaid);
    assert_eq!(
        (&histogram["before"], &histogram["after"]),
        (&json!(36), &json!(36))
    );
    let bins = histogram["bins"].as_array().unwrap();
    let sum = |side: &str| {
        bins.iter()
            .map(|bin| bin[side].as_u64().unwrap())
            .sum::<u64>()
    };
    assert_eq!((sum("before"), sum("after")), (36, 36));
    assert!(bins.last().unwrap()["max"] == 197_320 && bins.last().unwrap()["after"] == 0);

    let unknown = json!({"table": "latency.threads", "subject": "nothing", "figure": "jitter.max"});
    assert_eq!(
        query(&after, json!({"query": "figure", "of": unknown})),
        Value::Null
    );
}
