//! Diagrams of a recording of a real target.

use rtoscope_analysis::active::ActiveObjects;
use rtoscope_decode::rkh;
use rtoscope_export::machine::{VertexKind, dot, mermaid};
use rtoscope_export::sequence::{RowKind, RowOptions, SequenceOptions, svg};
use rtoscope_export::{SequenceDiagram, StateMachine};
use rtoscope_trace::{ActiveObjectEvent, Trace};
use std::collections::BTreeMap;

fn decode(name: &str) -> Trace {
    let bytes = rtoscope_fixtures::read_testdata(&format!("rkh/{name}"));
    rkh::decode(&bytes, &rkh::RkhOptions::default())
        .unwrap()
        .trace
}

/// The number of events of each kind.
fn count(trace: &Trace, sort: impl Fn(ActiveObjectEvent) -> bool) -> usize {
    use rtoscope_trace::Interpret;
    let interpreter = rkh::RkhInterpreter::new(trace);
    let events = trace.events.iter();
    let reactions = events.map(|event| interpreter.active_object_event(trace, &event));
    reactions.filter(|reaction| sort(*reaction)).count()
}

#[test]
fn diagram_matches_the_recording() {
    let trace = decode("nat_short.bin");
    let interpreter = rkh::RkhInterpreter::new(&trace);
    let active = ActiveObjects::from_trace(&trace, &interpreter);
    let options = SequenceOptions {
        show: RowOptions {
            actions: true,
            ..RowOptions::default()
        },
        ..SequenceOptions::default()
    };
    let sequence = SequenceDiagram::new(&trace, &active, &options);
    let rows =
        |sort: fn(RowKind) -> bool| sequence.rows.iter().filter(|row| sort(row.kind)).count();
    let posts = count(&trace, |reaction| {
        matches!(reaction, ActiveObjectEvent::Post { .. })
    });
    assert_eq!(rows(|mark| matches!(mark, RowKind::Post { .. })), posts);
    let actions = count(&trace, |reaction| {
        matches!(reaction, ActiveObjectEvent::Action { .. })
    });
    assert_eq!(rows(|mark| matches!(mark, RowKind::Action { .. })), actions);
    let deferred = count(&trace, |reaction| {
        matches!(reaction, ActiveObjectEvent::Defer { .. })
    });
    assert_eq!(rows(|mark| matches!(mark, RowKind::Defer { .. })), deferred);
    let stays: usize = active.state_intervals.iter().map(Vec::len).sum();
    assert_eq!(rows(|mark| matches!(mark, RowKind::State { .. })), stays);
    assert_eq!(
        rows(|mark| matches!(mark, RowKind::Take { .. })),
        active.steps.len()
    );
    assert_eq!(sequence.bars.len(), active.steps.len());
    assert_eq!(
        rows(|mark| matches!(mark, RowKind::Gap | RowKind::Restart)),
        0
    );
    // All posted events are taken, and the drawing shows where.
    let untaken = |mark| matches!(mark, RowKind::Post { take_row: None, .. });
    assert_eq!(
        rows(untaken),
        active
            .posts
            .iter()
            .filter(|post| post.step.is_none())
            .count()
    );

    let text = svg::render(&sequence);
    let parsed = roxmltree::Document::parse(&text).unwrap();
    let mut drawn = BTreeMap::<_, usize>::new();
    for node in parsed
        .descendants()
        .filter(|node| node.has_attribute("data-event"))
    {
        let class = node.attribute("class").unwrap();
        let sort = class.split(' ').find(|class| *class != "row").unwrap();
        *drawn.entry(sort).or_default() += 1;
    }
    // The path and the label of each post, and its bar.
    assert_eq!(drawn.get("post"), Some(&(2 * posts)));
    assert_eq!(drawn.get("state"), Some(&stays));
    assert_eq!(drawn.get("bar"), Some(&active.steps.len()));
}

#[test]
fn labels_do_not_overlap() {
    for name in ["nat_short.bin", "ahsm_all.bin", "dmg_flip.bin"] {
        let trace = decode(name);
        let active = ActiveObjects::from_trace(&trace, &rkh::RkhInterpreter::new(&trace));
        let show = RowOptions {
            actions: true,
            ..RowOptions::default()
        };
        let sequence = SequenceDiagram::new(
            &trace,
            &active,
            &SequenceOptions {
                show,
                ..SequenceOptions::default()
            },
        );
        let text = svg::render(&sequence);
        let parsed = roxmltree::Document::parse(&text).unwrap();
        let width: f64 = parsed
            .root_element()
            .attribute("width")
            .unwrap()
            .parse()
            .unwrap();
        let texts = parsed
            .descendants()
            .filter(|node| node.has_tag_name("text"));
        let mut boxes: Vec<_> = texts.map(|node| place(&node)).collect();
        boxes.sort_by(|one, other| one.base.total_cmp(&other.base));
        assert!(boxes.len() > 100, "{name}");
        for (number, one) in boxes.iter().enumerate() {
            assert!(one.left >= 0.0 && one.right <= width, "{name}: {one:?}");
            let below = boxes.iter().skip(number + 1);
            for other in below.take_while(|other| other.base - one.base < 10.0) {
                let apart = one.right <= other.left || other.right <= one.left;
                assert!(apart, "{name}: {one:?} and {other:?}");
            }
        }
    }
}

#[derive(Debug)]
#[expect(dead_code, reason = "the text is for the message of a failed test")]
struct TextArea {
    text: String,
    left: f64,
    right: f64,
    base: f64,
}

/// The area of a text, with letters of 0.6 times the font size.
fn place(node: &roxmltree::Node<'_, '_>) -> TextArea {
    let number = |name| node.attribute(name).unwrap().parse::<f64>().unwrap();
    let text = node.text().unwrap_or_default().to_owned();
    let class = node.attribute("class").unwrap_or_default();
    let parent = node.parent().unwrap();
    let around = parent.attribute("class").unwrap_or_default();
    let width = text.chars().count() as f64 * 6.6;
    let middle = ["head", "band", "state", "divider"]
        .iter()
        .any(|one| around.contains(one));
    let left = match class {
        _ if middle || class.contains("note") => number("x") - width / 2.0,
        _ if class.contains("left") || class.contains("time") => number("x") - width,
        _ => number("x"),
    };
    let (right, base) = (left + width, number("y"));
    TextArea {
        text,
        left,
        right,
        base,
    }
}

#[test]
fn machine_has_the_hierarchy_of_its_source() {
    // As the demonstration `ahsm` declares its states.
    let trace = decode("ahsm_all.bin");
    let active = ActiveObjects::from_trace(&trace, &rkh::RkhInterpreter::new(&trace));
    let machine = StateMachine::new(&trace, &active, active.objects[0]);
    let states = machine
        .vertices
        .iter()
        .filter(|state| state.kind == VertexKind::State);
    let mut parents: Vec<_> = states
        .map(|state| {
            let parent = state.parent.and_then(|id| machine.get(id));
            (
                state.name.as_str(),
                parent.map(|parent| parent.name.as_str()),
            )
        })
        .collect();
    parents.sort_unstable();
    assert_eq!(
        parents,
        [
            ("S1", None),
            ("S11", Some("S1")),
            ("S111", Some("S11")),
            ("S112", Some("S11")),
            ("S12", Some("S1")),
            ("S2", None),
            ("S3", None),
            ("S31", Some("S3")),
            ("S32", Some("S3")),
        ]
    );
    let taken: u64 = machine.transitions.iter().map(|edge| edge.count).sum();
    let transitions = count(&trace, |reaction| {
        matches!(reaction, ActiveObjectEvent::Transition { .. })
    });
    assert_eq!(taken, u64::try_from(transitions).unwrap());
    assert!(mermaid::render(&machine).contains("state \"S111"));
    assert!(dot::render(&machine).contains("<b>S111</b>"));
}
