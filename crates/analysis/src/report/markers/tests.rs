use super::*;
use crate::Scope;
use crate::fixture;
use crate::markers::tests::{BEGIN, END, FRAME, INSTANT, LATE, trace};

#[test]
fn spans_and_periods_count_in_their_windows() {
    let trace = trace(&[
        (BEGIN, FRAME, 1),
        (INSTANT, LATE, 0),
        (END, FRAME, 1),
        (BEGIN, FRAME, 2),
        (INSTANT, LATE, 0),
        (INSTANT, LATE, 0),
        (END, FRAME, 2),
        (BEGIN, FRAME, 3),
    ]);
    let rows = fixture::with_view(&trace, &Scope::default(), markers);
    let [frame, late] = &rows[..] else {
        panic!("{rows:?}");
    };
    assert_eq!((frame.spans, frame.open, frame.instants), (3, 1, 0));
    let duration = frame.duration.as_ref().unwrap();
    assert_eq!((duration.count, duration.min, duration.max), (2, 2, 3));
    let period = frame.period.as_ref().unwrap();
    assert_eq!((period.count, period.min, period.max), (2, 3, 4));
    assert_eq!((late.spans, late.instants, &late.duration), (0, 3, &None));
    assert_eq!(late.period.as_ref().unwrap().max, 3);
    let rows = fixture::with_view(&trace, &fixture::window(4, 6), markers);
    let [frame, late] = &rows[..] else {
        panic!("{rows:?}");
    };
    assert_eq!(
        (frame.spans, frame.duration.as_ref().unwrap().count),
        (0, 1)
    );
    assert_eq!(late.instants, 2);
}
