//! Tests of a trace: as text up to a NUL, followed by a target's own orders.

use rtoscope_analysis::expect::{
    self, ExpectedArgument, Spec, TargetTests, TestOutcome, TestResult,
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
                }
                Err(error) => assert!(error.line as usize <= text.lines().count()),
            },
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        run_orders(trace, orders).iter().for_each(check);
    }
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
    let mut recorded = TargetTests::new(trace, unit_test::COMPONENT);
    let mut event = EventIndex(0);
    for ([operation, advance, kind, value], line) in orders.as_chunks().0.iter().zip(1..) {
        event = EventIndex(event.0.saturating_add(u32::from(*advance)));
        let kind = EventKindId(u32::from(*kind));
        match operation % 8 {
            0 => recorded.begin(event, line),
            1 => recorded.end(event, line),
            2 => recorded.verify(event, line),
            3 => recorded.ignore_component(event, line, unit_test::COMPONENT),
            4 => recorded.ignore(event, line, kind),
            5 => recorded.ignore_argument(event, line, kind, usize::from(*value)),
            6 => recorded.expect(event, line, kind, Vec::new()),
            _ => {
                let argument = ExpectedArgument {
                    name: "st".to_owned(),
                    values: vec![u64::from(*value)],
                };
                recorded.expect(event, line, kind, vec![argument]);
            }
        }
    }
    recorded.run()
}
