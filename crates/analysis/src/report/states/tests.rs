use super::*;
use crate::Scope;
use crate::fixture::active_story::{story_trace, with_trace_view, with_view};
use crate::fixture::window;
use rtoscope_trace::{EventIndex, Gap};

/// State, ticks, visits, uncertain visits, the longest visit and its event.
type Summary<'r> = (&'r str, u64, u64, u64, u64, u32);

fn summary(rows: &[StateRow]) -> Vec<Summary<'_>> {
    let mut all = Vec::new();
    for row in rows {
        let (ticks, longest) = (row.duration, row.max);
        let (visits, uncertain) = (row.visits, row.uncertain);
        let event = row.max_event;
        all.push((&*row.state, ticks, visits, uncertain, longest, event));
    }
    all
}

#[test]
fn windows_begin_in_a_state() {
    let machines = with_view(&window(70, 115), states);
    let server = &machines[0];
    assert_eq!(summary(&server.states), [("busy", 45, 0, 0, 45, 16)]);
    assert_eq!(server.unknown, 0);
}

#[test]
fn states_before_a_gap_count_while_confirmed() {
    let mut trace = story_trace();
    trace.gaps.push(Gap {
        next_event: EventIndex(23),
        missing: Some(1),
        core: None,
        is_restart: false,
    });
    let machines = with_trace_view(&trace, &Scope::default(), states);
    // 52 to 90, and from the record that confirms it, at 101, to 117.
    let busy = ("busy", 38 + 16, 2, 1, 38, 16);
    let server = &machines[0];
    assert!(summary(&server.states).contains(&busy), "{server:?}");
    assert_eq!(server.unknown, 16 + 11);
}
