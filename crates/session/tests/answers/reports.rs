//! Reports are those of the library.

use crate::case::{Case, cases};
use rtoscope_analysis::report::{Document, Wish};
use rtoscope_analysis::{Analysis, Scope};
use rtoscope_session::{AskError, Command};
use rtoscope_trace::{ContextId, Ticks};
use serde_json::{Value, json};

fn expected(case: &Case, scope: Scope, wish: &Wish) -> Value {
    let trace = &case.trace;
    let analysis = Analysis::of(trace, scope, &mut case.origin.interpreter(trace));
    let statistics = case.origin.statistics();
    let document = Document::new(&case.name, &analysis.view(trace, statistics), wish);
    // As text, as figures are rounded there.
    serde_json::from_str(&serde_json::to_string(&document).unwrap()).unwrap()
}

#[test]
fn all_reports_of_the_whole_and_of_parts() {
    for case in cases() {
        let span = case.trace.events.span().0;
        let whole = json!({"ask": "report"});
        assert_eq!(
            case.ask(whole),
            expected(&case, Scope::default(), &Wish::default())
        );
        let core = case.trace.cores[0];
        let query = json!({"ask": "report", "from": span / 3, "to": span / 2, "core": core});
        let scope = Scope {
            from: Some(Ticks(span / 3)),
            to: Some(Ticks(span / 2)),
            core: Some(core),
            ..Scope::default()
        };
        let part = expected(&case, scope, &Wish::default());
        assert_eq!(case.ask(query.clone()), part, "{}", case.name);
        // Kept, and the same.
        assert_eq!(case.ask(query), part);
        let last = case.trace.contexts.len() as u32 - 1;
        let query = json!({
            "ask": "report",
            "kinds": ["services", "threads"],
            "threads": [last],
            "context": last,
        });
        let scope = Scope {
            threads: Some([ContextId(last)].into()),
            ..Scope::default()
        };
        let wish = Wish {
            kinds: ["services", "threads"]
                .map(|kind| kind.parse().unwrap())
                .into(),
            context: Some(ContextId(last)),
            ..Wish::default()
        };
        assert_eq!(
            case.ask(query),
            expected(&case, scope, &wish),
            "{}",
            case.name
        );
    }
}

#[test]
fn a_kept_report_does_not_outlive_its_clock() {
    let mut case = Case::recorded("cm3_system.trx");
    let query = json!({"ask": "report", "kinds": ["profile"]});
    assert_eq!(case.ask(query.clone())["span_ns"], Value::Null);
    let hz = Some(25_000_000);
    case.session.tell(Command::Clock { hz }).unwrap();
    assert!(case.ask(query.clone())["span_ns"].is_u64());
    case.session.tell(Command::Clock { hz: None }).unwrap();
    assert_eq!(case.ask(query)["span_ns"], Value::Null);
}

#[test]
fn a_report_that_does_not_exist_is_named() {
    let case = Case::recorded("cm3_system.trx");
    let error = case.try_ask(json!({"ask": "report", "kinds": ["profile", "profit"]}));
    assert_eq!(error, Err(AskError::NoSuchReport("profit".to_owned())));
}
