//! Sequences against small traces made by hand.

mod gaps;
mod language;
mod meaning;
mod occurrences;
mod properties;
mod unit_tests;

use super::occurrences::check_once;
use super::outcome::{ComparisonResult, Difference, DifferenceKind, Uncertainty};
use super::{Sequence, bind};
use crate::check::{CheckResult, RuleError, RuleOutcome};
use rtoscope_trace::catalogue::{
    ArgumentDef, ExtrasLayout, Icon, Meaning, NamedValues, UnnamedFormat,
};
use rtoscope_trace::event::PriorityWord;
use rtoscope_trace::events::{ArgumentColumn, WordColumn};
use rtoscope_trace::extras::{Extras, ItemType, ItemValue, TypedItem};
use rtoscope_trace::{
    Address, Catalogue, EventKind, EventKindId, Name, Object, ObjectClass, ObjectId, Objects, Trace,
};

const TRN: u32 = 0x62;
const STATE: u32 = 0x63;
const ACTION: u32 = 0x70;
const GET: u32 = 0x42;
const POOL: u32 = 0x01;
const ASSERT: u32 = 0xAD;
const USER: u32 = 0xC0;

const SERVER: u64 = 0x100;
const CLIENT: u64 = 0x200;
const IDLE: u64 = 0x10;
const BUSY: u64 = 0x20;

static ROLES: NamedValues = NamedValues {
    name: "role",
    bits: false,
    values: &[(0, "effect"), (1, "entry"), (2, "exit")],
    unnamed: UnnamedFormat::Number,
};

/// The content of one event, without its number.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ScriptedEvent {
    kind: u32,
    arguments: [u64; 4],
    words: Vec<u32>,
    items: Vec<(ItemType, i64)>,
    text: Option<&'static str>,
}

fn scripted_event(kind: u32, arguments: &[u64]) -> ScriptedEvent {
    let mut all = [0; 4];
    all[..arguments.len()].copy_from_slice(arguments);
    ScriptedEvent {
        kind,
        arguments: all,
        words: Vec::new(),
        items: Vec::new(),
        text: None,
    }
}

fn argument(name: &'static str, meaning: Meaning) -> Option<ArgumentDef> {
    Some(ArgumentDef {
        name: name.into(),
        meaning,
    })
}

fn kind(
    id: u32,
    name: &'static str,
    component: &'static str,
    arguments: &[(&'static str, Meaning)],
) -> EventKind {
    let mut all = [const { None }; 4];
    for (position, (name, meaning)) in all.iter_mut().zip(arguments) {
        *position = argument(name, *meaning);
    }
    EventKind {
        id: EventKindId(id),
        symbol: format!("RKH_TE_{}", name.replace(' ', "_")).into(),
        name: name.into(),
        component: component.into(),
        internal: false,
        icon: Icon {
            letters: "X".into(),
            colour: Default::default(),
            second_colour: Default::default(),
        },
        arguments: all,
        extras: ExtrasLayout::NONE,
        marker: None,
    }
}

fn catalogue() -> Catalogue {
    let object = Meaning::Object;
    let ao = ("ao", object(ObjectClass::ActiveObject));
    let state = object(ObjectClass::State);
    let mut action = kind(
        ACTION,
        "SM EXE_ACT",
        "sm",
        &[
            ("type", Meaning::Named(&ROLES)),
            ao,
            ("st", state),
            ("fn", object(ObjectClass::Function)),
        ],
    );
    action.extras = ExtrasLayout::Arguments(vec![argument("wait option", Meaning::Signed)].into());
    let mut user = kind(USER, "USR 0", "usr", &[]);
    user.extras = ExtrasLayout::Items;
    Catalogue::new([
        kind(TRN, "SM TRN", "sm", &[ao, ("sst", state), ("tst", state)]),
        kind(STATE, "SM STATE", "sm", &[ao, ("nxtst", state)]),
        action,
        kind(
            GET,
            "SMA GET",
            "sma",
            &[
                ao,
                ("sig", object(ObjectClass::Signal)),
                ("nelem", Meaning::Count),
                ("pid", Meaning::EventPool),
            ],
        ),
        kind(
            POOL,
            "MP GET",
            "mp",
            &[("mp", Meaning::AnyObject), ("nfree", Meaning::Count)],
        ),
        kind(
            ASSERT,
            "FWK ASSERT",
            "fwk",
            &[("module", Meaning::Text), ("line", Meaning::Number)],
        ),
        user,
    ])
}

fn objects() -> Objects {
    let named = [
        (ObjectClass::ActiveObject, SERVER, "server"),
        (ObjectClass::ActiveObject, CLIENT, "log client"),
        (ObjectClass::State, IDLE, "idle"),
        (ObjectClass::State, BUSY, "busy"),
        // The same state of another instance.
        (ObjectClass::State, BUSY + 1, "busy"),
        (ObjectClass::Signal, 0, "SG_REQ"),
        (ObjectClass::Signal, 1, "5"),
        (ObjectClass::Function, 0x1000, "act*"),
        (ObjectClass::BlockPool, 0x300, "none"),
        (ObjectClass::EventPool, 1, "ep1"),
    ];
    let object = |(class, address, name): &(ObjectClass, u64, &str)| Object {
        id: ObjectId(0),
        class: *class,
        type_number: 0,
        address: Address(*address),
        name: Name::new(name.as_bytes()),
        parameters: Some([0, 0]),
        priority: None,
        deleted: false,
        slot: Some(0),
    };
    Objects::new(named.iter().map(object).collect())
}

/// A trace of these events, ten ticks apart, logged by the server.
fn trace(events: &[ScriptedEvent]) -> Trace {
    let count = events.len() as u64;
    let mut trace = crate::fixture::trace((0..count).map(|number| number * 10), 0);
    trace.catalogue = catalogue();
    trace.objects = objects();
    let server = trace.objects.find(Address(SERVER), None);
    let server = server.map(|object| object.id);
    let context = trace.contexts.push_thread(Address(SERVER), server);
    let mut extras = Extras::default();
    let mut rows = Vec::new();
    for event in events {
        let mut arguments = event.arguments;
        if let Some(text) = event.text {
            arguments[0] = extras.push_text(text.as_bytes()).into();
        }
        rows.push(arguments);
        event.words.iter().for_each(|word| extras.push(*word));
        for (item_type, value) in &event.items {
            let text = value.to_string();
            extras.push_item(&TypedItem {
                item_type: *item_type,
                width: 0,
                value: match item_type {
                    ItemType::I8 | ItemType::I16 | ItemType::I32 => {
                        ItemValue::Signed(*value as i32)
                    }
                    ItemType::Text => ItemValue::Text(text.as_bytes()),
                    ItemType::Memory => ItemValue::Memory(text.as_bytes()),
                    _ => ItemValue::Number(*value as u32),
                },
            });
        }
        extras.end_event();
    }
    trace.events.edit(|columns| {
        columns.context = vec![context; events.len()];
        columns.kind = events.iter().map(|it| EventKindId(it.kind)).collect();
        columns.timestamp = WordColumn::Wide((0..count).collect());
        columns.priority_word = vec![PriorityWord(0); events.len()];
        columns.arguments = ArgumentColumn::Wide(rows);
        columns.extras = extras;
    });
    trace
}

fn parse(text: &str) -> Sequence {
    Sequence::parse(text, 1).unwrap_or_else(|error| panic!("{error}"))
}

fn checked(trace: &Trace, text: &str) -> CheckResult {
    let checked = parse(text).check(trace, "", false);
    checked.unwrap_or_else(|error| panic!("{error}"))
}

/// The result of a sequence that occurs once.
fn result(trace: &Trace, text: &str) -> ComparisonResult {
    let plan = bind::bind(trace, &parse(text)).unwrap_or_else(|error| panic!("{error}"));
    assert!(plan.start.is_none());
    check_once(trace, &plan, false)
}

fn passes(trace: &Trace, text: &str) {
    let result = checked(trace, text);
    assert_eq!(result.outcome, RuleOutcome::Passed, "{text}\n{result:?}");
}

/// The difference of a trace from a sequence that occurs once.
fn difference(trace: &Trace, text: &str) -> Difference {
    let result = result(trace, text);
    assert_eq!(result.outcome(), RuleOutcome::Failed, "{text}");
    result.difference.unwrap()
}

/// The kind of difference, the line of the sequence, and the event.
fn position(trace: &Trace, text: &str) -> (DifferenceKind, u32, Option<u64>) {
    let difference = difference(trace, text);
    let event = difference.found.map(|found| found.event);
    (difference.kind, difference.line, event)
}

/// The error in a sequence, with or without a trace.
fn mistake(trace: &Trace, text: &str) -> RuleError {
    let parsed = Sequence::parse(text, 1);
    let checked = parsed.and_then(|sequence| sequence.check(trace, "", false));
    checked.unwrap_err()
}

/// A request that the server serves.
fn request() -> Vec<ScriptedEvent> {
    vec![
        scripted_event(POOL, &[0x300, 3]),
        scripted_event(GET, &[SERVER, 0, 2]),
        scripted_event(TRN, &[SERVER, IDLE, BUSY]),
        scripted_event(STATE, &[SERVER, BUSY]),
        scripted_event(GET, &[CLIENT, 1, 0]),
        scripted_event(TRN, &[SERVER, BUSY, IDLE]),
        scripted_event(STATE, &[SERVER, IDLE]),
    ]
}
