use super::*;
use crate::Scope;
use crate::fixture::active_story::{B, with_view};
use crate::fixture::window;

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
