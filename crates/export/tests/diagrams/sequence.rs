//! Sequence diagrams: what is in them, and how each format writes it.

use crate::common::Story;
use crate::common::stories::{BUTTON, SERVER, WORKER, work};
use rtoscope_export::Sequence;
use rtoscope_export::sequence::{
    LifelineId, Mark, RowId, Show, Window, Wish, mermaid, msc_generator, parties, plantuml, svg,
};
use rtoscope_trace::filter::Glob;
use rtoscope_trace::{Address, EventIndex, Party, Ticks};

fn everything(story: Story) -> Sequence {
    let (trace, reactions) = story.trace();
    let active = rtoscope_analysis::active::Active::of(&trace, &reactions);
    let wish = Wish {
        show: Show {
            actions: true,
            ..Show::default()
        },
        ..Wish::default()
    };
    Sequence::of(&trace, &active, &wish)
}

fn of(wish: &Wish) -> Sequence {
    let (trace, active) = work().told();
    Sequence::of(&trace, &active, wish)
}

fn labels(sequence: &Sequence) -> Vec<&str> {
    sequence.rows.iter().map(|row| row.label.as_str()).collect()
}

fn names(sequence: &Sequence) -> Vec<&str> {
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
            "target started again",
            "REQUEST",
        ]
    );
    assert_eq!(sequence.left_out, 0);
    assert!(sequence.rows.is_sorted_by_key(|row| row.event));
}

#[test]
fn posts_know_where_they_are_taken() {
    let sequence = everything(work());
    let mut pairs = 0;
    for (row, id) in sequence.rows.iter().zip((0..).map(RowId)) {
        if let Mark::Post {
            to,
            taken: Some(taken),
            ..
        } = row.mark
        {
            let other = &sequence.rows[taken.0];
            let mark = Mark::Take {
                on: to,
                posted: Some(id),
            };
            assert_eq!(other.mark, mark);
            pairs += 1;
        }
    }
    assert_eq!(pairs, 5);
    // What is posted after the restart is not taken any more.
    let last = sequence.rows.last().unwrap();
    assert!(matches!(last.mark, Mark::Post { taken: None, .. }));
}

#[test]
fn what_a_timer_sends_is_the_objects_own() {
    let sequence = everything(work());
    let row = sequence
        .rows
        .iter()
        .find(|row| row.label == "TIMEOUT (pause)");
    let worker = LifelineId(3);
    let is_own = |mark: Mark| matches!(mark, Mark::Post { from, to, timer: true, .. } if from == worker && to == worker);
    assert!(is_own(row.unwrap().mark));
}

#[test]
fn bars_are_steps() {
    let sequence = everything(work());
    let on = |lifeline: usize| {
        let bars = sequence.bars.iter();
        let bars = bars.filter(move |bar| bar.on == LifelineId(lifeline));
        bars.map(|bar| (bar.first.0, bar.last.0, bar.open))
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
fn a_window_begins_in_the_states_of_before() {
    let window = |window| Wish {
        window,
        ..Wish::default()
    };
    let by_time = of(&window(Window::Time(Ticks(117)..Ticks(135))));
    assert_eq!(
        labels(&by_time),
        ["busy", "REQUEST", "start pause, 4 ticks", "start_work()"]
    );
    let states = by_time.lifelines.iter().map(|line| line.state.as_deref());
    assert_eq!(states.collect::<Vec<_>>(), [Some("idle"), Some("ready")]);
    assert!(by_time.bars[0].from_before);
    assert!(by_time.bars[1].open);
    let first = by_time.rows[0].event;
    let numbers = first..EventIndex(first.0 + 1);
    assert_eq!(labels(&of(&window(Window::Events(numbers)))), ["busy"]);
    let nothing = of(&window(Window::Time(Ticks(600)..Ticks(700))));
    assert_eq!(nothing, Sequence::default());
}

#[test]
fn chosen_objects_bring_those_they_talk_with() {
    let sequence = of(&Wish {
        objects: vec![Party::Object(WORKER)],
        show: Show {
            timers: false,
            calls: false,
            ..Show::default()
        },
        ..Wish::default()
    });
    assert_eq!(names(&sequence), ["server", "worker"]);
    let server = LifelineId(0);
    assert!(sequence.bars.iter().all(|bar| bar.on != server));
    assert!(!labels(&sequence).contains(&"busy"));
    assert!(!labels(&sequence).contains(&"start pause, 4 ticks"));
    let actor = Party::Other(Address(BUTTON));
    let sequence = of(&Wish {
        objects: vec![actor],
        ..Wish::default()
    });
    assert_eq!(names(&sequence), ["button", "server"]);
}

#[test]
fn chosen_signals_bring_what_their_steps_do() {
    let sequence = of(&Wish {
        signals: vec![Glob::new("DO*")],
        ..Wish::default()
    });
    let gap = "3 records missing";
    let own = [
        "DONE",
        "DONE",
        "unhandled: DONE",
        gap,
        "DONE (front)",
        "DONE",
        "target started again",
    ];
    assert_eq!(labels(&sequence), own);
    let sequence = of(&Wish {
        signals: vec![Glob::new("REQUEST")],
        ..Wish::default()
    });
    assert!(labels(&sequence).contains(&"busy"));
    assert!(!labels(&sequence).contains(&"idle"));
}

#[test]
fn what_the_limit_leaves_out_is_said() {
    let sequence = of(&Wish {
        most: 5,
        ..Wish::default()
    });
    assert_eq!((sequence.rows.len(), sequence.left_out), (5, 17));
    assert_eq!(sequence.left_out_note().unwrap(), "17 more rows left out");
    for text in [
        svg::render(&sequence),
        mermaid::render(&sequence),
        plantuml::render(&sequence),
        msc_generator::render(&sequence),
    ] {
        assert!(text.contains("17 more rows left out"), "{text}");
    }
    assert_eq!(
        of(&Wish {
            most: 0,
            ..Wish::default()
        })
        .rows,
        []
    );
}

#[test]
fn parties_can_be_chosen_from() {
    let (trace, active) = work().told();
    let known = parties(&trace, &active);
    let known: Vec<_> = known
        .iter()
        .map(|(party, name)| (*party, name.as_str()))
        .collect();
    let actor = Party::Other(Address(BUTTON));
    let objects = [
        (Party::Object(SERVER), "server"),
        (Party::Object(WORKER), "worker"),
    ];
    assert_eq!(known, [objects[0], objects[1], (actor, "button")]);
}

#[test]
fn a_picture_stays_as_it_is() {
    let sequence = everything(work());
    insta::assert_snapshot!("work_svg", svg::render(&sequence));
    insta::assert_snapshot!("work_mermaid", mermaid::render(&sequence));
    insta::assert_snapshot!("work_plantuml", plantuml::render(&sequence));
    insta::assert_snapshot!("work_msc_generator", msc_generator::render(&sequence));
}

#[test]
fn nothing_is_a_picture_too() {
    let sequence = Sequence::default();
    assert!(svg::render(&sequence).ends_with("</svg>\n"));
    assert_eq!(mermaid::render(&sequence), "sequenceDiagram\n");
    assert_eq!(plantuml::render(&sequence), "@startuml\n@enduml\n");
    assert_eq!(msc_generator::render(&sequence), "hscale=auto;\n");
}
