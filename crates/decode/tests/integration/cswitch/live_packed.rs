//! Packed entries: formatted events, code addresses, times over gaps, several cores.

use super::builders::Cswl;
use proptest::prelude::*;
use rtoscope_decode::cswitch::{self, CswitchInterpreter};
use rtoscope_decode::live::{HostTime, LiveDecoder, LiveOptions};
use rtoscope_decode::{DecodeOptions, DecodedRecording};
use rtoscope_trace::extras::ItemValue;
use rtoscope_trace::{DiagnosticKind, EventIndex, Interpret as _, SchedEvent, Trace};
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::command::StreamCommand;
use rtoscope_wire::cswitch::packed::{PackedEntry, PackedHeader};
use rtoscope_wire::cswitch::{
    CSWL_HEADER_BYTES, CoreHistory, CswlHeader, EntryKind, PACKED_VERSION, PointerSize,
    SUMMED_VERSION, SectionHeader, SectionTag, WordSum,
};

const ORDER: ByteOrder = ByteOrder::Little;

/// A container with entries of a core, after `before` others and `lost` ones.
struct Container {
    session: u32,
    core: u16,
    cores: u16,
    before: u64,
    lost: u64,
    start_ticks: u64,
}

impl Container {
    fn with(self, entries: &[PackedEntry]) -> Vec<u8> {
        self.with_names(&[], entries)
    }

    fn with_names(self, names: &[(u64, &str)], entries: &[PackedEntry]) -> Vec<u8> {
        let mut content = PackedHeader {
            core: self.core,
            entries: entries.len() as u32,
            start_ticks: self.start_ticks,
            lost: self.lost,
        }
        .to_bytes(ORDER)
        .to_vec();
        for entry in entries {
            let (words, count) = entry.encode().unwrap();
            let words = words.iter().take(count);
            content.extend(words.flat_map(|word| word.to_le_bytes()));
        }
        let past = CoreHistory {
            core: self.core,
            session: self.session,
            preceding_entries: self.before,
        };
        let mut container = Cswl::with_header(CswlHeader {
            order: ORDER,
            version: PACKED_VERSION,
            pointer_size: PointerSize::Four,
            counter_bits: 32,
            cores: self.cores,
            frequency_hz: 1_000_000,
        });
        for (number, name) in names {
            container = container.name(*number, name);
        }
        container
            .section(SectionTag::PAST, &past.to_bytes(ORDER))
            .section(SectionTag::PACKED, &content)
            .end()
    }
}

fn entry(kind: EntryKind, ticks: u32, operand: u32, value: u32) -> PackedEntry {
    PackedEntry {
        kind: kind as u32,
        ticks,
        operand,
        value,
    }
}

fn decode(containers: &[Vec<u8>]) -> DecodedRecording {
    let mut live = LiveDecoder::new(LiveOptions {
        options: DecodeOptions::default(),
        format: Some(cswitch::FORMAT),
        max_events: u64::MAX,
    });
    for container in containers {
        live.push(container, HostTime(0));
    }
    live.connection_lost();
    live.next_update().unwrap().unwrap().recording
}

fn items(trace: &Trace, event: u32) -> Vec<u32> {
    let items = trace.events.extras().items(EventIndex(event));
    let numbers = items.map(|item| match item.value {
        ItemValue::Number(number) => number,
        other => panic!("{other:?}"),
    });
    numbers.collect()
}

/// The same container in version 3, with a name of five characters.
fn summed(packed: &[u8]) -> Vec<u8> {
    let (header, rest) = packed.split_at(CSWL_HEADER_BYTES);
    let mut bytes = header.to_vec();
    bytes[8..10].copy_from_slice(&SUMMED_VERSION.to_le_bytes());
    let (tag, length) = (SectionTag::NAME, 16);
    bytes.extend(SectionHeader { tag, length }.to_bytes(ORDER));
    bytes.extend(0x2000_u64.to_le_bytes());
    bytes.extend(b"motor\0\0\0");
    bytes.extend(&rest[..rest.len() - 16]);
    let (tag, length) = (SectionTag::END, 8);
    bytes.extend(SectionHeader { tag, length }.to_bytes(ORDER));
    let sums = WordSum::of(&bytes, ORDER).values();
    bytes.extend(sums.into_iter().flat_map(u32::to_le_bytes));
    bytes
}

#[test]
fn containers_of_words_are_checked_by_their_sums() {
    let container = |before| Container {
        session: 1,
        core: 0,
        cores: 1,
        before,
        lost: 0,
        start_ticks: 5,
    };
    let one = container(0).with(&[entry(EntryKind::SyncResume, 1, 0x2000, 0)]);
    let other = summed(&container(1).with(&[entry(EntryKind::SyncResume, 2, 0x2000, 0)]));
    let trace = decode(&[one.clone(), other.clone()]).trace;
    assert_eq!(trace.events.len(), 2);
    assert!(trace.diagnostics.is_empty(), "{:?}", trace.diagnostics);
    let named = |object: &rtoscope_trace::Object| object.name.to_string() == "motor";
    assert!(trace.objects.iter().any(named));
    for byte in CSWL_HEADER_BYTES..other.len() {
        let mut damaged = other.clone();
        damaged[byte] ^= 0x80;
        assert_eq!(decode(&[one.clone(), damaged]).trace.events.len(), 1);
    }
}

#[test]
fn a_formatted_event_and_its_values_are_one_event() {
    let bytes = Container {
        session: 1,
        core: 0,
        cores: 1,
        before: 0,
        lost: 0,
        start_ticks: 5,
    }
    .with(&[
        entry(EntryKind::SyncResume, 1, 0x2000, 0x800_0100),
        entry(EntryKind::Formatted, 2, 0x1000, 7),
        entry(EntryKind::FormatValues, 0, 8, 9),
        entry(EntryKind::FormatValues, 0, 10, 0),
        entry(EntryKind::Wait, 3, 5, 0x800_0200),
        // Without its event.
        entry(EntryKind::FormatValues, 0, 1, 2),
        entry(EntryKind::Formatted, 4, 0x1010, 0),
    ]);
    let trace = decode(&[bytes]).trace;
    let kinds: Vec<_> = trace.events.kinds().map(|kind| kind.0).collect();
    assert_eq!(kinds, [2, 28, 20, 28]);
    let times: Vec<_> = trace.events.times().map(|time| time.0).collect();
    assert_eq!(times, [0, 2, 5, 9]);
    assert_eq!(items(&trace, 1), [0x1000, 7, 8, 9, 10, 0]);
    assert_eq!(items(&trace, 3), [0x1010, 0]);
    let resumed = trace.events.arguments(EventIndex(0)).unwrap();
    assert_eq!(resumed, [0x800_0100, 0x2000, 0, 0]);
    let waiting = trace.events.arguments(EventIndex(2)).unwrap();
    assert_eq!(waiting, [5, 0x800_0200, 0, 0]);
    let context = trace.events.context(EventIndex(1)).unwrap();
    assert_eq!(trace.contexts.get(context).unwrap().address.0, 0x2000);
}

#[test]
fn times_are_exact_after_gaps_longer_than_the_counter() {
    let part = |before, lost, start_ticks| {
        Container {
            session: 1,
            core: 0,
            cores: 1,
            before,
            lost,
            start_ticks,
        }
        .with(&[
            entry(EntryKind::SyncResume, 1, 1, 0),
            entry(EntryKind::SyncResume, 1, 2, 0),
        ])
    };
    // 5 entries were overwritten, then a container was lost on its way.
    let far = 3_u64 << 32;
    let trace = decode(&[part(0, 0, 0), part(2, 5, far), part(6, 5, 2 * far)]).trace;
    let times: Vec<_> = trace.events.times().map(|time| time.0).collect();
    assert_eq!(times, [0, 1, far, far + 1, 2 * far, 2 * far + 1]);
    let missing: Vec<_> = trace.gaps.iter().map(|gap| gap.missing).collect();
    assert_eq!(missing, [Some(5), Some(2)]);
}

#[test]
fn events_wait_for_a_core_that_sends_later() {
    let part = |core, before, start_ticks, thread| {
        Container {
            session: 1,
            core,
            cores: 2,
            before,
            lost: 0,
            start_ticks,
        }
        .with(&[
            entry(EntryKind::SyncResume, 10, thread, 0),
            entry(EntryKind::SyncResume, 10, thread + 1, 0),
        ])
    };
    let trace = decode(&[
        part(0, 0, 0, 1),
        part(0, 2, 20, 3),
        part(1, 0, 5, 11),
        part(1, 2, 25, 13),
    ])
    .trace;
    let threads: Vec<_> = (0..8)
        .map(|event| trace.events.arguments(EventIndex(event)).unwrap()[1])
        .collect();
    assert_eq!(threads, [1, 11, 2, 12, 3, 13, 4, 14]);
    let times: Vec<_> = trace.events.times().map(|time| time.0).collect();
    assert_eq!(times, [0, 5, 10, 15, 20, 25, 30, 35]);
    assert!(trace.gaps.is_empty());
    let problems = trace.diagnostics.iter();
    assert_eq!(
        problems.filter(|it| it.kind == DiagnosticKind::Gap).count(),
        0
    );
}

/// A run of a target: containers of `session` with names, each with two entries of thread 7 that
/// are `ticks` apart. The first container has `before` others before it.
fn run(session: u32, before: u64, names: &[(u64, &str)], ticks: u32) -> Vec<Vec<u8>> {
    let part = |number: u64| {
        Container {
            session,
            core: 0,
            cores: 1,
            before: 2 * number,
            lost: 0,
            start_ticks: 2 * number * u64::from(ticks),
        }
        .with_names(
            if number == before { names } else { &[] },
            &[
                entry(EntryKind::Ready, ticks, 7, 0),
                entry(EntryKind::SyncResume, ticks, 7, 0),
            ],
        )
    };
    (before..before + 3).map(part).collect()
}

fn thread_names(trace: &Trace) -> Vec<String> {
    let contexts = trace.events.contexts().skip(1).step_by(2);
    contexts
        .map(|context| trace.context_name(context))
        .collect()
}

#[test]
fn a_reset_of_the_target_is_a_restart_and_no_wrap() {
    let camera = [(7, "camera")];
    for second in [
        run(1, 0, &camera, 10),
        // Containers are lost, so that the numbers continue by chance, or rise.
        run(1, 3, &camera, 1),
        run(1, 30, &camera, 1),
        // The recorder's session differs.
        run(0x50001, 30, &camera, 100),
    ] {
        let recorded = [run(1, 0, &camera, 1_000), second].concat();
        let trace = decode(&recorded).trace;
        let gaps: Vec<_> = trace
            .gaps
            .iter()
            .map(|it| (it.next_event.0, it.is_restart))
            .collect();
        assert_eq!(gaps, [(6, true)]);
        assert_eq!((trace.gaps[0].missing, trace.gaps[0].core), (None, None));
        assert_eq!((trace.clock.wraps, trace.clock.backward_steps), (0, 0));
        // Time continues.
        let times: Vec<_> = trace.events.times().map(|time| time.0).collect();
        assert_eq!((times[5], times[6]), (5_000, 5_000));
        assert!(times[11] <= 5_000 + 500);
        let found: Vec<_> = trace
            .diagnostics
            .iter()
            .map(|it| (it.kind, it.event))
            .collect();
        assert!(
            found.contains(&(DiagnosticKind::Restart, Some(EventIndex(6)))),
            "{found:?}"
        );
        assert!(found.iter().all(|(kind, _)| *kind != DiagnosticKind::Gap));
        assert_eq!(thread_names(&trace), ["camera"; 6]);
    }
}

#[test]
fn a_name_belongs_to_a_number_until_the_next_one() {
    let recorded = [
        run(1, 0, &[(7, "camera")], 9),
        run(1, 3, &[(7, "radio")], 9),
        run(1, 0, &[], 9),
        run(1, 0, &[(7, "camera")], 9),
    ];
    let trace = decode(&recorded.concat()).trace;
    let names = [["camera"; 3], ["radio"; 3], ["0x7"; 3], ["camera"; 3]];
    assert_eq!(thread_names(&trace), names.concat());
    assert_eq!(trace.gaps.len(), 2);
    // What becomes ready is what runs next.
    let mut interpreter = CswitchInterpreter::default();
    for pair in trace.events.iter().collect::<Vec<_>>().chunks(2) {
        let thread = pair[1].context;
        let ready = interpreter.sched_event(&trace, &pair[0]);
        assert!(matches!(ready, SchedEvent::Resume { thread: ready, .. } if ready == thread));
    }
}

#[test]
fn a_name_without_room_is_said() {
    let trace = decode(&run(1, 0, &[(7, "")], 9)).trace;
    let mut found = trace.diagnostics.iter();
    let found = found.find(|it| it.kind == DiagnosticKind::UnresolvedName);
    assert!(found.unwrap().message.contains("no room for more names"));
    assert_eq!(thread_names(&trace), ["0x7"; 3]);
}

#[test]
fn names_are_asked_for_if_they_were_sent_before() {
    let mut live = LiveDecoder::new(LiveOptions {
        options: DecodeOptions::default(),
        format: None,
        max_events: u64::MAX,
    });
    let names = Some(StreamCommand::SendNames.to_bytes().to_vec());
    let camera = [(7, "camera")];
    for (run, expected) in [
        (run(1, 0, &camera, 9), None),
        // After a restart, and again after one that is complete.
        (run(1, 5, &[], 1), names.clone()),
        (run(1, 0, &[], 1), None),
        (run(1, 7, &camera, 0), None),
    ] {
        for container in run {
            live.push(&container, HostTime(0));
        }
        assert_eq!(live.take_request(), expected);
        assert_eq!(live.take_request(), None);
    }
}

/// The header of a container and its entries.
type AnyContainer = ((u16, u16, u64, u64, u64), Vec<(u32, u32, u32)>);

fn any_container() -> impl Strategy<Value = AnyContainer> {
    let ticks = prop_oneof![0..1_000_u64, any::<u64>(), Just(u64::MAX)];
    let lost = prop_oneof![0..10_u64, any::<u64>()];
    let header = (0..3_u16, 0..4_u16, 0..20_u64, lost, ticks);
    let entry = (0..30_u32, 0..1_000_u32, any::<u32>());
    (header, proptest::collection::vec(entry, 0..20))
}

proptest! {
    #[test]
    fn any_times_and_losses_are_decoded(
        containers in proptest::collection::vec(any_container(), 1..8),
    ) {
        let mut live = LiveDecoder::new(LiveOptions {
            options: DecodeOptions::default(),
            format: Some(cswitch::FORMAT),
            max_events: 10,
        });
        for ((core, cores, before, lost, start_ticks), entries) in containers {
            let entries = entries.into_iter().map(|(kind, ticks, operand)| PackedEntry {
                // Not many pauses at once, which are entries of their own.
                kind: if kind == 22 { 21 } else { kind },
                ticks,
                operand,
                value: operand,
            });
            let header = Container { session: 1, core, cores, before, lost, start_ticks };
            live.push(&header.with(&entries.collect::<Vec<_>>()), HostTime(0));
            if let Some(update) = live.next_update().unwrap() {
                let trace = update.recording.trace;
                prop_assert!(trace.events.times().is_sorted());
                prop_assert!(!trace.events.is_empty());
            }
        }
        live.connection_lost();
    }
}
