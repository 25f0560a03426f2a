use super::*;
use crate::Scope;
use crate::fixture::active_story::{B, story_trace, with_trace_view, with_view};
use crate::fixture::window;
use rtoscope_trace::{EventIndex, Gap};

#[test]
fn durations_count_in_the_window_of_their_end() {
    let rows = with_view(&window(70, 115), active);
    let server = &rows[0];
    assert_eq!((server.posted, server.steps), (3, 3));
    // 10 + 10 + 3 of 45.
    assert_eq!((server.busy_time, server.busy_percent), (23, Some(51.111)));
    let count = |found: &Option<Distribution>| found.as_ref().map(|found| found.count);
    assert_eq!(count(&server.duration), Some(2));
    assert_eq!(count(&server.queueing), Some(3));
    assert_eq!(count(&server.response), Some(2));
}

#[test]
fn the_scope_limits_the_objects() {
    let scope = Scope {
        threads: Some([B].into()),
        ..Scope::default()
    };
    let names =
        |rows: Vec<ActiveObjectRow>| rows.into_iter().map(|row| row.name).collect::<Vec<_>>();
    assert_eq!(names(with_view(&scope, active)), ["client"]);
}

#[test]
fn uncertain_durations_after_a_gap_do_not_count() {
    let mut trace = story_trace();
    trace.gaps.push(Gap {
        next_event: EventIndex(20),
        missing: None,
        core: None,
        is_restart: false,
    });
    let rows = with_trace_view(&trace, &Scope::default(), active);
    let server = &rows[0];
    assert_eq!((server.posted, server.steps), (4, 5));
    // Only the first event was certainly the posted one.
    assert_eq!(server.response.as_ref().unwrap().count, 1);
    let limits = with_trace_view(&trace, &Scope::default(), crate::report::health::health).active;
    let limits = limits.unwrap();
    assert_eq!((limits.untaken_posts, limits.unposted_steps), (3, 3));
    assert_eq!((limits.uncertain_visits, limits.lost_timers), (1, 1));
    assert_eq!((limits.lost_steps, limits.unrecorded_steps), (0, 0));
}
