//! State machine diagrams: model and formats.

use super::common::traces::{SERVER, WORKER, nested, work};
use rtoscope_export::StateMachine;
use rtoscope_export::machine::{StateId, VertexKind, dot, mermaid};
use rtoscope_trace::{ContextId, Ticks};

fn lamp() -> StateMachine {
    let (trace, active) = nested().analyse();
    StateMachine::new(&trace, &active, SERVER)
}

#[test]
fn states_are_nested_and_counted() {
    let machine = lamp();
    let states = machine.vertices.iter();
    let states = states.map(|state| {
        let parent = state
            .parent
            .map(|id| machine.get(id).unwrap().name.as_str());
        (state.name.as_str(), state.kind, parent, state.visits)
    });
    assert_eq!(
        states.collect::<Vec<_>>(),
        [
            ("off", VertexKind::State, None, 2),
            ("on", VertexKind::State, None, 1),
            ("bright", VertexKind::State, Some("on"), 1),
            ("broken", VertexKind::State, None, 0),
            ("last", VertexKind::Pseudostate, None, 1),
        ]
    );
}

#[test]
fn composite_state_includes_inner_states() {
    let machine = lamp();
    let stayed = |number| machine.get(StateId(number)).unwrap().time_in_state;
    assert!(stayed(2) > Ticks(200));
    assert_eq!(stayed(1), stayed(2));
    let known = stayed(0).0 + stayed(2).0;
    assert_eq!(machine.span.0, known + machine.unknown_time.0);
}

#[test]
fn transitions_are_merged() {
    let machine = lamp();
    let edges = machine.transitions.iter();
    let edges = edges.map(|edge| {
        let name = |id: Option<StateId>| id.map(|id| machine.get(id).unwrap().name.as_str());
        let ends = [name(edge.source), name(edge.target), name(edge.final_state)];
        (
            ends,
            edge.trigger.as_deref(),
            edge.effects.join(" "),
            edge.count,
        )
    });
    let none = String::new;
    let glow = || "glow".to_owned();
    assert_eq!(
        edges.collect::<Vec<_>>(),
        [
            ([None, Some("off"), Some("off")], None, none(), 1),
            (
                [Some("off"), Some("last"), Some("bright")],
                Some("ON"),
                glow(),
                1
            ),
            (
                [Some("on"), Some("off"), Some("off")],
                Some("OFF"),
                none(),
                1
            ),
            (
                [Some("bright"), None, Some("bright")],
                Some("DIM"),
                glow(),
                1
            ),
        ]
    );
}

#[test]
fn machine_of_an_unknown_object_is_empty() {
    let (trace, active) = work().analyse();
    let worker = StateMachine::new(&trace, &active, WORKER);
    assert_eq!(worker.vertices.len(), 1);
    for unknown in [ContextId(0), ContextId(99), ContextId::UNKNOWN] {
        let machine = StateMachine::new(&trace, &active, unknown);
        assert!(machine.vertices.is_empty() && machine.transitions.is_empty());
        assert!(mermaid::render(&machine).starts_with("stateDiagram-v2\n"));
        assert!(dot::render(&machine).ends_with("}\n"));
    }
}

#[test]
fn drawing_is_stable() {
    insta::assert_snapshot!("lamp_mermaid", mermaid::render(&lamp()));
    insta::assert_snapshot!("lamp_dot", dot::render(&lamp()));
}
