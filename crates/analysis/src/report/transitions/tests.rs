use super::*;
use crate::Scope;
use crate::fixture::active_story::{B, with_view};
use crate::fixture::window;

/// Source, trigger, target and settled state.
type Arrow<'r> = (&'r str, Option<&'r str>, Option<&'r str>, Option<&'r str>);

fn arrow(row: &TransitionRow) -> Arrow<'_> {
    let text = Option::as_deref;
    let (trigger, target) = (text(&row.trigger), text(&row.target));
    (&row.source, trigger, target, text(&row.settled))
}

fn never_received(found: &Transitions) -> Vec<&str> {
    let signals = found.signals_never_received.iter();
    signals.map(|signal| signal.0.as_str()).collect()
}

#[test]
fn the_table_has_the_transitions_taken() {
    let found = with_view(&Scope::default(), transitions);
    let (idle, busy, go) = (Some("idle"), Some("busy"), Some("GO"));
    let arrows: Vec<_> = found.taken.iter().map(arrow).collect();
    let expected = [
        ("idle", None, idle, idle),
        ("idle", go, busy, busy),
        ("busy", go, None, busy),
        ("busy", go, idle, idle),
    ];
    assert_eq!(arrows, expected);
    let initial: Vec<_> = found.taken.iter().map(|row| row.initial).collect();
    assert_eq!(initial, [true, false, false, false]);
    let start = &found.taken[1];
    assert_eq!((start.count, start.first_event), (1, 12));
    let executed = ActionCount {
        role: "effect",
        function: "start".to_owned(),
        count: 1,
    };
    assert_eq!(start.actions, [executed]);
    let others = [0, 2, 3].map(|at| found.taken[at].actions.len());
    assert_eq!(others, [0, 0, 0]);
}

#[test]
fn states_and_signals_that_never_occurred_are_listed() {
    let found = with_view(&Scope::default(), transitions);
    let off = NeverEnteredState {
        object: Some("server".to_owned()),
        state: "off".to_owned(),
    };
    assert_eq!(found.states_never_entered, [off]);
    assert_eq!(never_received(&found), ["NEVER"]);

    let found = with_view(&window(118, 140), transitions);
    let states: Vec<_> = found
        .states_never_entered
        .iter()
        .map(|never| &never.state)
        .collect();
    assert_eq!(states, ["busy", "off"]);
    assert_eq!(never_received(&found), ["GO", "STOP", "NEVER"]);
    assert!(found.taken.is_empty());
}

#[test]
fn the_scope_limits_the_machines() {
    let scope = Scope {
        threads: Some([B].into()),
        ..Scope::default()
    };
    let found = with_view(&scope, transitions);
    assert!(found.taken.is_empty());
    assert_eq!(found.states_never_entered, []);
}
