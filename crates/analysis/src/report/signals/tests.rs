use super::*;
use crate::Scope;
use crate::fixture::active_story::{B, with_view};
use crate::fixture::window;

/// Signal, sender, posts, takes, maximum queueing and response time.
type Summary = (String, Option<String>, u64, u64, Option<u64>, Option<u64>);

fn summaries(scope: &Scope) -> Vec<Summary> {
    let most = |found: &Option<Distribution>| found.as_ref().map(|found| found.max);
    let rows = with_view(scope, signals);
    let summary = |row: &SignalRow| {
        let (queueing, response) = (most(&row.queueing), most(&row.response));
        let names = (row.signal.clone(), row.sender.clone());
        (names.0, names.1, row.posted, row.taken, queueing, response)
    };
    rows.iter().map(summary).collect()
}

fn expected(signal: &str, sender: &str, figures: (u64, u64, u64, u64)) -> Summary {
    let (posted, taken, queueing, response) = figures;
    let (signal, sender) = (signal.to_owned(), Some(sender.to_owned()));
    (
        signal,
        sender,
        posted,
        taken,
        Some(queueing),
        Some(response),
    )
}

#[test]
fn durations_count_in_the_window_of_their_end() {
    // The second event of the timer was posted before the window, the first one
    // ended before it.
    let rows = summaries(&window(111, 130));
    assert_eq!(rows, [expected("GO", "tick", (0, 1, 19, 29))]);
}

#[test]
fn objects_without_events_have_no_row() {
    let scope = Scope {
        threads: Some([B].into()),
        ..Scope::default()
    };
    assert_eq!(summaries(&scope), []);
}
