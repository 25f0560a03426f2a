//! Stages that have several items at a time, recorded by the recorder and compared with what
//! happened.

use proptest::prelude::*;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::pipelines::{ItemOutcome, Pipeline, StageProblem};
use rtoscope_analysis::timing::TimingDeclarations;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, UnpackedInput};
use rtoscope_record::port::{Clock, SpinLock};
use rtoscope_record::threadx::{ObjectType, Thread, ThreadXRecorder, buffer_words};
use rtoscope_trace::EventIndex;
use std::cell::Cell;
use std::collections::VecDeque;
use std::mem::MaybeUninit;
use std::rc::Rc;

const THREADS: [&str; 3] = ["source", "worker", "sink"];
const QUEUES: [(usize, &str); 2] = [(0x2000, "input"), (0x3000, "output")];
const END: u32 = 4096;
/// In bytes; a message has 4.
const QUEUE_BYTES: u32 = 4000;

struct TestClock(Rc<Cell<u32>>);

impl Clock for TestClock {
    fn now(&self) -> u32 {
        self.0.get()
    }
}

/// What the worker does with several items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Worker {
    /// It has one at a time.
    Single,
    /// It has up to this number, and sends on the oldest.
    Fifo(usize),
    /// It sends on all that it has with one message.
    Collects,
    /// It drops the one that it has when it takes another.
    Discards,
}

impl Worker {
    fn declaration(self) -> String {
        match self {
            Self::Single => String::new(),
            Self::Fifo(capacity) => format!(" [fifo {capacity}]"),
            Self::Collects => " [collects]".to_owned(),
            Self::Discards => " [discards]".to_owned(),
        }
    }

    fn can_take(self, has: usize) -> bool {
        match self {
            Self::Single => has == 0,
            Self::Fifo(capacity) => has < capacity,
            Self::Collects | Self::Discards => true,
        }
    }

    /// How many of its items it sends on at once.
    fn sends(self, has: usize) -> usize {
        match self {
            Self::Collects => has,
            _ => has.min(1),
        }
    }
}

/// The stamps of an item: put, taken, put by the worker, taken by the sink, ended.
type Way = [Option<u32>; 5];

struct Target {
    trace: ThreadXRecorder<SpinLock, TestClock, u32>,
    now: Rc<Cell<u32>>,
    queues: [VecDeque<Vec<usize>>; 2],
    worker: VecDeque<usize>,
    sink: Option<Vec<usize>>,
    ways: Vec<Way>,
    /// The most items that the worker had.
    peak: usize,
    /// Whether it took an item while it had another.
    overlaps: bool,
}

impl Target {
    fn new(entries: usize) -> Self {
        let now = Rc::new(Cell::new(1000));
        let trace = ThreadXRecorder::new(SpinLock::new(), TestClock(Rc::clone(&now)));
        let words = vec![MaybeUninit::<u32>::uninit(); buffer_words::<u32>(8, entries)];
        trace
            .enable(Box::leak(words.into_boxed_slice()), 8)
            .unwrap();
        for (number, name) in (0..).zip(THREADS) {
            trace.register_thread(thread(number), name, 0, 0);
        }
        trace.enter_thread(thread(0));
        for (queue, name) in QUEUES {
            trace.register(ObjectType::QUEUE, queue, name, [QUEUE_BYTES, 1]);
            trace.queue_create(queue, 1, 0, QUEUE_BYTES as usize);
        }
        Self {
            trace,
            now,
            queues: Default::default(),
            worker: VecDeque::new(),
            sink: None,
            ways: Vec::new(),
            peak: 0,
            overlaps: false,
        }
    }

    fn tick(&mut self, by: usize) -> u32 {
        self.now.set(self.now.get() + 1);
        self.trace.enter_thread(thread(by));
        self.now.get()
    }

    fn put(&mut self, queue: usize, items: Vec<usize>, by: usize) {
        let now = self.tick(by);
        let level = self.queues[queue].len() as u32;
        self.trace.queue_send(QUEUES[queue].0, 0, 0, level);
        for item in &items {
            self.ways[*item][2 * queue] = Some(now);
        }
        self.queues[queue].push_back(items);
    }

    fn take(&mut self, queue: usize, by: usize) -> Vec<usize> {
        let now = self.tick(by);
        let level = self.queues[queue].len() as u32;
        self.trace.queue_receive(QUEUES[queue].0, 0, 0, level);
        let items = self.queues[queue].pop_front().unwrap_or_default();
        for item in &items {
            self.ways[*item][2 * queue + 1] = Some(now);
        }
        items
    }

    /// One of the threads does something.
    fn act(&mut self, action: u8, worker: Worker) {
        match action {
            0 | 1 => {
                self.ways.push(Way::default());
                self.put(0, vec![self.ways.len() - 1], 0);
            }
            2 | 3 if worker.can_take(self.worker.len()) => {
                let taken = self.take(0, 1);
                if taken.is_empty() {
                    return;
                }
                self.overlaps |= !self.worker.is_empty();
                if worker == Worker::Discards {
                    self.worker.clear();
                }
                self.worker.extend(taken);
                self.peak = self.peak.max(self.worker.len());
            }
            4 if !self.worker.is_empty() => {
                let count = worker.sends(self.worker.len());
                let sent = self.worker.drain(..count).collect();
                self.put(1, sent, 1);
            }
            5 if self.sink.is_none() => {
                self.sink = Some(self.take(1, 2)).filter(|items| !items.is_empty());
            }
            6 => {
                if let Some(items) = self.sink.take() {
                    let now = self.tick(2);
                    self.trace.user_event(END, [0; 4]);
                    for item in items {
                        self.ways[item][4] = Some(now);
                    }
                }
            }
            _ => {}
        }
    }

    fn analyze(&self, declared: &str) -> AnalyzedRecording {
        self.trace.disable().unwrap();
        let words = self.trace.take_buffer().unwrap();
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        let input = UnpackedInput::open(Input::new(&bytes), BufferChoice::First, None).unwrap();
        let decoded = input.decode(&DecodeOptions::default()).unwrap();
        let mut analyzed = AnalyzedRecording::new("held", "", decoded.trace, &decoded.format_info);
        let timing = format!(
            "[[pipeline]]\nname = \"all\"\nend = 'kind == \"user event {END}\"'\n\
             chain = \"source -> input -> worker{declared} -> output -> sink\"\n"
        );
        let timing = TimingDeclarations::parse(&timing).unwrap();
        analyzed.apply_timing(&timing).unwrap();
        analyzed
    }
}

fn thread(number: usize) -> Thread {
    Thread::new(0x100 * (number + 1), 8)
}

/// Compares what is known of the items with the truth; returns how many have a known end.
fn check(recording: &AnalyzedRecording, ways: &[Way]) -> usize {
    let pipeline: &Pipeline = &recording.pipelines[0];
    let stamp = |event: EventIndex| recording.trace.events.timestamp(event).unwrap() as u32;
    let mut known = 0;
    for (item, index) in pipeline.items.iter().zip(0..) {
        let put = Some(stamp(item.start.event));
        let way = ways.iter().find(|way| way[0] == put).unwrap();
        let visits = pipeline.visits(index).iter().zip([0, 0, 2]);
        for ((visit, first), stage) in visits.zip(0..) {
            let Some(visit) = visit else { continue };
            let found = [Some(visit.arrived), visit.received, visit.left];
            let found = found.map(|at| at.map(|at| stamp(at.event)));
            let truth = match stage {
                0 => [way[0]; 3],
                _ => [way[first], way[first + 1], way[first + 2]],
            };
            for (found, truth) in found.iter().zip(truth) {
                // A discarded item leaves when the stage asks for the next one.
                let is_discarded = item.outcome == ItemOutcome::NotForwarded && truth.is_none();
                assert!(
                    found.is_none() || *found == truth || is_discarded,
                    "stage {stage} of {item:?}: {visit:?} {way:?}"
                );
            }
        }
        match item.outcome {
            ItemOutcome::Completed => {
                assert_eq!(Some(stamp(item.end.event)), way[4], "{item:?}");
                known += 1;
            }
            ItemOutcome::NotForwarded => assert_eq!((way[2], item.stage), (None, 1), "{item:?}"),
            ItemOutcome::InProgress => assert_eq!(way[4], None, "{item:?}"),
            other => assert_eq!(other, ItemOutcome::Unknown),
        }
    }
    known
}

fn workers() -> impl Strategy<Value = Worker> {
    prop_oneof![
        Just(Worker::Single),
        (1_usize..4).prop_map(Worker::Fifo),
        Just(Worker::Collects),
        Just(Worker::Discards),
    ]
}

fn run(worker: Worker, actions: &[u8], entries: usize) -> Target {
    let mut target = Target::new(entries);
    for action in actions {
        target.act(*action, worker);
    }
    target.act(6, worker);
    // A trace knows only events that occur.
    target.tick(2);
    target.trace.user_event(END, [0; 4]);
    target
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 256,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn declared_stages_send_on_the_right_items(
        worker in workers(),
        actions in prop::collection::vec(0_u8..7, 1..200),
    ) {
        let target = run(worker, &actions, 512);
        let recording = target.analyze(&worker.declaration());
        let known = check(&recording, &target.ways);
        let ended = target.ways.iter().filter(|way| way[4].is_some()).count();
        // How many items the stage had at the start shows when it is full.
        let is_known = match worker {
            Worker::Fifo(capacity) => target.peak == capacity,
            _ => true,
        };
        prop_assert_eq!(known, if is_known { ended } else { 0 });
    }

    #[test]
    fn an_overwritten_start_leaves_items_true_or_unknown(
        worker in workers(),
        actions in prop::collection::vec(0_u8..7, 50..300),
    ) {
        let target = run(worker, &actions, 48);
        let recording = target.analyze(&worker.declaration());
        check(&recording, &target.ways);
    }

    #[test]
    fn nothing_is_attributed_where_nothing_is_declared(
        worker in workers(),
        actions in prop::collection::vec(0_u8..7, 1..200),
    ) {
        let target = run(worker, &actions, 512);
        let recording = target.analyze("");
        check(&recording, &target.ways);
        let stage = &recording.pipelines[0].stages[1];
        let expected = target.overlaps.then_some(StageProblem::Overlap);
        prop_assert_eq!(stage.problem, expected);
    }
}
