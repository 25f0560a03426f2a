//! Common Trace Format folders match the trace.

use crate::common::{AnalyzedRecording, analyze};
use crate::ctf_reader::{CtfTrace, Event, FieldValues, Value, get, number};
use crate::hostile;
use proptest::prelude::*;
use rtoscope_analysis::schedule::RunningContext;
use rtoscope_export::ctf;
use rtoscope_trace::catalogue::{ArgumentDef, ExtrasLayout, Meaning};
use rtoscope_trace::events::{ArgumentColumn, WordColumn};
use rtoscope_trace::extras::{Extras, ItemType, ItemValue, TypedItem};
use rtoscope_trace::{Address, ContextId, EventIndex, EventKind, Gap, Name, Ticks, Trace};
use std::collections::{BTreeMap, HashMap, HashSet};
use tempfile::TempDir;

/// The events and the schedule.
fn exported(opened: &AnalyzedRecording) -> (CtfTrace, CtfTrace) {
    let folder = TempDir::new().unwrap();
    let mut reported = 0;
    ctf::write(opened, folder.path(), &mut |events| reported += events).unwrap();
    assert_eq!(reported, opened.trace.events.len() as u64);
    let schedule = CtfTrace::new(&folder.path().join("schedule"));
    (CtfTrace::new(folder.path()), schedule)
}

/// The events by number, without those that mark gaps.
fn by_number(read: &CtfTrace) -> BTreeMap<u64, &Event> {
    let events = read.events().filter(|event| event.name != "lost");
    let mut all = BTreeMap::new();
    for event in events {
        let before = all.insert(number(&event.common, "number"), event);
        assert!(before.is_none());
    }
    all
}

/// The expected values of an event, in order.
fn expected(trace: &Trace, event: &rtoscope_trace::Event) -> Vec<Value> {
    let Some(kind) = trace.catalogue.get(event.kind) else {
        let words = event.arguments.iter();
        return words.map(|word| Value::Number(*word, None)).collect();
    };
    let words = trace.raw_arguments(kind, event);
    let mut all: Vec<_> = words
        .map(|(argument, word)| value(trace, argument.meaning, word))
        .collect();
    if kind.extras == ExtrasLayout::Items {
        let items = trace.events.extras().items(event.index);
        all.extend(items.map(|item| match item.value {
            ItemValue::Signed(number) => Value::Signed(number.into()),
            ItemValue::Text(text) => Value::Text(Name::new(text).to_string()),
            ItemValue::Memory(block) => Value::Bytes(block.to_vec()),
            ItemValue::Number(number) => Value::Number(number.into(), None),
        }));
    }
    all
}

fn value(trace: &Trace, meaning: Meaning, word: u64) -> Value {
    let shown = format!("{:#}", trace.value(meaning, word));
    match meaning {
        Meaning::Text | Meaning::Ipv4 => Value::Text(shown),
        Meaning::Signed => Value::Signed(shown.parse().unwrap()),
        Meaning::Object(_)
        | Meaning::AnyObject
        | Meaning::ContextName
        | Meaning::EventPool
        | Meaning::Code => {
            let plain = shown == Address(word).to_string() || shown == word.to_string();
            Value::Number(word, (!plain).then_some(shown))
        }
        Meaning::Named(names) => {
            let name = names.values.iter().find(|(value, _)| *value == word);
            Value::Number(word, name.map(|(_, name)| (*name).to_owned()))
        }
        _ => Value::Number(word, None),
    }
}

/// The labels of items are ignored: they are those of arguments.
fn without_label(value: &Value) -> Value {
    match value {
        Value::Number(number, _) => Value::Number(*number, None),
        other => other.clone(),
    }
}

fn optional(values: &FieldValues, name: &str) -> Option<u64> {
    let has = values.iter().any(|(known, _)| known == name);
    has.then(|| number(values, name))
}

/// Every event of a trace is there, with all its values.
fn agrees(opened: &AnalyzedRecording, read: &CtfTrace) {
    let trace = &opened.trace;
    let written = by_number(read);
    assert_eq!(written.len(), trace.events.len());
    for event in trace.events.iter() {
        let found = written[&trace.recording_event(event.index)];
        let name = Name::new(trace.catalogue.name(event.kind).as_bytes());
        assert_eq!(found.name, name.to_string());
        assert_eq!(found.time, trace.recording_time(event.time).0);
        assert_eq!(found.core, u64::from(event.core));
        let context = Value::Number(
            event.context.0.into(),
            Some(trace.context_name(event.context)),
        );
        assert_eq!(*get(&found.common, "context"), context);
        let address = trace.contexts.get(event.context).unwrap().address;
        assert_eq!(number(&found.common, "context_address"), address.0);
        let priority = optional(&found.context, "priority");
        assert_eq!(priority, event.priority().map(u64::from));
        let threshold = optional(&found.context, "threshold");
        assert_eq!(threshold, event.threshold().map(u64::from));
        let interrupted = event.interrupted().filter(|id| *id != ContextId::UNKNOWN);
        let found_interrupted = optional(&found.context, "interrupted");
        assert_eq!(found_interrupted, interrupted.map(|id| id.0.into()));
        let kind = trace.catalogue.get(event.kind);
        let has_items = kind.is_some_and(|kind| kind.extras == ExtrasLayout::Items);
        let as_exported = |value: &Value| match has_items {
            true => without_label(value),
            false => value.clone(),
        };
        let values = found.fields.iter().map(|(_, value)| as_exported(value));
        let wanted: Vec<_> = expected(trace, &event).iter().map(as_exported).collect();
        assert_eq!(values.collect::<Vec<_>>(), wanted, "{event:?}");
    }
}

/// CPU times from the exported schedule match the analysis.
fn times_agree(opened: &AnalyzedRecording, read: &CtfTrace) {
    let schedule = &opened.schedule;
    let mut from_slices: HashMap<(u64, u64), u64> = HashMap::new();
    for core in &schedule.cores {
        for (slice, end) in core.iter() {
            if let RunningContext::Thread(id) = slice.running.running_context() {
                let key = (core.core.into(), id.0.into());
                *from_slices.entry(key).or_default() += end.0 - slice.start.0;
            }
        }
    }
    let mut from_events: HashMap<(u64, u64), u64> = HashMap::new();
    let mut dumped = 0;
    for packets in read.streams.values() {
        let mut last = 0;
        let mut depth = 0_u64;
        let mut task = 2;
        for event in packets.iter().flat_map(|packet| &packet.events) {
            if depth == 0 && task > 2 {
                *from_events.entry((event.core, task)).or_default() += event.time - last;
            }
            last = event.time;
            // Linux handlers do not nest.
            assert!(depth <= 1);
            match event.name.as_str() {
                "sched_switch" => {
                    assert_eq!(number(&event.fields, "prev_tid"), task);
                    task = number(&event.fields, "next_tid");
                }
                "irq_handler_entry" => depth += 1,
                "irq_handler_exit" => depth -= 1,
                "lttng_statedump_process_state" => dumped += 1,
                "sched_pi_setprio" => {}
                other => assert_eq!(other, "sched_wakeup"),
            }
        }
        // Nothing known runs after the end.
        assert_eq!((task, depth), (2, 0));
    }
    assert_eq!(dumped, opened.trace.contexts.threads().count());
    from_events.retain(|_, time| *time != 0);
    assert_eq!(from_events, from_slices);
    let wakes = read.events().filter(|event| event.name == "sched_wakeup");
    let wakes: Vec<_> = wakes.collect();
    for wake in &wakes {
        let thread = number(&wake.fields, "tid");
        let next = schedule.dispatches.iter().find(|dispatch| {
            u64::from(dispatch.thread.0) == thread && dispatch.time.0 >= wake.time
        });
        let core = next.map_or(wake.core, |dispatch| dispatch.core.into());
        assert_eq!(
            number(&wake.fields, "target_cpu"),
            core,
            "{wake:?} {next:?}"
        );
    }
    assert_eq!(wakes.len(), schedule.wake_ups().count());
}

#[test]
fn hostile_recordings_give_valid_traces() {
    for opened in hostile::all() {
        let (events, _) = exported(&opened);
        let count = opened.trace.events.len();
        assert_eq!(by_number(&events).len(), count);
        for event in events.events() {
            // The limit of the reference reader, in 64-bit nanoseconds.
            assert!(event.time <= 1 << 62);
        }
    }
}

#[test]
fn multicore_losses_start_with_the_gap() {
    // Core 0 has events 0 to 4, 10 to 14 and so on, core 1 the others.
    let mut recording = hostile::parted();
    let trace = &mut recording.trace;
    let times: Vec<_> = trace.events.times().map(|time| time.0).collect();
    let gap = |before, missing, core| Gap {
        next_event: EventIndex(before),
        missing,
        core,
        is_restart: false,
    };
    trace.gaps = vec![
        gap(5, Some(2), None),
        gap(12, Some(3), None),
        gap(15, Some(4), Some(1)),
        gap(20, Some(5), None),
        gap(25, None, None),
    ];
    let (events, _) = exported(&analyze("gaps", recording));
    let summaries_of = |core: &str, count| {
        let packets = events.streams[core].iter().take(count);
        let summaries = packets.map(|it| (it.begin, it.end, it.discarded, it.events.len()));
        summaries.collect::<Vec<_>>()
    };
    assert_eq!(
        summaries_of("core_0", 4),
        [
            (times[0], times[11], 0, 7),
            (times[11], times[12], 3, 1),
            // It ends where the gap starts, with an event of the other core.
            (times[13], times[19], 3, 2),
            (times[19], times[20], 8, 1),
        ]
    );
    assert_eq!(
        summaries_of("core_1", 6),
        [
            // Before its first event.
            (0, times[4], 0, 0),
            (times[4], times[5], 2, 1),
            (times[6], times[9], 2, 4),
            (times[9], times[15], 6, 1),
            (times[16], times[24], 6, 4),
            (times[24], times[25], 6, 2),
        ]
    );
    let lost = events.events().find(|event| event.name == "lost");
    assert_eq!(lost.unwrap().time, times[24]);
}

#[test]
fn partial_recording_keeps_numbers_and_times() {
    let mut recording = hostile::recording("threadx/cm3_short.trx");
    recording.trace.origin.event = 5_000_000_000;
    recording.trace.origin.time = Ticks(1 << 40);
    let opened = analyze("part", recording);
    let (events, schedule) = exported(&opened);
    agrees(&opened, &events);
    assert!(schedule.events().all(|event| event.time >= 1 << 40));
}

#[test]
fn packets_are_bounded() {
    let mut recording = hostile::recording("threadx/cm3_system.trx");
    let gap = |before| Gap {
        next_event: EventIndex(before),
        missing: Some(1),
        core: None,
        is_restart: false,
    };
    recording.trace.gaps = vec![gap(1), gap(1)];
    let opened = analyze("long", recording);
    let (events, _) = exported(&opened);
    agrees(&opened, &events);
    let packets = &events.streams["core_0"];
    assert!(packets.len() > 2);
    assert!(packets.iter().all(|packet| packet.bytes < 130 << 10));
    assert!(packets.iter().all(|packet| !packet.events.is_empty()));
    assert_eq!(packets.last().unwrap().discarded, 2);
}

#[test]
fn excess_item_lists_become_text() {
    let mut recording = hostile::recording("rkh/allrec_base.bin");
    let trace = &mut recording.trace;
    let with_items = |kind: &&EventKind| kind.extras == ExtrasLayout::Items;
    let kind = trace.catalogue.iter().find(with_items).unwrap().id;
    let count = trace.events.len();
    let forms = [ItemType::U8, ItemType::X32];
    let mut extras = Extras::default();
    for _ in 0..count {
        extras.end_event();
    }
    let rows = 2_000;
    for row in 0..rows {
        for bit in 0..11 {
            extras.push_item(&TypedItem {
                item_type: forms[row >> bit & 1],
                width: 0,
                value: ItemValue::Number(7),
            });
        }
        extras.end_event();
    }
    let events = &mut trace.events;
    let span = events.span().0;
    // The texts of the previous extras are dropped.
    let first = events.get(EventIndex(0)).unwrap();
    let total = count + rows;
    events.edit(|columns| {
        columns.extras = extras;
        columns.time.resize(total, span);
        columns.context.resize(total, first.context);
        columns.priority_word.resize(total, first.priority_word);
        columns.kind.resize(total, kind);
        if !columns.core.is_empty() {
            columns.core.resize(total, first.core);
        }
        match &mut columns.timestamp {
            WordColumn::Narrow(words) => words.resize(total, 0),
            WordColumn::Wide(words) => words.resize(total, 0),
        }
        match &mut columns.arguments {
            ArgumentColumn::Narrow(words) => words.resize(total, [0; 4]),
            ArgumentColumn::Wide(words) => words.resize(total, [0; 4]),
        }
    });
    let (events, _) = exported(&analyze("items", recording));
    assert!(events.metadata.events.len() < 1_200);
    let written = by_number(&events);
    assert_eq!(written.len(), total);
    let in_words = written.values().filter(|event| {
        let [.., (name, Value::Text(words))] = event.fields.as_slice() else {
            return false;
        };
        name == "arguments" && words.contains("u8=7") | words.contains("x32=0x7")
    });
    assert!(in_words.count() >= 800);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_names_round_trip(
        name in proptest::collection::vec(any::<u8>(), 0..12),
        arguments in proptest::collection::vec(".{0,5}", 4),
        kind_name in ".{0,8}",
    ) {
        let mut recording = hostile::renamed("threadx/cm3_short.trx", &name);
        let mut kinds: Vec<_> = recording.trace.catalogue.iter().cloned().collect();
        for kind in &mut kinds {
            kind.name = kind_name.clone().into();
            for (slot, name) in kind.arguments.iter_mut().zip(&arguments) {
                let meaning = slot.as_ref().map_or(Meaning::Hex, |slot| slot.meaning);
                *slot = Some(ArgumentDef { name: name.clone().into(), meaning });
            }
        }
        recording.trace.catalogue.extend(kinds);
        let opened = analyze(&kind_name, recording);
        let (events, schedule) = exported(&opened);
        agrees(&opened, &events);
        times_agree(&opened, &schedule);
        let name = Name::new(kind_name.as_bytes()).to_string();
        prop_assert_eq!(&events.metadata.environment["recording"], &name);
        let first = &events.metadata.events[&0].fields;
        let names: HashSet<_> = first.iter().map(|field| &field.name).collect();
        prop_assert_eq!(names.len(), 4);
    }
}
