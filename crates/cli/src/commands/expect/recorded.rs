//! Tests in the recording itself.

use rtoscope_analysis::expect::{
    ExpectedArgument, TargetOrder, TargetOrderKind, TargetTests, TestResult,
};
use rtoscope_decode::DecodedRecording;
use rtoscope_decode::format::{ArgumentExpectation, DirectiveKind, RecordedTests, TestDirective};

/// Returns their results; empty if there are none.
pub(super) fn run_recorded(recording: &DecodedRecording) -> Vec<TestResult> {
    let trace = &recording.trace;
    let Some(RecordedTests {
        component,
        directives,
    }) = recording.format_info.recorded_tests(trace)
    else {
        return Vec::new();
    };
    let mut recorded = TargetTests::new(component);
    recorded.push(trace, 0, directives.into_iter().map(target_order), |_| {});
    recorded.finish(trace)
}

pub(super) fn target_order(directive: TestDirective) -> TargetOrder {
    let TestDirective { event, line, kind } = directive;
    let kind = match kind {
        DirectiveKind::Begin => TargetOrderKind::Begin,
        DirectiveKind::End => TargetOrderKind::End,
        DirectiveKind::Verify => TargetOrderKind::Verify,
        DirectiveKind::IgnoreComponent(name) => TargetOrderKind::IgnoreComponent(name),
        DirectiveKind::Ignore(kind) => TargetOrderKind::Ignore(kind),
        DirectiveKind::Expect(kind, arguments) => {
            let arguments = arguments.into_iter().map(expected_argument);
            TargetOrderKind::Expect(kind, arguments.collect())
        }
        DirectiveKind::IgnoreArgument(kind, index) => TargetOrderKind::IgnoreArgument(kind, index),
    };
    TargetOrder { event, line, kind }
}

fn expected_argument(
    ArgumentExpectation { name, values }: ArgumentExpectation,
) -> ExpectedArgument {
    ExpectedArgument { name, values }
}
