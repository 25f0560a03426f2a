//! Sequence diagrams: model and formats.

use super::common::TraceBuilder;
use super::common::traces::{BUTTON, SERVER, WORKER, work};
use rtoscope_export::SequenceDiagram;
use rtoscope_export::sequence::{
    DiagramWindow, LifelineId, RowOptions, SequenceOptions, endpoints, svg, text_formats,
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
