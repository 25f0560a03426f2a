//! A trace's own records are a sequence that it matches, and no other trace does.

use super::*;
use crate::sequence::record_line;
use proptest::prelude::*;

/// Events whose lines match no others: items may follow those that a line
/// names.
fn scripted_events() -> impl Strategy<Value = Vec<ScriptedEvent>> {
    let item_types = Just(ItemType::U32).prop_map(|item_type| vec![item_type, ItemType::Text]);
    of_items(item_types)
}

fn any_scripted_events() -> impl Strategy<Value = Vec<ScriptedEvent>> {
    let item_type = prop::sample::select(vec![
        ItemType::I8,
        ItemType::U32,
        ItemType::X32,
        ItemType::Text,
        ItemType::Memory,
        ItemType::Object,
        ItemType::Signal,
    ]);
    of_items(prop::collection::vec(item_type, 0..4))
}

fn of_items(
    item_types: impl Strategy<Value = Vec<ItemType>>,
) -> impl Strategy<Value = Vec<ScriptedEvent>> {
    let ao = prop::sample::select(vec![SERVER, CLIENT, 0x999]);
    let state = prop::sample::select(vec![0, IDLE, BUSY, BUSY + 1, 0x5000]);
    let trn = (ao.clone(), state.clone(), state.clone())
        .prop_map(|(ao, from, to)| scripted_event(TRN, &[ao, from, to]));
    let action = (
        0..5_u64,
        ao.clone(),
        state,
        0x1000..0x1002_u64,
        any::<u32>(),
    )
        .prop_map(|(role, ao, state, function, word)| {
            let mut action = scripted_event(ACTION, &[role, ao, state, function]);
            action.words = vec![word];
            action
        });
    let get = (ao, 0..3_u64, 0..4_u64)
        .prop_map(|(ao, signal, left)| scripted_event(GET, &[ao, signal, left]));
    let pool = (prop::sample::select(vec![0, 0x300, SERVER]), 0..3_u64)
        .prop_map(|(pool, free)| scripted_event(POOL, &[pool, free]));
    let text = prop::sample::select(vec!["", "5", "a b", "*", "\"", "\\x", "none", "é\n#"]);
    let assert = (text, 0..3_u64).prop_map(|(text, line)| {
        let mut assert = scripted_event(ASSERT, &[0, line]);
        assert.text = Some(text);
        assert
    });
    let values = prop::collection::vec(-2..300_i64, 4);
    let user = (item_types, values).prop_map(|(item_types, values)| {
        let mut user = scripted_event(USER, &[]);
        user.items = item_types.into_iter().zip(values).collect();
        user
    });
    let unknown = any::<[u64; 4]>().prop_map(|arguments| scripted_event(4096, &arguments));
    let one = prop_oneof![trn, action, get, pool, assert, user, unknown];
    prop::collection::vec(one, 1..20)
}

fn lines(trace: &Trace) -> Vec<String> {
    trace
        .events
        .iter()
        .map(|event| record_line(trace, &event))
        .collect()
}

proptest! {
    #[test]
    fn a_trace_matches_its_own_records(events in any_scripted_events()) {
        let trace = trace(&events);
        let lines = lines(&trace);
        let result = result(&trace, &lines.join("\n"));
        prop_assert_eq!(result.problem(), None, "{:#?}", lines);
        prop_assert_eq!(result.matched, lines.len() as u64);
        passes(&trace, &lines.join("\n...\n"));
    }

    #[test]
    fn a_removed_record_is_reported(events in scripted_events(), at in any::<prop::sample::Index>()) {
        let all_lines = lines(&trace(&events));
        let at = at.index(events.len());
        let mut fewer = events;
        fewer.remove(at);
        let fewer = trace(&fewer);
        let left = lines(&fewer);
        // Of equal records in a row the missing one cannot be identified.
        let index = (at..left.len()).find(|index| left[*index] != all_lines[*index]);
        let difference = difference(&fewer, &all_lines.join("\n"));
        match index {
            Some(index) => {
                prop_assert_eq!(difference.kind, DifferenceKind::Other);
                prop_assert_eq!(difference.line as usize, index + 1);
                prop_assert_eq!(difference.found.unwrap().event as usize, index);
                prop_assert_eq!(difference.expected, all_lines[index].as_str());
            }
            None => {
                prop_assert_eq!(difference.kind, DifferenceKind::Missing);
                prop_assert_eq!(difference.line as usize, all_lines.len());
            }
        }
    }

    #[test]
    fn an_added_record_is_reported(events in scripted_events(), at in any::<prop::sample::Index>()) {
        let all_lines = lines(&trace(&events));
        let at = at.index(events.len() + 1);
        let mut more = events;
        more.insert(at, scripted_event(0x77, &[1]));
        let more = trace(&more);
        let difference = difference(&more, &all_lines.join("\n"));
        prop_assert_eq!(difference.found.unwrap().event as usize, at);
        let expected = if at == all_lines.len() { DifferenceKind::Extra } else { DifferenceKind::Other };
        prop_assert_eq!(difference.kind, expected);
        passes(&more, &format!("ignore 0x77\n{}", all_lines.join("\n")));
    }

    #[test]
    fn an_altered_record_is_reported(
        events in scripted_events(),
        at in any::<prop::sample::Index>(),
        other in scripted_events(),
    ) {
        let all_lines = lines(&trace(&events));
        let at = at.index(events.len());
        let mut altered = events;
        altered[at] = other[0].clone();
        let altered = trace(&altered);
        let text = all_lines.join("\n");
        if lines(&altered)[at] == all_lines[at] {
            passes(&altered, &text);
        } else {
            let (kind, line, event) = position(&altered, &text);
            prop_assert_eq!((kind, line as usize), (DifferenceKind::Other, at + 1));
            prop_assert_eq!(event, Some(at as u64));
        }
    }

    #[test]
    fn any_text_is_a_sequence_or_an_error(text in "([a-z.*0-9 =\"'\\\\#?]|SM.TRN|ao=|\\.\\.\\.|never |within |3x |after |until |\n){0,30}") {
        let trace = trace(&request());
        let checked = Sequence::parse(&text, 1).and_then(|it| it.check(&trace, "", false));
        if let Err(error) = checked {
            prop_assert!(error.line <= text.lines().count().max(1));
            prop_assert!(!error.message.is_empty());
        }
    }
}
