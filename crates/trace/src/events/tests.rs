use super::*;
use crate::Contexts;
use proptest::prelude::*;

fn columns(count: usize) -> EventColumns {
    let numbers = || (0_u32..).take(count);
    EventColumns {
        time: numbers().map(|number| u64::from(number / 3 * 10)).collect(),
        timestamp: WordColumn::Narrow(numbers().collect()),
        core: Vec::new(),
        context: vec![Contexts::IDLE; count],
        kind: numbers().map(EventKindId).collect(),
        priority_word: vec![PriorityWord(7); count],
        arguments: ArgumentColumn::Narrow(numbers().map(|number| [number, 0, 0, 1]).collect()),
        extras: Extras::default(),
    }
}

#[test]
fn parts_are_visited() {
    let count = 100;
    let mut columns = columns(count);
    columns.core = (0..count).map(|number| (number % 3) as u8).collect();
    let events = Events::new(columns);
    for numbers in [0..count, 0..usize::MAX, 7..7, 20..40, count..count + 9] {
        let end = numbers.end.min(count);
        let mut visited = Vec::new();
        events.visit(numbers.clone(), |event| visited.push(event));
        let mut headers = Vec::new();
        events.visit_headers(numbers.clone(), |header| headers.push(header));
        let expected = (numbers.start..end).map(|number| events.get(event_index(number)).unwrap());
        let expected: Vec<_> = expected.collect();
        assert_eq!(visited, expected);
        let expected = expected.iter().map(Event::header);
        assert!(headers.into_iter().eq(expected));
    }
}

#[test]
fn the_events_of_each_context_are_counted() {
    let mut columns = columns(9);
    columns.context = (0..9).map(|number| ContextId(number % 4)).collect();
    let events = Events::new(columns);
    assert_eq!(events.context_counts(3), [3, 2, 2]);
    assert_eq!(Events::default().context_counts(2), [0, 0]);
}

#[test]
fn columns_of_any_widths_can_be_read() {
    let mut columns = columns(4);
    columns.timestamp = WordColumn::Wide(vec![1 << 40; 9]);
    let events = Events::new(columns);
    assert_eq!((events.len(), events.word_bits()), (4, 32));
    let mut visited = Vec::new();
    events.visit(1..3, |event| visited.push(event));
    assert_eq!(
        visited,
        [
            events.get(EventIndex(1)).unwrap(),
            events.get(EventIndex(2)).unwrap()
        ]
    );
    assert_eq!(visited[1].timestamp, 1 << 40);
}

#[test]
fn events_have_a_value_in_all_columns() {
    let mut events = Events::new(columns(9));
    assert_eq!(events.core(EventIndex(8)), Some(0));
    assert_eq!(events.core(EventIndex(9)), None);
    events.edit(|columns| columns.core = vec![1; 7]);
    assert_eq!(events.len(), 7);
    assert_eq!(events.core(EventIndex(6)), Some(1));
    events.edit(|columns| columns.kind.clear());
    assert!(events.is_empty() && events.times_of(0..9).is_empty());
    assert_eq!(events.get(EventIndex(0)), None);
    assert_eq!(events, Events::default());
}

proptest! {
    #[test]
    fn searches_by_time_match_a_linear_search(count in 0..40_usize, time in 0..200_u64) {
        let events = Events::new(columns(count));
        let before = events.times().filter(|other| other.0 < time).count();
        prop_assert_eq!(events.index_at_or_after(Ticks(time)).index(), before);
        let until = events.times().filter(|other| other.0 <= time).count();
        prop_assert_eq!(events.index_after(Ticks(time)).index(), until);
        let part = events.partition_point(5..30, |other| other.0 <= time);
        prop_assert_eq!(part, until.clamp(5.min(count), 30.min(count)));
    }
}
