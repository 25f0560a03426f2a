//! Rendezvous: a queue without storage, recorded by the recorder and compared with what
//! happened.

use crate::common::analyze;
use proptest::prelude::*;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::levels::ObjectUsage;
use rtoscope_analysis::report::findings::findings;
use rtoscope_record::port::{Clock, SpinLock};
use rtoscope_record::threadx::{
    NO_WAIT, ObjectType, Thread, ThreadState, ThreadXRecorder, WAIT_FOREVER, buffer_words,
};
use std::cell::Cell;
use std::collections::VecDeque;
use std::mem::MaybeUninit;
use std::rc::Rc;

const QUEUE: usize = 0x2000;
const MESSAGE_WORDS: u32 = 4;
const SENDERS: usize = 2;
const THREADS: usize = 4;

struct TestClock(Rc<Cell<u32>>);

impl Clock for TestClock {
    fn now(&self) -> u32 {
        self.0.get()
    }
}

/// What happens next.
#[derive(Debug, Clone, Copy)]
enum QueueStep {
    /// A thread that is ready calls: the first [`SENDERS`] send, the others receive.
    Call { thread: usize, waits: bool },
    /// The wait of a thread ends in vain.
    TimeOut { thread: usize },
}

/// A kernel with one queue that stores nothing.
struct Kernel {
    trace: ThreadXRecorder<SpinLock, TestClock, u32>,
    now: Rc<Cell<u32>>,
    /// Threads that wait, with the times of their calls: all send, or all receive.
    waiting: VecDeque<(usize, u32)>,
    /// The times at which messages were put and taken.
    transfers: Vec<(u32, u32)>,
    served: u64,
    blocked: u64,
    refused: u64,
}

impl Kernel {
    fn new() -> Self {
        let now = Rc::new(Cell::new(0));
        let trace = ThreadXRecorder::new(SpinLock::new(), TestClock(Rc::clone(&now)));
        let words = vec![MaybeUninit::<u32>::uninit(); buffer_words::<u32>(8, 1024)];
        trace
            .enable(Box::leak(words.into_boxed_slice()), 8)
            .unwrap();
        let kernel = Self {
            trace,
            now,
            waiting: VecDeque::new(),
            transfers: Vec::new(),
            served: 0,
            blocked: 0,
            refused: 0,
        };
        let queue = [0, MESSAGE_WORDS];
        kernel
            .trace
            .register(ObjectType::QUEUE, QUEUE, "frames", queue);
        for thread in 0..THREADS {
            let name = ["camera", "microphone", "encoder", "display"][thread];
            kernel
                .trace
                .register_thread(Self::thread(thread), name, 0, 0);
        }
        kernel.tick();
        kernel.trace.queue_create(QUEUE, MESSAGE_WORDS, 0, 0);
        kernel
    }

    fn thread(number: usize) -> Thread {
        Thread::new(0x100 * (number + 1), 8)
    }

    fn tick(&self) -> u32 {
        self.now.set(self.now.get() + 10);
        self.now.get()
    }

    fn is_waiting(&self, thread: usize) -> bool {
        self.waiting.iter().any(|(waiter, _)| *waiter == thread)
    }

    fn step(&mut self, step: QueueStep) {
        match step {
            QueueStep::Call { thread, waits } if !self.is_waiting(thread) => {
                self.call(thread, waits);
            }
            QueueStep::TimeOut { thread } if self.is_waiting(thread) => {
                self.waiting.retain(|(waiter, _)| *waiter != thread);
                self.tick();
                self.trace.isr_enter(1);
                self.tick();
                let _ = self
                    .trace
                    .resume(Self::thread(thread).address, ThreadState::QUEUE);
                self.tick();
                self.trace.isr_exit(1);
            }
            _ => {}
        }
    }

    fn call(&mut self, thread: usize, waits: bool) {
        let sends = thread < SENDERS;
        self.tick();
        self.trace.dispatch(Self::thread(thread));
        let called = self.tick();
        let option = if waits { WAIT_FOREVER } else { NO_WAIT };
        if sends {
            self.trace.queue_send(QUEUE, 0, option, 0);
        } else {
            self.trace.queue_receive(QUEUE, 0, option, 0);
        }
        let partner = self.waiting.front().copied();
        match partner.filter(|(partner, _)| (*partner < SENDERS) != sends) {
            Some((partner, since)) => {
                self.waiting.pop_front();
                self.served += 1;
                let resumed = self.tick();
                let address = Self::thread(partner).address;
                let _ = self.trace.resume(address, ThreadState::QUEUE);
                let transfer = if sends {
                    (called, resumed)
                } else {
                    (since, called)
                };
                self.transfers.push(transfer);
            }
            None if waits => {
                self.blocked += 1;
                self.waiting.push_back((thread, called));
                self.tick();
                let address = Self::thread(thread).address;
                let _ = self.trace.suspend(address, ThreadState::QUEUE);
                self.tick();
                self.trace.enter_idle();
            }
            None => self.refused += 1,
        }
    }

    fn analyze(&self) -> AnalyzedRecording {
        self.trace.disable().unwrap();
        let words = self.trace.take_buffer().unwrap();
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        analyze(&bytes)
    }
}

fn check(kernel: &Kernel) {
    let analyzed = kernel.analyze();
    let (trace, view) = (&analyzed.trace, analyzed.view());
    let start = trace
        .events
        .timestamp(rtoscope_trace::EventIndex(0))
        .unwrap() as u32;
    let time = |event| start + trace.events.time(event).unwrap().0 as u32;
    let transfers = analyzed.schedule.transfers.iter();
    let mut found: Vec<_> = transfers.map(|it| (time(it.put), time(it.take))).collect();
    found.sort_unstable();
    let mut expected = kernel.transfers.clone();
    expected.sort_unstable();
    assert_eq!(found, expected);
    let usage: Option<&ObjectUsage> = analyzed.whole.levels.iter().next();
    if let Some(usage) = usage {
        assert_eq!(usage.capacity, Some(0));
        assert_eq!(
            (usage.blocked, usage.refused),
            (kernel.blocked, kernel.refused)
        );
        let calls = kernel.served + kernel.blocked + kernel.refused;
        assert_eq!(usage.puts + usage.takes, calls);
        assert_eq!(usage.level.maximum().map(|it| it.level), Some(0));
        assert_eq!(usage.level.known(), trace.events.span());
    }
    let exhausted = findings(&view)
        .into_iter()
        .find(|it| it.message.contains("full"));
    assert!(exhausted.is_none(), "{exhausted:?}");
}

fn steps() -> impl Strategy<Value = Vec<QueueStep>> {
    let step = prop_oneof![
        4 => (0..THREADS, any::<bool>()).prop_map(|(thread, waits)| QueueStep::Call { thread, waits }),
        1 => (0..THREADS).prop_map(|thread| QueueStep::TimeOut { thread }),
    ];
    prop::collection::vec(step, 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn hand_overs_match_the_truth(steps in steps()) {
        let mut kernel = Kernel::new();
        for step in steps {
            kernel.step(step);
        }
        check(&kernel);
    }
}

#[test]
fn a_hand_over_has_its_direction_whoever_comes_first() {
    let mut kernel = Kernel::new();
    let call = |thread| QueueStep::Call {
        thread,
        waits: true,
    };
    for step in [call(2), call(0), call(1), call(3)] {
        kernel.step(step);
    }
    assert_eq!(kernel.transfers.len(), 2);
    check(&kernel);
}
