//! Tests that a recording holds itself.

use rtoscope_analysis::expect::{ExpectedArgument, Recorded, TestResult};
use rtoscope_decode::rkh::unit_test::{self, Expected, Order, What};
use rtoscope_trace::Trace;

/// What came of them; nothing if there are none.
pub(super) fn run(trace: &Trace) -> Vec<TestResult> {
    let mut recorded = Recorded::new(trace, unit_test::COMPONENT);
    for Order { event, line, what } in unit_test::orders(trace) {
        match what {
            What::Begin => recorded.begin(event, line),
            What::End => recorded.end(event, line),
            What::Verify => recorded.verify(event, line),
            What::IgnoreComponent(name) => recorded.ignore_component(event, line, &name),
            What::Ignore(kind) => recorded.ignore(event, line, kind),
            What::Expect(kind, arguments) => {
                let arguments = arguments.into_iter().map(argument);
                recorded.expect(event, line, kind, arguments.collect());
            }
            What::IgnoreArgument(kind, index) => {
                recorded.ignore_argument(event, line, kind, index);
            }
        }
    }
    recorded.run()
}

fn argument(Expected { name, values }: Expected) -> ExpectedArgument {
    ExpectedArgument { name, values }
}
