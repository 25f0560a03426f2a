//! Diagrams of active objects.

use crate::test_case::{TestCase, active_cases, whole_active_case};
use rtoscope_analysis::{AnalyzedRecording, Scope};
use rtoscope_decode::DecodedRecording;
use rtoscope_export::sequence::{DiagramWindow, RowOptions, SequenceDiagram, SequenceOptions};
use rtoscope_export::{CommunicationGraph, communication, sequence};
use rtoscope_session::Session;
use rtoscope_trace::{Endpoint, EventIndex, Name, Objects, Ticks};
use serde_json::json;

#[test]
fn sequences_cover_the_window() {
    let mut drawn = 0;
    for case in active_cases() {
        for axis in ["time", "index"] {
            for (turn, window) in (0..).zip(case.windows(axis)) {
                let [from, to] = window;
                let inside = (0..case.events()).filter(|event| {
                    let at = case.position(axis, *event);
                    from <= at && at <= to
                });
                let inside: Vec<_> = inside.map(EventIndex).collect();
                let (Some(first), Some(last)) = (inside.first(), inside.last()) else {
                    continue;
                };
                let object = case.active.objects[turn % case.active.objects.len()];
                let objects = if turn % 2 == 0 { vec![] } else { vec![object] };
                let most = [5000, 7][turn / 2 % 2];
                let options = SequenceOptions {
                    window: DiagramWindow::Events(*first..EventIndex(last.0 + 1)),
                    objects: objects.iter().copied().map(Endpoint::Object).collect(),
                    show: RowOptions {
                        states: true,
                        actions: turn % 2 == 0,
                        timers: false,
                        calls: true,
                    },
                    max_rows: most,
                    ..SequenceOptions::default()
                };
                let expected = SequenceDiagram::new(&case.trace, &case.active, &options);
                for (format, text) in [
                    ("svg", sequence::svg::render(&expected)),
                    ("mermaid", sequence::text_formats::mermaid(&expected)),
                    ("plantuml", sequence::text_formats::plantuml(&expected)),
                    (
                        "msc-generator",
                        sequence::text_formats::msc_generator(&expected),
                    ),
                ] {
                    let diagram = case.query(json!({
                        "query": "sequence",
                        "window": {"axis": axis, "start": from, "end": to},
                        "objects": objects.iter().map(|object| object.0).collect::<Vec<_>>(),
                        "format": format,
                        "states": true,
                        "actions": turn % 2 == 0,
                        "timers": false,
                        "limit": most,
                    }));
                    assert_eq!(diagram["text"], text, "{} {axis} {window:?}", case.name);
                    assert_eq!(diagram["shown"], expected.rows.len());
                    assert_eq!(diagram["skipped"], expected.skipped_rows);
                }
                drawn += expected.rows.len();
            }
        }
    }
    assert!(drawn > 1_000, "{drawn}");
}

#[test]
fn communication_graphs_match_the_export() {
    let mut cases = active_cases();
    cases.push(TestCase::recorded("cm3_system.trx"));
    for case in cases {
        let recording = AnalyzedRecording::new("", "", case.trace.clone(), &case.origin);
        let span = case.trace.events.span();
        for [start, end] in [[None, None], [Some(span.0 / 4), Some(span.0 / 2)]] {
            let scope = Scope {
                start: start.map(Ticks),
                end: end.map(Ticks),
                ..Scope::default()
            };
            let stats = recording.scope_stats(scope);
            let expected = CommunicationGraph::new(&recording.view_of(&stats));
            for (format, text) in [
                ("dot", communication::dot::render(&expected)),
                ("mermaid", communication::mermaid::render(&expected)),
            ] {
                let diagram = case.query(json!({
                    "query": "communication", "start": start, "end": end, "format": format
                }));
                assert_eq!(diagram["text"], text);
                let shown = expected.nodes.len() + expected.edges.len();
                assert_eq!(diagram["shown"], shown);
                assert!(shown > 4, "{}", case.name);
            }
        }
    }
}

/// A name of a megabyte, which would be in every row.
#[test]
fn long_names_do_not_enlarge_diagrams() {
    let mut case = whole_active_case();
    let long = "&".repeat(1 << 20);
    let mut trace = case.trace.clone();
    let objects = trace.objects.iter().cloned().map(|mut object| {
        object.name = Name::new(long.as_bytes());
        object
    });
    trace.objects = Objects::new(objects.collect());
    let origin = case.origin.clone();
    case.session = Session::new(
        "long",
        DecodedRecording {
            trace,
            format_info: origin,
        },
    );
    let window = json!({"axis": "index", "start": 0, "end": case.events()});
    let context = case.active.objects[0].0;
    for format in ["svg", "mermaid", "plantuml", "msc-generator"] {
        let diagram = case.query(json!({
            "query": "sequence", "window": window, "format": format,
            "states": true, "actions": true, "timers": true, "limit": 5000,
        }));
        assert_eq!(diagram["shown"], 2);
        assert!(diagram["skipped"].as_u64().unwrap() > 100);
        assert!(diagram["text"].as_str().unwrap().len() < 100 << 20);
    }
    for format in ["dot", "mermaid"] {
        let diagram = case.query(json!({"query": "machine", "context": context, "format": format}));
        assert_eq!(diagram["text"], "");
        assert_eq!(diagram["shown"], 0);
        assert!(diagram["skipped"].as_u64().unwrap() > 5);
    }
    let posts = case.query(json!({"query": "posts", "window": window, "limit": 10_000}));
    let count = case.active.posts.len();
    assert_eq!(posts["posts"].as_array().unwrap().len(), count);
    assert!(posts.to_string().len() < 1000 * count);
}
