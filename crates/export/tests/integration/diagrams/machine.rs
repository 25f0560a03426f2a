//! State machine diagrams: model and formats.

use super::common::traces::{SERVER, WORKER, nested, work};
use rtoscope_export::StateMachine;
use rtoscope_export::machine::{dot, mermaid};
use rtoscope_trace::ContextId;

fn lamp() -> StateMachine {
    let (trace, active) = nested().analyse();
    StateMachine::new(&trace, &active, SERVER)
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
