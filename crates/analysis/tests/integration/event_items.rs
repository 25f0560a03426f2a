//! Items that user events name by an argument, recorded by the recorder and compared with
//! what happened.

use proptest::prelude::*;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::pipelines::{ItemOutcome, Pipeline, StageVisit};
use rtoscope_analysis::timing::PipelineDeclaration;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, UnpackedInput};
use rtoscope_record::port::{Clock, SpinLock};
use rtoscope_record::threadx::{ObjectType, Thread, ThreadXRecorder, buffer_words};
use std::cell::Cell;
use std::mem::MaybeUninit;
use std::rc::Rc;

const CHAIN: &str = "user event 4096(info1) -> user event 4097..user event 4098(info2) \
                     -> user event 4099(info1) within 20 ticks";

/// The events of an item, with the position of its number: of 4097 and 4098, the second.
const EVENTS: [(u32, usize); 4] = [(4096, 0), (4097, 1), (4098, 1), (4099, 0)];
const THREADS: usize = 2;

struct TestClock(Rc<Cell<u32>>);

impl Clock for TestClock {
    fn now(&self) -> u32 {
        self.0.get()
    }
}

/// The way of an item: the ticks and threads of its events.
#[derive(Debug, Clone, Default)]
struct Way {
    /// Its first event is not recorded.
    starts_late: bool,
    events: Vec<(u64, usize)>,
}

/// A target that logs user events.
struct Target {
    trace: ThreadXRecorder<SpinLock, TestClock, u32>,
    now: Rc<Cell<u32>>,
}

impl Target {
    fn new() -> Self {
        let now = Rc::new(Cell::new(1000));
        let trace = ThreadXRecorder::new(SpinLock::new(), TestClock(Rc::clone(&now)));
        let words = vec![MaybeUninit::<u32>::uninit(); buffer_words::<u32>(8, 512)];
        trace
            .enable(Box::leak(words.into_boxed_slice()), 8)
            .unwrap();
        for number in 0..THREADS {
            trace.register_thread(Self::thread(number), ["decoder", "display"][number], 0, 0);
        }
        trace.register(ObjectType::QUEUE, 0x2000, "unused", [0, 1]);
        trace.enter_thread(Self::thread(0));
        trace.queue_create(0x2000, 1, 0, 0);
        // A trace knows only kinds that occur: an item of no interest passes all stages.
        for (event, _) in EVENTS {
            trace.user_event(event, [0; 4]);
        }
        Self { trace, now }
    }

    fn thread(number: usize) -> Thread {
        Thread::new(0x100 * (number + 1), 8)
    }

    /// A thread logs an event of an item; returns its time.
    fn log(&self, (event, position): (u32, usize), item: u32, by: usize, ticks: u32) -> u64 {
        self.now.set(self.now.get() + ticks);
        let mut info = [7, 7, 7, 7];
        info[position] = item;
        self.trace.enter_thread(Self::thread(by));
        self.trace.user_event(event, info);
        u64::from(self.now.get() - 1000)
    }

    fn analyze(self) -> AnalyzedRecording {
        self.trace.disable().unwrap();
        let words = self.trace.take_buffer().unwrap();
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        let input = UnpackedInput::open(Input::new(&bytes), BufferChoice::First, None).unwrap();
        let decoded = input.decode(&DecodeOptions::default()).unwrap();
        let mut analyzed = AnalyzedRecording::new("items", "", decoded.trace, &decoded.format_info);
        let declared = PipelineDeclaration::parse(CHAIN).unwrap();
        analyzed.add_pipeline(&declared).unwrap();
        analyzed
    }
}

/// Moves items on, each from one event to the next, and logs that.
fn record(late: usize, moves: &[(usize, usize, u32)]) -> (AnalyzedRecording, Vec<Way>) {
    let target = Target::new();
    let mut ways = vec![Way::default(); 8];
    for way in ways.iter_mut().take(late) {
        way.starts_late = true;
    }
    for (item, by, ticks) in moves {
        let way = &mut ways[*item];
        let at = way.events.len() + usize::from(way.starts_late);
        let Some(event) = EVENTS.get(at) else {
            continue;
        };
        let time = target.log(*event, 100 + *item as u32, *by, *ticks);
        way.events.push((time, *by));
    }
    (target.analyze(), ways)
}

/// Logs events by their positions in [`EVENTS`], each of an item; returns the outcomes.
fn outcomes(events: &[(usize, u32)]) -> (Vec<ItemOutcome>, u64) {
    let target = Target::new();
    for (event, item) in events {
        target.log(EVENTS[*event], *item, 0, 1);
    }
    let analyzed = target.analyze();
    let pipeline = &analyzed.pipelines[0];
    let outcomes = pipeline.items.iter().skip(1).map(|item| item.outcome);
    (outcomes.collect(), pipeline.unknown_starts)
}

/// The times of a visit, and whether one thread had the item all the time.
type Visit = ([Option<u64>; 3], bool);

fn visit(found: Option<&StageVisit>) -> Option<Visit> {
    let found = found?;
    let received = found.received.map(|it| it.time.0);
    let times = [
        Some(found.arrived.time.0),
        received,
        found.left.map(|it| it.time.0),
    ];
    Some((times, found.context != rtoscope_trace::ContextId::UNKNOWN))
}

/// The visits of an item whose events are all known.
fn expected_visits(way: &Way) -> [Option<Visit>; 3] {
    let at = |number: usize| way.events.get(number).copied();
    let time = |number| at(number).map(|(time, _)| time);
    let same = |one, other| match (at(one), at(other)) {
        (Some((_, one)), Some((_, other))) => one == other,
        _ => true,
    };
    [
        Some(([time(0), time(0), time(1)], same(0, 1))),
        time(1).map(|begin| ([Some(begin), Some(begin), time(2)], same(1, 2))),
        time(3).map(|end| ([time(2), Some(end), Some(end)], true)),
    ]
}

fn check(pipeline: &Pipeline, ways: &[Way]) {
    let late = ways.iter().filter(|way| way.starts_late);
    let late = late.filter(|way| !way.events.is_empty()).count();
    assert_eq!(pipeline.unknown_starts, late as u64);
    let is_whole = |(_, way): &(u64, &Way)| !way.starts_late && !way.events.is_empty();
    let mut whole: Vec<_> = (100..).zip(ways).filter(is_whole).collect();
    whole.sort_by_key(|(_, way)| way.events[0].0);
    assert_eq!(pipeline.items.len(), 1 + whole.len());
    for (after, (number, way)) in whole.iter().enumerate() {
        let index = after + 1;
        let item = pipeline.items[index];
        assert_eq!(item.number, *number);
        let visits: Vec<_> = (0..3)
            .map(|stage| visit(pipeline.visit(index, stage)))
            .collect();
        assert_eq!(visits, expected_visits(way));
        let last = way.events.last().unwrap().0;
        assert_eq!(
            (item.start.time.0, item.end.time.0),
            (way.events[0].0, last)
        );
        // A later item may have gone where this one never arrived.
        let next = [1, 3, 3, 4][way.events.len() - 1];
        let mut later = whole[after + 1..].iter();
        let expected = match way.events.len() {
            4 => ItemOutcome::Completed,
            _ if later.any(|(_, other)| other.events.len() > next) => ItemOutcome::Overtaken,
            _ => ItemOutcome::InProgress,
        };
        assert_eq!(item.outcome, expected, "item {number}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn items_take_the_recorded_way(
        late in 0_usize..3,
        moves in prop::collection::vec((0_usize..8, 0..THREADS, 1_u32..9), 1..48),
    ) {
        let (analyzed, ways) = record(late, &moves);
        check(&analyzed.pipelines[0], &ways);
    }
}

#[test]
fn a_number_that_two_items_have_at_a_time_identifies_neither() {
    use ItemOutcome::{Completed, Overtaken, Unknown};
    let whole = |item| (0..4).map(move |event| (event, item));
    // The second item 9 starts while the first one is on its way.
    let mut events = vec![(0, 9), (1, 9), (0, 9)];
    events.extend([(2, 9), (3, 9), (1, 9), (2, 9), (3, 9)]);
    assert_eq!(outcomes(&events), (vec![Unknown; 2], 0));
    // Both have ended: the next one is known.
    events.extend(whole(9));
    assert_eq!(outcomes(&events).0, [Unknown, Unknown, Completed]);
    // The first item 9 was lost: item 10 overtook it.
    let mut events = vec![(0, 9)];
    events.extend(whole(10).chain(whole(9)));
    assert_eq!(outcomes(&events).0, [Overtaken, Completed, Completed]);
}

#[test]
fn a_number_can_be_logged_again() {
    let mut events: Vec<_> = (0..4).map(|event| (event, 9)).collect();
    events.extend([(3, 9), (1, 9)]);
    assert_eq!(outcomes(&events), (vec![ItemOutcome::Completed], 0));
}

#[test]
fn an_argument_that_events_do_not_have_is_refused() {
    let mut analyzed = Target::new().analyze();
    let refuse = |analyzed: &mut AnalyzedRecording, chain| {
        let declared = PipelineDeclaration::parse(chain).unwrap();
        analyzed.add_pipeline(&declared).unwrap_err()
    };
    let chain = "user event 4096(frame) -> user event 4097(info1)";
    let error = refuse(&mut analyzed, chain);
    assert!(
        error.contains("\"frame\"") && error.contains("info1"),
        "{error}"
    );
    let error = refuse(&mut analyzed, "user event 4096(info1) -> tx_nothing(info1)");
    assert!(error.contains("tx_nothing"), "{error}");
}
