use super::*;
use crate::Scope;
use crate::fixture::active_story::{B, story_trace, with_trace_view, with_view};
use crate::fixture::window;
use rtoscope_trace::{EventIndex, Gap};

#[test]
fn figures_match_the_story() {
    let rows = with_view(&Scope::default(), active);
    let [server, client] = rows.as_slice() else {
        panic!("{rows:?}");
    };
    assert_eq!((&*server.name, &*client.name), ("server", "client"));
    assert_eq!((server.posted, server.steps), (4, 5));
    let endings = StepEndings {
        processed: 4,
        unhandled: 1,
        ..StepEndings::default()
    };
    assert_eq!((server.endings, server.guards_false), (endings, 1));
    // 8 + 20 + 10 + 10 + 10 of 140.
    assert_eq!((server.busy_ticks, server.busy_percent), (58, Some(41.429)));
    let duration = server.duration.as_ref().unwrap();
    assert_eq!((duration.count, duration.min, duration.max), (5, 8, 20));
    // 8, 10, 25 and 19.
    let queueing = server.queueing.as_ref().unwrap();
    let figures = (queueing.min, queueing.mean, queueing.max, queueing.event);
    assert_eq!(figures, (8, 15.5, 25, 25));
    // 28, 20, 35 and 29.
    let response = server.response.as_ref().unwrap();
    let figures = (response.min, response.mean, response.max, response.event);
    assert_eq!(figures, (20, 28.0, 35, 28));
    let most = QueuePeak {
        events: 2,
        event: 19,
    };
    assert_eq!(server.max_queued, Some(most));

    assert_eq!((client.posted, client.steps, client.busy_ticks), (0, 0, 0));
    assert_eq!((&client.duration, client.max_queued), (&None, None));
}

#[test]
fn durations_count_in_the_window_of_their_end() {
    let rows = with_view(&window(70, 115), active);
    let server = &rows[0];
    assert_eq!((server.posted, server.steps), (3, 3));
    // 10 + 10 + 3 of 45.
    assert_eq!((server.busy_ticks, server.busy_percent), (23, Some(51.111)));
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
