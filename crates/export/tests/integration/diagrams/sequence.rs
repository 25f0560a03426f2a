//! Sequence diagrams: model and formats.

use super::common::TraceBuilder;
use super::common::traces::{BUTTON, SERVER, WORKER, work};
use rtoscope_export::SequenceDiagram;
use rtoscope_export::sequence::{
    DiagramWindow, LifelineId, RowId, RowKind, RowOptions, SequenceOptions, endpoints, svg,
    text_formats,
};
use rtoscope_trace::filter::Glob;
use rtoscope_trace::{Address, Endpoint, EventIndex, Ticks};

fn everything(story: TraceBuilder) -> SequenceDiagram {
    let (trace, reactions) = story.trace();
    let active = rtoscope_analysis::active::ActiveObjects::from_trace(&trace, &reactions);
    let options = SequenceOptions {
        show: RowOptions {
            actions: true,
            ..RowOptions::default()
        },
        ..SequenceOptions::default()
    };
    SequenceDiagram::new(&trace, &active, &options)
}

fn of(options: &SequenceOptions) -> SequenceDiagram {
    let (trace, active) = work().analyse();
    SequenceDiagram::new(&trace, &active, options)
}

fn labels(sequence: &SequenceDiagram) -> Vec<&str> {
    sequence.rows.iter().map(|row| row.label.as_str()).collect()
}

fn names(sequence: &SequenceDiagram) -> Vec<&str> {
    let lifelines = sequence.lifelines.iter();
    lifelines.map(|line| line.name.as_str()).collect()
}

#[test]
fn everything_has_its_row() {
    let sequence = everything(work());
    assert_eq!(
        names(&sequence),
        ["(unknown)", "button", "server", "worker"]
    );
    assert_eq!(
        labels(&sequence),
        [
            "initial transition",
            "idle",
            "initial transition",
            "ready",
            "REQUEST",
            "DONE",
            "REQUEST",
            "effect start_work()",
            "REQUEST",
            "busy",
            "REQUEST",
            "start pause, 4 ticks",
            "start_work()",
            "DONE",
            "unhandled: DONE",
            "TIMEOUT (pause)",
            "TIMEOUT",
            "defer TIMEOUT into later",
            "3 records missing",
            "DONE (front)",
            "DONE",
            "target restarted",
            "REQUEST",
        ]
    );
    assert_eq!(sequence.skipped_rows, 0);
    assert!(sequence.rows.is_sorted_by_key(|row| row.event));
}

#[test]
fn posts_link_to_their_take_rows() {
    let sequence = everything(work());
    let mut pairs = 0;
    for (row, id) in sequence.rows.iter().zip((0..).map(RowId)) {
        if let RowKind::Post {
            to,
            take_row: Some(taken),
            ..
        } = row.kind
        {
            let other = &sequence.rows[taken.0];
            let mark = RowKind::Take {
                on: to,
                post_row: Some(id),
            };
            assert_eq!(other.kind, mark);
            pairs += 1;
        }
    }
    assert_eq!(pairs, 5);
    // Events posted after the restart are not taken any more.
    let last = sequence.rows.last().unwrap();
    assert!(matches!(last.kind, RowKind::Post { take_row: None, .. }));
}

#[test]
fn timer_events_come_from_the_object() {
    let sequence = everything(work());
    let row = sequence
        .rows
        .iter()
        .find(|row| row.label == "TIMEOUT (pause)");
    let worker = LifelineId(3);
    let is_own = |mark: RowKind| matches!(mark, RowKind::Post { from, to, from_timer: true, .. } if from == worker && to == worker);
    assert!(is_own(row.unwrap().kind));
}

#[test]
fn bars_match_steps() {
    let sequence = everything(work());
    let on = |lifeline: usize| {
        let bars = sequence.bars.iter();
        let bars = bars.filter(move |bar| bar.on == LifelineId(lifeline));
        bars.map(|bar| (bar.first.0, bar.last.0, bar.is_open_ended))
            .collect::<Vec<_>>()
    };
    assert_eq!(on(0), []);
    assert_eq!(
        on(2),
        [
            (0, 1, false),
            (6, 9, false),
            (13, 14, false),
            (20, 20, true)
        ]
    );
    assert_eq!(on(3), [(2, 3, false), (10, 12, false), (16, 17, false)]);
}

#[test]
fn window_starts_with_earlier_states() {
    let window = |window| SequenceOptions {
        window,
        ..SequenceOptions::default()
    };
    let by_time = of(&window(DiagramWindow::Time(Ticks(117)..Ticks(135))));
    assert_eq!(
        labels(&by_time),
        ["busy", "REQUEST", "start pause, 4 ticks", "start_work()"]
    );
    let states = by_time.lifelines.iter().map(|line| line.state.as_deref());
    assert_eq!(states.collect::<Vec<_>>(), [Some("idle"), Some("ready")]);
    assert!(by_time.bars[0].starts_before);
    assert!(by_time.bars[1].is_open_ended);
    let first = by_time.rows[0].event;
    let numbers = first..EventIndex(first.0 + 1);
    assert_eq!(
        labels(&of(&window(DiagramWindow::Events(numbers)))),
        ["busy"]
    );
    let nothing = of(&window(DiagramWindow::Time(Ticks(600)..Ticks(700))));
    assert_eq!(nothing, SequenceDiagram::default());
}

#[test]
fn selected_objects_include_their_partners() {
    let sequence = of(&SequenceOptions {
        objects: vec![Endpoint::Object(WORKER)],
        show: RowOptions {
            timers: false,
            calls: false,
            ..RowOptions::default()
        },
        ..SequenceOptions::default()
    });
    assert_eq!(names(&sequence), ["server", "worker"]);
    let server = LifelineId(0);
    assert!(sequence.bars.iter().all(|bar| bar.on != server));
    assert!(!labels(&sequence).contains(&"busy"));
    assert!(!labels(&sequence).contains(&"start pause, 4 ticks"));
    let actor = Endpoint::Other(Address(BUTTON));
    let sequence = of(&SequenceOptions {
        objects: vec![actor],
        ..SequenceOptions::default()
    });
    assert_eq!(names(&sequence), ["button", "server"]);
}

#[test]
fn selected_signals_include_their_steps() {
    let sequence = of(&SequenceOptions {
        signals: vec![Glob::new("DO*")],
        ..SequenceOptions::default()
    });
    let gap = "3 records missing";
    let own = [
        "DONE",
        "DONE",
        "unhandled: DONE",
        gap,
        "DONE (front)",
        "DONE",
        "target restarted",
    ];
    assert_eq!(labels(&sequence), own);
    let sequence = of(&SequenceOptions {
        signals: vec![Glob::new("REQUEST")],
        ..SequenceOptions::default()
    });
    assert!(labels(&sequence).contains(&"busy"));
    assert!(!labels(&sequence).contains(&"idle"));
}

#[test]
fn skipped_rows_are_noted() {
    let sequence = of(&SequenceOptions {
        max_rows: 5,
        ..SequenceOptions::default()
    });
    assert_eq!((sequence.rows.len(), sequence.skipped_rows), (5, 17));
    assert_eq!(
        sequence.skipped_rows_note().unwrap(),
        "17 more rows skipped"
    );
    for text in [
        svg::render(&sequence),
        text_formats::mermaid(&sequence),
        text_formats::plantuml(&sequence),
        text_formats::msc_generator(&sequence),
    ] {
        assert!(text.contains("17 more rows skipped"), "{text}");
    }
    assert_eq!(
        of(&SequenceOptions {
            max_rows: 0,
            ..SequenceOptions::default()
        })
        .rows,
        []
    );
}

#[test]
fn endpoints_are_listed() {
    let (trace, active) = work().analyse();
    let known = endpoints(&trace, &active);
    let known: Vec<_> = known
        .iter()
        .map(|(endpoint, name)| (*endpoint, name.as_str()))
        .collect();
    let actor = Endpoint::Other(Address(BUTTON));
    let objects = [
        (Endpoint::Object(SERVER), "server"),
        (Endpoint::Object(WORKER), "worker"),
    ];
    assert_eq!(known, [objects[0], objects[1], (actor, "button")]);
}

#[test]
fn image_is_stable() {
    let sequence = everything(work());
    insta::assert_snapshot!("work_svg", svg::render(&sequence));
    insta::assert_snapshot!("work_mermaid", text_formats::mermaid(&sequence));
    insta::assert_snapshot!("work_plantuml", text_formats::plantuml(&sequence));
    insta::assert_snapshot!("work_msc_generator", text_formats::msc_generator(&sequence));
}

#[test]
fn empty_diagram_is_an_image() {
    let sequence = SequenceDiagram::default();
    assert!(svg::render(&sequence).ends_with("</svg>\n"));
    assert_eq!(text_formats::mermaid(&sequence), "sequenceDiagram\n");
    assert_eq!(text_formats::plantuml(&sequence), "@startuml\n@enduml\n");
    assert_eq!(text_formats::msc_generator(&sequence), "hscale=auto;\n");
}
