use super::*;
use crate::Scope;
use crate::fixture::active_story::{B, with_view};
use crate::fixture::window;

#[test]
fn runs_are_counted_and_measured() {
    let rows = with_view(&Scope::default(), timers);
    let [timer] = rows.as_slice() else {
        panic!("{rows:?}");
    };
    assert_eq!((&*timer.name, &*timer.object), ("tick", "server"));
    assert_eq!(timer.signal.as_deref(), Some("GO"));
    assert_eq!((timer.runs, timer.expired, timer.stopped), (4, 3, 1));
    let others = (timer.restarted, timer.running, timer.lost);
    assert_eq!(others, (0, 0, 0));
    let nominal: Vec<_> = timer
        .nominal
        .iter()
        .map(|one| {
            let figures = (one.duration.count, one.duration.min, one.duration.max);
            (one.timer_ticks, one.periodic, figures)
        })
        .collect();
    // 20 to 30; then 30 to 92 and 92 to 125.
    let expected = [(5, false, (1, 10, 10)), (10, true, (2, 33, 62))];
    assert_eq!(nominal, expected);
    let jitter = timer.jitter.as_ref().unwrap();
    assert_eq!((jitter.count, jitter.max), (1, 29));
    // From 30 to 40, and from 92 to 112.
    let delay = timer.delay.as_ref().unwrap();
    assert_eq!((delay.count, delay.min, delay.max), (2, 10, 20));
    assert_eq!(delay.event, 29);
}

#[test]
fn runs_beyond_the_scope_are_running() {
    let rows = with_view(&window(25, 100), timers);
    let timer = &rows[0];
    let counts = (timer.runs, timer.expired, timer.running);
    assert_eq!(counts, (3, 2, 1));
    assert_eq!(timer.jitter, None);
    let scope = Scope {
        threads: Some([B].into()),
        ..Scope::default()
    };
    assert!(with_view(&scope, timers).is_empty());
}
