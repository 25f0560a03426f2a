//! What a recording of the program shows, whatever its format.

use super::super::figures::{Figures, word};
use serde_json::Value;
use truth::ports::PortsTruth;

/// The contexts, by the numbers of their user events.
const CONTEXTS: [&str; 3] = ["thread", "timer", "software"];
const FIRST_EVENT: u64 = 4096;
/// What the number of an event has in addition if it requests an interrupt.
const REQUEST: u64 = 16;
/// The interrupts.
const TIMER: u64 = 1;
const SOFTWARE: u64 = 2;

/// A mark of a context, or the start or end of a handler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TestEvent {
    Mark {
        context: usize,
        number: u64,
        requests: bool,
    },
    Enter(u64),
    Exit(u64),
    Other,
}

/// The events of a recording in their order.
#[derive(Debug)]
pub(super) struct EventSequence {
    pub(super) count: u64,
    sequence: Vec<TestEvent>,
    /// Events whose counter is below that of their predecessor; it does not wrap.
    backward: u64,
    /// Whether the counter counts.
    has_time: bool,
}

impl EventSequence {
    /// The events of a context-switch log.
    pub(super) fn of_log(events: &[Value]) -> Self {
        Self::new(events, |event| {
            let handler = || word(event, "info1");
            Some(match event["kind"].as_str()? {
                "ISR enter" => TestEvent::Enter(handler()?),
                "ISR exit" => TestEvent::Exit(handler()?),
                kind @ ("marker" | "marker begin") => TestEvent::Mark {
                    context: CONTEXTS.iter().position(|name| event["object"] == *name)?,
                    number: event["arguments"]["value"].as_str()?.parse().ok()?,
                    requests: kind == "marker begin",
                },
                _ => TestEvent::Other,
            })
        })
    }

    /// The events of a ThreadX trace.
    pub(super) fn of_trace(events: &[Value]) -> Self {
        Self::new(events, |event| {
            let id = event["number"].as_u64()?;
            let number = || word(event, "info1");
            let interrupt = || word(event, "info2");
            Some(match event["kind"].as_str()? {
                "ISR enter" => TestEvent::Enter(interrupt()?),
                "ISR exit" => TestEvent::Exit(interrupt()?),
                _ if id >= FIRST_EVENT => TestEvent::Mark {
                    context: usize::try_from((id - FIRST_EVENT) % REQUEST).ok()?,
                    number: number()?,
                    requests: id - FIRST_EVENT >= REQUEST,
                },
                _ => TestEvent::Other,
            })
        })
    }

    fn new(events: &[Value], parse: impl Fn(&Value) -> Option<TestEvent>) -> Self {
        let counter: Vec<_> = events
            .iter()
            .map(|event| event["timestamp"].as_u64())
            .collect();
        let backward = counter.windows(2).filter(|pair| pair[1] < pair[0]).count();
        Self {
            count: events.len() as u64,
            sequence: events
                .iter()
                .map(|event| parse(event).unwrap_or(TestEvent::Other))
                .collect(),
            backward: backward as u64,
            has_time: counter.last() > counter.first(),
        }
    }

    /// Compares marks, handlers and their nesting with the program's counters.
    pub(super) fn compare(&self, figures: &mut Figures, name: &str, truth: &PortsTruth) {
        figures.add(format!("{name}: backward steps"), 0u32, self.backward);
        figures.add(format!("{name}: has time"), 1u32, self.has_time.into());
        let counted = [truth.thread_marks, truth.timer_marks, truth.software_marks];
        for (context, counted) in counted.into_iter().enumerate() {
            let found = self.marks_in_order(context);
            figures.add(
                format!("{name}: {} marks in order", CONTEXTS[context]),
                counted,
                found,
            );
        }
        let mut running = Vec::new();
        let (mut timer, mut software, mut nested, mut unbalanced) = (0, 0, 0, 0);
        for event in &self.sequence {
            match *event {
                TestEvent::Enter(number) => {
                    nested += u64::from(number == SOFTWARE && running.last() == Some(&TIMER));
                    timer += u64::from(number == TIMER);
                    software += u64::from(number == SOFTWARE);
                    running.push(number);
                }
                TestEvent::Exit(number) => unbalanced += u64::from(running.pop() != Some(number)),
                // The running context is the one that left the mark.
                TestEvent::Mark { context, .. } => {
                    let expected = running.last().copied().unwrap_or_default();
                    unbalanced += u64::from(context as u64 != expected);
                }
                TestEvent::Other => {}
            }
        }
        figures.add(format!("{name}: timer interrupts"), truth.timer, timer);
        figures.add(format!("{name}: requested"), truth.software, software);
        figures.add(format!("{name}: nested"), truth.nested, nested);
        unbalanced += running.len() as u64;
        figures.add(format!("{name}: out of order"), 0u32, unbalanced);
    }

    /// Marks of a context whose number is the one after its last mark.
    fn marks_in_order(&self, wanted: usize) -> u64 {
        self.sequence.iter().fold(0, |next, event| match *event {
            TestEvent::Mark {
                context, number, ..
            } if context == wanted && number == next => next + 1,
            _ => next,
        })
    }

    /// Events that request an interrupt while they are written, and after which its handler
    /// is the next event.
    pub(super) fn answered_requests(&self) -> u64 {
        let pairs = self.sequence.windows(2).filter(|pair| {
            matches!(pair[0], TestEvent::Mark { requests: true, .. })
                && pair[1] == TestEvent::Enter(SOFTWARE)
        });
        pairs.count() as u64
    }
}
