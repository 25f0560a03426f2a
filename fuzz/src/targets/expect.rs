//! Tests of a trace: as text up to a NUL, followed by a target's own orders.

use rtoscope_analysis::expect::{
    self, ExpectedArgument, LiveTests, Spec, TargetOrder, TargetOrderKind, TargetTests,
    TestOutcome, TestResult,
};
use rtoscope_decode::rkh::{RkhOptions, decode, unit_test};
use rtoscope_trace::{EventIndex, EventKindId, Gap, Trace};
use std::sync::LazyLock;

static TRACES: LazyLock<[Trace; 2]> = LazyLock::new(|| {
    let bytes = include_bytes!("../../../testdata/rkh/ut.bin");
    let recording = decode(bytes, &RkhOptions::default());
    let trace = recording.expect("a valid stream").trace;
    let mut damaged = trace.clone();
    damaged.gaps.push(Gap {
        next_event: EventIndex(40),
        missing: Some(1),
        core: None,
        is_restart: false,
    });
    [trace, damaged]
});

pub(crate) fn run(data: &[u8]) {
    let mut parts = data.splitn(2, |byte| *byte == 0);
    let text = String::from_utf8_lossy(parts.next().unwrap_or_default());
    let orders = parts.next().unwrap_or_default();
    for trace in &*TRACES {
        match Spec::parse(&text) {
            Ok(spec) => match expect::run(trace, &spec) {
                Ok(results) => {
                    assert_eq!(results.len(), spec.tests());
                    results.iter().for_each(check);
                    if trace.gaps.is_empty() {
                        assert_eq!(run_live(trace, &spec), results);
                    }
                }
                Err(error) => assert!(error.line as usize <= text.lines().count()),
            },
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        run_orders(trace, orders).iter().for_each(check);
    }
}

/// The results of a trace that arrives at once.
fn run_live(trace: &Trace, spec: &Spec) -> Vec<TestResult> {
    let mut tests = LiveTests::new(spec, |_| true);
    let mut results = tests.push(trace, 0).expect("the spec is valid");
    results.extend(tests.finish(trace));
    assert_eq!(tests.undecided(), 0);
    results.sort_by_key(|result| result.line);
    results
}

fn check(result: &TestResult) {
    assert!(result.matched <= result.expectations);
    let is_complete = result.matched == result.expectations && result.difference.is_none();
    assert!(is_complete || result.outcome != TestOutcome::Pass);
    assert_eq!(result.problem().is_none(), result.passed());
    let reply = unit_test::encode_result(result.answer_line(), result.problem().as_deref());
    // In the worst case, every byte is escaped.
    assert!(reply.len() <= 2 + 2 * 255);
}

/// Four bytes per order: operation, number of events to advance, kind, argument.
fn run_orders(trace: &Trace, orders: &[u8]) -> Vec<TestResult> {
    let mut event = EventIndex(0);
    let orders = orders.as_chunks().0.iter().zip(1..);
    let orders = orders.map(|([operation, advance, kind, value], line)| {
        event = EventIndex(event.0.saturating_add(u32::from(*advance)));
        let kind = EventKindId(u32::from(*kind));
        let kind = match operation % 8 {
            0 => TargetOrderKind::Begin,
            1 => TargetOrderKind::End,
            2 => TargetOrderKind::Verify,
            3 => TargetOrderKind::IgnoreComponent(unit_test::COMPONENT.to_owned()),
            4 => TargetOrderKind::Ignore(kind),
            5 => TargetOrderKind::IgnoreArgument(kind, usize::from(*value)),
            6 => TargetOrderKind::Expect(kind, Vec::new()),
            _ => {
                let argument = ExpectedArgument {
                    name: "st".to_owned(),
                    values: vec![u64::from(*value)],
                };
                TargetOrderKind::Expect(kind, vec![argument])
            }
        };
        TargetOrder { event, line, kind }
    });
    let orders: Vec<_> = orders.collect();
    let mut live = TargetTests::live(unit_test::COMPONENT);
    let mut answers = 0;
    live.push(trace, 0, orders.clone(), |_| answers += 1);
    let missing: u64 = trace.gaps.iter().filter_map(|gap| gap.missing).sum();
    assert!(answers <= trace.events.len() as u64 + missing);
    live.finish(trace).iter().for_each(check);
    let mut recorded = TargetTests::new(unit_test::COMPONENT);
    recorded.push(trace, 0, orders, |_| panic!("an answer for a finished recording"));
    recorded.finish(trace)
}
