//! The whole language, on a small trace.

mod faults;
mod language;
mod properties;

use super::Filter;
use crate::catalogue::{
    ArgumentDef, Colour, ExtrasLayout, Icon, Meaning, NamedValues, UnnamedFormat,
};
use crate::clock::{ClockDirection, ClockQuality};
use crate::event::PriorityWord;
use crate::events::{ArgumentColumn, EventColumns, WordColumn};
use crate::{
    Address, Catalogue, Clock, CodeLocations, Contexts, Diagnostics, EventKind, EventKindId,
    Events, Frequency, Name, Object, ObjectClass, ObjectId, Objects, SwitchModel, Trace,
};

const WAIT: NamedValues = NamedValues {
    name: "wait-option",
    bits: false,
    values: &[(0, "TX_NO_WAIT"), (0xFFFF_FFFF, "TX_WAIT_FOREVER")],
    unnamed: UnnamedFormat::Ticks,
};

const QUEUE: u32 = 0x2000_0100;
const MUTEX: u32 = 0x2000_0200;
const WORKER: u32 = 0x2000_1000;
const ODD: u32 = 0x2000_2000;

fn kind(
    id: u32,
    name: &'static str,
    component: &'static str,
    arguments: [Option<(&'static str, Meaning)>; 4],
) -> EventKind {
    EventKind {
        id: EventKindId(id),
        symbol: format!("TX_TRACE_{}", name.trim_start_matches("tx_").to_uppercase()).into(),
        name: name.into(),
        component: component.into(),
        internal: false,
        icon: Icon {
            letters: "T".into(),
            colour: Colour::default(),
            second_colour: Colour::default(),
        },
        arguments: arguments.map(|argument| {
            argument.map(|(name, meaning)| ArgumentDef {
                name: name.into(),
                meaning,
            })
        }),
        extras: ExtrasLayout::NONE,
        marker: None,
    }
}

fn object(address: u32, class: ObjectClass, name: &[u8]) -> Object {
    Object {
        id: ObjectId(0),
        class,
        type_number: 0,
        address: Address(address.into()),
        name: Name::new(name),
        parameters: Some([0, 0]),
        priority: None,
        deleted: false,
        slot: Some(0),
    }
}

/// | # | ticks | core | context | kind | about |
/// |---|---|---|---|---|---|
/// | 0 | 0 | 0 | worker 1 (3, threshold 2) | tx_queue_send | rx queue, wait forever |
/// | 1 | 25 | 1 | interrupt (of worker 1) | tx_queue_send | rx queue, no wait |
/// | 2 | 50 | 0 | idle | isr_enter 70000 | |
/// | 3 | 75 | 1 | odd name (7) | tx_mutex_get | mutex, owner worker 1 |
/// | 4 | 100 | 0 | interrupt (of idle) | 5000, unknown | 1, 2, 3, 0x10 |
/// | 5 | 125 | 0 | initialize | tx_mutex_get | null, owner null |
fn trace() -> Trace {
    let (queue, mutex) = (ObjectClass::Queue, ObjectClass::Mutex);
    let catalogue = Catalogue::new([
        kind(
            10,
            "tx_queue_send",
            "threadx",
            [
                Some(("queue", Meaning::Object(queue))),
                Some(("source", Meaning::Address)),
                Some(("wait option", Meaning::Named(&WAIT))),
                None,
            ],
        ),
        kind(
            20,
            "tx_mutex_get",
            "threadx",
            [
                Some(("mutex", Meaning::Object(mutex))),
                Some(("wait option", Meaning::Named(&WAIT))),
                Some(("owner", Meaning::AnyObject)),
                Some(("peer", Meaning::Ipv4)),
            ],
        ),
        kind(70_000, "isr_enter", "kernel", [const { None }; 4]),
    ]);
    let objects = Objects::new(vec![
        object(QUEUE, queue, b"rx queue"),
        object(MUTEX, mutex, b"bus"),
        object(WORKER, ObjectClass::Thread, b"worker 1"),
        object(ODD, ObjectClass::Thread, b"caf\xE9\\x"),
        object(QUEUE, ObjectClass::Timer, b"shadow"),
    ]);
    let mut contexts = Contexts::new(Address(0xFFFF_FFFF), Address(0xF0F0_F0F0), Address(0));
    let mut thread = |address: u32, number: u32| {
        contexts.push_thread(Address(address.into()), Some(ObjectId(number)))
    };
    let (worker, odd) = (thread(WORKER, 2), thread(ODD, 3));
    let (interrupt, idle) = (Contexts::INTERRUPT, Contexts::IDLE);
    Trace {
        origin: Default::default(),
        events: Events::new(EventColumns {
            time: vec![0, 25, 50, 75, 100, 125],
            timestamp: WordColumn::Narrow(vec![1000, 1025, 1050, 1075, 1100, 1125]),
            core: vec![0, 1, 0, 1, 0, 0],
            context: vec![
                worker,
                interrupt,
                idle,
                odd,
                interrupt,
                Contexts::INITIALIZE,
            ],
            kind: [10, 10, 70_000, 20, 5000, 20].map(EventKindId).to_vec(),
            priority_word: vec![
                PriorityWord::thread(3, Some(2)),
                PriorityWord::interrupted(worker),
                PriorityWord(0),
                PriorityWord::thread(7, None),
                PriorityWord::interrupted(idle),
                PriorityWord(0),
            ],
            arguments: ArgumentColumn::Narrow(vec![
                [QUEUE, 0x2000_0000, 0xFFFF_FFFF, 0],
                [QUEUE, 0x2000_0004, 0, 0],
                [0; 4],
                [MUTEX, 100, WORKER, 0x0A00_0001],
                [1, 2, 3, 0x10],
                [0, 0, 0, 0],
            ]),
            extras: Default::default(),
        }),
        contexts,
        objects,
        clock: clock(),
        cores: vec![0, 1],
        gaps: Vec::new(),
        catalogue,
        switch_model: SwitchModel::default(),
        code_locations: CodeLocations::default(),
        call_stacks: Default::default(),
        diagnostics: Diagnostics::default(),
    }
}

/// The numbers of the matching events.
fn passing(text: &str) -> Vec<u32> {
    let trace = trace();
    let filter = Filter::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let bound = filter
        .bind(&trace)
        .unwrap_or_else(|error| panic!("{error}"));
    bound.matching().map(|index| index.0).collect()
}

fn clock() -> Clock {
    let mut clock = Clock::new(u64::MAX, ClockDirection::Up);
    clock.quality = ClockQuality::Good;
    clock.with_frequency(Frequency::from_hertz(25_000_000))
}
