//! Sequences of records: as text up to a NUL, followed by a target's own orders.

use rtoscope_analysis::check::{CheckResult, RuleOutcome};
use rtoscope_analysis::sequence::{Sequence, TargetTests};
use rtoscope_decode::rkh::{RkhOptions, decode, unit_test};
use rtoscope_trace::unit_test::{ArgumentExpectation, DirectiveKind, TestDirective};
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
        match Sequence::parse(&text, 1).and_then(|it| it.check(trace, "", false)) {
            Ok(result) => {
                assert!(result.occurrences.unwrap_or_default() <= trace.events.len() as u64);
                check(&result);
            }
            Err(error) => {
                assert!(error.line <= text.lines().count().max(1));
                assert!(!error.message.is_empty());
            }
        }
        run_orders(trace, orders).iter().for_each(check);
    }
}

fn check(result: &CheckResult) {
    assert!(result.worst.len() <= result.violations);
    assert!(result.violations == 0 || result.outcome == RuleOutcome::Failed);
}

/// Four bytes per order: operation, number of events to advance, kind, argument.
fn run_orders(trace: &Trace, orders: &[u8]) -> Vec<CheckResult> {
    let mut event = EventIndex(0);
    let orders = orders.as_chunks().0.iter().zip(1..);
    let orders = orders.map(|([operation, advance, kind, value], line)| {
        event = EventIndex(event.0.saturating_add(u32::from(*advance)));
        let kind = EventKindId(u32::from(*kind));
        let kind = match operation % 8 {
            0 => DirectiveKind::Begin,
            1 => DirectiveKind::End,
            2 => DirectiveKind::Verify,
            3 => DirectiveKind::IgnoreComponent(unit_test::COMPONENT.to_owned()),
            4 => DirectiveKind::Ignore(kind),
            5 => DirectiveKind::IgnoreArgument(kind, usize::from(*value)),
            6 => DirectiveKind::Expect(kind, Vec::new()),
            _ => {
                let argument = ArgumentExpectation {
                    name: "st".to_owned(),
                    values: vec![u64::from(*value)],
                };
                DirectiveKind::Expect(kind, vec![argument])
            }
        };
        TestDirective { event, line, kind }
    });
    let orders: Vec<_> = orders.collect();
    let mut live = TargetTests::new(unit_test::COMPONENT, true);
    let mut answers = 0;
    live.push(trace, 0, orders.clone(), |answer| {
        let reply = unit_test::encode_result(answer.line, answer.failure.as_deref());
        // In the worst case, every byte is escaped.
        assert!(reply.len() <= 2 + 2 * 255);
        answers += 1;
    });
    let missing: u64 = trace.gaps.iter().filter_map(|gap| gap.missing).sum();
    assert!(answers <= trace.events.len() as u64 + missing);
    live.finish(trace).iter().for_each(check);
    let mut recorded = TargetTests::new(unit_test::COMPONENT, false);
    recorded.push(trace, 0, orders, |_| panic!("an answer for a finished recording"));
    recorded.finish(trace)
}
