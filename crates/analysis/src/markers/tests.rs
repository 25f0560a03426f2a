use super::*;
use crate::fixture;
use rtoscope_trace::catalogue::{ExtrasLayout, Icon, MarkerAction, MarkerRole};
use rtoscope_trace::events::ArgumentColumn;
use rtoscope_trace::{
    Address, Catalogue, EventKind, EventKindId, Gap, Name, Object, ObjectClass, Objects, Trace,
};

pub(crate) const BEGIN: u32 = 1;
pub(crate) const END: u32 = 2;
pub(crate) const INSTANT: u32 = 3;
const OPEN: u32 = 4;
const CHANGE: u32 = 5;
const LOSE: u32 = 6;
/// Two addresses of one name, and one of another.
pub(crate) const FRAME: u32 = 0x100;
const FRAME_AGAIN: u32 = 0x200;
pub(crate) const LATE: u32 = 0x300;

fn kind(id: u32, action: MarkerAction) -> EventKind {
    EventKind {
        id: EventKindId(id),
        symbol: "".into(),
        name: action.name().into(),
        component: "test".into(),
        internal: false,
        icon: Icon {
            letters: "M".into(),
            colour: Default::default(),
            second_colour: Default::default(),
        },
        arguments: [const { None }; 4],
        extras: ExtrasLayout::NONE,
        marker: Some(MarkerRole { action, name: None }),
    }
}

/// An event at each tick.
pub(crate) fn trace(events: &[(u32, u32, u32)]) -> Trace {
    let mut trace = fixture::trace(0..events.len() as u64, 1);
    let actions = [BEGIN, END, INSTANT, OPEN, CHANGE, LOSE];
    let actions = actions.into_iter().zip(MarkerAction::ALL);
    trace.catalogue = Catalogue::new(actions.map(|(id, action)| kind(id, action)));
    let object = |(address, name): (u32, &str)| {
        let name = Name::new(name.as_bytes());
        Object::named(ObjectClass::Marker, Address(address.into()), name)
    };
    let names = [(FRAME, "frame"), (FRAME_AGAIN, "frame"), (LATE, "late")];
    trace.objects = Objects::new(names.map(object).into());
    trace.events.edit(|columns| {
        columns.kind = events.iter().map(|(kind, ..)| EventKindId(*kind)).collect();
        let arguments = events.iter().map(|(_, name, value)| [*name, *value, 0, 0]);
        columns.arguments = ArgumentColumn::Narrow(arguments.collect());
    });
    trace
}

fn markers(trace: &Trace) -> Markers {
    let mut builder = MarkersBuilder::new(trace);
    for event in trace.events.iter() {
        builder.push(trace, &event);
    }
    builder.finish(trace)
}

/// Value, begin, end, and the range in which a span is known to be open.
type Span = (u64, Option<u32>, Option<u32>, [u64; 2], SpanEnding);

fn spans(markers: &Markers) -> Vec<Span> {
    let span = |span: &MarkerSpan| {
        let number = |event: Option<EventIndex>| event.map(|event| event.0);
        let open = [span.start.0, span.until.0];
        let (begin, end) = (number(span.begin), number(span.end));
        (span.value, begin, end, open, span.ending)
    };
    markers.spans.iter().map(span).collect()
}

#[test]
fn a_span_has_a_name_and_a_value() {
    let found = markers(&trace(&[
        (BEGIN, FRAME, 1),
        (BEGIN, FRAME, 2),
        (INSTANT, LATE, 9),
        (END, FRAME_AGAIN, 1),
        (END, FRAME, 2),
    ]));
    assert_eq!(found.names, ["frame", "late"]);
    assert_eq!(
        spans(&found),
        [
            (1, Some(0), Some(3), [0, 3], SpanEnding::Ended),
            (2, Some(1), Some(4), [1, 4], SpanEnding::Ended),
        ]
    );
    assert_eq!(found.spans[0].duration(), Some(Ticks(3)));
    let [late] = found.instants[..] else {
        panic!("{:?}", found.instants);
    };
    assert_eq!((late.value, late.time), (9, Ticks(2)));
    assert!(found.diagnostics().is_empty());
}

#[test]
fn equal_spans_nest() {
    let found = markers(&trace(&[
        (BEGIN, FRAME, 1),
        (BEGIN, FRAME, 1),
        (END, FRAME, 1),
        (BEGIN, FRAME, 1),
        (END, FRAME, 1),
        (END, FRAME, 1),
    ]));
    assert_eq!(
        spans(&found),
        [
            (1, Some(0), Some(5), [0, 5], SpanEnding::Ended),
            (1, Some(1), Some(2), [1, 2], SpanEnding::Ended),
            (1, Some(3), Some(4), [3, 4], SpanEnding::Ended),
        ]
    );
}

#[test]
fn ends_without_begins_and_open_spans_are_unknown() {
    let found = markers(&trace(&[
        (END, FRAME, 1),
        (BEGIN, LATE, 2),
        (END, FRAME, 2),
        (BEGIN, LATE, 2),
    ]));
    assert_eq!(
        spans(&found),
        [
            (1, None, Some(0), [0, 0], SpanEnding::Ended),
            (2, Some(1), None, [1, 3], SpanEnding::Open),
            (2, None, Some(2), [2, 2], SpanEnding::Ended),
            (2, Some(3), None, [3, 3], SpanEnding::Open),
        ]
    );
    assert!(found.spans.iter().all(|span| span.duration().is_none()));
    let messages: Vec<_> = found
        .diagnostics()
        .into_iter()
        .map(|it| it.message)
        .collect();
    assert_eq!(
        messages,
        [
            "2 spans of markers end without a recorded begin; the first is frame (1)",
            "2 spans of markers are open at the end of the trace; the first is late (2)",
        ]
    );
}

#[test]
fn a_gap_leaves_open_spans_unknown() {
    let mut trace = trace(&[
        (BEGIN, FRAME, 1),
        (BEGIN, FRAME, 1),
        (INSTANT, LATE, 0),
        (INSTANT, LATE, 0),
        (END, FRAME, 1),
    ]);
    trace.gaps.push(Gap {
        next_event: EventIndex(3),
        missing: None,
        core: None,
        is_restart: false,
    });
    let found = markers(&trace);
    assert_eq!(
        spans(&found),
        [
            (1, Some(0), None, [0, 2], SpanEnding::Lost),
            (1, Some(1), None, [1, 2], SpanEnding::Lost),
            (1, None, Some(4), [4, 4], SpanEnding::Ended),
        ]
    );
}

#[test]
fn spans_can_have_an_unknown_begin_or_end() {
    let found = markers(&trace(&[
        (OPEN, FRAME, 0),
        (END, FRAME, 0),
        (CHANGE, LATE, 5),
        (CHANGE, LATE, 6),
        (LOSE, LATE, 6),
        (LOSE, LATE, 6),
    ]));
    assert_eq!(
        spans(&found),
        [
            (0, None, Some(1), [0, 1], SpanEnding::Ended),
            (5, Some(2), Some(3), [2, 3], SpanEnding::Ended),
            (6, Some(3), None, [3, 4], SpanEnding::Lost),
        ]
    );
    assert_eq!(found.spans[0].duration(), None);
    let lost = found.diagnostics();
    assert_eq!(lost.len(), 1, "{lost:?}");
}

#[test]
fn a_kind_may_have_the_name_of_its_marker() {
    let mut trace = trace(&[(BEGIN, 7, 0), (END, 7, 0), (INSTANT, 8, 0)]);
    let actions = [BEGIN, END, INSTANT].into_iter().zip(MarkerAction::ALL);
    trace.catalogue = Catalogue::new(actions.map(|(id, action)| EventKind {
        marker: Some(MarkerRole {
            action,
            name: Some("blit".into()),
        }),
        ..kind(id, action)
    }));
    let found = markers(&trace);
    assert_eq!(found.names, ["blit"]);
    assert_eq!(
        spans(&found),
        [(7, Some(0), Some(1), [0, 1], SpanEnding::Ended)]
    );
    assert_eq!(found.instants[0].value, 8);
}
