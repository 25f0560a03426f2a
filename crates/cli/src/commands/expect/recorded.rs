//! Tests in the recording itself.

use rtoscope_analysis::expect::{ExpectedArgument, TargetTests, TestResult};
use rtoscope_decode::rkh::unit_test::{self, ArgumentExpectation, DirectiveKind, TestDirective};
use rtoscope_trace::Trace;

/// Returns their results; empty if there are none.
pub(super) fn run_recorded(trace: &Trace) -> Vec<TestResult> {
    let mut recorded = TargetTests::new(trace, unit_test::COMPONENT);
    for TestDirective { event, line, kind } in unit_test::directives(trace) {
        match kind {
            DirectiveKind::Begin => recorded.begin(event, line),
            DirectiveKind::End => recorded.end(event, line),
            DirectiveKind::Verify => recorded.verify(event, line),
            DirectiveKind::IgnoreComponent(name) => recorded.ignore_component(event, line, &name),
            DirectiveKind::Ignore(kind) => recorded.ignore(event, line, kind),
            DirectiveKind::Expect(kind, arguments) => {
                let arguments = arguments.into_iter().map(expected_argument);
                recorded.expect(event, line, kind, arguments.collect());
            }
            DirectiveKind::IgnoreArgument(kind, index) => {
                recorded.ignore_argument(event, line, kind, index);
            }
        }
    }
    recorded.run()
}

fn expected_argument(
    ArgumentExpectation { name, values }: ArgumentExpectation,
) -> ExpectedArgument {
    ExpectedArgument { name, values }
}
