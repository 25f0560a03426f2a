//! Reports match those of the library.

use crate::test_case::{TestCase, cases};
use rtoscope_analysis::report::{ReportDocument, ReportOptions};
use rtoscope_analysis::{AnalyzedRecording, Scope};
use rtoscope_session::{Command, QueryError};
use rtoscope_trace::{ContextId, Ticks};
use serde_json::{Value, json};

fn expected(case: &TestCase, scope: Scope, options: &ReportOptions) -> Value {
    let trace = case.trace.clone();
    let recording = AnalyzedRecording::new(&case.name, "", trace, &case.origin);
    let stats = recording.scope_stats(scope);
    let document = ReportDocument::new(&case.name, &recording.view_of(&stats), options);
    // As text, because numbers are rounded there.
    serde_json::from_str(&serde_json::to_string(&document).unwrap()).unwrap()
}

#[test]
fn reports_of_the_trace_and_of_parts_match_the_analysis() {
    for case in cases() {
        let span = case.trace.events.span().0;
        let whole = json!({"query": "report"});
        assert_eq!(
            case.query(whole),
            expected(&case, Scope::default(), &ReportOptions::default())
        );
        let core = case.trace.cores[0];
        let query = json!({"query": "report", "start": span / 3, "end": span / 2, "core": core});
        let scope = Scope {
            start: Some(Ticks(span / 3)),
            end: Some(Ticks(span / 2)),
            core: Some(core),
            ..Scope::default()
        };
        let part = expected(&case, scope, &ReportOptions::default());
        assert_eq!(case.query(query.clone()), part, "{}", case.name);
        // Cached, and identical.
        assert_eq!(case.query(query), part);
        let last = case.trace.contexts.len() as u32 - 1;
        let query = json!({
            "query": "report",
            "kinds": ["services", "threads"],
            "threads": [last],
            "context": last,
        });
        let scope = Scope {
            threads: Some([ContextId(last)].into()),
            ..Scope::default()
        };
        let options = ReportOptions {
            kinds: ["services", "threads"]
                .map(|kind| kind.parse().unwrap())
                .into(),
            context: Some(ContextId(last)),
            ..ReportOptions::default()
        };
        assert_eq!(
            case.query(query),
            expected(&case, scope, &options),
            "{}",
            case.name
        );
    }
}

#[test]
fn cached_reports_depend_on_the_clock() {
    let mut case = TestCase::recorded("cm3_system.trx");
    let query = json!({"query": "report", "kinds": ["profile"]});
    assert_eq!(case.query(query.clone())["span_ns"], Value::Null);
    let hz = Some(25_000_000);
    case.session
        .apply(Command::Clock { frequency_hz: hz })
        .unwrap();
    assert!(case.query(query.clone())["span_ns"].is_u64());
    case.session
        .apply(Command::Clock { frequency_hz: None })
        .unwrap();
    assert_eq!(case.query(query)["span_ns"], Value::Null);
}

#[test]
fn cycles_begin_with_the_chosen_anchor() {
    let case = TestCase::recorded("cm3_system.trx");
    let query = |anchor: Option<&str>, tables: bool| {
        let kinds = ["cycles"];
        case.try_query(
            json!({"query": "report", "kinds": kinds, "anchor": anchor, "tables": tables}),
        )
    };
    let report = query(None, true).unwrap();
    let anchors = report["anchors"].as_array().unwrap().iter();
    let anchors: Vec<_> = anchors.map(|name| name.as_str().unwrap()).collect();
    assert!(anchors.len() > 2);
    for name in anchors {
        let report = query(Some(name), false).unwrap();
        assert_eq!(report["cycles"]["anchor"], name);
    }
    let error = query(Some("nothing"), true).unwrap_err();
    assert!(matches!(error, QueryError::Anchor(_)), "{error}");
}

#[test]
fn unknown_reports_are_named() {
    let case = TestCase::recorded("cm3_system.trx");
    let error = case.try_query(json!({"query": "report", "kinds": ["profile", "profit"]}));
    assert_eq!(error, Err(QueryError::UnknownReport("profit".to_owned())));
}
